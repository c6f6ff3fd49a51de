//! The one error shape: a code for programs, a sentence for people, and a hint.
//!
//! All failures of a surface end up here, so that the command line, HTTP, and the rest use the same words. A
//! released code never changes its meaning.

use std::error::Error;
use std::fmt;

use serde_json::{Value, json};

use super::hint::{Plain, worded};
use hindlore::EngineError;
use hindlore_primitives::identity::KeyError;
use hindlore_store::error::{ErrorKind, StoreError};

/// A failure as shown outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// A snake case word for programs to compare.
    pub code: &'static str,
    /// The operation, its object, and the reason of the failure.
    pub message: String,
    /// The remedy, to be worded by the surface.
    pub hint: Option<String>,
    /// Line of the given text that is at fault, from 1; absent if none is.
    pub line: Option<u64>,
}

impl Problem {
    /// A problem without a hint.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            hint: None,
            line: None,
        }
    }

    /// Sets the remedy.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the line of the given text that is at fault.
    pub fn at_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// The JSON form: `{"error": {"code", "message", "hint"}}`; without a hint that is null.
    pub fn to_json(&self) -> Value {
        let hint = self.hint.as_deref().map(|hint| worded(hint, &Plain));
        json!({"error": {"code": self.code, "message": self.message, "hint": hint}})
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " ({})", worded(hint, &Plain)),
            None => Ok(()),
        }
    }
}

impl Error for Problem {}

impl From<KeyError> for Problem {
    fn from(error: KeyError) -> Self {
        Self::new("invalid_key", error.to_string())
            .with_hint("tenant, learner and scope have 1 to 256 visible characters each")
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let (code, hint) = words_of(error.kind());
        Self::new(code, error.to_string()).with_hint(hint)
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Store(error) => error.into(),
            error => Self {
                code: error.code(),
                hint: error.hint(),
                message: error.to_string(),
                line: None,
            },
        }
    }
}

/// Code and hint for a kind of store failure.
fn words_of(kind: ErrorKind) -> (&'static str, &'static str) {
    match kind {
        ErrorKind::Unavailable => (
            "store_unavailable",
            "check the address, that the store runs and that you may open it, then try again",
        ),
        ErrorKind::Busy => (
            "store_busy",
            "nothing was written; the store may be free soon, try again",
        ),
        ErrorKind::HalfCopied => (
            "store_half_copied",
            "wait for the copy; where it was cut off, the same `migrate` again goes on with it",
        ),
        ErrorKind::ReadOnly => (
            "store_read_only",
            "make the store writable, or choose another one",
        ),
        ErrorKind::Full => (
            "store_full",
            "nothing was written; free some space, then try again",
        ),
        ErrorKind::Damaged => (
            "store_damaged",
            "stop writing to it, keep a copy, and let the doctor look at it",
        ),
        ErrorKind::Foreign => (
            "store_foreign",
            "it belongs to another program and was left alone; choose another store",
        ),
        ErrorKind::NewerSchema => (
            "store_newer_schema",
            "it was written by a newer version of hindlore; use that version or a later one",
        ),
        ErrorKind::OldSchema => (
            "store_old_schema",
            "nothing was changed; export it with the build that wrote it and import the export, or name a new store",
        ),
        ErrorKind::Invalid => ("store_invalid", "correct the request"),
        ErrorKind::UnknownOutcome => (
            "store_unknown_outcome",
            "the write may have happened; send it again with the same id to find out",
        ),
        ErrorKind::Unexpected => (
            "store_unexpected",
            "try again; if it stays, report it with this message",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindlore_domain::memory::key::MemoryKey;

    #[test]
    fn a_problem_has_one_json_shape() {
        let plain = Problem::new("not_found", "no such memory");
        assert_eq!(
            plain.to_json().to_string(),
            r#"{"error":{"code":"not_found","hint":null,"message":"no such memory"}}"#
        );
        let hinted = plain.with_hint("make it first");
        assert_eq!(hinted.to_json()["error"]["hint"], "make it first");
        assert_eq!(hinted.to_string(), "no such memory (make it first)");
    }

    #[test]
    fn inner_errors_become_codes_with_hints() {
        let key = MemoryKey::new("t", "", "s").unwrap_err();
        assert_eq!(Problem::from(key).code, "invalid_key");
        for (kind, code) in [
            (ErrorKind::Busy, "store_busy"),
            (ErrorKind::HalfCopied, "store_half_copied"),
            (ErrorKind::ReadOnly, "store_read_only"),
            (ErrorKind::Full, "store_full"),
            (ErrorKind::Damaged, "store_damaged"),
            (ErrorKind::Foreign, "store_foreign"),
            (ErrorKind::NewerSchema, "store_newer_schema"),
            (ErrorKind::OldSchema, "store_old_schema"),
            (ErrorKind::UnknownOutcome, "store_unknown_outcome"),
        ] {
            let problem = Problem::from(StoreError::new(kind, "open", "a.db"));
            assert_eq!(problem.code, code);
            assert!(problem.message.contains("a.db") && problem.hint.is_some());
        }
    }
}
