//! The meaning of server codes and driver errors, as pure tables, each with the advice for people.

use std::io;

use neo4rs::Error;

use super::tls;
use hindlore_store::ErrorKind;

/// True when the connection was refused before anything was sent.
pub(crate) fn is_unreachable(error: &Error) -> bool {
    let is_down = |kind| {
        matches!(
            kind,
            io::ErrorKind::ConnectionRefused
                | io::ErrorKind::HostUnreachable
                | io::ErrorKind::NetworkUnreachable
                | io::ErrorKind::AddrNotAvailable
        )
    };
    let is_down = matches!(error, Error::IOError { detail } if is_down(detail.kind()));
    is_down || is_refusal(error) || tls::is_cut_handshake(error)
}

/// True when the other side will refuse the next connection, too.
pub(crate) fn is_refusal(error: &Error) -> bool {
    matches!(
        error,
        Error::AuthenticationError(_)
            | Error::UnsupportedScheme(_)
            | Error::UrlParseError(_)
            | Error::InvalidDnsName(_)
            | Error::UnsupportedVersion(..)
            | Error::ProtocolMismatch(_)
            | Error::InvalidConfig
    ) || tls::refusal(error).is_some()
}

/// True for codes that prove that a transaction was not committed: constraints and locks fail before it is written.
pub(crate) fn proves_no_commit(code: &str) -> bool {
    const SURE: [&str; 5] = [
        "Neo.ClientError.Schema.ConstraintValidationFailed",
        "Neo.ClientError.Transaction.LockAcquisitionTimeout",
        "Neo.TransientError.Transaction.DeadlockDetected",
        "Neo.TransientError.Transaction.LockAcquisitionTimeout",
        "Neo.TransientError.Transaction.LockClientStopped",
    ];
    SURE.contains(&code)
}

/// True for codes that only a running statement raises, so before its commit: its own faults, schema errors, and missing
/// rights.
pub(crate) fn is_of_statement(code: &str) -> bool {
    // A code is `Neo`, a class, a category and a title; the category is the third part.
    let mut parts = code.split('.').skip(2);
    matches!(parts.next(), Some("Statement" | "Schema" | "Security")) || says_read_only(code, "")
}

/// True for codes of a constraint or an index that cannot be created.
pub(crate) fn is_of_schema(code: &str) -> bool {
    code.split('.').nth(2) == Some("Schema")
}

pub(crate) fn says_read_only(code: &str, message: &str) -> bool {
    let is_coded = code.ends_with("ReadOnlyDatabase") || code.contains("WriteOnReadOnly");
    is_coded || message.contains("read-only")
}

/// True for codes of a cluster whose leader changes, or of a login that has to be made again: soon another member
/// leads, and another connection logs in. A member that never leads, addressed by itself, answers so for ever.
pub(crate) fn is_of_the_moment(code: &str) -> bool {
    code.ends_with(".Cluster.NotALeader") || code.ends_with(".Security.AuthorizationExpired")
}

pub(crate) fn kind_of_code(code: &str, message: &str) -> (ErrorKind, &'static str) {
    let says = |part: &str| code.contains(part);
    // The first match counts, so the narrower codes come first.
    match () {
        () if says(".Cluster.NotALeader") => (
            ErrorKind::Unavailable,
            "is a member of a cluster and does not lead it, and nothing was written; address the cluster by neo4j:// \
             instead of bolt://, or try again when it has a leader",
        ),
        () if says_read_only(code, message) => (
            ErrorKind::ReadOnly,
            "may only be read; allow writes, or name another database",
        ),
        () if says(".Security.") => (
            ErrorKind::Unavailable,
            "refused the user; check name, password and rights",
        ),
        () if says("DatabaseNotFound") => (
            ErrorKind::Unavailable,
            "has no database of this name; check the name",
        ),
        () if says("DatabaseUnavailable") => (
            ErrorKind::Unavailable,
            "cannot use its database now; start it, or try again later",
        ),
        () if says(".Schema.ConstraintValidationFailed") => (
            ErrorKind::Invalid,
            "has another of what must be unique, and nothing was written; decide on the present state",
        ),
        () if says("OutOfDisk") || says("StorageFull") => (
            ErrorKind::Full,
            "has no space left on its disk; free some and try again",
        ),
        () if says("LockAcquisitionTimeout")
            || says("DeadlockDetected")
            || says("LockClientStopped") =>
        {
            (
                ErrorKind::Busy,
                "was locked by others for too long; try again, or raise `neo4j.work_timeout_ms`",
            )
        }
        () if says("OutOfMemory") => (
            ErrorKind::Busy,
            "has too little memory for this; give it more, write less at once, or bring it into a file and migrate that",
        ),
        () if says("TransactionTimedOut") || says("Transaction.Terminated") => (
            ErrorKind::Unavailable,
            "ended the transaction because it took too long; try again, or raise db.transaction.timeout of the server",
        ),
        () if code.starts_with("Neo.TransientError.") => {
            (ErrorKind::Unavailable, "cannot do this now; try again")
        }
        () => (
            ErrorKind::Unexpected,
            "could not do this, and nothing was written; the cause follows",
        ),
    }
}

pub(crate) fn kind_of_connection(error: &Error) -> (ErrorKind, &'static str) {
    if let Some(advice) = tls::refusal(error) {
        return (ErrorKind::Unavailable, advice);
    }
    match error {
        Error::AuthenticationError(_) => (
            ErrorKind::Unavailable,
            "refused the user or the password; check both",
        ),
        Error::UnsupportedScheme(_) | Error::UrlParseError(_) | Error::InvalidDnsName(_) => (
            ErrorKind::Invalid,
            "is no address of a Neo4j; write it like bolt://localhost:7687",
        ),
        Error::UnsupportedVersion(..) => (
            ErrorKind::Foreign,
            "does not speak Bolt 4.4, which this version needs; use a Neo4j from 4.4 to 2026, or for one that is newer a \
             newer hindlore",
        ),
        Error::ProtocolMismatch(_) => (
            ErrorKind::Foreign,
            "is not the Bolt port of a Neo4j, or wants encryption; check the port, or write bolt+s://",
        ),
        error if tls::is_cut_handshake(error) => (
            ErrorKind::Unavailable,
            "ended the TLS handshake; check that this port encrypts, or write the address without +s",
        ),
        _ => (
            ErrorKind::Unavailable,
            "cannot be reached; check that it runs, and its address",
        ),
    }
}
