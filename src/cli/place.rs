//! Places of stores: facts known before opening one, because opening a file creates it.

use std::fs;
use std::path::{Path, PathBuf};

use hindlore_api::nearest::nearest;
use hindlore_api::problem::Problem;
use hindlore_config::{PlaceKind, SERVER_SCHEMES, kind_of_place};

/// Maximum folder entries compared with a mistyped name.
const ENTRIES_MAX: usize = 1_000;

/// True if a place is a server; an error for an unknown scheme.
pub(crate) fn is_server(place: &str) -> Result<bool, Problem> {
    let scheme = match kind_of_place(place) {
        PlaceKind::File => return Ok(false),
        PlaceKind::Server => return Ok(true),
        PlaceKind::Unknown(scheme) => scheme,
    };
    // The rest of the address may hold a password, so show only the scheme.
    let blank = if place.starts_with(char::is_whitespace) {
        "a blank and "
    } else {
        ""
    };
    let message =
        format!("the place of the store begins with {blank}`{scheme}:`, and no store does");
    let schemes = SERVER_SCHEMES.join(", ");
    Err(Problem::new("invalid_usage", message).with_hint(format!(
        "a server begins with one of {schemes}; a file whose name looks like an address is named by `./` and the name"
    )))
}

/// Refuses a missing file; a server answers for itself.
pub(crate) fn must_exist(place: &str) -> Result<(), Problem> {
    if is_missing(place)? {
        Err(missing(place))
    } else {
        Ok(())
    }
}

/// True if a place is a missing file; a server answers for itself.
pub(crate) fn is_missing(place: &str) -> Result<bool, Problem> {
    Ok(!is_server(place)? && !Path::new(place).exists())
}

/// The problem of a missing file, with the nearest existing one.
pub(crate) fn missing(place: &str) -> Problem {
    let near =
        nearest_file(Path::new(place)).map(|near| format!("; nearest: `{}`", near.display()));
    let message = format!("there is no store at `{place}`{}", near.unwrap_or_default());
    Problem::new("no_store", message)
        .with_hint("check the path; nothing was made, the first write makes a store")
}

/// The existing file nearest to a missing path: each missing name is replaced by the most similar one in its
/// folder.
fn nearest_file(path: &Path) -> Option<PathBuf> {
    let mut found = PathBuf::new();
    for part in path.components() {
        let next = found.join(part);
        if next.exists() || next.as_os_str().is_empty() {
            found = next;
            continue;
        }
        let name = part.as_os_str().to_str()?;
        let folder = if found.as_os_str().is_empty() {
            Path::new(".")
        } else {
            found.as_path()
        };
        let entries = fs::read_dir(folder).ok()?.take(ENTRIES_MAX);
        let names: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|other| !is_beside_a_store(other))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        found = found.join(nearest(name, &names)?);
    }
    found.is_file().then_some(found)
}

/// True for the log or index file of a store.
fn is_beside_a_store(name: &str) -> bool {
    name.ends_with("-wal") || name.ends_with("-shm")
}

/// True if two places are the same store, as far as names and links show.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    let is_server = |place| kind_of_place(place) == PlaceKind::Server;
    match (is_server(a), is_server(b)) {
        (true, true) => a.eq_ignore_ascii_case(b),
        (false, false) => resolved(Path::new(a)) == resolved(Path::new(b)),
        _ => false,
    }
}

/// The path without links; for a missing file, that of its folder with its name.
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

    #[test]
    fn a_mistyped_path_finds_the_file_that_was_meant() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("data/store")).unwrap();
        for name in ["data/store/memory.db", "data/store/memory.db-wal"] {
            fs::write(path(name), b"").unwrap();
        }
        let meant = path("data/store/memory.db");
        for typed in [
            "data/store/memry.db",
            "data/stroe/memory.db",
            "dtaa/store/memroy.db",
        ] {
            assert_eq!(nearest_file(&path(typed)), Some(meant.clone()), "{typed}");
        }
        for typed in ["data/store/x", "elsewhere/memory.db", "data/stor"] {
            assert_eq!(nearest_file(&path(typed)), None, "{typed}");
        }
        let said = missing(&path("data/store/memry.db").display().to_string()).message;
        assert!(
            said.contains("nearest: `") && said.contains("memory.db"),
            "{said}"
        );
    }
}
