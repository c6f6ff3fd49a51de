//! Where the original program is defective, the engine shows the opposite.

use hindlore_domain::lesson::conflict::ConflictRules;
use hindlore_domain::lesson::evidence::evidence_row::{EvidenceRow, RowKind, Witness};
use hindlore_domain::lesson::evidence::evidence_rows::{EvidenceRows, OutcomeRow, RunRow};
use hindlore_domain::lesson::evidence::verdict_numbers::VerdictNumbers;
use hindlore_domain::lesson::learning::merge::{Placement, merge, place};
use hindlore_domain::lesson::lesson::Status;
use hindlore_domain::lesson::lesson_policy::LessonPolicy;
use hindlore_domain::lesson::promotion::classic::ClassicLesson;
use hindlore_domain::lesson::promotion::{Reason, decide};
use hindlore_domain::lesson::retrieval::choose::{LeftOut, choose};
use hindlore_domain::lesson::retrieval::query::Call;
use hindlore_domain::lesson::retrieval::view::LocalGraph;
use hindlore_domain::lesson::retrieval::walk::walk;
use hindlore_domain::lesson::rule::Rule;
use hindlore_errors::fingerprint::classic_fingerprint;
use hindlore_errors::tag::TagRules;
use hindlore_primitives::ids::LessonId;
use hindlore_text::guard::MergeGuard;
use serde_json::Value;

use super::world::{about, at, lesson, on_error, prints};

#[test]
fn opposite_lesson_errors_of_other_scripts_have_fingerprints_of_their_own() {
    let classic = |text: &str| classic_fingerprint(&Value::from(text), &Value::Null, &Value::Null);
    assert_eq!(classic("文件未找到"), classic("Доступ запрещён"));
    assert_ne!(prints("文件未找到").fine.id, prints("权限被拒绝").fine.id);
    assert_ne!(
        prints("Файл не найден").fine.id,
        prints("Доступ запрещён").fine.id
    );
    assert_ne!(prints("文件未找到").fine.id, prints("").fine.id);
}

#[test]
fn opposite_lesson_a_request_holds_no_operator() {
    assert_eq!(
        TagRules::standard().of_text("please repeat the request"),
        ["uncategorized"]
    );
}

#[test]
fn opposite_lesson_agreeing_rules_are_no_conflict() {
    let rules = ConflictRules::new(&[]);
    let a = lesson(
        "You must not quote column names",
        "unknown column 'a'",
        "r1",
    );
    let b = lesson(
        "Column names must not be quoted",
        "unknown column 'a'",
        "r2",
    );
    assert_eq!(rules.between(&a, &b), None);
    let c = lesson("Column names must be quoted", "unknown column 'a'", "r3");
    assert!(rules.between(&a, &c).is_some() && rules.between(&c, &b).is_some());
}

#[test]
fn opposite_lesson_without_a_match_nothing_is_returned_before_a_run() {
    let mut known = lesson(
        "WRONG RANK DESC <1> → CORRECT RANK <1> desc",
        "unexpected token DESC",
        "r1",
    );
    known.reliability = 1.0;
    let mut graph = LocalGraph::default();
    graph.put_lesson(known.clone());
    let mut query = on_error("");
    query.call = Call::PreRun { recent: Vec::new() };
    query.text = "write a poem about autumn".to_owned();
    query.tags = vec!["uncategorized".to_owned()];
    let numbers = LessonPolicy::default().retrieval;
    let walked = walk(&mut graph, &query, &numbers.walk);
    assert!(
        walked.reached.contains_key(&known.id),
        "the place leads to it"
    );
    let chosen = choose(&query, &walked, std::slice::from_ref(&known), &[], &numbers);
    assert!(chosen.hits.is_empty());
    assert_eq!(chosen.left_out[&known.id], LeftOut::NoAnchor);
}

#[test]
fn opposite_lesson_a_suppressed_lesson_does_not_come_back() {
    let (conflicts, guard) = (ConflictRules::new(&[]), MergeGuard::standard());
    let mut old = lesson(
        "Always quote every column name in the report",
        "unknown column 'a'",
        "r1",
    );
    old.status = Status::Suppressed;
    let known = [old.clone()];
    // The lesson again, as an import or another run brings it, in any claimed status.
    let mut again = lesson(
        "Always quote every column name in the report.",
        "unknown column 'a'",
        "r2",
    );
    again.status = Status::Promoted;
    let placed = place(again.clone(), &known, &conflicts, &guard);
    assert!(
        matches!(&placed, Placement::Merged(lesson) if lesson.id == old.id && lesson.status == Status::Suppressed)
    );
    assert_eq!(merge(&again, &old).status, Status::Suppressed);
    // In other words.
    let said = lesson(
        "Always quote every column name of the report",
        "unknown column 'a'",
        "r3",
    );
    let placed = place(said, &known, &conflicts, &guard);
    assert!(
        matches!(&placed, Placement::Inherits(lesson) if lesson.status == Status::Suppressed && lesson.restates == Some(old.id))
    );
    // The contrary is new, however alike the words are.
    let contrary = lesson(
        "Never quote every column name in the report",
        "unknown column 'a'",
        "r4",
    );
    assert!(matches!(
        place(contrary, &known, &conflicts, &guard),
        Placement::New(_)
    ));
    // So is the same advice for another error.
    let elsewhere = lesson(
        "Always quote every column name in the report",
        "disk full",
        "r5",
    );
    assert!(matches!(
        place(elsewhere, &known, &conflicts, &guard),
        Placement::New(_)
    ));
}

#[test]
fn opposite_lesson_one_early_regression_does_not_block_for_ever() {
    let numbers = VerdictNumbers::default();
    let lesson = about(1);
    let cured = EvidenceRow {
        kind: RowKind::Cured,
        witness: Witness::Steps,
        followed_step: Some(2),
        needed: true,
    };
    let outcome = |n: u8| OutcomeRow {
        activation: hindlore_primitives::ids::ActivationId([n; 10]),
        run: n.to_string(),
        utility: 0.5,
        row: cured,
    };
    let run = |n: u8, regression: bool| RunRow {
        run: n.to_string(),
        with_lesson: true,
        raised: false,
        passed: None,
        score: None,
        regression,
        arm: None,
        control: false,
        steps: 9,
    };
    let rows = |runs: u8| EvidenceRows {
        outcomes: (0..runs).map(outcome).collect(),
        runs: (0..runs).map(|n| run(n, n == 0)).collect(),
        reliability: 0.5,
        has_correct: true,
        ..EvidenceRows::default()
    };
    for runs in 1..=10 {
        assert_eq!(decide(&lesson, rows(runs), &numbers, at(1)), None, "{runs}");
    }
    let decision = decide(&lesson, rows(11), &numbers, at(1)).unwrap();
    assert_eq!(
        (decision.to, decision.reason),
        (Status::Promoted, Reason::DirectProof)
    );
}

#[test]
fn opposite_lesson_three_bad_first_outcomes_are_not_final() {
    let mut classic = ClassicLesson::default();
    for _ in 0..3 {
        classic.take(-0.1, 0.0, None);
    }
    for _ in 0..50 {
        classic.take(1.0, 1.0, None);
    }
    assert_eq!(classic.status, Status::Suppressed);
    use hindlore_domain::lesson::lesson::Cause;
    assert!(Status::Suppressed.may_become(Status::Candidate, Cause::Review));
}

#[test]
fn opposite_lesson_upper_and_lower_case_are_two_rules() {
    let (a, b) = (
        lesson("Use sum not SUM", "x", "r"),
        lesson("Use SUM not sum", "x", "r"),
    );
    assert_ne!(a.id, b.id);
    assert_ne!(a.id, LessonId([0; 10]));
    assert!(Rule::parse("").is_err());
}
