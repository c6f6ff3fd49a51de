//! Imports of people's files: every format, folders, and files that are imported again.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::world::{World, texts};

fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/imports")
}

fn count(answer: &Value, name: &str) -> u64 {
    match &answer[name] {
        Value::Array(list) => list.len() as u64,
        other => other.as_u64().unwrap(),
    }
}

/// Checks that each record of an answer became something.
fn is_accounted_for(answer: &Value) {
    let parts = [
        "added",
        "merged",
        "revived",
        "updated",
        "unchanged",
        "skipped",
        "refused",
    ];
    let sum: u64 = parts.iter().map(|name| count(answer, name)).sum();
    assert_eq!(count(answer, "read"), sum, "{answer}");
}

fn contents(world: &World, learner: &str) -> Vec<String> {
    let listed = world.json(&format!("bullets list --learner {learner}"));
    let bullets = listed["bullets"].as_array().unwrap().iter();
    let learned = bullets.filter(|bullet| bullet["kind"] != "meta_strategy");
    texts(&learned.cloned().collect(), "content")
}

#[test]
fn every_kind_of_file_is_told_by_its_text_and_each_entry_accounted_for() {
    let expected = std::fs::read_to_string(data().join("expected.json")).unwrap();
    let expected: Vec<Value> = serde_json::from_str(&expected).unwrap();
    let world = World::new();
    for (number, one) in expected.iter().enumerate() {
        let (name, learner) = (one["file"].as_str().unwrap(), format!("l{number}"));
        let path = data().join(name);
        let words = format!("import {} --learner {learner}", path.display());
        let answer = world.json(&words);
        assert_eq!(answer["format"], one["format"], "{name}");
        assert_eq!(answer["added"], one["bullets"], "{name}: {answer}");
        assert_eq!(
            count(&answer, "skipped"),
            count(one, "skipped"),
            "{name}: {answer}"
        );
        is_accounted_for(&answer);
        let found = contents(&world, &learner);
        for text in texts_of(&one["holds"]) {
            assert!(found.contains(&text), "{name}: {text} is not in {found:?}");
        }
        let again = world.json(&words);
        assert_eq!(again["repeated"], true, "{name}");
        assert_eq!(contents(&world, &learner), found, "{name}");
    }
}

fn texts_of(list: &Value) -> Vec<String> {
    let list = list.as_array().unwrap().iter();
    list.map(|text| text.as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_folder_gives_its_rules_and_tells_what_it_left() {
    let world = World::new();
    for (name, text) in [
        ("project/CLAUDE.md", "- Use tabs.\n- Ask first.\n"),
        ("project/README.md", "- Not a rule.\n"),
        ("project/web/AGENTS.md", "- Use tabs.\n- Name the port.\n"),
        ("project/memory.json", "{\"broken\": "),
    ] {
        std::fs::create_dir_all(world.path(name).parent().unwrap()).unwrap();
        world.file(name, text);
    }
    let folder = world.path("project");
    let trial = world.json(&format!("import {} --dry-run", folder.display()));
    assert_eq!(count(&trial, "added"), 4, "{trial}");
    let answer = world.json(&format!("import {}", folder.display()));
    let counts = ["read", "added", "merged"].map(|name| count(&answer, name));
    assert_eq!(counts, [4, 3, 1], "{answer}");
    let skipped = texts(&answer["skipped_files"], "file");
    assert!(
        skipped.iter().any(|path| path.ends_with("README.md")),
        "{answer}"
    );
    assert!(
        skipped.iter().any(|path| path.ends_with("memory.json")),
        "{answer}"
    );
    let plain = world.run(&["import", folder.to_str().unwrap()]);
    assert!(plain.out.contains("imported before"), "{plain:?}");
}

#[test]
fn a_file_kept_in_step_takes_away_only_what_it_alone_brought() {
    let world = World::new();
    let name = "rules.md";
    let rules = world.file(
        name,
        "# R\n- Use tabs.\n- Ask first.\n- Name the port.\n- Quote paths.\n- Pin me.\n",
    );
    world.json(&format!("import {rules} --sync"));
    let other = world.file("other.md", "- Ask first.\n");
    world.json(&format!("import {other}"));
    world.json("add Name the port.");
    let listed = world.json("bullets list");
    let id_of = |text: &str| {
        let bullets = listed["bullets"].as_array().unwrap().iter();
        let mut found = bullets.filter(|bullet| bullet["content"] == text);
        found.next().unwrap()["id"].as_str().unwrap().to_owned()
    };
    world.json(&format!(
        "bullets edit {} Quote every path.",
        id_of("Quote paths.")
    ));
    world.json(&format!("bullets pin {}", id_of("Pin me.")));
    world.file(name, "# R\n- Write tests.\n");
    let digest = world.digest();
    let trial = world.json(&format!("import {rules} --sync --dry-run"));
    assert_eq!((count(&trial, "gone"), world.digest()), (1, digest));
    let answer = world.json(&format!("import {rules} --sync"));
    assert_eq!(answer["gone"], json!([id_of("Use tabs.")]), "{answer}");
    is_accounted_for(&answer);
    let mut left = contents(&world, "default");
    left.sort();
    assert_eq!(
        left,
        [
            "Ask first.",
            "Name the port.",
            "Pin me.",
            "Quote every path.",
            "Write tests."
        ]
    );
    // A text that came back to an earlier one is imported as that one.
    world.file(
        name,
        "# R\n- Use tabs.\n- Ask first.\n- Name the port.\n- Quote paths.\n- Pin me.\n",
    );
    let back = world.json(&format!("import {rules} --sync"));
    assert_eq!(count(&back, "gone"), 1, "{back}");
    assert!(contents(&world, "default").contains(&"Use tabs.".to_owned()));
    let same = world.json(&format!("import {rules} --sync"));
    assert_eq!((&same["repeated"], count(&same, "gone")), (&json!(true), 0));
    world.refused(&["import", "--sync", "-"], b"- x\n", "invalid_usage");
}

#[test]
fn votes_of_a_file_kept_in_step_count_once() {
    let world = World::new();
    let line = "[r-00001] helpful=3 harmful=1 :: keep the log\n";
    let file = world.file("p.txt", format!("## R\n{line}"));
    world.json(&format!("import {file} --sync"));
    world.file(
        "p.txt",
        format!("## R\n{line}[r-00002] helpful=0 harmful=0 :: oil the hinge\n"),
    );
    world.json(&format!("import {file} --sync"));
    let shown = world.json("bullets show r-00001");
    assert_eq!(
        (&shown["helpful"], &shown["harmful"]),
        (&json!(3), &json!(1))
    );
}

#[test]
fn the_tail_of_an_older_file_stops_an_import_unless_it_is_to_be_skipped() {
    let world = World::seeded();
    let path = data().join("array_leftover.json");
    let path = path.to_str().unwrap();
    let message = world.refused(&["import", path], b"", "bad_records");
    assert!(
        message.contains("ends on line 4; 3 lines are left over"),
        "{message}"
    );
    let answer = world.json(&format!("import {path} --skip-bad"));
    assert_eq!((count(&answer, "added"), count(&answer, "skipped")), (2, 1));
}

#[test]
fn an_error_with_its_cure_is_offered_when_the_error_comes_again() {
    let world = World::new();
    let path = data().join("learnings_errors.md");
    let trial = world.json(&format!("import {} --dry-run", path.display()));
    assert_eq!(trial["failures"]["lessons"], 1, "{trial}");
    let answer = world.json(&format!("import {}", path.display()));
    let failures = &answer["failures"];
    assert_eq!(
        (&failures["errors"], &failures["lessons"]),
        (&json!(1), &json!(1))
    );
    let error = "getaddrinfo ENOTFOUND find.example.org";
    let ran = world.run(&["lessons", "retrieve", "--error", error, "--json"]);
    assert!(ran.out.contains("Ask the second provider first"), "{ran:?}");
}

#[test]
fn files_of_other_encodings_are_read_and_told() {
    let world = World::new();
    let utf_16: Vec<u8> = "\u{feff}- Grüße zuerst.\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let file = world.file("a.md", utf_16);
    let answer = world.json(&format!("import {file}"));
    assert!(answer["notes"].to_string().contains("UTF-16"), "{answer}");
    let file = world.file("b.md", b"- It\x92s late.\n");
    let answer = world.json(&format!("import {file}"));
    assert!(answer["notes"].to_string().contains("offset 4"), "{answer}");
    assert_eq!(contents(&world, "default"), ["Grüße zuerst.", "It’s late."]);
}

#[test]
fn unknown_fields_are_named_once_and_cost_no_record() {
    let world = World::new();
    let path = data().join("bullets_more_fields.json");
    let answer = world.json(&format!("import {}", path.display()));
    let notes = answer["notes"].to_string();
    for name in ["confidence", "prerequisites", "author"] {
        assert_eq!(notes.matches(&format!("`{name}`")).count(), 1, "{notes}");
    }
    assert!(!notes.contains("evidence"), "{notes}");
}

#[test]
fn every_format_is_told_with_an_example() {
    let world = World::seeded();
    let told = world.run(&["import", "--formats"]);
    assert_eq!(told.code, 0, "{told:?}");
    for word in [
        "markdown",
        "CLAUDE.md",
        "ace-state",
        "classic-lessons",
        "\"op\": \"UPDATE\"",
    ] {
        assert!(told.out.contains(word), "{word}: {}", told.out);
    }
    let listed = world.json("import --formats");
    assert_eq!(listed["formats"].as_array().unwrap().len(), 16);
    let message = world.refused(&["import", "x.trace"], b"", "no_file");
    assert!(message.contains("x.trace"), "{message}");
}

/// A file, its text, and the words of the problem or of the answer about it.
const FAULTS: &[(&str, &[u8], &[&str])] = &[
    (
        "bad.jsonl",
        b"{\"content\": \"one\"}\n{\"content\": \"two\"}\n{\"content\": \n",
        &["1 of 3 records", "bad.jsonl:3: not valid JSON", "--skip-bad"],
    ),
    (
        "types.jsonl",
        b"{\"content\": \"one\"}\n{\"content\": 5}\n\n{\"content\": \"\"}\n",
        &["types.jsonl:2: `content` must be a text", "types.jsonl:4: the content is empty"],
    ),
    (
        "graph.jsonl",
        b"{\"type\":\"entity\",\"name\":\"A\",\"entityType\":\"t\",\"observations\":[\"x\"]}\n{\"type\":\"entity\",\"name\":5}\n{bad\n",
        &["graph.jsonl:2: it is neither an entity", "nor a relation; /", "graph.jsonl:3: not valid JSON"],
    ),
    (
        "broken.json",
        b"{\"a\": 1,\n \"b\": }\n",
        &["broken.json:2: the file is not valid JSON", "column 7", "correct the JSON"],
    ),
    (
        "export.jsonl",
        b"{\"hindlore_export\": 1, \"revision\": 1}\n",
        &["export.jsonl:1: this does not look like", "the manifest cannot be read"],
    ),
    ("empty.jsonl", b"", &["empty.jsonl: the text is empty", "check that it is the right file"]),
    ("empty.md", b"", &["empty.md: the text is empty"]),
    ("blank.md", b"\n \n", &["blank.md: the text is empty"]),
    ("binary.md", b"PK\x03\x04\0\0", &["binary.md: the file is not text", "byte offset 4"]),
    ("binary.jsonl", b"\x7fELF\x02\0", &["binary.jsonl: the file is not text"]),
    ("plain.txt", b"some words\n", &["plain.txt: the format of the text is unknown", "--format"]),
    (
        "headings.md",
        b"# A\n\n## B\n",
        &["nothing that becomes a bullet", "skipped FILE:3: a heading with nothing below it"],
    ),
    (
        "fields.jsonl",
        b"{\"content\": \"one\"}\n{\"content\": \"two\", \"sction\": \"x\"}\n",
        &["no such field: `sction` on line 2"],
    ),
    (
        "several.jsonl",
        b"{\"content\": \"one\", \"sction\": 1}\n{\"content\": \"two\", \"sction\": 2}\n",
        &["`sction` (2 times, first on line 1)"],
    ),
];

/// Words of the interface for programs, which the command line does not have.
const FOREIGN: &[&str] = &[
    "operation 0",
    "`lenient`",
    "`skip_bad`",
    "<field",
    "send it again",
];

#[test]
fn each_fault_of_a_file_names_the_file_the_line_and_the_remedy() {
    let world = World::new();
    let long = format!(
        "{{\"content\": \"one\"}}\n{{\"content\": \"{}\"}}\n",
        "x ".repeat(60_000)
    );
    let long: (&str, &[u8], &[&str]) = (
        "long.jsonl",
        long.as_bytes(),
        &["skipped FILE:2: the content has 1", "the limit is"],
    );
    for (number, (name, text, words)) in FAULTS.iter().chain([&long]).enumerate() {
        let path = world.file(name, text);
        let learner = format!("l{number}");
        let ran = world.run(&["import", &path, "--learner", &learner]);
        let shown = format!("{}{}", ran.out, ran.err);
        for word in *words {
            let word = word.replace("FILE", &path);
            assert!(shown.contains(&word), "{name}: {word}: {shown}");
        }
        assert!(shown.contains(&path) || ran.code == 0, "{name}: {shown}");
        assert!(
            !FOREIGN.iter().any(|word| shown.contains(word)),
            "{name}: {shown}"
        );
        assert_eq!(ran.code == 2, ran.out.is_empty(), "{name}: {ran:?}");
    }
    let folder = world.path("nothing here");
    std::fs::create_dir(&folder).unwrap();
    let folder = folder.to_str().unwrap();
    let refused = world.run(&["import", folder, "--json"]);
    assert!(refused.problem("nothing_to_import").contains(folder));
    let refused = world.run_with(
        &["import", "-", "--json"],
        "{\"content\": 5}\n{\"content\": \"x\"}",
    );
    assert!(
        refused
            .problem("bad_records")
            .contains("stdin:1: `content`")
    );
    let lessons = world.file("lessons.jsonl", "{\"rule_text\": 5}\n");
    let refused = world.run(&["import", "--format", "classic-lessons", &lessons, "--json"]);
    assert!(refused.problem("bad_records").contains("lessons.jsonl:1: "));
}
