//! Worked examples: failures and successes that trajectories share, decisions, and the insights of a model.

use serde_json::json;

use super::*;

#[test]
fn the_failure_that_ends_a_run_is_advice_where_the_call_is_at_fault() {
    let refused = [("ls", ""), ("DELETE /x", "403 Forbidden: not your record")];
    let reflection = reflect(&trajectory("t", Status::Failure, steps(&refused)));
    assert_eq!(
        patterns(&reflection, Category::Harmful),
        ["Do not repeat `DELETE /x` unchanged."]
    );
    for all in [
        [
            ("ls", ""),
            ("cargo test", "test result: FAILED. 3 passed; 1 failed"),
        ],
        [
            ("ls", ""),
            ("curl http://a.b/c", "curl: (28) Operation timed out"),
        ],
        [("DELETE /x", "403 Forbidden: not your record"), ("ls", "")],
    ] {
        let reflection = reflect(&trajectory("t", Status::Failure, steps(&all)));
        assert_eq!(patterns(&reflection, Category::Harmful), [""; 0], "{all:?}");
    }
}

#[test]
fn a_failure_of_several_trajectories_is_advice_against_it() {
    let said = "403 Forbidden: not your record";
    let ended = |n: u32, path: &str, error: &str| {
        let line = format!("DELETE {path}");
        let all = [("ls", ""), (line.as_str(), error), ("cat x", "")];
        trajectory(&format!("t{n}"), Status::Partial, steps(&all))
    };
    let found = |all: &[Trajectory]| -> Vec<(String, usize)> {
        let proposals = reflect_across(all, 2).proposals.into_iter();
        let harmful = proposals.filter(|one| one.category == Category::Harmful);
        harmful
            .map(|one| (one.pattern, one.evidence.len()))
            .collect()
    };
    let mut all = vec![
        ended(1, "/x", said),
        ended(2, "/x", said),
        ended(3, "/y", ""),
    ];
    let advice = "Do not repeat `DELETE /x` unchanged.";
    assert_eq!(found(&all), [(advice.to_owned(), 2)]);
    assert_eq!(found(&all[1..]), [], "one trajectory is no pattern");
    all.push(ended(4, "/x", ""));
    assert_eq!(found(&all), [], "it worked once");
}

#[test]
fn an_order_counts_tries_that_failed() {
    let call = |name: &str| json!({"name": name, "arguments": {}});
    let mut all: Vec<Trajectory> = (0..8)
        .map(|n| {
            let calls = [(call("list"), ""), (call("read"), "")];
            trajectory(&format!("g{n}"), Status::Success, calls_of(&calls))
        })
        .collect();
    all.extend((0..6).map(|n| {
        let calls = [(call("read"), "no such entry: guess")];
        trajectory(&format!("b{n}"), Status::Failure, calls_of(&calls))
    }));
    let found = reflect_across(&all, 5).proposals;
    let helpful: Vec<&str> = found
        .iter()
        .filter(|one| one.category == Category::Helpful)
        .map(|one| one.pattern.as_str())
        .collect();
    assert_eq!(helpful, ["Do `list` before `read`."]);
}

#[test]
fn equal_successes_become_a_strategy_from_the_third_on() {
    let all = [
        ("git status", ""),
        ("git commit -m x", ""),
        ("git push", ""),
    ];
    let successes = |count: u32| -> Vec<Trajectory> {
        let one = |n| trajectory(&format!("t{n}"), Status::Success, steps(&all));
        (0..count).map(one).collect()
    };
    let found = |all: &[Trajectory]| -> Vec<String> {
        let proposals = reflect_across(all, 2).proposals.into_iter();
        proposals.map(|one| one.pattern).collect()
    };
    let advice = "Do `git status`, then `git commit`, then `git push`.";
    assert_eq!(found(&successes(3)), [advice]);
    assert_eq!(found(&successes(2)), [""; 0]);
    let mut mixed = successes(3);
    mixed.push(trajectory("b", Status::Failure, steps(&all)));
    assert_eq!(found(&mixed), [""; 0]);
}

#[test]
fn decisions_are_observed_and_become_advice_where_success_and_failure_part() {
    let decided = |n: u32, status: Status, words: &str| {
        let mut steps = steps(&[("ls", ""), ("cat x", "")]);
        steps[0].kind = StepKind::Decision;
        steps[0].action = None;
        steps[0].description = words.to_owned();
        trajectory(&format!("t{n}"), status, steps)
    };
    let mut all: Vec<Trajectory> = (0..6)
        .map(|n| decided(n, Status::Success, "use the index"))
        .collect();
    all.extend((6..12).map(|n| decided(n, Status::Failure, "scan it all")));
    let found = reflect_across(&all, 5).proposals;
    assert_eq!(found[0].pattern, "Decide: “use the index”.");
    assert_eq!(found[0].evidence.len(), 6);
    let two = [("ls", ""), ("cat x", "")];
    let mut logged = trajectory("t", Status::Success, steps(&two));
    logged.steps.insert(0, all[0].steps[0].clone());
    assert!(patterns(&reflect(&logged), Category::Neutral).contains(&"Decided: “use the index”."));
}

#[test]
fn an_insight_of_a_model_must_follow_from_the_steps() {
    let all = [
        ("gt report --fmt csv", "error: limit is 50"),
        ("gt report", ""),
    ];
    let run = trajectory("t", Status::Success, steps(&all));
    let insight = |pattern: &str, steps: &[u32]| Insight {
        category: Category::Helpful,
        pattern: pattern.to_owned(),
        context: String::new(),
        steps: steps.to_vec(),
    };
    let kept = proposed::supported(
        vec![
            insight("Keep a report below 50 rows.", &[1]),
            insight("Keep a report below 50 rows.", &[1]),
            insight("Call `gt report` without a format.", &[2, 1]),
            insight("Keep a report below 500 rows.", &[1]),
            insight("Use `gt export`.", &[1]),
            insight("Read the manual.", &[]),
            insight("Read the manual.", &[7]),
            insight("", &[1]),
        ],
        &run,
    );
    let patterns: Vec<&str> = kept.iter().map(|one| one.pattern.as_str()).collect();
    assert_eq!(
        patterns,
        [
            "Keep a report below 50 rows.",
            "Call `gt report` without a format."
        ]
    );
}

#[test]
fn an_error_reported_only_at_the_end_is_that_of_the_last_action() {
    let untold = Trajectory {
        error: Some("parse: file is encrypted".to_owned()),
        ..trajectory("t", Status::Failure, steps(&[("parse a.pdf", "")]))
    };
    assert!(!reflect(&untold).is_worth_learning);
    let reflection = reflect(&untold.with_error_at_end());
    assert!(reflection.is_worth_learning);
    assert_eq!(
        patterns(&reflection, Category::Harmful),
        ["Do not repeat `parse a.pdf` unchanged."]
    );
}
