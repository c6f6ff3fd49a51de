//! Worked examples: actions after advice, and the resulting row.

use serde_json::json;

use super::*;
use crate::lesson::activation::{RetrievalChannel, activation_id};
use crate::lesson::learning::attempt::attempts;
use crate::lesson::lesson::{LearnerId, NewLesson, Place, Reach, Status};
use crate::lesson::rule::Rule;
use crate::lesson::trace::{TraceFailure, TraceStep};
use hindlore_primitives::timestamp::Timestamp;

/// The lesson's own error; every other number is another error.
const ERROR: u8 = 1;
const WRONG: &str = "git push origin main";
const RIGHT: &str = "git push origin HEAD:feature/x";
const PUSH: &str = "WRONG git push <1> main → CORRECT git push <1> HEAD:feature/x";

fn lesson(rule: &str) -> Lesson {
    Lesson::new(NewLesson {
        owner: LearnerId::new("t", "l").unwrap(),
        rule: Rule::parse(rule).unwrap(),
        triggers: vec![FingerprintId([ERROR; 10])],
        tags: Vec::new(),
        reach: Reach::Domain,
        place: Place::default(),
        source_run: None,
        status: Status::Candidate,
        at: Timestamp::default(),
    })
}

/// Actions from step 1 on, each with the number of the error that it raised, or 0.
fn trace(steps: &[(&str, u8)]) -> Vec<TraceStep> {
    let step = |((action, error), step): (&(&str, u8), u32)| TraceStep {
        step,
        action: json!(action),
        plan_step: None,
        failure: (*error > 0).then(|| TraceFailure {
            fingerprint: FingerprintId([*error; 10]),
            coarse: FingerprintId([*error; 10]),
            message: "it failed".to_owned(),
        }),
    };
    steps.iter().zip(1..).map(step).collect()
}

fn row(rule: &str, moment: Trigger, steps: &[(&str, u8)], followed: &[u32]) -> EvidenceRow {
    let lesson = lesson(rule);
    let step = u32::from(moment == Trigger::OnError);
    let activation = Activation {
        id: activation_id("r", lesson.id, moment, step),
        run: "r".to_owned(),
        lesson: lesson.id,
        moment,
        step,
        trigger: None,
        lane: RetrievalChannel::Strict,
        score: 0.5,
        withheld: false,
        beat: Vec::new(),
        at: Timestamp::default(),
        outcome: None,
    };
    let named = |step: &u32| Followed {
        lesson: lesson.id,
        step: *step,
    };
    let followed: Vec<Followed> = followed.iter().map(named).collect();
    let run = RunSteps {
        attempts: &attempts(&trace(steps)),
        followed: &followed,
    };
    attribute(&activation, &Advice::new(&lesson), run)
}

#[test]
fn after_an_error_the_next_attempt_at_the_same_thing_decides() {
    const WRONG: (&str, u8) = ("git push origin main", ERROR);
    const RIGHT: &str = "git push origin HEAD:feature/x";
    for (steps, kind, needed) in [
        (vec![WRONG, (RIGHT, 0)], RowKind::Cured, true),
        // The step in between is no attempt at it.
        (
            vec![WRONG, ("ls -l", 0), ("git status", 7), (RIGHT, 0)],
            RowKind::Cured,
            true,
        ),
        // To trade one error for another cures nothing.
        (vec![WRONG, (RIGHT, ERROR)], RowKind::Failed, true),
        (vec![WRONG, (RIGHT, 7)], RowKind::Failed, true),
        // An action with two faults: the action that works in the end shows whether the advice was right about its own.
        (
            vec![WRONG, (RIGHT, 7), ("git push up HEAD:feature/x", 0)],
            RowKind::Cured,
            true,
        ),
        (
            vec![WRONG, (RIGHT, 7), ("git push origin dev", 0)],
            RowKind::Failed,
            true,
        ),
        (
            vec![WRONG, (RIGHT, ERROR), ("git push up HEAD:feature/x", 0)],
            RowKind::Cured,
            true,
        ),
        // A fault that passes by itself.
        (
            vec![WRONG, (RIGHT, ERROR), (RIGHT, 0)],
            RowKind::Failed,
            true,
        ),
        // The next attempt decides, not a later one.
        (
            vec![WRONG, ("git push --force origin main", 7), (RIGHT, 0)],
            RowKind::NotFollowed,
            true,
        ),
        (vec![WRONG, WRONG, (RIGHT, 0)], RowKind::NotFollowed, true),
        // An abandoned run is no evidence about the advice.
        (vec![WRONG], RowKind::Unknown, true),
        (
            vec![WRONG, ("ls", 0), ("git log", 0)],
            RowKind::Unknown,
            true,
        ),
        // The advice came for another error: nothing shows that it is needed.
        (
            vec![("git push origin main", 7), (RIGHT, 0)],
            RowKind::Cured,
            false,
        ),
    ] {
        let row = row(PUSH, Trigger::OnError, &steps, &[]);
        assert_eq!((row.kind, row.needed), (kind, needed), "{steps:?}");
        assert_eq!(row.followed_step.is_some(), kind.sign() != 0, "{steps:?}");
    }
}

#[test]
fn the_advised_form_is_known_under_another_program_and_in_a_line_of_many() {
    let python = "WRONG python <1> → CORRECT python3 <1>";
    let steps = [("python x.py", ERROR), ("python3 x.py", 0)];
    assert_eq!(
        row(python, Trigger::OnError, &steps, &[]).kind,
        RowKind::Cured
    );
    let keep = "WRONG KEEP <1> = <2> → CORRECT KEEP <1> eq <2>";
    let steps = [("LOAD a\nKEEP x = 5", ERROR), ("LOAD a\nKEEP x eq 5", 0)];
    assert_eq!(
        row(keep, Trigger::OnError, &steps, &[]).kind,
        RowKind::Cured
    );
    // A wrong form that is wide enough to fit the corrected action, too.
    let wide = "WRONG run … → CORRECT run --fast …";
    let steps = [("run it now", ERROR), ("run --fast it now", 0)];
    assert_eq!(
        row(wide, Trigger::OnError, &steps, &[]).kind,
        RowKind::Cured
    );
}

#[test]
fn a_rule_may_quote_a_piece_of_the_action() {
    let piece = "WRONG gt report --fmt → CORRECT gt report --format";
    let (wrong, right) = (
        ("gt report --fmt csv", ERROR),
        ("gt report --format csv", 0),
    );
    for (moment, steps, kind) in [
        (Trigger::OnError, vec![wrong, right], RowKind::Cured),
        (Trigger::OnError, vec![wrong, wrong], RowKind::NotFollowed),
        (Trigger::PreRun, vec![right], RowKind::Averted),
        (Trigger::PreRun, vec![wrong], RowKind::NotFollowed),
    ] {
        assert_eq!(
            row(piece, moment, &steps, &[]).kind,
            kind,
            "{moment}: {steps:?}"
        );
    }
    // Where the wrong form is a piece of the right one, the whole decides.
    let longer = "WRONG net <1> <2> → CORRECT net <1> <2> --retry";
    for (action, kind) in [
        ("net fetch page --retry", RowKind::Averted),
        ("net fetch page", RowKind::NotFollowed),
    ] {
        assert_eq!(
            row(longer, Trigger::PreRun, &[(action, 0)], &[]).kind,
            kind,
            "{action}"
        );
    }
    let wide = "WRONG run … → CORRECT run --fast …";
    assert_eq!(
        row(wide, Trigger::PreRun, &[("run --fast it", 0)], &[]).kind,
        RowKind::Averted
    );
}

#[test]
fn before_a_run_the_first_attempt_that_the_rule_speaks_of_decides() {
    for (steps, kind, needed) in [
        (vec![(RIGHT, 0)], RowKind::Averted, false),
        (
            vec![("git push --tags", 0), (RIGHT, 0)],
            RowKind::Averted,
            false,
        ),
        (vec![(RIGHT, ERROR)], RowKind::CameAnyway, false),
        (vec![(RIGHT, 7)], RowKind::Failed, false),
        (
            vec![(RIGHT, 7), ("git push up HEAD:feature/x", 0)],
            RowKind::Averted,
            false,
        ),
        (vec![(RIGHT, 7), (RIGHT, 0)], RowKind::Failed, false),
        (vec![(RIGHT, 7), (WRONG, 0)], RowKind::Failed, false),
        (vec![(RIGHT, 0), (RIGHT, ERROR)], RowKind::CameAnyway, false),
        // It was done the wrong way once: that is no fault of the advice, and shows the need.
        (vec![(RIGHT, 0), (WRONG, ERROR)], RowKind::Averted, true),
        (vec![(WRONG, ERROR), (RIGHT, 0)], RowKind::NotFollowed, true),
        (vec![(WRONG, 0)], RowKind::NotFollowed, false),
        (vec![("git push x y z", ERROR)], RowKind::NotFollowed, true),
        (vec![], RowKind::Unknown, false),
        (vec![("ls", 7), ("make", 0)], RowKind::Unknown, false),
    ] {
        let row = row(PUSH, Trigger::PreRun, &steps, &[]);
        assert_eq!((row.kind, row.needed), (kind, needed), "{steps:?}");
    }
}

#[test]
fn a_warning_is_read_with_the_result_of_the_action() {
    for (steps, kind) in [
        (vec![(RIGHT, 0)], RowKind::Averted),
        (vec![(WRONG, ERROR), (RIGHT, 0)], RowKind::Cured),
        (vec![(WRONG, ERROR), (RIGHT, ERROR)], RowKind::Failed),
        (vec![(WRONG, 7), ("ls", 0), (RIGHT, 7)], RowKind::Failed),
        (
            vec![(WRONG, ERROR), ("git push up", 0), (RIGHT, 0)],
            RowKind::NotFollowed,
        ),
        (vec![(WRONG, ERROR), (WRONG, ERROR)], RowKind::NotFollowed),
        (vec![(WRONG, ERROR)], RowKind::NotFollowed),
        (vec![(WRONG, 0), (RIGHT, 7)], RowKind::NotFollowed),
    ] {
        let row = row(PUSH, Trigger::BeforeAction, &steps, &[]);
        assert_eq!(row.kind, kind, "{steps:?}");
    }
}

#[test]
fn an_adapter_that_names_the_step_is_believed() {
    for (steps, kind) in [
        (vec![("a", ERROR), ("b", 0), ("c", 0)], RowKind::Cured),
        (vec![("a", ERROR), ("b", 0), ("c", 7)], RowKind::Failed),
    ] {
        let row = row("Use lower case names", Trigger::OnError, &steps, &[3]);
        assert_eq!((row.kind, row.witness), (kind, Witness::Adapter));
        assert_eq!(row.followed_step, Some(3));
    }
    // For free text only the adapter knows whether it was followed.
    let steps = [("a", ERROR), ("a", 0)];
    let alone = row("Use lower case names", Trigger::OnError, &steps, &[]);
    assert_eq!(
        (alone.kind, alone.witness),
        (RowKind::Unknown, Witness::Steps)
    );
    // A step before the advice was not taken on it.
    assert_eq!(
        row("Use x", Trigger::OnError, &steps, &[1]).witness,
        Witness::Steps
    );
}

#[test]
fn a_rule_that_only_forbids_is_followed_by_doing_otherwise() {
    let forbids = "WRONG deploy <1> --now — the window is closed";
    for (next, kind) in [
        (("deploy a --later", 0), RowKind::Cured),
        (("deploy a --later", 7), RowKind::Failed),
        (("deploy a --now", ERROR), RowKind::NotFollowed),
        (("ls", 0), RowKind::Unknown),
    ] {
        let steps = [("deploy a --now", ERROR), next];
        assert_eq!(
            row(forbids, Trigger::OnError, &steps, &[]).kind,
            kind,
            "{next:?}"
        );
    }
}

#[test]
fn what_a_rule_only_forbids_and_that_works_all_the_same_refutes_it() {
    const BAN: &str = "WRONG deploy <1> --now — this never works";
    for (moment, steps, kind) in [
        (
            Trigger::OnError,
            vec![("deploy a --now", ERROR), ("deploy b --now", 0)],
            RowKind::Refuted,
        ),
        // Independent of the steps in between.
        (
            Trigger::OnError,
            vec![
                ("deploy a", ERROR),
                ("deploy a --later", 7),
                ("deploy a --now", 0),
            ],
            RowKind::Refuted,
        ),
        (
            Trigger::PreRun,
            vec![("deploy a --now", 0)],
            RowKind::Refuted,
        ),
        (
            Trigger::PreRun,
            vec![("deploy a --now", ERROR)],
            RowKind::NotFollowed,
        ),
        // Nothing of the form was done: no evidence of harm.
        (
            Trigger::PreRun,
            vec![("deploy a --later", 0)],
            RowKind::Unknown,
        ),
        (Trigger::PreRun, vec![], RowKind::Unknown),
        // An action that worked before the offer was known when it was made.
        (
            Trigger::OnError,
            vec![("deploy a --later", ERROR)],
            RowKind::Unknown,
        ),
    ] {
        let row = row(BAN, moment, &steps, &[]);
        assert_eq!((row.kind, row.followed_step), (kind, None), "{steps:?}");
    }
    // An adapter may have followed it before the form was done after all.
    let steps = [
        ("deploy a", ERROR),
        ("deploy a --later", 7),
        ("deploy a --now", 0),
    ];
    let named = row(BAN, Trigger::OnError, &steps, &[2]);
    assert_eq!(
        (named.kind, named.followed_step),
        (RowKind::Refuted, Some(2))
    );
    // A rule that names something better is judged by the results of following it.
    let better = "WRONG deploy <1> --now → CORRECT deploy <1> --later";
    let steps = [("deploy a --now", ERROR), ("deploy a --now", 0)];
    let row = row(better, Trigger::OnError, &steps, &[]);
    assert_eq!(row.kind, RowKind::NotFollowed);
}

#[test]
fn the_order_in_which_steps_arrive_changes_no_row() {
    let steps = [
        ("git push origin main", ERROR),
        ("git status", 7),
        ("git push origin HEAD:feature/x", 0),
        ("git push origin main", ERROR),
    ];
    let lesson = lesson(PUSH);
    let activation = Activation {
        id: activation_id("r", lesson.id, Trigger::OnError, 1),
        run: "r".to_owned(),
        lesson: lesson.id,
        moment: Trigger::OnError,
        step: 1,
        trigger: None,
        lane: RetrievalChannel::Strict,
        score: 0.5,
        withheld: false,
        beat: Vec::new(),
        at: Timestamp::default(),
        outcome: None,
    };
    let mut trace = trace(&steps);
    let mut chance = 7_u64;
    for _ in 0..50 {
        chance = chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        trace.rotate_left((chance >> 33) as usize % 4);
        trace.swap(0, (chance >> 40) as usize % 4);
        let attempts = attempts(&trace);
        let run = RunSteps {
            attempts: &attempts,
            followed: &[],
        };
        let row = attribute(&activation, &Advice::new(&lesson), run);
        assert_eq!((row.kind, row.followed_step), (RowKind::Cured, Some(3)));
    }
}
