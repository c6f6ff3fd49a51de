//! Floors: which module may import which. Imports run downward, neighbours do not import each other.
//!
//! The price is that two neighbours who share something must hand it down a floor, or meet on the one
//! above. `main` composes and may name everything; `lib` only declares the modules.

use crate::path::{NamedPath, paths};
use crate::source::Source;

/// The floor of every top-level module, the highest first.
const FLOORS: &[(&str, u8)] = &[
    ("main", 7),
    ("cli", 6),
    ("http", 6),
    ("mcp", 6),
    ("dashboard", 6),
    ("testkit", 6),
    ("api", 5),
    ("lab", 5),
    ("eval", 5),
    ("agent", 4),
    ("roles", 3),
    ("engine", 2),
    ("backend", 2),
    ("provider", 2),
    ("store", 1),
    ("model", 1),
    ("domain", 0),
    ("config", 0),
];

/// The contract and the models stay free of settings, so that they can be built and read alone.
const LOWEST_IMPORTER_OF_CONFIG: u8 = 2;

/// Reports every import that does not run downward, and every module without a floor.
pub(crate) fn complaints(sources: &[Source]) -> Vec<String> {
    sources
        .iter()
        .filter(|source| source.is_product())
        .flat_map(of_source)
        .collect()
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
    let is_early_config = module == "config" && from < LOWEST_IMPORTER_OF_CONFIG;
    is_early_config
        .then(|| format!("`{written}`: {home} may not read config; take the value as an argument"))
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
            "use crate::engine::Engine;",
            "use crate::{domain::Bullet, engine::{self as e}};",
            "pub(crate) use crate::{\n    engine::*,\n};",
            "fn f() { crate::engine::run() }",
            "fn f(x: &dyn crate::engine::Run) {}",
            "use super::engine::Engine;",
            "mod deep { use super::super::engine::Engine; }",
            "use {std::io, crate::engine::Engine};",
            "#[cfg(test)] mod tests { use crate::engine::Engine; }",
        ];
        for form in forms {
            let found = found("src/store/mod.rs", form);
            assert_eq!(found.len(), 1, "{form}: {found:?}");
            assert!(found[0].contains("runs up"), "{form}: {found:?}");
        }
    }

    #[test]
    fn neighbours_are_reported() {
        for (path, text) in [
            ("src/cli/serve.rs", "use crate::http::serve;"),
            ("src/engine/mod.rs", "use crate::backend::embedded::Store;"),
            ("src/store/mod.rs", "use crate::model::Model;"),
            ("src/domain/text/words.rs", "use crate::config::Config;"),
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
    fn the_lowest_floors_do_not_read_config() {
        assert!(found("src/store/mod.rs", "use crate::config::Config;")[0].contains("config"));
        assert!(found("src/engine/mod.rs", "use crate::config::Config;").is_empty());
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
        assert!(found("src/main.rs", "use mnemograph::{cli, http};").is_empty());
        assert!(
            found(
                "src/cli/args.rs",
                "use super::out::Out; use crate::cli::out;"
            )
            .is_empty()
        );
    }
}
