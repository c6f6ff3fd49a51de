//! Foreign input: steps as JSON, broken bytes, nests without end, and the files of the original program.

use hindlore_api::import::read_classic_lessons;
use hindlore_api::problem::Problem;
use hindlore_api::steps::{Numbering, StepDefaults, StepsRead, read_steps};
use hindlore_domain::lesson::lesson::{Place, Status};
use hindlore_errors::fingerprint::{Evidence, Fingerprinter};
use hindlore_primitives::ids::FingerprintId;
use hindlore_primitives::timestamp::Timestamp;

fn steps_of(bytes: &[u8]) -> Result<StepsRead, Problem> {
    let defaults = StepDefaults {
        run: Some("r".to_owned()),
        place: Place::default(),
        at: Timestamp::from_millis(0),
        numbering: Numbering::Place,
    };
    read_steps(bytes, &defaults)
}

#[test]
fn steps_come_as_an_object_a_list_or_lines() {
    for text in [
        r#"{"error": "boom", "action": "x", "exit_code": 2}"#,
        r#"[{"error": "boom", "action": "x", "exit_code": 2}, {"action": "y", "exit_code": 0}]"#,
        "\u{feff}{\"error\": \"boom\"}\n\n{\"action\": [\"ls\", \"-l\"], \"error\": \"\"}\n",
    ] {
        let steps = steps_of(text.as_bytes()).unwrap().steps;
        assert!(steps[0].report.feedback.hard_failure && steps[0].report.step == 1);
        if let Some(second) = steps.get(1) {
            assert!(!second.report.feedback.hard_failure && second.report.step == 2);
        }
    }
    assert!(steps_of(b"").unwrap().steps.is_empty());
}

#[test]
fn bad_input_is_named_and_broken_text_is_replaced() {
    let deep = format!(
        "{{\"state\": {}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    for (text, word) in [
        (deep.as_str(), "recursion"),
        ("{", "not valid JSON"),
        ("7", "the number 7, not an object"),
        (r#"{"step": -1}"#, "`step`"),
        (r#"{"erorr": "x"}"#, "did you mean `error`"),
        (r#"{"progress": "much"}"#, "`progress`"),
        (r#"{"exit_code": 1.5}"#, "`exit_code`"),
        (r#"{"followed": ["l_1"]}"#, "`followed`"),
        (r#"{"at": "soon", "tags": 3}"#, "; "),
    ] {
        let problem = steps_of(text.as_bytes()).unwrap_err();
        assert!(problem.message.contains(word), "{word}: {problem}");
    }
    let read = steps_of(b"{\"error\": \"a \xff b\"}").unwrap();
    assert_eq!(read.steps[0].report.evidence.error, "a \u{fffd} b");
    assert_eq!(read.notes.len(), 1);
    // The fields as document 004 names them.
    let read =
        steps_of(br#"{"state_before": "A", "failure_reason": "stuck", "safety_violation": true}"#);
    let report = &read.unwrap().steps[0].report;
    assert_eq!(
        (&report.evidence.state, report.evidence.reason.as_str()),
        (&"A".into(), "stuck")
    );
    assert!(report.unsafe_action);
    let nobody = StepDefaults {
        run: None,
        place: Place::default(),
        at: Timestamp::from_millis(0),
        numbering: Numbering::Place,
    };
    let problem = read_steps(b"{}", &nobody).unwrap_err();
    assert!(problem.message.contains("names no `run`"), "{problem}");
}

#[test]
fn lessons_and_events_of_the_original_are_read() {
    let event = r#"{"channel": "hard_failure", "error": "unknown column 'x'", "state": {"tool": "gridtool", "task_id": "t1", "domain": "grid"}, "action": {"cmd": "y"}, "tags": ["column_reference"], "fingerprint": "ef_00112233445566778899", "metadata": {"session_id": 7, "step": 3}}"#;
    let lesson = r#"{"memory_schema": "lesson_store_v2", "status": "suppressed", "rule_text": "Use sum()", "trigger_fingerprints": ["ef_00112233445566778899", "ef_aabbccddeeff00112233", "fp_0011aabbccddeeff2233", "gt: unknown option '--fmt'", "odd"], "tags": [], "task_id": "t1", "domain": "grid", "source_session_ids": [7, 8], "reliability": 0.25, "retrieval_count": 3, "helpful_count": 1, "harmful_count": 2, "utility_history": [0.5, -0.25], "created_at": "2026-01-01T00:00:00+00:00", "updated_at": "2026-01-02T00:00:00+00:00"}"#;
    let old = r#"{"session_id": 3, "task_id": "t1", "lesson": "Be exact with names", "eval_score": 1.0, "timestamp": "2026-01-01T00:00:00Z"}"#;
    let read = read_classic_lessons(
        &format!("{event}\n\n{lesson}\n{old}\nnot json\n{{}}\n"),
        Timestamp::from_millis(9),
    );
    assert_eq!((read.lessons.len(), read.steps.len()), (2, 1));
    let bad: Vec<u64> = read.bad.iter().map(|bad| bad.line).collect();
    assert_eq!(bad, [5, 6]);
    let step = &read.steps[0].report;
    assert_eq!((step.run.as_str(), step.step), ("session-7", 3));
    assert_eq!(step.place.tool.as_deref(), Some("gridtool"));
    let (line, first) = &read.lessons[0];
    assert_eq!(
        (*line, first.status, first.counts.harmful),
        (3, Status::Suppressed, 2)
    );
    let ours = Fingerprinter::default().of(&step.evidence).ids();
    assert!(ours.iter().all(|id| first.triggers.contains(id)));
    for kept in ["fp_aabbccddeeff00112233", "fp_0011aabbccddeeff2233"] {
        let kept: FingerprintId = kept.parse().unwrap();
        assert!(first.triggers.contains(&kept), "{kept}");
    }
    let error = Evidence {
        error: "gt: unknown option '--fmt'".into(),
        ..Evidence::default()
    };
    let of_text = Fingerprinter::default().of(&error).ids();
    assert!(of_text.iter().all(|id| first.triggers.contains(id)));
    assert_eq!(first.triggers.len(), ours.len() + of_text.len() + 3);
    assert!((first.impact - 0.25).abs() < 1e-12 && first.created_at < first.evidence_at);
    let (_, second) = &read.lessons[1];
    assert_eq!(
        (second.status, second.source_runs.len()),
        (Status::Candidate, 1)
    );
    assert!((second.reliability - 0.9).abs() < 1e-12);
}
