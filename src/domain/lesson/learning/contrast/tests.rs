//! Runs and the rules that they teach.

use serde_json::{Value, json};

use super::*;
use crate::lesson::trace::TraceFailure;

fn step(step: u32, action: &str, failure: Option<(u8, &str)>) -> TraceStep {
    let failure = failure.map(|(id, message)| TraceFailure {
        fingerprint: FingerprintId([id; 10]),
        coarse: FingerprintId([id; 10]),
        message: message.to_owned(),
    });
    TraceStep {
        step,
        action: Value::from(action),
        plan_step: None,
        failure,
    }
}

fn rules(trace: &[TraceStep]) -> Vec<String> {
    learn(trace, |_| 0)
        .into_iter()
        .map(|candidate| candidate.rule.as_str().to_owned())
        .collect()
}

#[test]
fn a_failure_and_its_cure_become_a_contrast() {
    let trace = [
        step(
            1,
            "RANK DESC total",
            Some((1, "ERROR at line 1: unexpected DESC")),
        ),
        step(2, "SHOW 5", None),
        step(3, "RANK total desc", None),
    ];
    let learned = learn(&trace, |_| 0);
    assert_eq!(
        learned[0].rule.as_str(),
        "WRONG RANK DESC <1> → CORRECT RANK <1> desc"
    );
    assert_eq!(learned[0].evidence_steps, [1, 3]);
    assert_eq!(learned[0].triggers, [FingerprintId([1; 10])]);
}

#[test]
fn quotes_are_the_cure_where_the_message_speaks_of_them() {
    let learned = |action: Value, worked: Value, message: &str| {
        let mut trace = [step(1, "", Some((1, message))), step(2, "", None)];
        trace[0].action = action;
        trace[1].action = worked;
        rules(&trace)
    };
    let quoted = "load: path must be quoted";
    for (action, worked, message, rule) in [
        (
            json!("LOAD data.csv"),
            json!("LOAD \"data.csv\""),
            quoted,
            "WRONG LOAD <word> → CORRECT LOAD \"<word>\"",
        ),
        (
            json!("LOAD my-data.csv"),
            json!("LOAD 'my-data.csv'"),
            quoted,
            "WRONG LOAD <word> → CORRECT LOAD '<word>'",
        ),
        (
            json!(["LOAD", "data.csv"]),
            json!(["LOAD", "\"data.csv\""]),
            quoted,
            "WRONG LOAD <word> → CORRECT LOAD \"<word>\"",
        ),
        (
            json!("FILTER name = Bob"),
            json!("FILTER name = 'Bob'"),
            "filter: text values need single quotes",
            "WRONG FILTER <1> = <word> → CORRECT FILTER <1> = '<word>'",
        ),
        (
            json!("COUNT \"rows\""),
            json!("COUNT rows"),
            "count: a column is unquoted",
            "WRONG COUNT \"<word>\" → CORRECT COUNT <word>",
        ),
        (
            json!({"tool": "grid", "arguments": {"commands": "LOAD data.csv"}}),
            json!({"tool": "grid", "arguments": {"commands": "LOAD \"data.csv\""}}),
            quoted,
            "WRONG grid(commands=LOAD <word>) → CORRECT grid(commands=LOAD \"<word>\") — load: path must be quoted",
        ),
    ] {
        assert_eq!(learned(action.clone(), worked, message), [rule], "{action}");
    }
    // Quotes that no message names are the writer's habit.
    let silent = learned(
        json!("LOAD data.csv"),
        json!("LOAD \"data.csv\""),
        "load: no such file",
    );
    assert_eq!(silent, [""; 0]);
}

#[test]
fn an_error_without_a_cure_is_no_lesson() {
    let trace = [
        step(
            1,
            "LOAD a.csv\nSHWO 5",
            Some((1, "note\nERROR at line 2: unknown command SHWO")),
        ),
        step(
            2,
            "LOAD a.csv\nSHWO 7",
            Some((1, "ERROR at line 2: unknown command SHWO")),
        ),
    ];
    assert!(rules(&trace).is_empty());
}

#[test]
fn another_program_or_another_step_of_the_plan_is_no_cure() {
    let failed = step(1, "git push", Some((1, "error: no upstream")));
    assert!(rules(&[failed.clone(), step(2, "git pull -r", None)]).is_empty());
    let planned = |mut step: TraceStep, name: &str| {
        step.plan_step = Some(name.to_owned());
        step
    };
    let trace = [
        planned(failed.clone(), "publish"),
        planned(step(2, "git push -u", None), "clean"),
    ];
    assert!(rules(&trace).is_empty());
    let trace = [
        planned(failed, "publish"),
        planned(step(2, "hub sync", None), "publish"),
    ];
    assert_eq!(rules(&trace), ["WRONG git push → CORRECT hub sync"]);
}

#[test]
fn recurring_errors_come_first_and_six_are_enough() {
    let mut trace: Vec<TraceStep> = Vec::new();
    for n in 1..=9_u8 {
        let tried = (n, "unknown flag: --aa");
        let at = u32::from(n) * 3;
        trace.push(step(at, &format!("cmd{n} --aa"), Some(tried)));
        if n == 9 {
            trace.push(step(at + 1, "cmd9 x --aa", Some(tried)));
        }
        trace.push(step(at + 2, &format!("cmd{n} --ab"), None));
    }
    let learned = learn(&trace, |id| u64::from(id == FingerprintId([5; 10])));
    assert_eq!(learned.len(), CANDIDATES_MAX);
    assert_eq!(learned[0].triggers, [FingerprintId([9; 10])]);
    assert_eq!(learned[1].triggers, [FingerprintId([5; 10])]);
}

#[test]
fn the_failure_nearest_to_its_cure_teaches_first() {
    let error = Some((1, "ERROR at line 1: no"));
    let trace = [
        step(1, "RANK BY total DESC now", error),
        step(2, "RANK total DESC", error),
        step(3, "RANK total desc", None),
    ];
    assert_eq!(
        rules(&trace)[0],
        "WRONG RANK <1> DESC → CORRECT RANK <1> desc"
    );
}

#[test]
fn nothing_that_worked_is_called_wrong() {
    let busy = Some((1, "busy"));
    let trace = [
        step(1, "push a", busy),
        step(2, "push a", None),
        step(3, "push b", busy),
        step(4, "push -f b", None),
    ];
    assert!(
        rules(&trace)
            .iter()
            .all(|rule| !rule.contains("push <1> →")),
        "{:?}",
        rules(&trace)
    );
}

#[test]
fn a_rule_is_no_more_general_than_its_own_run_allows() {
    let drive = |n: u32, ground: &str, gait: &str, failed: bool| {
        let action = format!("drive(ground={ground}, to=east, gait={gait})");
        TraceStep {
            plan_step: Some(format!("cross the {ground}")),
            ..step(n, &action, failed.then_some((1, "stuck")))
        }
    };
    let floor = [
        drive(1, "floor", "run", true),
        drive(2, "floor", "walk", false),
    ];
    assert_eq!(
        rules(&floor),
        ["WRONG drive … =run) → CORRECT drive … =walk)"]
    );
    let mud = [
        drive(3, "mud", "run", true),
        drive(4, "mud", "crawl", false),
    ];
    let both = rules(&[floor, mud].concat());
    assert_eq!(both.len(), 2);
    assert!(
        both.iter()
            .all(|rule| rule.contains("floor") || rule.contains("mud")),
        "{both:?}"
    );
}

#[test]
fn the_number_of_a_record_is_left_open_and_its_path_stays() {
    let trace = [
        step(1, "GET /orders?id=17 [k: v]", Some((1, "404"))),
        step(2, "GET /v2/orders/17 [k: v]", None),
    ];
    let learned = learn(&trace, |_| 0);
    let rule = &learned[0].rule;
    assert_eq!(
        rule.rewrite("GET /orders?id=4 [k: v]").as_deref(),
        Some("GET /v2/orders/4 [k: v]"),
        "{rule:?}"
    );
}

#[test]
fn a_run_without_failures_teaches_nothing() {
    assert!(rules(&[]).is_empty());
    assert!(rules(&[step(1, "SHOW 5", None)]).is_empty());
    assert!(rules(&[step(1, "", Some((1, "")))]).is_empty());
}

#[test]
fn a_text_of_ones_own_is_neither_mistake_nor_cure() {
    let missing = Some((
        1,
        "Traceback (most recent call last):\n  File \"a\"\nModuleNotFoundError: No module named 'pytz'",
    ));
    for (failed, worked) in [
        ("python check.py", "python -c \"import a; a.b()\""),
        ("python -c \"import a\"", "python check.py"),
        (
            "cat > a.py << 'EOF'\nimport a\nEOF",
            "cat > b.py << 'EOF'\nimport b\nEOF",
        ),
        ("pip install pytz -q", "pip install sqlparse -q"),
    ] {
        let trace = [step(1, failed, missing), step(2, worked, None)];
        let about: Vec<String> = rules(&trace);
        assert!(
            about.iter().all(|rule| !rule.contains("CORRECT")),
            "{about:?}"
        );
    }
    let absent = Some((2, "bash: python: command not found"));
    let trace = [
        step(1, "python -c \"import a\"", absent),
        step(2, "python3 -c \"import a\"", None),
    ];
    assert_eq!(
        rules(&trace).len(),
        1,
        "that a program is missing is told whatever the text"
    );
    let misspelt = Some((3, "ERROR: No matching distribution found for reqests"));
    let trace = [
        step(1, "pip install reqests", misspelt),
        step(2, "pip install requests", None),
    ];
    assert_eq!(
        rules(&trace),
        ["WRONG pip install reqests → CORRECT pip install requests"]
    );
}
