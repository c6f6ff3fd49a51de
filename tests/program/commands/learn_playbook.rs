//! `--playbook`: the insights of a run go into a playbook, around a command, from a file, and when a run is completed.

use serde_json::Value;

use crate::world::World;

const TOOL: &str = "#!/bin/sh
case \"$1\" in
--colour) echo \"tool: unrecognized option '--colour'\" >&2; exit 2 ;;
esac
";

fn strategies(world: &World) -> Vec<Value> {
    let shown = world.json("playbook show p");
    let mut strategies = shown["strategies"].as_array().cloned().unwrap_or_default();
    for strategy in &mut strategies {
        // It grows with each moment that passes.
        strategy.as_object_mut().unwrap().remove("confidence");
    }
    strategies
}

#[test]
fn commands_of_one_run_curate_a_playbook_and_count_as_one_piece_of_evidence() {
    let world = World::new();
    world.file("tool", TOOL);
    let call = |option: &str| {
        world.run(&[
            "learn",
            "--hint",
            "--run",
            "r",
            "--playbook",
            "p",
            "--",
            "sh",
            "tool",
            option,
        ])
    };
    assert_eq!(call("--colour").code, 2);
    let cured = call("--color");
    assert_eq!((cured.code, &*cured.out), (0, ""));
    assert!(cured.err.contains("playbook p, version "), "{}", cured.err);
    let first = strategies(&world);
    let pattern = first[0]["pattern"].as_str().unwrap();
    assert_eq!(
        pattern,
        "Instead of `sh … --colour …` use `sh … --color …`."
    );
    assert_eq!(call("--color").code, 0);
    assert_eq!(
        strategies(&world),
        first,
        "the run goes on, and is one piece of evidence"
    );
}

#[test]
fn a_file_of_traces_and_a_completed_trajectory_do_the_same() {
    let steps = r#"[{"run":"a","action":"ls --colour","error":"ls: unrecognized option '--colour'"},
        {"run":"a","action":"ls --color"}]"#;
    let world = World::new();
    let file = world.file("trace.json", steps);
    let learned = world.json(&format!("learn {file} --playbook p"));
    assert_eq!(
        learned["runs"][0]["playbook"]["added"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let from_file = strategies(&world);
    let other = World::new();
    other.json("trajectory start list --id a");
    for (action, error) in [
        ("ls --colour", "ls: unrecognized option '--colour'"),
        ("ls --color", ""),
    ] {
        let mut words = vec!["trajectory", "log", "a", "--action", action, "--json"];
        if !error.is_empty() {
            words.extend(["--error", error]);
        }
        let logged = other.run(&words);
        assert_eq!(logged.code, 0, "{}", logged.err);
    }
    let done = other.json("trajectory complete a --status success --playbook p");
    assert_eq!(done["playbook"]["playbook"], "p");
    assert_eq!(strategies(&other)[0]["pattern"], from_file[0]["pattern"]);
    let unlearned = other.run(&[
        "trajectory",
        "complete",
        "a",
        "--status",
        "success",
        "--playbook",
        "",
    ]);
    assert_eq!(unlearned.code, 2, "a playbook has a name");
}
