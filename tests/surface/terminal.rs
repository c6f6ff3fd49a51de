//! What people see: colours, logs, closed pipes, completions.

use std::process::Stdio;

use crate::world::World;

#[test]
fn colours_are_used_when_they_are_wanted() {
    let mut world = World::seeded();
    let has_colour = |world: &World, words: &str| {
        let arguments: Vec<&str> = words.split(' ').collect();
        let ran = world.run(&arguments);
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.out.contains('\u{1b}')
    };
    assert!(!has_colour(&world, "bullets list"));
    assert!(has_colour(&world, "bullets list --color always"));
    assert!(!has_colour(&world, "bullets list --color always --json"));
    world.set("NO_COLOR", "1");
    assert!(!has_colour(&world, "bullets list --color auto"));
}

#[test]
fn the_log_is_off_and_keeps_contents_to_itself() {
    let world = World::seeded();
    let quiet = world.run(&["retrieve", "pump"]);
    assert_eq!(quiet.err, "");
    let loud = world.run(&["retrieve", "pump", "-vv"]);
    assert!(
        loud.err.contains("inject") && !loud.err.contains("prime the pump"),
        "{}",
        loud.err
    );
    let open = world.run(&["retrieve", "pump", "-vv", "--log-contents"]);
    assert!(open.err.contains("prime the pump"), "{}", open.err);
    let json = world.run(&["retrieve", "pump", "-v", "--json"]);
    json.document();
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let world = World::seeded();
    for arguments in [&["bullets", "list"][..], &["export"], &["digest", "--json"]] {
        let mut command = world.command();
        command.args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.stderr, b"", "{arguments:?}");
        assert_eq!(ended.status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn completions_are_there_for_every_shell() {
    let world = World::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = world.run(&["completions", shell]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.out.contains("mnemograph") && ran.out.contains("retrieve"));
    }
    assert!(!std::fs::exists(world.store()).unwrap());
}

#[test]
fn every_command_has_its_help() {
    let world = World::new();
    for words in [
        "",
        "retrieve",
        "feedback",
        "delta",
        "delta apply",
        "bullets",
        "bullets show",
        "memory",
        "policy",
        "import",
        "export",
        "erase",
        "digest",
        "replay",
        "config",
        "completions",
        "demo",
        "analyze",
        "compare",
        "migrate",
        "doctor",
    ] {
        let mut arguments: Vec<&str> = words.split_whitespace().collect();
        arguments.push("--help");
        let ran = world.run(&arguments);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words}");
        assert!(
            ran.out.contains("Usage: mnemograph") && ran.out.contains("--store"),
            "{words}"
        );
    }
}

#[test]
fn the_help_says_what_a_file_holds() {
    let world = World::new();
    for (words, part) in [
        ("errors capture", "plan_step"),
        ("learn", "127 when"),
        ("compare", "\"message\""),
        ("bench merges", "\"lang\""),
        ("bench retrieval", "locomo.jsonl.gz"),
        ("demo", "gone afterwards"),
        ("retrieve", "--prune-threshold"),
    ] {
        let mut arguments: Vec<&str> = words.split_whitespace().collect();
        arguments.push("--help");
        let ran = world.run(&arguments);
        assert!(ran.out.contains(part), "{words}: {}", ran.out);
    }
    let world = World::seeded();
    let [own, alias] = ["--min-score", "--prune-threshold"]
        .map(|name| world.run(&["retrieve", "pump", "--peek", name, "0.99"]).out);
    assert!(own.contains("below 0.99"), "{own}");
    assert_eq!(own, alias);
}
