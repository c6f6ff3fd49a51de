//! Bad input to the commands of lessons: it is cut, replaced or refused with a reason, and leaves the store sound.

use serde_json::json;

use crate::world::World;

const NO_LESSON: &str = "l_0123456789abcdef0123";
const NO_USE: &str = "a_0123456789abcdef0123";

#[test]
fn unknown_ids_are_named() {
    let world = World::new();
    for (words, code) in [
        (format!("lessons show {NO_LESSON}"), "no_lesson"),
        (format!("lessons explain {NO_LESSON}"), "no_lesson"),
        (format!("lessons explain {NO_USE}"), "no_activation"),
        (
            format!("lessons review {NO_LESSON} --to archived"),
            "no_lesson",
        ),
        (
            format!("lessons outcome {NO_USE} --error-reduction 0.5"),
            "no_activation",
        ),
        ("runs show nobody".to_owned(), "no_run"),
        ("runs end nobody".to_owned(), "no_run"),
        ("lessons show 7".to_owned(), "invalid_id"),
        ("lessons explain b_1".to_owned(), "invalid_id"),
        ("lessons conflicts --lesson x".to_owned(), "invalid_id"),
        ("errors list --fingerprint fp_1".to_owned(), "invalid_id"),
        (
            format!("lessons outcome {NO_LESSON} --error-reduction 0.5"),
            "invalid_id",
        ),
    ] {
        let mut arguments: Vec<&str> = words.split(' ').collect();
        arguments.push("--json");
        world.run(&arguments).problem(code);
    }
}

#[test]
fn numbers_outside_their_range_are_refused() {
    let world = World::new();
    let capture = world.run_with(
        &["errors", "capture", "--run", "r1", "--json"],
        r#"{"error": "boom"}"#,
    );
    assert_eq!(capture.code, 0, "{capture:?}");
    world
        .run(&["runs", "end", "r1", "--score", "1.5", "--json"])
        .problem("invalid_request");
    world
        .run(&[
            "lessons", "retrieve", "--error", "x", "--step", "0", "--json",
        ])
        .problem("invalid_request");
    world
        .run(&["runs", "end", "r1", "--passed", "--failed", "--json"])
        .problem("invalid_usage");
}

#[test]
fn an_error_of_ten_megabytes_is_cut_with_a_note() {
    let world = World::new();
    let huge = "disk full at block 7 ".repeat(500_000);
    let step = json!({"run": "r1", "error": huge}).to_string();
    assert!(step.len() > 10_000_000);
    let captured = world.run_with(&["errors", "capture", "-", "--json"], step);
    assert_eq!(captured.code, 0, "{}", captured.err);
    let step = captured.document()["steps"][0].clone();
    assert!(
        step["notes"][0].as_str().unwrap().contains("were read"),
        "{}",
        step["notes"]
    );
    assert!(captured.out.len() < 1_000_000);
    let asked = world.run_with(&["lessons", "retrieve", "--error", "-", "--json"], &huge);
    assert!(asked.code < 2, "{}", asked.err);
}

#[test]
fn broken_text_is_replaced_and_binary_is_refused_with_a_place() {
    let world = World::new();
    let captured = world.run_with(
        &["errors", "capture", "-", "--run", "r1", "--json"],
        b"{\"error\": \"no \xFF\xFE byte\"}",
    );
    assert_eq!(captured.code, 0, "{captured:?}");
    assert!(
        captured.document()["notes"][0]
            .as_str()
            .unwrap()
            .contains("UTF-8")
    );
    let binary: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let refused = world.run_with(
        &["errors", "capture", "-", "--run", "r1", "--json"],
        &binary,
    );
    assert!(refused.problem("invalid_json").contains("line 1"));
    let asked = world.run_with(&["lessons", "retrieve", "--error", "-", "--json"], &binary);
    assert!(asked.code < 2, "{asked:?}");
}

#[test]
fn json_bombs_are_refused_at_once() {
    let world = World::new();
    let deep = format!(
        "{{\"state\": {}{}}}",
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    let refused = world.run_with(&["errors", "capture", "-", "--run", "r1", "--json"], deep);
    assert!(refused.problem("invalid_json").contains("recursion"));
    let many = "{\"error\": \"x\"}\n".repeat(20_000);
    world
        .run_with(&["errors", "capture", "-", "--run", "r1", "--json"], many)
        .problem("too_many_steps");
    let traces = world.file("deep.jsonl", "[".repeat(200_000));
    world
        .run(&["learn", &traces, "--json"])
        .problem("invalid_json");
    assert_eq!(world.run(&["errors", "list"]).code, 1);
}

#[test]
fn steps_that_say_too_little_or_the_wrong_thing_are_refused_as_a_whole() {
    let world = World::new();
    let lines = "{\"run\": \"r1\", \"error\": \"boom\"}\n{\"run\": \"r1\", \"erorr\": \"boom\"}\n";
    let refused = world.run_with(&["errors", "capture", "-", "--json"], lines);
    assert!(refused.problem("invalid_step").contains("step 2"));
    world
        .run_with(
            &["errors", "capture", "-", "--json"],
            "{\"error\": \"whose?\"}",
        )
        .problem("invalid_step");
    assert_eq!(world.run(&["errors", "list"]).code, 1);
    world
        .run(&["errors", "capture", "no-such-file", "--json"])
        .problem("no_file");
}
