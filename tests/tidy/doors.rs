//! Doors: where each outside crate may be used, and where clock, files and chance may enter.
//!
//! One place per crate keeps an upgrade or a replacement inside one folder. A new dependency needs a row
//! here first, which is the moment to ask whether it is needed.

use crate::path::{NamedPath, paths};
use crate::source::Source;

/// Where a crate may be used. Places are modules without extension, relative to the repository.
enum Door {
    Only(&'static [&'static str]),
    AllBut(&'static [&'static str]),
}

use Door::{AllBut, Only};

const PURE: &[&str] = &[
    "src/primitives",
    "src/topk",
    "src/text",
    "src/redact",
    "src/errors",
    "src/domain",
    "src/trace",
];
const CONTRACT: &[&str] = &[
    "src/primitives",
    "src/topk",
    "src/text",
    "src/redact",
    "src/errors",
    "src/domain",
    "src/trace",
    "src/store",
    "src/agents/model",
];

/// Package name and door of every crate that the project uses or plans to use.
const DOORS: &[(&str, Door)] = &[
    (
        "anstream",
        Only(&["src/child", "src/cli", "src/trace/wrapper/ansi"]),
    ),
    ("anstyle", Only(&["src/cli"])),
    ("aho-corasick", Only(&["src/redact/announce"])),
    ("async-trait", AllBut(PURE)),
    ("axum", Only(&["src/server/http"])),
    ("chrono", Only(&["src/backend/neo4j"])),
    ("clap", Only(&["src/cli", "src/main"])),
    ("clap_complete", Only(&["src/cli"])),
    ("clap_mangen", Only(&["src/cli/commands/completions"])),
    ("crc32fast", Only(&["src/backend/embedded"])),
    ("dirs", Only(&["src/config"])),
    ("flate2", Only(&["src/trace/archive"])),
    ("foldhash", Only(&["src/domain/memory/index", "src/topk"])),
    ("futures-core", Only(&["src/server/http"])),
    ("getrandom", Only(&["src/engine"])),
    (
        "hashbrown",
        Only(&[
            "src/domain/memory/index/hash_index",
            "src/topk/term_interner",
        ]),
    ),
    // Its types are in the head of a request that the SDK hands over.
    ("http", Only(&["src/server/mcp"])),
    ("hyper", Only(&["src/server/http"])),
    ("hyper-util", Only(&["src/server/http"])),
    ("indicatif", Only(&["src/cli"])),
    ("jsonc-parser", Only(&["src/cli/agents"])),
    ("jsonwebtoken", Only(&["src/server/http/oidc"])),
    ("libm", Only(PURE)),
    (
        "maud",
        Only(&[
            "src/api/memory_page",
            "src/api/comparison_page",
            "src/api/html_page",
        ]),
    ),
    ("md-5", Only(&["src/domain"])),
    ("mimalloc", Only(&["src/main"])),
    ("neo4rs", Only(&["src/backend/neo4j"])),
    (
        "opentelemetry",
        Only(&["src/cli/spans", "src/server/http/traced"]),
    ),
    ("opentelemetry-otlp", Only(&["src/cli/spans"])),
    ("opentelemetry_sdk", Only(&["src/cli/spans"])),
    ("pulldown-cmark", Only(&["src/api/import/markdown"])),
    ("ort", Only(&["src/embeddings/network"])),
    ("prometheus-client", Only(&["src/server/http/metrics"])),
    (
        "regex",
        Only(&[
            "src/domain/lesson/learning/contrast/phrases",
            "src/errors/fingerprint/hub",
            "src/errors/fingerprint/normaliser",
            "src/redact/custom_rules",
        ]),
    ),
    (
        "reqwest",
        Only(&["src/server/http/oidc", "src/agents/provider"]),
    ),
    ("ring", Only(&["src/server/http/oidc"])),
    ("rmcp", Only(&["src/server/mcp"])),
    ("rusqlite", Only(&["src/backend/embedded"])),
    (
        "rustix",
        Only(&[
            "src/child",
            "src/cli/commands/agents/hook/process",
            "src/cli/repository",
            "src/cli/resident",
            "src/config/regular_file",
            "src/server/http/open_files",
        ]),
    ),
    (
        "rustls",
        Only(&[
            "src/backend/neo4j",
            "src/cli/spans",
            "src/server/http/oidc",
            "src/agents/provider",
        ]),
    ),
    ("rust-stemmers", Only(&["src/text"])),
    ("ruzstd", Only(&["src/trace/archive"])),
    ("schemars", Only(&["src/api"])),
    ("serde", AllBut(&[])),
    ("serde_json", AllBut(&[])),
    ("sha2", AllBut(&[])),
    ("signal-hook", Only(&["src/child"])),
    ("smol_str", Only(&["src/topk"])),
    ("similar", Only(&["src/cli/commands/agents/install"])),
    (
        "strsim",
        Only(&["src/api", "src/cli", "src/config", "src/text"]),
    ),
    // Unit tests use it everywhere; elsewhere only `testkit` depends on it.
    ("tempfile", AllBut(PURE)),
    ("terminal_size", Only(&["src/cli"])),
    ("testcontainers", Only(&["src/testkit"])),
    ("thiserror", AllBut(&[])),
    ("time", AllBut(&[])),
    ("tokenizers", Only(&["src/embeddings/network"])),
    ("tokio", AllBut(CONTRACT)),
    ("toml", Only(&["src/config"])),
    (
        "toml_edit",
        Only(&["src/cli/agents", "src/cli/commands/config_set"]),
    ),
    ("tracing", AllBut(CONTRACT)),
    (
        "tracing-opentelemetry",
        Only(&["src/cli/spans", "src/server/http/traced"]),
    ),
    ("tracing-subscriber", Only(&["src/cli", "src/main"])),
    ("unicode-normalization", Only(PURE)),
    ("unicode-segmentation", Only(&["src/text"])),
    ("zip", Only(&["src/trace/archive"])),
];

/// All that the domain may name from outside, the standard library apart.
const DOMAIN_CRATES: &[&str] = &[
    "anstream",
    "aho_corasick",
    "flate2",
    "foldhash",
    "hashbrown",
    "libm",
    "md5",
    "regex",
    "rust_stemmers",
    "ruzstd",
    "serde",
    "serde_json",
    "sha2",
    "smol_str",
    "strsim",
    "thiserror",
    "time",
    "unicode_normalization",
    "unicode_segmentation",
    "zip",
];

/// Modules of the standard library, and crates, that would make the domain depend on the machine.
const IMPURE_IN_DOMAIN: &[&str] = &[
    "std::env",
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "rand",
];

/// Where the wall clock may be read.
const CLOCK_PLACES: &[&str] = &["src/engine/clock", "src/cli", "src/main"];
const CLOCK_WORDS: &[&str] = &["SystemTime", "now_utc", "now_local"];

/// Reports every use of an outside crate outside its door.
pub(crate) fn complaints(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| source.has_floor()) {
        for path in paths(source) {
            if let Some(message) = objection(source, &path) {
                found.push(source.complaint(path.line, &message));
            }
        }
    }
    found
}

/// Reports the dependencies of a manifest that no row names.
pub(crate) fn missing_rows(manifest: &str) -> Vec<String> {
    dependencies(manifest)
        .into_iter()
        .filter(|name| name != "hindlore" && !name.starts_with("hindlore-"))
        .filter(|name| !DOORS.iter().any(|(package, _)| package == name))
        .map(|name| {
            format!("Cargo.toml: `{name}` has no door; add a row to DOORS in tests/tidy/doors.rs")
        })
        .collect()
}

/// Reports clock, I/O and randomness in the domain, and the wall clock outside of its places.
pub(crate) fn impurities(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| source.has_floor()) {
        let is_domain = PURE.iter().any(|place| source.within(place));
        if is_domain {
            for path in paths(source) {
                let written = path.segments.join("::");
                if IMPURE_IN_DOMAIN
                    .iter()
                    .any(|module| leads_to(&written, module))
                {
                    let message =
                        format!("`{written}` in the domain; take the value as an argument");
                    found.push(source.complaint(path.line, &message));
                }
            }
        }
        let may_read_clock = CLOCK_PLACES.iter().any(|place| source.within(place));
        for token in source.tokens.iter().filter(|token| token.is_word()) {
            let is_wall_clock = CLOCK_WORDS.contains(&token.text.as_str()) && !may_read_clock;
            let is_stopwatch = is_domain && token.text == "Instant";
            if is_wall_clock || is_stopwatch {
                let message = format!(
                    "`{}` here; the clock is read in src/engine/clock.rs and passed down",
                    token.text
                );
                found.push(source.complaint(token.line, &message));
            }
        }
    }
    found
}

fn leads_to(path: &str, module: &str) -> bool {
    path.strip_prefix(module)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

fn objection(source: &Source, path: &NamedPath) -> Option<String> {
    let name = path.first();
    let (package, door) = DOORS.iter().find(|(package, _)| library(package) == name)?;
    let is_inside = |places: &[&str]| places.iter().any(|place| source.within(place));
    if is_inside(PURE) && !DOMAIN_CRATES.contains(&name) {
        return Some(format!(
            "`{package}` in the domain, which may use only {}",
            DOMAIN_CRATES.join(", ")
        ));
    }
    match door {
        Only(places) if !is_inside(places) => Some(format!(
            "`{package}` is used outside of its door; it belongs to {}",
            places.join(", ")
        )),
        AllBut(places) if is_inside(places) => Some(format!(
            "`{package}` must not be used in {}",
            places.join(", ")
        )),
        _ => None,
    }
}

/// Gives the name by which code calls a package.
fn library(package: &str) -> String {
    match package {
        "md-5" => "md5".to_owned(),
        other => other.replace('-', "_"),
    }
}

/// Lists the packages under `[dependencies]`, also those of one target only.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_list = false;
    let mut open_brackets = 0_usize;
    for line in manifest
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'))
    {
        if open_brackets == 0 && line.starts_with('[') {
            let section = line.trim_start_matches('[').split(']').next().unwrap_or("");
            in_list = section == "dependencies"
                || section.ends_with(".dependencies") && section != "workspace.dependencies";
            let table = section
                .rsplit_once("dependencies.")
                .filter(|(before, _)| !before.ends_with('-'));
            found.extend(table.map(|(_, name)| name.trim_matches('"').to_owned()));
            continue;
        }
        if in_list && open_brackets == 0 {
            let name = line
                .split(['=', '.'])
                .next()
                .unwrap_or("")
                .trim()
                .trim_matches('"');
            if !name.is_empty() {
                found.push(name.to_owned());
            }
        }
        let count = |sign: [char; 2]| line.matches(sign).count();
        open_brackets = (open_brackets + count(['[', '{'])).saturating_sub(count([']', '}']));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(path: &str, text: &str) -> usize {
        complaints(&[Source::new(path, text)]).len()
    }

    fn impure(path: &str, text: &str) -> usize {
        impurities(&[Source::new(path, text)]).len()
    }

    #[test]
    fn a_crate_outside_of_its_door_is_reported_in_every_form() {
        let forms = [
            "use rusqlite::Connection;",
            "use ::rusqlite as sql;",
            "use {std::io, rusqlite::{Row}};",
            "extern crate rusqlite;",
            "fn f(row: &rusqlite::Row<'_>) {}",
            "#[cfg(test)] mod tests { use rusqlite::Row; }",
        ];
        for form in forms {
            assert_eq!(
                used("src/engine/memory/retrieval/retrieve.rs", form),
                1,
                "{form}"
            );
            assert_eq!(used("src/backend/embedded/read.rs", form), 0, "{form}");
        }
    }

    #[test]
    fn each_door_keeps_its_crate() {
        for (path, text) in [
            ("src/backend/embedded/lib.rs", "use neo4rs::Graph;"),
            ("src/server/http/mod.rs", "use clap::Parser;"),
            ("src/main.rs", "use indicatif::ProgressBar;"),
            ("src/server/mcp/mod.rs", "use axum::Router;"),
            ("src/server/http/mod.rs", "use rmcp::tool;"),
            ("src/agents/roles/mod.rs", "use reqwest::Client;"),
            ("src/cli/mod.rs", "use toml::Table;"),
            ("src/store/mod.rs", "#[tokio::test] async fn f() {}"),
            (
                "src/domain/memory/key.rs",
                "use unicode_segmentation::UnicodeSegmentation;",
            ),
            ("src/domain/memory/key.rs", "use tracing::debug;"),
            ("src/domain/memory/key.rs", "use strsim::jaro;"),
            ("src/api/mod.rs", "fn f() { getrandom::fill(&mut b) }"),
        ] {
            assert_eq!(used(path, text), 1, "{path}: {text}");
        }
    }

    #[test]
    fn names_that_only_look_like_a_crate_pass() {
        let text = "//! `rusqlite::Row`\nuse std::{time::Duration}; fn f() { crate::config::toml::read(\"axum::x\") }";
        assert_eq!(used("src/engine/mod.rs", text), 0);
        assert_eq!(
            used("src/store/mod.rs", "#[async_trait::async_trait] trait S {}"),
            0
        );
        assert_eq!(
            used(
                "src/text/words.rs",
                "use unicode_segmentation::UnicodeSegmentation;"
            ),
            0
        );
        assert_eq!(used("src/config.rs", "use toml::Table;"), 0);
    }

    #[test]
    fn clock_files_and_chance_in_the_domain_are_reported() {
        let forms = [
            "use std::time::Instant;",
            "use std::{fs, collections::BTreeMap};",
            "fn f() { std::env::var(\"A\"); }",
            "use std::net::IpAddr;",
            "use std::thread;",
            "use rand::Rng;",
            "use std::time::{Duration, SystemTime};",
            "fn f() { time::OffsetDateTime::now_utc(); }",
        ];
        for form in forms {
            assert_eq!(impure("src/domain/memory/decay.rs", form), 1, "{form}");
        }
        assert_eq!(
            impure(
                "src/domain/memory/decay.rs",
                "use std::{fmt, time::Duration};"
            ),
            0
        );
    }

    #[test]
    fn the_wall_clock_is_read_in_its_places_only() {
        let text = "use std::time::SystemTime;";
        assert_eq!(impure("src/engine/memory/retrieval/retrieve.rs", text), 1);
        assert_eq!(impure("src/server/http/mod.rs", text), 1);
        assert_eq!(impure("src/engine/clock.rs", text), 0);
        assert_eq!(impure("src/cli/demo/mod.rs", text), 0);
        assert_eq!(
            impure(
                "src/engine/memory/retrieval/retrieve.rs",
                "use std::time::Instant;"
            ),
            0
        );
    }

    #[test]
    fn a_dependency_without_row_is_reported() {
        let manifest = concat!(
            "[package]\nname = \"x\"\n[dependencies]\n# a note\nserde = \"1\"\nunknown-a = { version = \"1\", features = [\n",
            "  \"x\",\n] }\nunknown-b.workspace = true\n[dependencies.unknown-c]\nversion = \"1\"\n",
            "[target.'cfg(unix)'.dependencies]\nunknown-d = \"1\"\n[dev-dependencies]\nfine = \"1\"\n[features]\nalso = []\n",
        );
        let named: Vec<String> = missing_rows(manifest)
            .iter()
            .map(|line| line[12..22].trim().to_owned())
            .collect();
        assert_eq!(
            named,
            ["`unknown-a", "`unknown-b", "`unknown-c", "`unknown-d"]
        );
    }
}
