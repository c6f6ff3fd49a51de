//! The house rules as tests: floors, doors, headers, sizes, words, prose, and the table of contract clauses.
//!
//! An unchecked rule is a wish. Each rule here is a pure function from sources to complaints, so it runs on the
//! repository and, in its own tests, on small texts that break it: a rule that cannot fail would be worse than none.
//! The sources are read as tokens, without a parser; facts that a token stream cannot show (types, macro expansion) are
//! left to the compiler and to clippy.

mod circles;
mod clauses;
mod doc;
mod doors;
mod floors;
mod item;
mod path;
mod prose;
mod size;
mod source;
mod token;
mod word;

use std::env;
use std::fs;
use std::path::PathBuf;

use source::Source;

// Asked at run time first: a build folder shared by two checkouts keeps the path of the one that built it.
fn root() -> PathBuf {
    let here: PathBuf = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    let root = here
        .ancestors()
        .find(|folder| folder.join("Cargo.lock").is_file());
    root.map_or_else(|| here.clone(), PathBuf::from)
}

#[allow(
    clippy::panic,
    reason = "sources that cannot be read are a failed test"
)]
fn sources() -> Vec<Source> {
    match source::read(&root(), &["src", "benches", "tests"]) {
        Ok(sources) => sources,
        Err(error) => panic!(
            "cannot read the sources under {}: {error}",
            root().display()
        ),
    }
}

/// Path and text of the manifests of the product's crates.
#[allow(
    clippy::panic,
    reason = "a manifest that cannot be read is a failed test"
)]
fn manifests() -> Vec<(String, String)> {
    let paths = floors::MEMBERS.iter().map(|(folder, _, _)| match *folder {
        "" => "Cargo.toml".to_owned(),
        folder => format!("{folder}/Cargo.toml"),
    });
    paths
        .map(|path| match fs::read_to_string(root().join(&path)) {
            Ok(text) => (path, text),
            Err(error) => panic!("cannot read {path}: {error}"),
        })
        .collect()
}

fn demand(rule: &str, complaints: Vec<String>) {
    assert!(
        complaints.is_empty(),
        "{rule}\n  {}\n",
        complaints.join("\n  ")
    );
}

#[test]
fn the_sources_are_seen() {
    let sources = sources();
    for expected in ["src/engine/lib.rs", "src/main.rs", "tests/tidy/main.rs"] {
        assert!(
            sources.iter().any(|source| source.path == expected),
            "{expected} was not read"
        );
    }
}

#[test]
fn dependencies_run_downward() {
    let manifests = manifests();
    let found = manifests.iter().flat_map(|(path, text)| {
        let missing = if path == "Cargo.toml" {
            floors::missing(text)
        } else {
            Vec::new()
        };
        floors::complaints(path, text).into_iter().chain(missing)
    });
    demand(
        "crates depend on crates of lower floors only:",
        found.collect(),
    );
}

#[test]
fn no_files_need_each_other() {
    demand(
        "files of a crate stand in an order:",
        circles::complaints(&sources()),
    );
}

#[test]
fn every_outside_crate_has_one_door() {
    demand(
        "outside crates are used behind their door only:",
        doors::complaints(&sources()),
    );
}

#[test]
fn every_dependency_has_a_door() {
    let found = manifests()
        .into_iter()
        .flat_map(|(_, text)| doors::missing_rows(&text));
    demand(
        "every dependency has a row in the doors table:",
        found.collect(),
    );
}

#[test]
fn the_domain_is_pure_and_the_clock_has_one_place() {
    demand(
        "no clock, no I/O, no randomness outside their place:",
        doors::impurities(&sources()),
    );
}

#[test]
fn every_file_opens_with_its_idea() {
    demand(
        "the first line of a file is its `//!` sentence:",
        doc::headerless(&sources()),
    );
}

#[test]
fn public_items_are_documented() {
    demand(
        "public items have a sentence of documentation:",
        doc::complaints(&sources()),
    );
}

#[test]
fn files_and_functions_stay_small() {
    demand(
        "files and functions stay small:",
        size::complaints(&sources()),
    );
}

#[test]
fn nothing_is_unfinished_or_vaguely_named() {
    demand(
        "nothing panics by shortcut, is unfinished or vaguely named:",
        word::complaints(&sources()),
    );
}

#[test]
fn prose_is_plain_english() {
    let limits: Vec<f64> = prose::GROUPS.iter().map(|group| group.limit).collect();
    demand(
        "prose is plain English, and its limits only fall:",
        prose::Count::of(&sources()).complaints(&limits),
    );
}

#[test]
fn every_contract_clause_is_in_the_table() {
    demand(
        "the table of clauses and the clauses agree:",
        clauses::complaints(&sources()),
    );
}
