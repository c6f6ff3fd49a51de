//! `doctor agents` names the bullets that one door to the memory sees and another does not, and the way to mend it: otherwise
//! a note that was written down is lost without a word.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::world::{Ran, World};

/// A home with two repositories, `shop` and `other`, and a runtime with hooks and tools.
fn home() -> World {
    let world = World::new();
    for name in ["shop", "other"] {
        let git = world.path(name).join(".git");
        for folder in ["objects", "refs"] {
            fs::create_dir_all(git.join(folder)).unwrap();
        }
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        let url = format!("[remote \"origin\"]\n\turl = https://host.example/a/{name}.git\n");
        fs::write(git.join("config"), url).unwrap();
    }
    called(&world, "shop", &["install", "claude-code"]);
    world
}

fn called(world: &World, folder: &str, arguments: &[&str]) -> Ran {
    let mut command = world.command();
    command.current_dir(world.path(folder)).args(arguments);
    let ran = world.feed(&mut command, b"");
    assert_eq!(ran.code, 0, "{arguments:?}: {ran:?}");
    ran
}

fn agents(world: &World) -> Value {
    called(world, "shop", &["doctor", "agents", "--json"]).document()
}

fn words(world: &World) -> String {
    called(world, "shop", &["doctor", "agents"]).out
}

fn settings(world: &World) -> PathBuf {
    world.path(".claude/settings.json")
}

fn edit(file: PathBuf, from: &str, to: &str) {
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(file, text.replace(from, to)).unwrap();
}

/// The memories that are out of sight, each with its number of bullets, its readers and the others.
fn unseen(found: &Value) -> Vec<(String, u64, String, String)> {
    let all = found["unseen"].as_array().unwrap().iter();
    let names = |list: &Value| {
        let names = list.as_array().unwrap().iter();
        names
            .map(|one| one.as_str().unwrap())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let one = |one: &Value| {
        let memory = one["memory"].as_str().unwrap().to_owned();
        let bullets = one["bullets"].as_u64().unwrap();
        (
            memory,
            bullets,
            names(&one["read_by"]),
            names(&one["unread_by"]),
        )
    };
    all.map(one).collect()
}

#[test]
fn doors_that_lead_to_one_memory_have_nothing_out_of_sight() {
    let world = home();
    called(&world, "shop", &["install", "codex"]);
    called(&world, "shop", &["remember", "The shop uses pnpm."]);
    called(
        &world,
        "shop",
        &["remember", "--scope", "shared", "Write in English."],
    );
    called(&world, "other", &["remember", "The other one uses yarn."]);
    let found = agents(&world);
    assert_eq!(unseen(&found), []);
    assert_eq!(
        found["others"][0]["memory"],
        "default/default/host.example/a/other"
    );
    let doors = found["doors"].as_array().unwrap();
    assert_eq!(doors.len(), 3, "{found}");
    for door in doors {
        let scopes = ["host.example/a/shop", "shared", "default"];
        assert_eq!(door["scopes"], serde_json::json!(scopes), "{door}");
        assert_eq!(
            (&door["store"], &door["learner"]),
            (&world.store().into(), &"default".into())
        );
    }
    let said = words(&world);
    assert!(said.contains("every door sees the same bullets"), "{said}");
    assert!(said.contains("1 memory of other repositories"), "{said}");
    // An empty home has a door too, and no memory.
    let empty = World::new();
    assert_eq!(unseen(&empty.json("doctor agents")), []);
    assert!(!PathBuf::from(empty.store()).exists());
}

#[test]
fn hooks_with_another_store_are_named_until_they_are_installed_again() {
    let world = home();
    called(&world, "shop", &["remember", "The shop uses pnpm."]);
    let other = world.path("other.db").to_str().unwrap().to_owned();
    called(
        &world,
        "shop",
        &["remember", "--store", &other, "Tests need a database."],
    );
    let call = format!("{} hook", crate::PROGRAM);
    let led = format!("HINDLORE_STORE='{other}' {call}");
    edit(settings(&world), &call, &led);
    let memory = "default/default/host.example/a/shop";
    let (hooks, rest) = (
        "the hooks of claude-code (user)",
        "the command line, the tools of claude-code (user)",
    );
    let found = agents(&world);
    let expected = [(rest, hooks), (hooks, rest)];
    let expected =
        expected.map(|(read, unread)| (memory.to_owned(), 1, read.to_owned(), unread.to_owned()));
    assert_eq!(unseen(&found), expected);
    for one in found["unseen"].as_array().unwrap() {
        let mend = one["mend"].as_str().unwrap();
        assert!(
            mend.starts_with("HINDLORE_STORE in ")
                && mend.contains("`hindlore install claude-code`"),
            "{mend}"
        );
    }
    let said = words(&world);
    assert!(
        said.contains(&format!("unseen by {hooks}: 1 bullet of {memory}, read by")),
        "{said}"
    );
    called(&world, "shop", &["uninstall", "claude-code"]);
    called(&world, "shop", &["install", "claude-code"]);
    assert_eq!(unseen(&agents(&world)), []);
}

#[test]
fn hooks_and_tools_with_another_learner_are_named() {
    let world = home();
    called(&world, "shop", &["remember", "The shop uses pnpm."]);
    called(
        &world,
        "shop",
        &["remember", "--learner", "ann", "Ann tests first."],
    );
    assert_eq!(
        unseen(&agents(&world)),
        [],
        "the memory of another person is no fault"
    );
    edit(
        settings(&world),
        "{\n",
        "{\n  \"env\": {\"HINDLORE_LEARNER\": \"ann\"},\n",
    );
    edit(
        world.path(".claude.json"),
        "\"mcp\"",
        "\"mcp\", \"--learner\", \"ann\"",
    );
    let found = agents(&world);
    let agent = "the hooks and tools of claude-code (user)";
    let scope = "host.example/a/shop";
    assert_eq!(
        unseen(&found),
        [
            (
                format!("default/ann/{scope}"),
                1,
                agent.to_owned(),
                "the command line".to_owned()
            ),
            (
                format!("default/default/{scope}"),
                1,
                "the command line".to_owned(),
                agent.to_owned()
            ),
        ]
    );
    let mend = found["unseen"][0]["mend"].as_str().unwrap();
    assert!(
        mend.starts_with("take HINDLORE_LEARNER out of `env` in "),
        "{mend}"
    );
}

#[test]
fn a_memory_under_an_old_name_is_named_with_the_way_back() {
    let world = home();
    called(
        &world,
        "shop",
        &["remember", "--scope", "oldname", "The shop uses pnpm."],
    );
    let gone = world.path("gone").to_str().unwrap().to_owned();
    called(
        &world,
        "shop",
        &["remember", "--scope", &gone, "The gone one used make."],
    );
    let found = agents(&world);
    let memories: Vec<String> = unseen(&found).into_iter().map(|one| one.0).collect();
    assert_eq!(
        memories,
        [
            format!("default/default/{gone}"),
            "default/default/oldname".to_owned()
        ]
    );
    let said = words(&world);
    assert!(
        said.contains("1 bullet of default/default/oldname, which no door reads here"),
        "{said}"
    );
    let file = world.path("old.jsonl").to_str().unwrap().to_owned();
    for arguments in [
        &["export", "--scope", "oldname", &file][..],
        &["import", "--scope", "host.example/a/shop", &file],
        &["memory", "clear", "--scope", "oldname", "--yes"],
    ] {
        called(&world, "shop", arguments);
    }
    assert_eq!(unseen(&agents(&world)).len(), 1);
    assert!(
        called(&world, "shop", &["recall", "which package manager: pnpm"])
            .out
            .contains("pnpm")
    );
}

#[test]
fn scopes_that_hold_everywhere_are_named_when_they_are_switched_off() {
    let mut world = home();
    called(
        &world,
        "shop",
        &["remember", "--scope", "shared", "Write in English."],
    );
    world.set("HINDLORE_RECALL_EVERYWHERE", "false");
    let found = agents(&world);
    assert_eq!(unseen(&found)[0].0, "default/default/shared");
    let mend = found["unseen"][0]["mend"].as_str().unwrap();
    assert!(mend.contains("config set recall_everywhere true"), "{mend}");
    // A hook refuses a path that depends on the folder of the agent.
    world.set("HINDLORE_STORE", "memory.db");
    let doors = agents(&world)["doors"].clone();
    assert!(
        doors[1]["problem"]
            .as_str()
            .unwrap()
            .contains("a relative path"),
        "{doors}"
    );
}
