//! Worked examples: the insights from steps, and steps without any.

use serde_json::{Value, json};

mod shared;

use super::across::reflect_across;
use super::*;
use crate::trajectory::{Metrics, Status, StepKind, TraceState};
use hindlore_errors::action::Action;

/// Steps of commands, each with the error that it failed with, or an empty text.
fn steps(all: &[(&str, &str)]) -> Vec<Step> {
    let calls: Vec<(Value, &str)> = all
        .iter()
        .map(|(line, error)| (json!(line), *error))
        .collect();
    calls_of(&calls)
}

fn calls_of(all: &[(Value, &str)]) -> Vec<Step> {
    let step = |(number, (action, error)): (u32, &(Value, &str))| Step {
        number,
        kind: StepKind::Action,
        description: String::new(),
        action: Some(Action::read(action)),
        metadata: None,
        failed: !error.is_empty(),
        error: (!error.is_empty()).then(|| (*error).to_owned()),
        fingerprints: Vec::new(),
        at: Timestamp::from_millis(i64::from(number)),
    };
    (1..).zip(all).map(step).collect()
}

fn trajectory(id: &str, status: Status, steps: Vec<Step>) -> Trajectory {
    Trajectory {
        id: id.to_owned(),
        description: "release".to_owned(),
        task_type: None,
        agent: None,
        user: None,
        parent: None,
        status: Some(status),
        success_score: None,
        error: None,
        metrics: Metrics::default(),
        steps_taken: u32::try_from(steps.len()).unwrap(),
        steps,
        trace: TraceState::Whole,
        steps_until: None,
        trace_hash: None,
        feedback: Vec::new(),
        relearning: None,
        reflected_at: None,
        started_at: Timestamp::from_millis(0),
        ended_at: Some(Timestamp::from_millis(100)),
    }
}

fn patterns(reflection: &Reflection, category: Category) -> Vec<&str> {
    reflection
        .of(category)
        .map(|one| one.pattern.as_str())
        .collect()
}

#[test]
fn a_lone_action_that_worked_teaches_nothing() {
    for all in [vec![], vec![("cat README.md", "")]] {
        let reflection = reflect(&trajectory("t", Status::Success, steps(&all)));
        assert!(!reflection.is_worth_learning && reflection.insights.is_empty());
    }
    let failed = [("cat README.md", "cat: README.md: No such file or directory")];
    assert!(reflect(&trajectory("t", Status::Failure, steps(&failed))).is_worth_learning);
}

#[test]
fn what_cured_an_error_is_advice_that_quotes_both() {
    let said = "error: unknown option --fmt";
    let all = [
        ("gt report --fmt csv", said),
        ("gt report --format csv", ""),
    ];
    let reflection = reflect(&trajectory("t", Status::Success, steps(&all)));
    let helpful = patterns(&reflection, Category::Helpful);
    assert_eq!(helpful.len(), 1, "{reflection:?}");
    assert!(
        helpful[0].starts_with("Instead of `gt … --fmt …` use"),
        "{helpful:?}"
    );
    let insight = reflection.of(Category::Helpful).next().unwrap();
    assert!(
        insight.context.contains("unknown option --fmt"),
        "{insight:?}"
    );
    assert_eq!(insight.steps, [1, 2]);
    assert_eq!(reflection.recommendations.len(), 1);
    let proposals = reflection.proposals();
    assert_eq!(proposals.len(), 1);
    assert!(proposals[0].evidence[0].worked && proposals[0].clone().checked().is_ok());
}

#[test]
fn what_kept_failing_is_advice_against_repeating_it() {
    let said = "error: connection refused by the registry";
    let all = [
        ("npm publish", said),
        ("npm publish", said),
        ("npm publish", said),
    ];
    let reflection = reflect(&trajectory("t", Status::Failure, steps(&all)));
    assert_eq!(
        patterns(&reflection, Category::Harmful),
        ["Do not repeat `npm publish` unchanged."]
    );
    let insight = reflection.of(Category::Harmful).next().unwrap();
    assert_eq!(
        (insight.steps.as_slice(), insight.context.as_str()),
        (
            &[1, 2, 3][..],
            "it fails with: error: connection refused by the registry"
        )
    );
    assert!(!reflection.proposals()[0].evidence[0].worked);
    // An action that worked in the end was no dead end, and one failure is no habit.
    for all in [
        vec![
            ("npm publish", said),
            ("npm publish", said),
            ("npm publish", ""),
        ],
        vec![("npm publish", said), ("ls", "")],
    ] {
        let reflection = reflect(&trajectory("t", Status::Success, steps(&all)));
        assert_eq!(patterns(&reflection, Category::Harmful), [""; 0], "{all:?}");
    }
}

#[test]
fn an_order_in_one_trajectory_is_an_observation_and_no_proposal() {
    let all = [
        ("ls src", ""),
        ("cat src/main.rs", ""),
        ("sed -i s/a/b/ src/main.rs", ""),
        ("cargo test", ""),
        ("git status", ""),
        ("git commit -am x", ""),
    ];
    let reflection = reflect(&trajectory("t", Status::Success, steps(&all)));
    assert_eq!(
        patterns(&reflection, Category::Neutral),
        [
            "Listed with `ls` before reading with `cat`.",
            "Read with `cat` before changing with `sed`.",
            "Tested with `cargo test` after changing with `sed`.",
            "Looked at `git status` before `git commit`.",
        ]
    );
    assert!(reflection.proposals().is_empty() && reflection.recommendations.is_empty());
    // A step that failed is no look before the leap, and the other way round is another order.
    let reversed = [
        ("cargo test", ""),
        ("sed -i s/a/b/ x", ""),
        ("cat x", "cat: x: Permission denied"),
    ];
    let reflection = reflect(&trajectory("t", Status::Success, steps(&reversed)));
    assert_eq!(patterns(&reflection, Category::Neutral), [""; 0]);
}

#[test]
fn tools_are_spoken_of_by_their_names() {
    let all = [
        (json!({"name": "read_file", "arguments": {"path": "a"}}), ""),
        (
            json!({"name": "str_replace_editor", "arguments": {"path": "a"}}),
            "",
        ),
    ];
    let reflection = reflect(&trajectory("t", Status::Success, calls_of(&all)));
    assert_eq!(
        patterns(&reflection, Category::Neutral),
        ["Read with `read_file` before changing with `str_replace_editor`."]
    );
}

/// Trajectories that log in before they buy and succeed, and some that do not and fail.
fn shopping(good: usize, bad: usize) -> Vec<Trajectory> {
    let call = |name: &str| json!({"name": name, "arguments": {}});
    let mut all: Vec<Trajectory> = (0..good)
        .map(|n| {
            let calls = [(call("login"), ""), (call("browse"), ""), (call("buy"), "")];
            trajectory(&format!("g{n:02}"), Status::Success, calls_of(&calls))
        })
        .collect();
    all.extend((0..bad).map(|n| {
        let calls = [(call("browse"), ""), (call("buy"), ""), (call("login"), "")];
        trajectory(&format!("b{n:02}"), Status::Failure, calls_of(&calls))
    }));
    all
}

#[test]
fn an_order_on_which_success_and_failure_part_is_advice_with_all_of_its_evidence() {
    let mut all = shopping(8, 8);
    let batch = reflect_across(&all, 5);
    let found: Vec<&str> = batch
        .proposals
        .iter()
        .map(|one| one.pattern.as_str())
        .collect();
    assert_eq!(
        found,
        ["Do `login` before `browse`.", "Do `login` before `buy`."]
    );
    assert_eq!(batch.proposals[0].evidence.len(), 8);
    all.reverse();
    assert_eq!(reflect_across(&all, 5), batch);
    // One success without it, and it is no longer so.
    let calls = [(json!({"name": "buy", "arguments": {}}), "")];
    all.push(trajectory("x", Status::Success, calls_of(&calls)));
    let found = reflect_across(&all, 5).proposals;
    assert!(
        found
            .iter()
            .all(|one| one.pattern != "Do `login` before `buy`.")
    );
}

#[test]
fn few_trajectories_prove_no_order_and_fewer_than_asked_for_propose_nothing() {
    assert!(reflect_across(&shopping(2, 2), 4).proposals.is_empty());
    let said = "error: unknown option --fmt";
    let cured = [
        ("gt report --fmt csv", said),
        ("gt report --format csv", ""),
    ];
    let one = [trajectory("t", Status::Success, steps(&cured))];
    let batch = reflect_across(&one, 5);
    assert_eq!(
        (batch.looked_at, batch.worth_learning, batch.is_enough),
        (1, 1, false)
    );
    assert!(batch.proposals.is_empty());
    assert_eq!(reflect_across(&one, 1).proposals.len(), 1);
}

#[test]
fn a_form_that_had_to_be_cut_is_seen_and_no_advice() {
    let long = format!("gt book --flights {}", "HAT136,HAT137,".repeat(20));
    let failing = [
        (long.as_str(), "error: no seat"),
        (long.as_str(), "error: no seat"),
    ];
    let one = reflect(&trajectory("t", Status::Failure, steps(&failing)));
    assert!(one.of(Category::Harmful).next().is_some());
    assert!(one.proposals().is_empty(), "{:?}", one.proposals());
    let short = [
        ("gt book --any", "error: no seat"),
        ("gt book --any", "error: no seat"),
    ];
    let one = reflect(&trajectory("t", Status::Failure, steps(&short)));
    assert_eq!(one.proposals().len(), 1);
}

#[test]
fn what_belongs_to_one_run_is_no_advice() {
    let said =
        "Traceback (most recent call last):\n  File \"repro.py\", line 1\nValueError: bad value";
    let all = [
        ("cat > repro.py << 'EOF'", ""),
        ("python repro.py", said),
        ("python repro.py", said),
    ];
    let reflection = reflect(&trajectory("t", Status::Failure, steps(&all)));
    assert_eq!(reflection.of(Category::Harmful).count(), 0);
    let theirs = &all[1..];
    let reflection = reflect(&trajectory("t", Status::Failure, steps(theirs)));
    let kept: Vec<&Insight> = reflection.of(Category::Harmful).collect();
    assert_eq!(kept.len(), 1, "a file that was there is another matter");
    assert_eq!(kept[0].context, "it fails with: ValueError: bad value");
}
