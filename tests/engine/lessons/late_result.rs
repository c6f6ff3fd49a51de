//! Late results: of a run that has ended, of an unobserved use, and news of a verdict.

use hindlore::EngineError;
use hindlore::lessons::{EndRun, EndedRun, OutcomeReport};
use hindlore_domain::lesson::evidence::evidence_row::RowKind;
use hindlore_domain::lesson::lesson::{Lesson, Status};

use super::scene::{BAD, ERROR, GOOD, Scene, foreign, minute};

impl Scene {
    async fn result(
        &self,
        run: &str,
        (passed, score): (Option<bool>, Option<f64>),
    ) -> Result<EndedRun, EngineError> {
        let request = EndRun {
            run: run.to_owned(),
            passed,
            score,
            ..EndRun::default()
        };
        self.engine.end_run(&self.owner, request).await
    }

    /// The lesson that knows the right form.
    async fn cure(&self) -> Lesson {
        let lessons = self.lessons().await;
        let cure = lessons.into_iter().find(|one| one.rule.correct().is_some());
        cure.unwrap()
    }

    /// A run that fails, asks, follows and ends without a result.
    async fn cured(&self, run: &str) -> EndedRun {
        self.failed(run, 1, BAD, ERROR).await;
        self.asked(Some(run), 1, ERROR).await;
        self.worked(run, 2, GOOD).await;
        self.pass();
        self.ended(run).await
    }
}

#[tokio::test]
async fn a_late_result_counts_once_and_what_rests_on_it_is_worked_out_again() {
    let scene = Scene::new();
    scene.failed("r0", 1, BAD, ERROR).await;
    scene.result("r0", (Some(false), Some(0.2))).await.unwrap();
    scene.pass();
    scene.lesson_learned("r1").await;
    scene.pass();
    let ended = scene.cured("r2").await;
    let cure = scene.cure().await;
    let of_cure = ended
        .settled
        .iter()
        .find(|one| one.lesson == cure.id)
        .unwrap();
    assert_eq!(of_cure.row, RowKind::Cured);
    let outcome = async || {
        let row = scene
            .engine
            .activation(&scene.owner, of_cure.activation)
            .await;
        row.unwrap().activation.outcome.unwrap()
    };
    assert_eq!(outcome().await.referee_score_gain, None);
    let late = scene.result("r2", (Some(true), Some(0.9))).await.unwrap();
    assert!(late.repeated);
    assert_eq!(
        (late.metrics.passed, late.metrics.score),
        (Some(true), Some(0.9))
    );
    let known = outcome().await;
    assert!(
        known.referee_score_gain.is_some_and(|gain| gain > 0.0),
        "{known:?}"
    );
    assert_eq!(known.row.kind, RowKind::Cured);
    let after = scene.cure().await;
    let point = after.history.last().unwrap();
    assert_eq!(
        (point.activation, point.utility),
        (of_cure.activation, known.utility)
    );
    assert_eq!(
        (after.reliability, after.impact),
        (point.reliability, known.utility)
    );
    assert_eq!((after.counts.helpful, after.counts.harmful), (1, 0));
    let run = scene.engine.run(&scene.owner, "r2").await.unwrap();
    assert_eq!(run.contents.row.end.unwrap().score, Some(0.9));
    // Sent again, as a whole or in part, it changes nothing; another result is refused.
    for again in [(Some(true), Some(0.9)), (Some(true), None), (None, None)] {
        assert!(scene.result("r2", again).await.unwrap().repeated);
        assert_eq!(scene.cure().await, after);
    }
    for other in [(Some(false), None), (None, Some(0.1))] {
        let refused = scene.result("r2", other).await.unwrap_err();
        assert!(
            matches!(refused, EngineError::OperationReused(_)),
            "{refused:?}"
        );
    }
    assert_eq!(scene.cure().await, after);
}

#[tokio::test]
async fn a_run_whose_receipt_is_gone_still_takes_a_result_once() {
    let scene = Scene::new();
    let first = scene.lesson_learned("r1").await;
    let receipts = async || {
        let copy = scene.engine.store().copy_lessons_out(&scene.owner).await;
        let receipts = copy.unwrap().unwrap().receipts.into_iter();
        receipts.map(|one| one.operation).collect::<Vec<_>>()
    };
    let of_first = receipts().await;
    assert!(!of_first.is_empty());
    scene.clock.set(minute(31 * 24 * 60));
    scene.lesson_learned("r2").await;
    let kept = receipts().await;
    assert!(kept.iter().all(|one| !of_first.contains(one)), "{kept:?}");
    let again = scene.ended("r1").await;
    assert!(again.repeated);
    assert_eq!(again.metrics, first.metrics);
    for _ in 0..2 {
        let late = scene.result("r1", (Some(false), None)).await.unwrap();
        assert!(late.repeated);
        assert_eq!(late.metrics.passed, Some(false));
    }
    let refused = scene.result("r1", (Some(true), None)).await.unwrap_err();
    assert!(matches!(refused, EngineError::OperationReused(_)));
}

#[tokio::test]
async fn an_outcome_is_taken_of_a_use_whose_run_was_cut_off() {
    let scene = Scene::new();
    scene.lesson_learned("r1").await;
    scene.failed("r2", 1, BAD, ERROR).await;
    let told = scene.asked(Some("r2"), 1, ERROR).await;
    let activation = told.lessons[0].activation.unwrap();
    scene.clock.set(minute(120));
    scene.engine.end_idle_runs(&scene.owner).await.unwrap();
    let row = scene
        .engine
        .activation(&scene.owner, activation)
        .await
        .unwrap();
    let settled = row.activation.outcome.unwrap();
    assert_eq!(settled.row.kind, RowKind::Unknown);
    let report = |error_reduction: f64| OutcomeReport {
        activation,
        error_reduction,
        step_efficiency_gain: 0.0,
        referee_score_gain: None,
    };
    let reported = |reduction: f64| scene.engine.report_outcome(&scene.owner, report(reduction));
    let taken = reported(1.0).await.unwrap();
    assert!(!taken.repeated && taken.utility > 0.0);
    let lesson = scene.cure().await;
    assert_eq!((lesson.counts.helpful, lesson.history.len()), (1, 1));
    assert!(reported(1.0).await.unwrap().repeated);
    assert!(matches!(reported(0.5).await, Err(EngineError::Invalid(_))));
    assert_eq!(scene.cure().await, lesson);
}

#[tokio::test]
async fn a_verdict_is_told_once_to_the_next_run_that_asks() {
    let scene = Scene::new();
    scene.lesson_learned("r1").await;
    let mut promoted = None;
    for n in 2..9 {
        let ended = scene.cured(&format!("r{n}")).await;
        if let Some(one) = ended.decisions.first() {
            promoted = Some((one.lesson, n));
            break;
        }
    }
    let (lesson, _) = promoted.unwrap();
    let changes = async |run: &str| {
        scene.failed(run, 1, BAD, ERROR).await;
        let told = scene.asked(Some(run), 1, ERROR).await;
        let hits = told
            .lessons
            .iter()
            .filter_map(|hit| Some((hit.lesson.id, hit.change?.to)));
        let away = told.put_away.iter().map(|one| (one.lesson, one.change.to));
        hits.chain(away).collect::<Vec<_>>()
    };
    assert_eq!(changes("a1").await, [(lesson, Status::Promoted)]);
    assert_eq!(changes("a2").await, []);
    let health = scene.engine.lesson_health(&scene.owner).await.unwrap();
    assert_eq!(
        (health.changes[0].lesson, health.changes[0].to),
        (lesson, Status::Promoted)
    );
}

#[tokio::test]
async fn what_was_put_away_is_told_once_to_whoever_meets_its_error() {
    let scene = Scene::new();
    let bad_advice = "gridtool sort --by price down";
    let rule = format!("WRONG {BAD} → CORRECT {bad_advice}");
    scene
        .imported(vec![foreign(&rule, ERROR, Status::Candidate)])
        .await;
    let mut suppressed = None;
    for n in 0..9 {
        let run = format!("r{n}");
        scene.failed(&run, 1, BAD, ERROR).await;
        scene.asked(Some(&run), 1, ERROR).await;
        scene
            .failed(&run, 2, bad_advice, "ERROR: unknown sort direction 'down'")
            .await;
        scene.pass();
        let ended = scene.ended(&run).await;
        suppressed = ended
            .decisions
            .into_iter()
            .find(|one| one.to == Status::Suppressed);
        if suppressed.is_some() {
            break;
        }
    }
    let suppressed = suppressed.unwrap();
    let put_away = async |run: &str| {
        scene.failed(run, 1, BAD, ERROR).await;
        let told = scene.asked(Some(run), 1, ERROR).await;
        told.put_away
            .iter()
            .map(|one| (one.lesson, one.change.reason))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        put_away("a1").await,
        [(suppressed.lesson, suppressed.reason)]
    );
    assert_eq!(put_away("a2").await, []);
}
