//! The data of a learner is exported whole and comes back equal.

use std::fs;

use serde_json::{Value, json};

use crate::world::World;

const STEPS: &str = concat!(
    r#"{"run":"m","step":1,"action":"gt r --fmt csv","error":"unknown option --fmt","exit_code":2}"#,
    "\n",
    r#"{"run":"m","step":2,"action":"gt r --format csv","exit_code":0}"#,
);

fn learned() -> World {
    let world = World::new();
    world.run_with(&["learn", "-"], STEPS);
    let ask = [
        "lessons",
        "retrieve",
        "--run",
        "n",
        "--error",
        "unknown option --fmt",
    ];
    world.run(&ask);
    assert_eq!(
        world.json("lessons list")["lessons"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    world
}

/// All that is shown of a learner's lessons.
fn lessons(world: &World) -> Vec<Value> {
    [
        "lessons list",
        "runs list",
        "errors list",
        "health",
        "runs show m",
    ]
    .map(|words| world.json(words))
    .to_vec()
}

#[test]
fn a_learner_with_lessons_alone_is_exported_and_comes_back() {
    let world = learned();
    let (before, file) = (
        lessons(&world),
        world.path("all.jsonl").display().to_string(),
    );
    let told = world.json(&format!("export {file}"));
    assert_eq!(told["bullets"], 0);
    assert!(told["learned"]["rows"].as_u64().unwrap() > 4);
    let same = world.json(&format!("import --format hindlore {file}"));
    assert_eq!(same["learned"]["unchanged"], true);
    world.json("erase --learner default --yes --all-scopes");
    let back = world.json(&format!("import --format hindlore {file}"));
    assert_eq!(
        (&back["learned"]["lessons"], &back["learned"]["unchanged"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(lessons(&world), before);
    let again = world.path("again.jsonl").display().to_string();
    assert_eq!(
        world.json(&format!("export {again}"))["learned"],
        told["learned"]
    );
    assert_eq!(fs::read(&file).unwrap(), fs::read(&again).unwrap());
}

#[test]
fn a_memory_and_its_lessons_go_in_one_file_and_either_can_be_taken_alone() {
    let world = learned();
    world.apply(&json!({"id": "d1", "operations": [{"op": "ADD", "content": "keep the log"}]}));
    let (before, digest) = (lessons(&world), world.digest()["content_digest"].clone());
    let text = world.run(&["export"]).out;
    let manifest: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(manifest["hindlore_export"], 1);
    let file = world.file("all.jsonl", &text);
    world.json("erase --learner default --yes --all-scopes");
    world.json(&format!("import --format hindlore {file} --bullets"));
    assert_eq!(world.digest()["content_digest"], digest);
    assert_eq!(world.run(&["lessons", "list"]).code, 1);
    world.json(&format!("import --format hindlore {file}"));
    assert_eq!(
        (lessons(&world), world.digest()["content_digest"].clone()),
        (before, digest)
    );
    let alone = world.run(&["export", "--bullets"]).out;
    assert!(alone.starts_with("{\"hindlore_export\":1,"));
    assert!(!alone.contains("--fmt"));
}

#[test]
fn rows_that_were_changed_and_rows_of_another_life_are_refused() {
    let world = learned();
    let text = world.run(&["export"]).out;
    let other = World::new();
    other.run_with(
        &["learn", "-"],
        "{\"run\":\"z\",\"step\":1,\"error\":\"no space left\"}",
    );
    let file = other.file("all.jsonl", &text);
    let message = other
        .run(&["import", "--format", "hindlore", &file, "--json"])
        .problem("invalid_request");
    assert!(message.contains("lessons of its own"), "{message}");
    let changed = world.file("changed.jsonl", text.replace("--format csv", "--format rm"));
    let message = world
        .run(&["import", "--format", "hindlore", &changed, "--json"])
        .problem("export_damaged");
    assert!(message.contains("digest"), "{message}");
    let cut: Vec<&str> = text.lines().collect();
    let cut = world.file("cut.jsonl", cut[..cut.len() - 1].join("\n"));
    let ran = world.run(&["import", "--format", "hindlore", &cut, "--json"]);
    assert!(ran.problem("export_damaged").contains("rows of lessons"));
}

#[test]
fn records_that_no_delta_could_make_are_refused_each_with_its_reason() {
    let world = World::seeded();
    let text = world.run(&["export", "--bullets"]).out;
    // Without its digests a changed file is taken as it is.
    let lines: Vec<&str> = text.lines().collect();
    let mut manifest: Value = serde_json::from_str(lines[0]).unwrap();
    manifest["digest"] = Value::Null;
    manifest["content_digest"] = Value::Null;
    let with = |change: &dyn Fn(&mut Value)| {
        let mut bullet: Value = serde_json::from_str(lines[4]).unwrap();
        change(&mut bullet["bullet"]);
        let mut all = vec![manifest.to_string(), bullet.to_string()];
        all.extend(
            lines[1..]
                .iter()
                .enumerate()
                .filter(|(at, _)| *at != 3)
                .map(|(_, line)| (*line).to_owned()),
        );
        all.join("\n")
    };
    let cases: [(&str, Value, &str); 11] = [
        (
            "section",
            json!("A\u{1b}]0;pwned\u{7}"),
            "control character",
        ),
        ("tags", json!(["a\u{1b}[2J"]), "control character"),
        ("topic", json!("t\u{7}"), "control character"),
        ("legacy_id", json!("x".repeat(300)), "256"),
        ("holds_hash", json!(false), "does not hold its text"),
        ("content_hash", json!("00".repeat(32)), "content hash"),
        ("helpful_count", json!(1_u64 << 60), "count is above"),
        ("created_tick", json!(99), "after the clock"),
        ("importance", json!(2.0), "importance"),
        ("status", json!("alive"), "alive"),
        ("merged_into", json!("b_00000000000000000000"), "was merged"),
    ];
    for (field, value, words) in cases {
        let file = world.file("x.jsonl", with(&|bullet| bullet[field] = value.clone()));
        let arguments = ["import", "--format", "hindlore", &file, "--learner", "new"];
        let message = world
            .run(&[&arguments[..], &["--json"]].concat())
            .problem("bad_records");
        assert!(message.contains(words), "{field}: {message}");
    }
    let list = world.json("memory list");
    assert_eq!(list["memories"].as_array().unwrap().len(), 1);
}

#[test]
fn a_policy_that_no_delta_could_make_is_refused() {
    let world = World::seeded();
    let text = world.run(&["export", "--bullets"]).out;
    let lines: Vec<&str> = text.lines().collect();
    let mut manifest: Value = serde_json::from_str(lines[0]).unwrap();
    manifest["digest"] = Value::Null;
    manifest["content_digest"] = Value::Null;
    for (field, value) in [
        (
            "rates",
            json!({"semantic": 5.0, "episodic": -3.0, "procedural": 2.0}),
        ),
        (
            "weights",
            json!({"relevance": -1.0, "strength": -2.0, "type": 0.5}),
        ),
        ("merge_threshold", json!(-1.0)),
        ("base_strength", json!(-4.0)),
        ("max_content_chars", json!(4_294_967_295_u64)),
    ] {
        let mut manifest = manifest.clone();
        manifest["policy"][field] = value;
        let text = [&[manifest.to_string().as_str()], &lines[1..]]
            .concat()
            .join("\n");
        let file = world.file("p.jsonl", text);
        let arguments = [
            "import",
            "--format",
            "hindlore",
            &file,
            "--learner",
            "new",
            "--json",
        ];
        world.run(&arguments).problem("invalid_policy");
    }
    let list = world.json("memory list");
    assert_eq!(list["memories"].as_array().unwrap().len(), 1);
}

#[test]
fn the_doctor_names_what_an_old_import_let_in_and_what_to_do() {
    let world = World::seeded();
    let store = rusqlite::Connection::open(world.store()).unwrap();
    let sql = "UPDATE bullets SET section = 'A' || char(27) || ']0;x' WHERE content LIKE 'prime%';
               UPDATE memories SET policy = json_set(policy, '$.rates.episodic', 5.0, '$.merge_threshold', -1);";
    store.execute_batch(sql).unwrap();
    drop(store);
    let ran = world.run(&["doctor", "check", "--json"]);
    let said = format!("{}{}", ran.out, ran.err);
    assert_eq!(ran.code, 2, "{said}");
    assert!(
        said.contains("control character U+001B") && said.contains("UPDATE the field"),
        "{said}"
    );
    assert!(
        said.contains("merge_threshold") && said.contains("policy set"),
        "{said}"
    );
    world.json("policy set rates.episodic=0.05 merge_threshold=0.9");
    let list = world.json("bullets list");
    world.apply(
        &json!({"operations": [{"op": "UPDATE", "id": list["bullets"][3]["id"], "section": "A"}]}),
    );
    let ran = world.run(&["doctor", "check", "--json"]);
    assert!(!ran.out.contains("control character") && !ran.out.contains("merge_threshold"));
}

/// A memory with proved, unproved, replaced and outvoted bullets.
fn proved() -> World {
    let world = World::new();
    let add = |content: &str, helpful: u64, section: Option<&str>| {
        let mut fields = json!({"op": "ADD", "content": content, "helpful": helpful});
        if let Some(section) = section {
            fields["section"] = json!(section);
        }
        world.apply(&json!({"operations": [fields]}));
    };
    add(
        "Quote every path that may hold a blank.",
        3,
        Some("Shell & files"),
    );
    add("Nobody voted for this one.", 0, None);
    add("The staging database listens on port 5433.", 4, None);
    add("The staging database listens on port 5434.", 1, None);
    add("Always lock the gate at night.", 2, None);
    add("Never lock the gate at night.", 1, None);
    world
}

#[test]
fn what_is_proved_goes_out_as_markdown() {
    let text = proved().run(&["export", "--format", "markdown"]).out;
    let expected = "# What was learned\n\n- The staging database listens on port 5434.\n- Always lock the gate at night.\n\n\
                    ## Shell & files\n\n- Quote every path that may hold a blank.\n";
    assert_eq!(text, expected);
    let empty = World::seeded();
    let said = empty.run(&["export", "--format", "markdown"]);
    assert_eq!((said.code, said.out.as_str()), (0, ""));
    assert!(said.err.contains("nothing is proved yet"), "{said:?}");
}

#[test]
fn a_block_in_a_rule_file_leaves_the_rest_and_comes_again_the_same() {
    let world = proved();
    let mine = "# Mine\r\n\r\nkeep this\r\n";
    let file = world.file("AGENTS.md", mine);
    world.json(&format!("export --format agents-md {file}"));
    let once = fs::read_to_string(&file).unwrap();
    assert!(
        once.starts_with(mine) && once.contains("Quote every path"),
        "{once}"
    );
    fs::write(&file, format!("{once}below\n")).unwrap();
    world.json(&format!("export --format agents-md {file}"));
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{once}below\n"));
    fs::write(&file, "<!-- hindlore:begin -->\nlost\n").unwrap();
    let refused = world.run(&["export", "--format", "agents-md", &file, "--json"]);
    assert!(
        refused.problem("unwritten_output").contains("marks"),
        "{refused:?}"
    );
}

#[test]
fn skills_are_folders_of_our_own_and_no_other_is_touched() {
    let world = proved();
    let folder = world.path("skills");
    let export = || {
        world.run(&[
            "export",
            "--format",
            "skill",
            folder.to_str().unwrap(),
            "--json",
        ])
    };
    assert_eq!(export().document()["chosen"], 3);
    let skill = folder.join("notes-shell-files/SKILL.md");
    let once = fs::read_to_string(&skill).unwrap();
    assert!(
        once.starts_with("---\nname: notes-shell-files\ndescription: \""),
        "{once}"
    );
    let changed = fs::metadata(&skill).unwrap().modified().unwrap();
    assert_eq!(export().code, 0);
    assert_eq!(fs::metadata(&skill).unwrap().modified().unwrap(), changed);
    // A skill of an earlier export is removed, a foreign one stays, and so do files next to ours.
    let ours = once.replace("notes-shell-files", "notes-gone");
    let beside = ["notes-gone", "notes-half", "mine"].map(|name| folder.join(name));
    for (place, text) in beside
        .iter()
        .zip([&*ours, &*ours, "---\nname: mine\n---\n"])
    {
        fs::create_dir(place).unwrap();
        fs::write(place.join("SKILL.md"), text).unwrap();
    }
    fs::write(beside[1].join("script.sh"), "true\n").unwrap();
    assert_eq!(export().code, 0);
    assert!(!beside[0].exists() && !beside[1].join("SKILL.md").exists());
    assert!(beside[1].join("script.sh").exists() && beside[2].join("SKILL.md").exists());
    fs::write(
        &skill,
        "---\nname: notes-shell-files\ndescription: mine\n---\n",
    )
    .unwrap();
    export().problem("unwritten_output");
    assert!(fs::read_to_string(&skill).unwrap().contains("mine"));
}
