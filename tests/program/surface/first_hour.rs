//! The first hour of a person: one memory at every door of a repository, guessed commands, a backup, the status.

use std::fs;

use serde_json::{Value, json};

use super::hook_faults::hook;
use crate::world::{Ran, World};

/// A repository as git makes it, with a remote.
fn repository(world: &World, folder: &str, url: &str) {
    let git = world.path(folder).join(".git");
    for part in ["objects", "refs"] {
        fs::create_dir_all(git.join(part)).unwrap();
    }
    fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    let config = format!("[remote \"origin\"]\n\turl = {url}\n");
    fs::write(git.join("config"), config).unwrap();
}

fn run_in(world: &World, folder: &str, arguments: &[&str]) -> Ran {
    let mut command = world.command();
    command.current_dir(world.path(folder)).args(arguments);
    world.feed(&mut command, b"")
}

/// The events by which runtimes begin a session, and ask for a task, in their own forms.
fn events(folder: &str, prompt: &str) -> [(Value, Value); 3] {
    [
        (
            json!({"session_id": "s", "hook_event_name": "SessionStart", "cwd": folder, "source": "startup"}),
            json!({"session_id": "s2", "hook_event_name": "UserPromptSubmit", "cwd": folder, "prompt": prompt}),
        ),
        (
            json!({"session_id": "x", "hook_event_name": "SessionStart", "cwd": folder, "model": "m", "permission_mode": "default"}),
            json!({"session_id": "x2", "turn_id": "1", "hook_event_name": "UserPromptSubmit", "cwd": folder, "prompt": prompt}),
        ),
        (
            json!({"conversation_id": "c", "hook_event_name": "sessionStart", "workspace_roots": [folder]}),
            json!({"conversation_id": "c2", "hook_event_name": "beforeSubmitPrompt", "workspace_roots": [folder], "prompt": prompt}),
        ),
    ]
}

#[test]
fn a_note_from_one_door_of_a_repository_is_seen_at_all_of_them() {
    let world = World::new();
    repository(&world, "shop", "git@host.example:acme/shop.git");
    repository(&world, "bank", "git@host.example:acme/bank.git");
    fs::write(
        world.path("shop/TEAM.md"),
        "# Release\n\n- Tag a release before the upload.\n",
    )
    .unwrap();
    let added = run_in(&world, "shop", &["add", "The shop uses pnpm, never npm."]);
    assert!(
        added.code == 0 && added.err.contains("host.example/acme/shop"),
        "{added:?}"
    );
    assert_eq!(run_in(&world, "shop", &["import", "TEAM.md"]).code, 0);
    assert_eq!(
        run_in(
            &world,
            ".",
            &["add", "Write British English in every text."]
        )
        .code,
        0
    );
    let memories = world.json("memory list")["memories"].clone();
    let scopes: Vec<&str> = memories
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["scope"].as_str().unwrap())
        .collect();
    assert_eq!(scopes, ["default", "host.example/acme/shop"]);

    let asked = run_in(
        &world,
        "shop",
        &["retrieve", "--prompt", "install with pnpm or npm"],
    );
    assert!(asked.out.contains("never npm"), "{asked:?}");
    let everywhere = run_in(
        &world,
        "bank",
        &["retrieve", "--prompt", "British English text"],
    );
    assert!(everywhere.out.contains("British"), "{everywhere:?}");
    let named = run_in(
        &world,
        "bank",
        &[
            "retrieve",
            "--scope",
            "host.example/acme/bank",
            "British English text",
        ],
    );
    assert!(
        !named.out.contains("British"),
        "a named scope is searched alone: {named:?}"
    );

    hooks_see_their_own_repository(&world);
}

/// The notes of the shop, and none of them in the bank; those of the default scope in both.
fn hooks_see_their_own_repository(world: &World) {
    for (folder, sees) in [("shop", true), ("bank", false)] {
        let path = world.path(folder).to_str().unwrap().to_owned();
        for (begins, asks) in events(&path, "use pnpm or npm to install the packages?") {
            let start = hook(world, &[], begins.to_string()).out;
            assert!(start.contains("British English"), "{begins}: {start}");
            for text in ["never npm", "Tag a release"] {
                assert_eq!(start.contains(text), sees, "{begins}: {start}");
            }
            let task = hook(world, &[], asks.to_string()).out;
            assert_eq!(task.contains("never npm"), sees, "{asks}: {task}");
        }
    }
}

#[test]
fn the_agent_is_not_told_what_it_reads_anyway() {
    let world = World::new();
    repository(&world, "shop", "git@host.example:acme/shop.git");
    let rules = "# Rules\n\n- Run the linter before each commit.\n";
    fs::write(world.path("shop/AGENTS.md"), rules).unwrap();
    run_in(&world, "shop", &["import", "AGENTS.md"]);
    run_in(
        &world,
        "shop",
        &["add", "The staging server restarts on Mondays."],
    );
    let path = world.path("shop").to_str().unwrap().to_owned();
    let (begins, _) = &events(&path, "")[0];
    let start = hook(&world, &[], begins.to_string()).out;
    assert!(
        start.contains("staging server") && !start.contains("linter"),
        "{start}"
    );
}

#[test]
fn a_note_is_told_once_in_a_session() {
    let world = World::new();
    repository(&world, "shop", "git@host.example:acme/shop.git");
    run_in(
        &world,
        "shop",
        &["add", "Store money as whole cents in the ledger."],
    );
    let path = world.path("shop").to_str().unwrap().to_owned();
    let [(begins, asks), ..] = &events(&path, "how is money stored in the ledger?");
    let mut asks = asks.clone();
    asks["session_id"] = begins["session_id"].clone();
    assert!(
        hook(&world, &[], begins.to_string())
            .out
            .contains("whole cents")
    );
    assert_eq!(hook(&world, &[], asks.to_string()).out, "");
    let mut other = asks.clone();
    other["session_id"] = "other".into();
    assert!(
        hook(&world, &[], other.to_string())
            .out
            .contains("whole cents")
    );
    assert_eq!(hook(&world, &[], other.to_string()).out, "");
}

#[test]
fn what_does_not_fit_the_session_start_is_counted() {
    let world = World::new();
    repository(&world, "shop", "git@host.example:acme/shop.git");
    let rules: String = (0..200)
        .map(|n| format!("- Rule {n}: check the invoice number {n} against the order {n}.\n"))
        .collect();
    fs::write(world.path("shop/RULES.md"), rules).unwrap();
    run_in(&world, "shop", &["import", "RULES.md"]);
    run_in(
        &world,
        "shop",
        &["add", "Ask before a refund above 100 euros."],
    );
    let path = world.path("shop").to_str().unwrap().to_owned();
    let (begins, _) = &events(&path, "")[0];
    let start = hook(&world, &[], begins.to_string()).out;
    // A person's own words come before what was imported.
    let own = start.find("Ask before a refund").unwrap();
    assert!(own < start.find("Rule ").unwrap(), "{start}");
    assert!(start.contains("more notes"), "{start}");
}

#[test]
fn a_backup_holds_everything_and_comes_back_with_equal_digests() {
    let world = World::seeded();
    world.json("playbook update --strategies [{\"category\":\"helpful\",\"pattern\":\"Check_the_inputs\",\"evidence\":2}]");
    world.json("grant agent:bob viewer --of memory:default");
    world.json("groups member ops agent:bob");
    world.json("key create ci");
    world.json("add --learner ann --scope math fractions need a denominator");
    let learned = world.file(
        "steps.json",
        json!([
            {"run": "r", "action": "tool load --fmt csv", "error": "unknown option --fmt, did you mean --format?"},
            {"run": "r", "action": "tool load --format csv"}
        ])
        .to_string(),
    );
    world.json(&format!("learn {learned}"));
    let file = world.path("all.backup").to_str().unwrap().to_owned();
    let written = world.json(&format!("backup {file}"));
    assert_eq!(
        (&written["memories"], &written["refused"]),
        (&json!(2), &json!([])),
        "{written}"
    );
    let again = world.json(&format!("backup {file}"));
    assert_eq!(again["refused"], json!([]), "{again}");

    let mut other = World::new();
    other.set("HINDLORE_STORE", other.path("other.db").to_str().unwrap());
    let back = other.json(&format!("restore {file}"));
    assert_eq!(back["bullets"], written["bullets"]);
    for command in [
        "digest",
        "digest --learner ann --scope math",
        "playbook show",
        "share subjects --of memory:default",
        "groups show ops",
        "key list",
        "lessons list",
        "errors list",
        "runs list",
        "policy show",
    ] {
        assert_eq!(other.json(command), world.json(command), "{command}");
    }
    // A store that went its own way is not overwritten.
    other.json("add a later note of the other store");
    world.json("add another note here");
    world.json(&format!("backup {file}"));
    let ran = other.run(&["restore", &file]);
    assert!(
        ran.code == 2 && ran.err.contains("not all was copied"),
        "{ran:?}"
    );
}

#[test]
fn a_slip_in_the_place_of_a_store_is_named() {
    let mut world = World::new();
    let typed = world.path("typo/dir/x.db").to_str().unwrap().to_owned();
    let ran = world.run(&["add", "--store", &typed, "Tea needs hot water."]);
    assert!(
        ran.code == 0 && ran.err.contains("made a new store"),
        "{ran:?}"
    );
    let ran = world.run(&["add", "--store", &typed, "Soup needs salt."]);
    assert!(!ran.err.contains("new store"), "{ran:?}");
    // A hook runs in any folder, so that a relative place would make a store in each.
    world.set("HINDLORE_STORE", "tour.db");
    let event =
        json!({"session_id": "s", "hook_event_name": "SessionStart", "cwd": world.path(".")});
    assert_eq!(hook(&world, &[], event.to_string()).out, "");
    assert!(!world.path("tour.db").exists());
    let log = fs::read_to_string(world.path(".local/share/hindlore/hook-failures.log")).unwrap();
    assert!(log.contains("relative path"), "{log}");
}

#[test]
fn the_status_counts_what_was_kept_and_what_waits() {
    let world = World::new();
    let empty = world.json("status");
    assert_eq!(empty["week"]["remembered"], 0);
    world.json("add Always close the valve before the pump starts.");
    world.json("add Never close the valve before the pump starts.");
    let shown = world.json("status");
    assert_eq!(shown["day"]["remembered"], 2, "{shown}");
    assert_eq!(shown["conflicts"], 1, "{shown}");
    let text = world.run(&["status"]).out;
    for part in ["2 notes kept", "conflicts list", "install claude-code"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Commands that people guess, each with the command that answers or is named.
const GUESSES: &[(&str, &str)] = &[
    ("remember Tea needs hot water.", "remember"),
    ("save Coffee needs ground beans.", "remember"),
    ("note Soup needs salt.", "remember"),
    ("search tea", "retrieve"),
    ("find tea", "retrieve"),
    ("recall tea water", "recall"),
    ("ask tea water", "recall"),
    ("query tea", "retrieve"),
    ("list", "bullets list"),
    ("ls", "bullets list"),
    ("show 1", "bullets show"),
    ("stats", "status"),
    ("status", "status"),
    ("history", "delta log"),
    ("log", "delta log"),
    ("settings", "config show"),
    ("config list", "config show"),
    ("delete Soup needs salt.", "forget"),
    ("init", "install"),
    ("setup", "install"),
    ("backup copy.db", "backup"),
    ("help add", "add"),
    ("help", "help"),
    ("ui", "analyze html"),
    ("dashboard", "analyze html"),
    ("version", "--version"),
    ("login", "key create"),
    ("run make", "learn --"),
    ("store x", "add TEXT"),
    ("sync", "import"),
    ("add Rice needs twice its water.", "add"),
    ("memories", "memory list"),
    ("lessons", "lessons list"),
    ("notes", "bullets list"),
    ("bullets", "bullets list"),
    ("errors", "errors list"),
    ("runs", "runs list"),
    ("playbook", "playbook list"),
    ("conflicts", "conflicts list"),
    ("config", "config show"),
    ("policy", "policy show"),
    ("delta", "delta log"),
    ("reflect", "reflect"),
    ("start --help", "serve"),
    ("daemon --help", "serve"),
    ("web --help", "serve"),
    ("api --help", "serve"),
    ("check", "check"),
    ("verify", "doctor verify"),
    ("fix", "doctor"),
    ("repair", "doctor repair"),
    ("diff", "delta log"),
    ("tail", "memory events"),
    ("watch", "memory events"),
    ("info", "status"),
    ("about", "--version"),
    ("learn", "learn"),
    ("train", "learn"),
    ("explain x", "explain"),
    ("why x", "explain"),
    ("pin 1", "bullets pin"),
    ("tags", "bullets list"),
    ("export copy.jsonl", "export"),
    ("dump", "export"),
    ("load none.md", "import"),
    ("config set resident false", "config set"),
    ("man", "man"),
    ("completion bash", "completions"),
    ("clean", "memory clear"),
    ("reset", "memory clear"),
];

#[test]
fn a_guessed_command_works_or_names_the_right_one() {
    let world = World::new();
    for (guess, command) in GUESSES {
        let words: Vec<&str> = guess.split(' ').collect();
        let ran = world.run(&words);
        let is_unknown = ["unrecognized", "unexpected", "no command", "Usage:"];
        let works = !is_unknown.iter().any(|word| ran.err.contains(word));
        assert!(works || ran.err.contains(command), "{guess}: {ran:?}");
    }
}
