//! Invalid trajectories are refused in clear words, which changes nothing and ends with exit code 2.

use crate::world::World;

#[test]
fn what_cannot_be_of_a_trajectory_is_refused_and_changes_nothing() {
    let world = World::new();
    world.json(
        "trajectory start the~task --id t"
            .replace('~', " ")
            .as_str(),
    );
    let before = world.json("trajectory show t").to_string();
    let table: &[(&str, &str, &str)] = &[
        ("trajectory start x --parent nobody", "no_run", "`nobody`"),
        (
            "trajectory start x --id t --parent t",
            "invalid_request",
            "another parent",
        ),
        ("trajectory log nobody x", "no_run", "`nobody`"),
        (
            "trajectory log t x --number 7",
            "invalid_request",
            "which is 1",
        ),
        (
            "trajectory complete nobody --status success",
            "no_run",
            "`nobody`",
        ),
        (
            "trajectory complete t --status success --score 1.5",
            "invalid_request",
            "1.5",
        ),
        ("trajectory show nobody", "no_run", "`nobody`"),
        (
            "trajectory list --since yesterday",
            "invalid_request",
            "`yesterday`",
        ),
        ("trajectory list --limit 0", "invalid_request", "limit"),
        (
            "trajectory feedback t --score 0.5",
            "invalid_request",
            "still open",
        ),
        ("trajectory feedback t", "invalid_request", "says nothing"),
        ("trajectory feedback t --score 2", "invalid_request", "2"),
        ("trajectory queue --limit 2000", "invalid_request", "limit"),
    ];
    for (command, code, said) in table {
        let words: Vec<&str> = command.split(' ').chain(["--json"]).collect();
        let ran = world.run(&words);
        assert_eq!(ran.code, 2, "{command}: {ran:?}");
        let message = ran.problem(code);
        assert!(message.contains(said), "{command}: {message}");
    }
    assert_eq!(world.json("trajectory show t").to_string(), before);
}

#[test]
fn words_that_no_option_takes_are_refused_before_anything_is_opened() {
    let world = World::new();
    for (command, said) in [
        ("trajectory complete t --status done", "partial"),
        ("trajectory log t x --metadata {a", "not JSON"),
        ("trajectory log t x --kind thought", "observation"),
        (
            "trajectory complete t --status success --metrics 7x",
            "not JSON",
        ),
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let ran = world.run(&words);
        assert_eq!(ran.code, 2, "{command}: {ran:?}");
        assert!(format!("{ran:?}").contains(said), "{command}: {ran:?}");
    }
}

#[test]
fn an_empty_list_and_an_empty_queue_end_with_exit_code_1() {
    let world = World::new();
    world.json("trajectory start x --id t");
    assert_eq!(
        world.run(&["trajectory", "list", "--agent", "nobody"]).code,
        1
    );
    assert_eq!(world.run(&["trajectory", "queue"]).code, 1);
}

#[test]
fn the_settings_of_the_original_decide_what_is_kept() {
    let mut world = World::new();
    world.set("TRAJECTORY_SAMPLE_RATE", "0");
    world.json("trajectory start x --id t");
    world.json("trajectory complete t --status success");
    assert_eq!(world.json("trajectory show t")["trace"], "summary");
    world.set("TRAJECTORY_SAMPLE_RATE", "1");
    world.json("trajectory start x --id u");
    world.json("trajectory complete u --status success");
    assert_eq!(world.json("trajectory show u")["trace"], "whole");
    world.set("TRAJECTORY_SAMPLE_RATE", "1.5");
    let ran = world.run(&["trajectory", "show", "u"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(format!("{ran:?}").contains("0..=1"), "{ran:?}");
}
