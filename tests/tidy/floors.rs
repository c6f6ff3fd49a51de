//! Floors: which module may import which. Imports run downward, neighbours do not import each other.
//!
//! The price is that two neighbours who share something must hand it down a floor, or meet on the one
//! above. `main` composes and may name everything; `lib` only declares the modules.

use crate::path::{NamedPath, paths};
use crate::source::Source;

/// The floor of every top-level module, the highest first.
const FLOORS: &[(&str, u8)] = &[
    ("main", 9),
    ("cli", 8),
    ("http", 8),
    ("dashboard", 8),
    ("testkit", 8),
    ("prelude", 4),
    ("mcp", 7),
    ("api", 6),
    ("agent", 5),
    ("roles", 4),
    ("engine", 3),
    ("backend", 3),
    ("provider", 3),
    ("store", 2),
    ("model", 2),
    ("trace", 2),
    ("domain", 1),
    ("config", 1),
    ("topk", 0),
];

/// The member crates below `src`, with the module that the root package shows each of them as.
pub(crate) const MEMBERS: &[(&str, &str)] = &[
    ("src/topk", "topk"),
    ("src/domain", "domain"),
    ("src/store", "store"),
    ("src/trace", "trace"),
    ("src/backend/embedded", "backend"),
    ("src/backend/neo4j", "backend"),
];

/// Reports every import that does not run downward, and every module without a floor.
pub(crate) fn complaints(sources: &[Source]) -> Vec<String> {
    sources
        .iter()
        .filter(|source| source.has_floor() && !is_member(source))
        .flat_map(of_source)
        .collect()
}

/// Reports every member of the project that a member's manifest names although it is on no lower floor.
pub(crate) fn member_complaints(path: &str, manifest: &str) -> Vec<String> {
    let folder = path.trim_end_matches("/Cargo.toml");
    let Some(from) = MEMBERS
        .iter()
        .find(|(at, _)| *at == folder)
        .and_then(|(_, name)| floor(name))
    else {
        return vec![format!(
            "{path}: the member has no floor; add it to MEMBERS in tests/tidy/floors.rs"
        )];
    };
    let lines = manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]")
        .skip(1);
    lines
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.strip_prefix("hindlore-")?.split(['.', ' ']).next())
        .filter(|name| floor(name).is_none_or(|to| to >= from))
        .map(|name| format!("{path}: `hindlore-{name}` stands no lower than {folder}"))
        .collect()
}

/// Inside a member, `crate` is the member; its manifest lists the crates that it may name.
fn is_member(source: &Source) -> bool {
    MEMBERS.iter().any(|(folder, _)| source.within(folder))
}

fn floor(module: &str) -> Option<u8> {
    FLOORS
        .iter()
        .find(|(name, _)| *name == module)
        .map(|(_, floor)| *floor)
}

fn of_source(source: &Source) -> Vec<String> {
    let home = source.parts()[1];
    if matches!(home, "lib" | "main" | "bin") {
        return Vec::new();
    }
    let Some(from) = floor(home) else {
        let message = format!(
            "module `{home}` has no floor; add it to FLOORS in tests/tidy/floors.rs and to the map in src/lib.rs"
        );
        return vec![source.complaint(1, &message)];
    };
    paths(source)
        .iter()
        .filter_map(|path| {
            objection(home, from, path).map(|message| source.complaint(path.line, &message))
        })
        .collect()
}

fn objection(home: &str, from: u8, path: &NamedPath) -> Option<String> {
    let target = path.rooted()?;
    let written = path.segments.join("::");
    let Some(module) = target.first().filter(|name| *name != "*") else {
        return Some(format!(
            "`{written}` names the whole crate and hides the arrow; name the module"
        ));
    };
    if module == home {
        return None;
    }
    let Some(to) = floor(module) else {
        return Some(format!(
            "`{written}` leads to `{module}`, which has no floor; import from the module that owns it"
        ));
    };
    if to > from {
        return Some(format!(
            "`{written}` runs up, from floor {from} ({home}) to floor {to} ({module}); move what is shared down"
        ));
    }
    if to == from {
        return Some(format!(
            "`{written}` runs sideways on floor {from}, from {home} to {module}; neighbours meet on a floor above"
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        complaints(&[Source::new(path, text)])
    }

    #[test]
    fn an_import_that_runs_up_is_reported_in_every_form() {
        let forms = [
            "use crate::cli::Engine;",
            "use crate::{domain::Bullet, cli::{self as e}};",
            "pub(crate) use crate::{\n    cli::*,\n};",
            "fn f() { crate::cli::run() }",
            "fn f(x: &dyn crate::cli::Run) {}",
            "use super::cli::Engine;",
            "mod deep { use super::super::cli::Engine; }",
            "use {std::io, crate::cli::Engine};",
            "#[cfg(test)] mod tests { use crate::cli::Engine; }",
        ];
        for form in forms {
            let found = found("src/engine/mod.rs", form);
            assert_eq!(found.len(), 1, "{form}: {found:?}");
            assert!(found[0].contains("runs up"), "{form}: {found:?}");
        }
    }

    #[test]
    fn neighbours_are_reported() {
        for (path, text) in [
            ("src/cli/serve.rs", "use crate::http::serve;"),
            ("src/engine/mod.rs", "use crate::backend::embedded::Store;"),
            ("src/engine/mod.rs", "use crate::provider::Client;"),
            ("src/config.rs", "use crate::domain::memory::Key;"),
        ] {
            let found = found(path, text);
            assert!(
                found.len() == 1 && found[0].contains("sideways"),
                "{path}: {found:?}"
            );
        }
    }

    #[test]
    fn a_member_names_members_of_lower_floors_only() {
        let manifest = "[dependencies]\nhindlore-store.workspace = true\nserde.workspace = true\n";
        let up = member_complaints("src/domain/Cargo.toml", manifest);
        assert!(up.len() == 1 && up[0].contains("store"), "{up:?}");
        assert!(member_complaints("src/backend/neo4j/Cargo.toml", manifest).is_empty());
        assert!(member_complaints("src/attic/Cargo.toml", manifest)[0].contains("no floor"));
        let tests = "[dev-dependencies]\nhindlore-store.workspace = true\n";
        assert!(member_complaints("src/domain/Cargo.toml", tests).is_empty());
    }

    #[test]
    fn a_module_without_floor_and_a_glob_of_the_crate_are_reported() {
        assert!(found("src/attic/mod.rs", "")[0].contains("no floor"));
        assert!(found("src/cli/mod.rs", "use crate::attic::X;")[0].contains("no floor"));
        assert!(found("src/cli/mod.rs", "use crate::*;")[0].contains("whole crate"));
        assert!(found("src/cli/mod.rs", "use crate as me;")[0].contains("whole crate"));
    }

    #[test]
    fn downward_imports_and_text_pass() {
        let text = "//! See [`crate::cli`].\nuse crate::{domain::memory::Key, store};\nuse super::agent::Agent;\nconst A: &str = \"crate::cli::x\";";
        assert!(found("src/api/mod.rs", text).is_empty());
        assert!(found("src/main.rs", "use hindlore::{cli, http};").is_empty());
        assert!(
            found(
                "src/cli/args.rs",
                "use super::out::Out; use crate::cli::out;"
            )
            .is_empty()
        );
    }
}
