//! Checks who can read the data: file modes of the store, and redaction of secrets.

use crate::session::Session;
use hindlore_api::responses::doctor::Looked;

/// Checks redaction.
pub(super) fn redaction(session: &Session) -> Looked {
    const SUBJECT: &str = "redaction";
    let rules = session.settings.redaction_rules().len();
    match session.settings.redaction() {
        "off" => Looked::note(
            SUBJECT,
            "off: passwords and tokens are written as they come; set redaction = \"on\", or unset \
             HINDLORE_REDACTION",
        ),
        _ if rules > 0 => Looked::ok(SUBJECT, format!("on, with {rules} rules of your own")),
        _ => Looked::ok(SUBJECT, "on"),
    }
}

/// Checks the files of a store, if it is one of files.
#[cfg(unix)]
pub(super) fn files(session: &Session) -> Option<Looked> {
    use std::os::unix::fs::PermissionsExt;

    const OTHERS: u32 = 0o077;
    let store = session.settings.text("store")?;
    let is_open = |path: &str| {
        let mode = std::fs::metadata(path).map(|file| file.permissions().mode());
        mode.is_ok_and(|mode| mode & OTHERS != 0)
    };
    let parts = ["", "-wal", "-shm"].map(|end| format!("{store}{end}"));
    let open: Vec<String> = parts.into_iter().filter(|path| is_open(path)).collect();
    if open.is_empty() {
        return std::fs::metadata(store)
            .is_ok()
            .then(|| Looked::ok("file modes", "only their owner may read the store's files"));
    }
    let names: Vec<String> = open.iter().map(|path| quoted(path)).collect();
    let said = format!(
        "others on this machine may read what is remembered; `chmod 600 {}`",
        names.join(" ")
    );
    Some(Looked::note("file modes", said))
}

/// Other systems keep access rights elsewhere.
#[cfg(not(unix))]
pub(super) fn files(_: &Session) -> Option<Looked> {
    None
}

/// A path, quoted for a shell.
#[cfg(unix)]
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:=,+@%^".contains(c);
    if path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}
