//! Lessons for the questions of analysts: three runs of one learner, their failures, and the lessons learned; and the
//! expected answer of each question about them.

use hindlore_contract::lesson_world::{
    activation, dated, ended, error, lesson, outcome, run, step, with_status, write,
};
use hindlore_contract::subject::moment;
use hindlore_domain::lesson::evidence::evidence;
use hindlore_domain::lesson::evidence::verdict_numbers::VerdictNumbers;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, Status};
use hindlore_domain::lesson::promotion::decide;
use hindlore_domain::lesson::rule::Rule;
use hindlore_domain::trajectory::StepKind;
use hindlore_store::Store;
use hindlore_store::lessons::rows::{Conflict, Review, RunRow, StepRow};
use hindlore_store::lessons::transaction::LessonCommit;
use serde_json::{Value, json};

use crate::analyst::Known;
use crate::answers::{Check, columns};

const ALWAYS: &str = "Always quote the upload name";
const NEVER: &str = "Never quote the upload name";
const UNUSED: &str = "Wait before the upload";

/// Every question about lessons with its expectation.
pub(crate) const ALL: &[(&str, Check)] = &[
    ("analyst/lessons/standing", standing),
    ("analyst/lessons/conflicts", conflicts),
    ("analyst/lessons/clusters", clusters),
    ("analyst/lessons/fingerprints", fingerprints),
    ("analyst/lessons/uncured", uncured),
    ("analyst/lessons/recurrence", recurrence),
    ("analyst/lessons/activations", activations),
    ("analyst/lessons/evidence", why),
    ("analyst/lessons/runs", runs),
    ("analyst/lessons/picture", picture),
    ("analyst/trajectories/steps", steps),
    ("analyst/trajectories/outcomes", outcomes),
    ("analyst/trajectories/queue", queue),
    ("analyst/trajectories/parts", parts),
];

fn saying(mut lesson: Lesson, rule: &str) -> Lesson {
    lesson.rule = Rule::parse(rule).unwrap();
    lesson
}

/// Three nested trajectories, and the steps of the second.
fn trajectories(mark: &str) -> (Vec<RunRow>, Vec<StepRow>) {
    let mut failed = ended(run("r1", 1), 20);
    let end = failed.end.as_mut().unwrap();
    (end.passed, end.score) = (Some(false), Some(0.25));
    failed.trajectory.error = Some(format!("{mark}the name was not quoted"));
    let mut helped_run = ended(run("r2", 2), 60);
    helped_run.trajectory.parent = Some("r1".to_owned());
    helped_run.trajectory.relearning = Some(7);
    for (run, agent) in [(&mut failed, "scout"), (&mut helped_run, "porter")] {
        run.trajectory.agent = Some(agent.to_owned());
        run.trajectory.task_type = Some("upload".to_owned());
    }
    let mut last = run("r3", 3);
    last.trajectory.parent = Some("r2".to_owned());
    let mut decided = step("r2", 2, false);
    (decided.kind, decided.description) =
        (StepKind::Decision, format!("{mark}try the upload twice"));
    let mut tried = step("r2", 1, true);
    tried.description = format!("{mark}upload with quotes");
    (vec![failed, helped_run, last], vec![decided, tried])
}

/// Lets a learner fail and learn; `mark` begins every text.
pub(crate) async fn fail_and_learn(store: &dyn Store, owner: &LearnerId, mark: &str) {
    let of = |n: u16, triggers: &[u16], rule: &str| {
        saying(
            lesson(owner, n, triggers, &["quoting"]),
            &format!("{mark}{rule}"),
        )
    };
    let mut always = with_status(dated(of(1, &[1], ALWAYS), 9), Status::Promoted);
    (
        always.reliability,
        always.counts.retrieved,
        always.counts.helpful,
    ) = (0.8, 1, 1);
    let mut never = of(2, &[1], NEVER);
    never.reliability = 0.4;
    // A decision archived it: unreliable and unused.
    let mut unused = of(3, &[2], UNUSED);
    (unused.reliability, unused.unused_opportunities) = (0.1, 20);
    let numbers = VerdictNumbers::default();
    let rows = evidence(&unused, &[], &[], &numbers.gates);
    let decision = decide(&unused, rows, &numbers, moment(70));
    unused.status = Status::Archived;
    let mut helped = activation("r2", &always, 1, 50);
    helped.activation.outcome = Some(outcome(0.5, moment(60)));
    let mut withheld = activation("r3", &never, 1, 55);
    withheld.activation.withheld = true;
    let review = Review {
        id: "review_1".to_owned(),
        lesson: always.id,
        from: Status::Candidate,
        to: Status::Promoted,
        author: Some("eve".to_owned()),
        note: Some(format!("{mark}seen to help with an upload")),
        at: moment(80),
    };
    let (runs, steps) = trajectories(mark);
    let commit = LessonCommit {
        runs,
        steps,
        errors: vec![
            error(owner, "r1", 1, (1, 1)),
            error(owner, "r1", 2, (1, 1)),
            error(owner, "r1", 3, (1, 1)),
            error(owner, "r2", 1, (1, 1)),
            error(owner, "r3", 1, (2, 3)),
            error(owner, "r3", 2, (2, 3)),
        ],
        conflicts: vec![Conflict::between(
            always.id,
            never.id,
            format!("{mark}always / never"),
            moment(10),
        )],
        lessons: vec![always, never, unused],
        activations: vec![helped, withheld],
        decisions: decision.into_iter().collect(),
        reviews: vec![review],
        ..LessonCommit::default()
    };
    write(store, owner, commit).await.unwrap();
}

fn shown(known: &Known, name: &str, names: &str) -> Value {
    columns(
        &known.rows(&format!("analyst/lessons/{name}"), json!({})),
        names,
    )
}

fn standing(known: &Known) {
    let names = "rule status reliability retrieved helpful harmful triggers";
    let expected = json!([
        [ALWAYS, "promoted", 0.8, 1, 1, 0, 1],
        [NEVER, "candidate", 0.4, 0, 0, 0, 1],
        [UNUSED, "archived", 0.1, 0, 0, 0, 1],
    ]);
    assert_eq!(shown(known, "standing", names), expected);
}

fn conflicts(known: &Known) {
    let names = "first first_status first_reliability second second_status reason";
    let expected = json!([[
        ALWAYS,
        "promoted",
        0.8,
        NEVER,
        "candidate",
        "always / never"
    ]]);
    assert_eq!(shown(known, "conflicts", names), expected);
}

fn clusters(known: &Known) {
    let expected = json!([["l_00010909090909090909", 2, 2, [ALWAYS, NEVER]]]);
    let found = shown(known, "clusters", "cluster lessons live rules");
    assert_eq!(found, expected);
}

fn fingerprints(known: &Known) {
    let names = "fingerprint error events runs tags lessons";
    let expected = json!([
        [
            "fp_00010707070707070707",
            "error number 1",
            4,
            2,
            ["timeout"],
            2
        ],
        [
            "fp_00020707070707070707",
            "error number 2",
            2,
            1,
            ["timeout"],
            0
        ],
        [
            "fp_00030707070707070707",
            "error number 3",
            2,
            1,
            ["timeout"],
            0
        ],
    ]);
    assert_eq!(shown(known, "fingerprints", names), expected);
}

fn uncured(known: &Known) {
    let expected = json!([
        ["error number 2", 2, 1, "r3"],
        ["error number 3", 2, 1, "r3"],
    ]);
    let found = shown(known, "uncured", "error events runs last_run");
    assert_eq!(found, expected);
    let rare = known.rows("analyst/lessons/uncured", json!({"least": 3}));
    assert!(rare.is_empty(), "{rare:?}");
}

fn recurrence(known: &Known) {
    let names = "error runs_with errors_with runs_without errors_without";
    let expected = json!([
        ["error number 1", 1, 1.0, 1, 3.0],
        ["error number 2", 0, null, 1, 2.0],
        ["error number 3", 0, null, 1, 2.0],
    ]);
    assert_eq!(shown(known, "recurrence", names), expected);
}

fn activations(known: &Known) {
    let names = "run step rule lane verdict utility";
    let expected = json!([
        ["r3", 1, NEVER, "transfer", "withheld", null],
        ["r2", 1, ALWAYS, "transfer", "helped", 0.5],
    ]);
    assert_eq!(shown(known, "activations", names), expected);
}

fn why(known: &Known) {
    let names = "rule change reason outcomes runs";
    let expected = json!([
        [
            ALWAYS,
            "candidate → promoted",
            "seen to help with an upload",
            null,
            null
        ],
        [UNUSED, "candidate → archived", "unused", 0, 0],
    ]);
    assert_eq!(shown(known, "evidence", names), expected);
}

fn asked(known: &Known, name: &str, names: &str) -> Value {
    let rows = known.rows(&format!("analyst/trajectories/{name}"), json!({}));
    columns(&rows, names)
}

fn steps(known: &Known) {
    let names = "trajectory number kind what failed error";
    let expected = json!([
        ["r2", 1, "action", "upload with quotes", true, "boom 1"],
        ["r2", 2, "decision", "try the upload twice", false, null],
    ]);
    assert_eq!(asked(known, "steps", names), expected);
}

fn outcomes(known: &Known) {
    let names = "agent task_type ended failures partial successes score last_error";
    let said = "the name was not quoted";
    let expected = json!([
        ["scout", "upload", 1, 1, 0, 0, 0.25, said],
        ["porter", "upload", 1, 0, 0, 1, null, null],
    ]);
    assert_eq!(asked(known, "outcomes", names), expected);
}

fn queue(known: &Known) {
    let names = "trajectory priority task status score feedback";
    let expected = json!([["r2", 7, "make a report", "success", null, 0]]);
    assert_eq!(asked(known, "queue", names), expected);
}

fn parts(known: &Known) {
    let names = "whole part depth agent status steps";
    let expected = json!([
        ["r1", "r2", 1, "porter", "success", 3],
        ["r2", "r3", 2, null, null, 3],
    ]);
    assert_eq!(asked(known, "parts", names), expected);
}

fn runs(known: &Known) {
    let expected = json!([
        ["r3", "report", "open", 3, 2, 0],
        ["r2", "report", "passed", 3, 1, 1],
        ["r1", "report", "failed", 3, 3, 0],
    ]);
    let found = shown(known, "runs", "run task state steps errors advised");
    assert_eq!(found, expected);
}

fn picture(known: &Known) {
    let rows = known.rows("analyst/lessons/picture", json!({}));
    // Four errors of the first fingerprint, each with its two lessons.
    assert_eq!(rows.len(), 8);
    for row in &rows {
        let labels: Vec<&Value> = [0, 2, 4, 6, 8]
            .iter()
            .map(|at| &row["way"][*at]["labels"][0])
            .collect();
        let expected = ["Learner", "Run", "ErrorEvent", "Fingerprint", "Lesson"];
        assert_eq!(labels, expected);
    }
}
