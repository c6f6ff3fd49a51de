//! Short stories: import twice, undo, feedback that changes a ranking.

use serde_json::{Value, json};

use crate::world::{World, texts};

#[test]
fn feedback_changes_the_ranking() {
    let world = World::new();
    world.apply(&json!({"operations": [
        {"op": "ADD", "content": "warm the kettle slowly"},
        {"op": "ADD", "content": "rinse the kettle twice"},
    ]}));
    let answer = world.json("retrieve kettle");
    let ids = texts(&answer["results"], "id");
    let retrieval = answer["retrieval"].as_str().unwrap();
    let (first, last) = (&ids[0], &ids[1]);
    let words = format!("feedback {retrieval} --helped {last} --harmed {first} --ignored {first}");
    let given = world.json(&words);
    assert_eq!(
        (&given["marked"], &given["deltas"][0]["repeated"]),
        (&json!(2), &json!(false))
    );
    let after = world.json("retrieve kettle");
    assert_eq!(
        texts(&after["results"], "id"),
        [last.as_str(), first.as_str()]
    );
    let digest = world.digest();
    let again = world.json(&words);
    assert_eq!(again["deltas"][0]["repeated"], true);
    assert_eq!(world.digest(), digest);
    let shown = world.json(&format!("bullets show {first}"));
    assert_eq!(
        (&shown["harmful"], &shown["usage"]["ignored"]),
        (&json!(1), &json!(1))
    );
}

#[test]
fn importing_twice_changes_nothing() {
    let world = World::new();
    let file = world.file(
        "p.txt",
        "## RULES\n[r-00001] helpful=3 harmful=1 :: keep the log\n\
         [r-00002] helpful=0 harmful=0 :: keep the log\n",
    );
    let words = format!("import --format ace-playbook {file}");
    let first = world.json(&words);
    let counts =
        |answer: &Value| ["read", "added", "merged"].map(|name| answer[name].as_u64().unwrap());
    assert_eq!(
        (counts(&first), &first["repeated"]),
        ([2, 1, 1], &json!(false))
    );
    let digest = world.digest();
    let second = world.json(&words);
    assert_eq!(
        (counts(&second), &second["repeated"]),
        ([2, 1, 1], &json!(true))
    );
    assert_eq!(world.digest(), digest);
    let plain = world.run(&["import", "--format", "ace-playbook", &file]);
    assert!(plain.out.contains("imported before"), "{plain:?}");
}

#[test]
fn what_was_exported_comes_in_with_the_same_votes_and_adds_up() {
    let world = World::seeded();
    let numbers = ["added", "merged", "revived"];
    for (format, wanted) in [
        // Without the general advice of a new memory.
        ("ace-playbook", [3, 0, 0]),
        ("classic", [3, 3, 0]),
        ("hindlore", [6, 0, 0]),
    ] {
        // A whole bullet is known by its id, and is here as it is.
        let own = match format {
            "hindlore" => [0, 0, 0],
            "ace-playbook" => [0, 3, 0],
            _ => [0, 6, 0],
        };
        let export = ["export", "--format", format];
        let file = world.file(format, world.run(&export).out);
        for (learner, wanted) in [(format, wanted), ("default", own)] {
            let words = format!("import --format {format} {file} --learner {learner}");
            let answer = world.json(&words);
            let told = numbers.map(|name| answer[name].as_u64().unwrap());
            let read = if format == "ace-playbook" { 3 } else { 6 };
            assert_eq!((told, &answer["read"]), (wanted, &json!(read)), "{words}");
        }
        let planted = |learner: &str| {
            let list = world.json(&format!("bullets list --learner {learner}"));
            let bullets = list["bullets"].as_array().unwrap().clone();
            let advice = bullets.iter().filter(|one| one["kind"] == "meta_strategy");
            advice.map(|one| one["helpful"].clone()).collect::<Vec<_>>()
        };
        for learner in [format, "default"] {
            assert_eq!(planted(learner), vec![json!(5); 3], "{format} {learner}");
        }
    }
}

#[test]
fn a_bad_line_stops_an_import_unless_it_is_to_be_skipped() {
    let world = World::seeded();
    let export = world.run(&["export"]).out;
    let broken = export.replacen("\"kind\":\"fact\"", "\"kind\":\"rumour\"", 1);
    assert_ne!(broken, export);
    let file = world.file("b.jsonl", broken);
    let arguments = ["import", "--format", "hindlore", &file];
    let message = world.refused(&arguments, b"", "bad_records");
    assert!(
        message.contains("b.jsonl:") && message.contains("--skip-bad"),
        "{message}"
    );
    let answer = world.json(&format!(
        "import --format hindlore {file} --skip-bad --learner two"
    ));
    assert_eq!((&answer["read"], &answer["added"]), (&json!(6), &json!(5)));
    let skipped = &answer["skipped"][0];
    assert!(skipped["line"].as_u64().unwrap() > 1);
    assert!(skipped["reason"].as_str().unwrap().contains("rumour"));
}

#[test]
fn an_undo_restores_the_content() {
    let world = World::seeded();
    let before = world.digest();
    let id = world.json("retrieve valve --peek")["results"][0]["id"].clone();
    world.apply(&json!({"id": "change", "operations": [
        {"op": "UPDATE", "id": id, "content": "never touch the valve", "tags": ["x"]},
        {"op": "ADD", "content": "a new one"},
        {"op": "TAG", "id": id, "helpful": 2},
    ]}));
    assert_ne!(world.digest()["content_digest"], before["content_digest"]);
    world.json("delta undo change");
    assert_eq!(world.digest()["content_digest"], before["content_digest"]);
    assert_eq!(world.json("delta undo change")["repeated"], true);
    assert_eq!(world.json("replay")["sound"], true);
}

#[test]
fn an_undo_that_something_stands_on_is_refused() {
    let world = World::seeded();
    let id = world.json("retrieve valve --peek")["results"][0]["id"].clone();
    for (delta, section) in [("one", "A"), ("two", "B")] {
        let operations = json!([{"op": "UPDATE", "id": id, "section": section}]);
        world.apply(&json!({"id": delta, "operations": operations}));
    }
    let message = world.refused(&["delta", "undo", "one"], b"", "undo_refused");
    assert!(
        message.contains("two") && message.contains("--force"),
        "{message}"
    );
    world.json("delta undo one --force");
}

#[test]
fn the_author_is_kept_and_the_flag_wins() {
    let mut world = World::new();
    world.set("HINDLORE_AUTHOR", "environment");
    let add = |text: &str| json!({"operations": [{"op": "ADD", "content": text}]});
    world.apply(&add("one"));
    world.apply_to(&add("two"), &["--author", "flag"]);
    let mut signed = add("three");
    signed["author"] = json!("file");
    world.apply(&signed);
    let log = world.json("delta log --limit 3");
    assert_eq!(
        texts(&log["deltas"], "author"),
        ["file", "flag", "environment"]
    );
}

#[test]
fn one_text_is_added_changed_and_removed() {
    let world = World::new();
    let added = world.json("add Quote every path. --tag shell --section Rules");
    let id = added["added"][0].as_str().unwrap().to_owned();
    let shown = world.json(&format!("bullets show {id}"));
    assert_eq!(
        (&shown["content"], &shown["source"], &shown["tags"]),
        (
            &json!("Quote every path."),
            &json!("person"),
            &json!(["shell"])
        )
    );
    let again = world.json("add Quote every path.");
    assert_eq!(again["added"], json!([]));
    let edited = world.json(&format!(
        "bullets edit {id} Quote every path twice. --tag bash"
    ));
    assert_eq!(edited["updated"], json!([id]));
    let shown = world.json(&format!("bullets show {id}"));
    assert_eq!(
        (&shown["content"], &shown["section"], &shown["tags"]),
        (
            &json!("Quote every path twice."),
            &json!("Rules"),
            &json!(["bash"])
        )
    );
    let removed = world.json(&format!("bullets remove {id} --reason old"));
    assert_eq!(removed["archived"], json!([id]));
    let undo = format!("delta undo {}", removed["delta"].as_str().unwrap());
    world.json(&undo);
    assert_eq!(
        world.json(&format!("bullets show {id}"))["status"],
        "active"
    );
}

#[test]
fn a_text_that_is_missing_or_a_bullet_that_is_not_there_is_named() {
    let world = World::new();
    let added = world.json("add Quote every path.");
    let id = added["added"][0].as_str().unwrap().to_owned();
    world.refused(&["add", "  "], b"", "invalid_request");
    let message = world.refused(&["bullets", "edit", &id], b"", "invalid_request");
    assert!(
        message.contains("--text") || message.contains("TEXT"),
        "{message}"
    );
    world.refused(&["bullets", "edit", "nobody", "x"], b"", "no_bullet");
    world.refused(&["bullets", "remove", "nobody"], b"", "no_bullet");
}
