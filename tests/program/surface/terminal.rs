//! The output for people: colours, logs, closed pipes, completions.

use std::process::Stdio;

use serde_json::json;

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
    let less = world.run(&["retrieve", "pump", "-v"]);
    assert!(loud.err.contains("the store is open"), "{}", loud.err);
    assert!(!less.err.contains("the store is open"), "{}", less.err);
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
        assert!(ran.out.contains("hindlore") && ran.out.contains("retrieve"));
    }
    assert!(!std::fs::exists(world.store()).unwrap());
}

#[test]
fn every_command_has_its_help() {
    let world = World::new();
    // The options of every command are in the help of the program alone.
    let has_common = |words: &[&str]| world.run(words).out.contains("--tenant");
    assert!(has_common(&["--help"]) && !has_common(&["add", "--help"]));
    assert_eq!(
        world.run(&["help", "add"]).out,
        world.run(&["add", "--help"]).out
    );
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
            ran.out.contains("Usage: hindlore") && ran.out.contains("--store"),
            "{words}: {}",
            ran.out
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

#[test]
fn what_is_no_result_is_not_on_stdout() {
    let world = World::seeded();
    for arguments in [
        &["retrieve", "zebra", "--prompt"][..],
        &["bullets", "search", "zebra"],
        &["analyze", "search", "zebra"],
        &["lessons", "list"],
        &["lessons", "retrieve", "zebra"],
        &["runs", "list"],
        &["errors", "list"],
    ] {
        let ran = world.run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{arguments:?}");
        assert!(ran.err.contains("nothing found"), "{arguments:?}: {ran:?}");
    }
    // For people it is an answer.
    let ran = world.run(&["retrieve", "zebra"]);
    assert!(
        ran.code == 1 && ran.out.starts_with("nothing found\n"),
        "{ran:?}"
    );
    world.apply(&json!([{"op": "ADD", "content": "the pump is green"}]));
    let ran = world.run(&["retrieve", "prime the pump", "--top-k", "1"]);
    assert!(
        ran.out.contains("nearly returned") && ran.err.is_empty(),
        "{ran:?}"
    );
    let prompt = world.run(&["retrieve", "prime the pump", "--top-k", "1", "--prompt"]);
    assert!(
        !prompt.out.contains("nearly") && prompt.err.is_empty(),
        "{prompt:?}"
    );
}

#[test]
fn advice_that_nobody_learned_is_left_out_unless_asked_for() {
    let mut world = World::seeded();
    let answer = |world: &World, more: &[&str]| {
        let arguments = [&["retrieve", "pump", "--peek", "--json"], more].concat();
        let ran = world.run(&arguments);
        ran.document()["meta_strategies"].as_array().unwrap().len()
    };
    assert_eq!(
        (answer(&world, &[]), answer(&world, &["--with-advice"])),
        (0, 3)
    );
    let prompt = world.run(&["retrieve", "pump", "--prompt"]).out;
    assert!(
        !prompt.contains("general advice") && !prompt.contains("[+5/-0]"),
        "{prompt}"
    );
    let with = world
        .run(&["retrieve", "pump", "--prompt", "--with-advice"])
        .out;
    assert!(
        with.contains("(general advice)") && !with.contains("[+5/-0]"),
        "{with}"
    );
    let listed = world.run(&["bullets", "list"]);
    assert!(
        !listed.out.contains("+5/-0") && listed.err.is_empty(),
        "{listed:?}"
    );
    let all = world.run(&["bullets", "list", "--with-advice"]).out;
    assert_eq!(all.lines().count(), 7, "{all}");
    world.set("HINDLORE_ADVICE", "on");
    assert_eq!(answer(&world, &[]), 3);
}

#[test]
fn a_prompt_names_its_retrieval_and_its_numbers_are_taken_as_ids() {
    let world = World::seeded();
    let prompt = world.run(&["retrieve", "--prompt", "pump"]).out;
    let (_, rest) = prompt.split_once("retrieval=").unwrap();
    let retrieval = rest.split('>').next().unwrap();
    let given = world.json(&format!("feedback {retrieval} --helped 1"));
    assert_eq!(given["marked"], 1);
    world.refused(&["feedback", retrieval, "--helped", "2"], b"", "no_bullet");
    let said = world.refused(&["feedback", retrieval], b"", "invalid_request");
    assert!(said.contains("--helped"), "{said}");
}

#[test]
fn a_query_comes_from_stdin_and_a_form_may_follow_prompt() {
    let world = World::seeded();
    let answer = world.run_with(
        &["retrieve", "--peek", "--json", "-"],
        "how do I prime the pump\n",
    );
    assert_eq!(answer.document()["results"][0]["rank"], 1);
    let playbook = world.run(&["retrieve", "--prompt", "playbook", "pump"]).out;
    assert!(playbook.contains("(helpful=0"), "{playbook}");
}

#[test]
fn an_unknown_command_is_told_what_was_meant() {
    let world = World::new();
    for (words, part) in [
        ("store x", "`hindlore add TEXT`"),
        ("retrieve what is --force", "`--`"),
        ("learn ls /x", "learn --run ID -- ls /x"),
        ("learn", "learn --run ID -- COMMAND"),
        ("import", "`import --formats`"),
        ("retrive x", "retrieve"),
    ] {
        let mut arguments: Vec<&str> = words.split(' ').collect();
        arguments.push("--json");
        let said = world.run(&arguments).problem("invalid_usage");
        assert!(said.contains(part), "{words}: {said}");
        assert!(!said.contains("erase"), "{words}: {said}");
    }
    assert!(world.run::<&str>(&[]).err.contains("hindlore demo"));
}

#[test]
fn a_change_of_policy_says_what_it_changes() {
    let world = World::seeded();
    let ran = world.run(&["policy", "set", "floor=0.2"]);
    assert!(ran.out.contains("floor 0.1 -> 0.2"), "{ran:?}");
    let log = world.run(&["delta", "log"]).out;
    assert!(log.contains("policy: floor 0.1 -> 0.2"), "{log}");
}

#[test]
fn a_report_is_not_written_over_without_asking() {
    let world = World::seeded();
    let file = world.file("report.md", "mine");
    world.refused(&["analyze", "export", &file], b"", "needs_consent");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    let ran = world.run(&["analyze", "export", &file, "--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
}
