//! Places of stores: what can be said about one before it is opened, since opening a file makes it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::api::problem::Problem;
use crate::config::{PlaceKind, SERVER_SCHEMES, kind_of_place};

/// Tells whether a place is a server; an error where it begins with a scheme that no store has.
pub(crate) fn is_server(place: &str) -> Result<bool, Problem> {
    let scheme = match kind_of_place(place) {
        PlaceKind::File => return Ok(false),
        PlaceKind::Server => return Ok(true),
        PlaceKind::Unknown(scheme) => scheme,
    };
    // The rest of an address may hold a password.
    let blank = match place.starts_with(char::is_whitespace) {
        true => "a blank and ",
        false => "",
    };
    let message =
        format!("the place of the store begins with {blank}`{scheme}:`, and no store does");
    let schemes = SERVER_SCHEMES.join(", ");
    Err(Problem::new("invalid_usage", message).with_hint(format!(
        "a server begins with one of {schemes}; a file whose name looks like an address is named by `./` and the name"
    )))
}

/// Refuses a file that is not there; a server answers for itself.
pub(crate) fn must_exist(place: &str) -> Result<(), Problem> {
    if is_server(place)? || Path::new(place).exists() {
        return Ok(());
    }
    let message = format!("there is no store at `{place}`");
    Err(Problem::new("no_store", message)
        .with_hint("check the path; nothing was made, the first write makes a store"))
}

/// Tells whether two places are the same store, as far as their names and links tell.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    let is_server = |place| kind_of_place(place) == PlaceKind::Server;
    match (is_server(a), is_server(b)) {
        (true, true) => a.eq_ignore_ascii_case(b),
        (false, false) => resolved(Path::new(a)) == resolved(Path::new(b)),
        _ => false,
    }
}

/// The path without links; of a file that is not there, that of its folder and its name.
fn resolved(path: &Path) -> PathBuf {
    if let Ok(path) = fs::canonicalize(path) {
        return path;
    }
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = path
        .parent()
        .and_then(|folder| fs::canonicalize(folder).ok());
    match (folder, path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_file_are_the_same_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        fs::write(path("a.db"), b"").unwrap();
        assert!(is_same(&path("a.db"), &path("./a.db")));
        assert!(is_same(&path("new.db"), &path("./new.db")));
        assert!(!is_same(&path("a.db"), &path("b.db")));
        assert!(is_same("neo4j://host", "NEO4J://HOST") && !is_same("neo4j://host", "host"));
        assert!(must_exist(&path("a.db")).is_ok());
        assert_eq!(must_exist(&path("b.db")).unwrap_err().code, "no_store");
    }
}
