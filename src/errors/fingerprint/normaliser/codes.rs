//! The numbers and pieces that identify an error: exit codes, signals, answers of HTTP, codes of tools.
//!
//! In any form a code is announced by the words around it; without such a word only shapes that nothing else has are
//! codes.

/// The context of a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'t> {
    /// The word before the one that announces it.
    pub(super) before: &'t str,
    /// The word that announces it.
    pub(super) last: &'t str,
    /// Nothing ends the phrase between them.
    pub(super) is_adjacent: bool,
    /// A colon separates the last piece from this one.
    pub(super) behind_colon: bool,
    /// Nothing but signs follows in the line.
    pub(super) ends_line: bool,
}

/// Whether a number is a code.
pub(super) fn is_code_number(digits: &str, around: Around<'_>) -> bool {
    let Ok(number) = digits.parse::<u32>() else {
        return false;
    };
    let is_http = (400..600).contains(&number);
    let is_exit = number < 256;
    if !around.is_adjacent {
        return false;
    }
    match around.last {
        "http" | "https" => is_http,
        // After a volatile value it is a field of a record, as in the log of a server.
        "status" if is_volatile(around.before) => false,
        "statuscode" | "status_code" | "http_status" | "httpstatus" | "http_code" | "httpcode" => {
            is_http
        }
        "status" => is_http || (is_exit && is_about_ends(around.before)),
        "code" => is_http || (is_exit && is_about_ends(around.before)) || around.before == "error",
        "errno" | "sqlcode" | "winerror" | "error_code" | "errorcode" | "errcode" => true,
        "rc" | "ret" | "retcode" | "exitcode" | "exit_code" | "returncode" | "exit_status"
        | "signal" | "sig" | "exit" | "exited" | "sigkill" | "sigsegv" => is_exit,
        "with" => {
            (is_exit || is_http) && matches!(around.before, "exited" | "terminated" | "failed")
        }
        "returned" => is_http || (is_exit && around.ends_line),
        "got" | "answered" | "responded" | "received" => is_http,
        "error" | "err" => is_exit || is_http || around.ends_line || digits.len() >= 4,
        _ => is_http && around.behind_colon && around.ends_line,
    }
}

fn is_about_ends(word: &str) -> bool {
    matches!(
        word,
        "exit"
            | "exited"
            | "returned"
            | "return"
            | "nonzero"
            | "non-zero"
            | "zero"
            | "with"
            | "process"
            | "<*>"
    )
}

fn is_volatile(piece: &str) -> bool {
    piece.starts_with('<') && !matches!(piece, "<str>" | "<path>" | "<url>")
}

/// Whether a piece of letters and digits is a code, by the word before it.
pub(super) fn is_code(piece: &str, last: &str) -> bool {
    let announced = matches!(
        last,
        "error"
            | "warning"
            | "fatal"
            | "code"
            | "sqlstate"
            | "errcode"
            | "errorcode"
            | "error_code"
    );
    (announced && is_code_shape(piece))
        || is_vendor_code(piece)
        || is_status_code(piece)
        || (matches!(last, "status" | "signal" | "code") && is_numbered_signal(piece))
}

/// Letters with two digits and more, or the five signs of an SQLSTATE.
fn is_code_shape(piece: &str) -> bool {
    let is_sign = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    let digits = piece.bytes().filter(u8::is_ascii_digit).count();
    let letters = piece.bytes().filter(u8::is_ascii_alphabetic).count();
    piece.len() <= 14 && piece.bytes().all(is_sign) && digits >= 2 && (1..=8).contains(&letters)
}

/// The number of a linter's rule: `F401`, `SC2086`, `C0114`.
pub(super) fn is_rule(piece: &str) -> bool {
    let letters = piece.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = &piece.as_bytes()[letters..];
    (1..=4).contains(&letters)
        && (3..=4).contains(&digits.len())
        && digits.iter().all(u8::is_ascii_digit)
}

/// Prefixes of codes that need no word before them, sorted.
#[rustfmt::skip]
const VENDORS: &[&str] = &[
    "aadsts", "bc", "ca", "cs", "cve", "db2", "dpy", "e", "eacces", "fs", "ghsa", "imp", "kb", "lnk", "msb", "netsdk",
    "nu", "ora", "pgrst", "pls", "rman", "sa", "sc", "sp2", "sqlcode", "sqlstate", "sql", "tns", "ts", "xa",
];

/// `ORA-00942`, `TS2339`, `CVE-2024-1234`: a known prefix and four digits or more.
fn is_vendor_code(piece: &str) -> bool {
    let letters = piece.bytes().take_while(u8::is_ascii_alphabetic).count();
    let rest = piece[letters..].trim_start_matches('-');
    let is_number = rest.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    (4..=10).contains(&rest.len())
        && rest.as_bytes()[0].is_ascii_digit()
        && is_number
        && VENDORS.contains(&&piece[..letters])
}

/// An NTSTATUS or HRESULT that reports an error: `0xc0000005`, `0x80070005`.
fn is_status_code(piece: &str) -> bool {
    let digits = piece.strip_prefix("0x").unwrap_or_default();
    digits.len() == 8
        && (digits.starts_with("c0") || digits.starts_with("800"))
        && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

/// `9/kill`, as systemd writes the signal that ended a process.
fn is_numbered_signal(piece: &str) -> bool {
    let parts = piece.split_once('/');
    parts.is_some_and(|(number, name)| {
        (1..=3).contains(&number.len())
            && number.bytes().all(|b| b.is_ascii_digit())
            && !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_')
    })
}
