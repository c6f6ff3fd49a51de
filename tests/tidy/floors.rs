//! Floors: which crate of the project may depend on which. Dependencies run downward, neighbours do not name each other.
//!
//! The compiler refuses a circle and an import without a dependency; this rule decides which dependencies a manifest may
//! have. The price is that two neighbours who share something must hand it down a floor, or meet on the one above.

/// The folder, the package and the floor of every crate of the product, the lowest first.
pub(crate) const MEMBERS: &[(&str, &str, u8)] = &[
    ("src/primitives", "hindlore-primitives", 0),
    ("src/topk", "hindlore-topk", 0),
    ("src/config", "hindlore-config", 0),
    ("src/child", "hindlore-child", 0),
    ("src/text", "hindlore-text", 1),
    ("src/redact", "hindlore-redact", 1),
    ("src/errors", "hindlore-errors", 2),
    ("src/domain", "hindlore-domain", 3),
    ("src/trace", "hindlore-trace", 3),
    ("src/store", "hindlore-store", 4),
    ("src/backend/embedded", "hindlore-embedded", 5),
    ("src/backend/neo4j", "hindlore-neo4j", 5),
    ("src/engine", "hindlore", 6),
    ("src/agents", "hindlore-agents", 7),
    ("src/embeddings", "hindlore-embeddings", 7),
    ("src/api", "hindlore-api", 8),
    ("src/server", "hindlore-server", 9),
    ("src/cli", "hindlore-cli", 9),
    ("src/testkit", "hindlore-testkit", 9),
    ("", "hindlore-program", 10),
];

/// Reports every crate of the project that a manifest depends on although it is on no lower floor.
pub(crate) fn complaints(path: &str, manifest: &str) -> Vec<String> {
    let folder = path.trim_end_matches("Cargo.toml").trim_end_matches('/');
    let Some((_, _, from)) = MEMBERS.iter().find(|(at, _, _)| *at == folder) else {
        return vec![format!(
            "{path}: the crate has no floor; add it to MEMBERS in tests/tidy/floors.rs"
        )];
    };
    let lines = manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]")
        .skip(1);
    lines
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| *name == "hindlore" || name.starts_with("hindlore-"))
        .filter(|name| floor(name).is_none_or(|to| to >= *from))
        .map(|name| format!("{path}: `{name}` is on no lower floor than {folder}"))
        .collect()
}

/// Reports the members of the workspace below `src` that have no floor.
pub(crate) fn missing(workspace: &str) -> Vec<String> {
    workspace
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","))
        .filter(|folder| folder.starts_with("src/"))
        .filter(|folder| !MEMBERS.iter().any(|(at, _, _)| at == folder))
        .map(|folder| format!("{folder} has no floor; add it to MEMBERS in tests/tidy/floors.rs"))
        .collect()
}

fn floor(package: &str) -> Option<u8> {
    MEMBERS
        .iter()
        .find(|(_, name, _)| *name == package)
        .map(|(_, _, floor)| *floor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_depends_on_crates_of_lower_floors_only() {
        let manifest = "[dependencies]\nhindlore-store.workspace = true\nserde.workspace = true\n";
        let up = complaints("src/domain/Cargo.toml", manifest);
        assert!(up.len() == 1 && up[0].contains("store"), "{up:?}");
        assert!(complaints("src/backend/neo4j/Cargo.toml", manifest).is_empty());
        assert!(complaints("src/attic/Cargo.toml", manifest)[0].contains("no floor"));
        let tests = "[dev-dependencies]\nhindlore-store.workspace = true\n";
        assert!(complaints("src/domain/Cargo.toml", tests).is_empty());
        let engine = "[dependencies]\nhindlore = { workspace = true, optional = true }\n";
        assert_eq!(complaints("src/store/Cargo.toml", engine).len(), 1);
        assert!(complaints("src/api/Cargo.toml", engine).is_empty());
    }

    #[test]
    fn neighbours_are_reported() {
        let manifest = "[dependencies]\nhindlore-server.workspace = true\n";
        assert_eq!(complaints("src/cli/Cargo.toml", manifest).len(), 1);
        assert!(complaints("Cargo.toml", manifest).is_empty());
    }

    #[test]
    fn a_member_without_floor_is_reported() {
        let workspace =
            "members = [\n    \"src/topk\",\n    \"src/attic\",\n    \"tests/tidy\",\n]";
        let found = missing(workspace);
        assert!(
            found.len() == 1 && found[0].contains("src/attic"),
            "{found:?}"
        );
    }
}
