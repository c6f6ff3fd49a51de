//! Outcomes, decisions and conflicts through the verbs: each counts once, each can be derived again, and a suppressed
//! lesson stays suppressed.

use hindlore::lessons::{OutcomeReport, ReviewRequest};
use hindlore_domain::lesson::lesson::{LearnerId, Status};
use hindlore_domain::lesson::promotion::{Reason, derives_again};
use hindlore_primitives::ids::{ActivationId, LessonId};
use hindlore_store::lessons::reading::ConflictPage;

use super::scene::{BAD, ERROR, GOOD, Scene, failing, foreign, on_error};

fn report(activation: ActivationId, error_reduction: f64) -> OutcomeReport {
    OutcomeReport {
        activation,
        error_reduction,
        step_efficiency_gain: 0.0,
        referee_score_gain: None,
    }
}

/// Uses the one lesson in a run and reports its outcome.
async fn used(scene: &Scene, run: &str, error_reduction: f64) -> ActivationId {
    let answer = scene.asked(Some(run), 1, ERROR).await;
    let activation = answer.lessons[0].activation.unwrap();
    let report = report(activation, error_reduction);
    let taken = scene
        .engine
        .report_outcome(&scene.owner, report)
        .await
        .unwrap();
    assert!(!taken.repeated);
    activation
}

async fn status(scene: &Scene, id: LessonId) -> Status {
    scene
        .engine
        .lesson(&scene.owner, id)
        .await
        .unwrap()
        .lesson
        .status
}

#[tokio::test]
async fn an_outcome_counts_once_and_is_of_a_known_use() {
    let scene = Scene::new();
    let lesson = scene.lesson_learned("r1").await.learned[0].lesson;
    let activation = used(&scene, "r2", 0.4).await;
    let again = scene
        .engine
        .report_outcome(&scene.owner, report(activation, 0.4))
        .await
        .unwrap();
    assert!(again.repeated);
    let other = scene
        .engine
        .report_outcome(&scene.owner, report(activation, -0.4))
        .await;
    assert!(other.unwrap_err().to_string().contains("is another"));
    let unknown = "a_0123456789abcdef0123".parse().unwrap();
    let error = scene
        .engine
        .report_outcome(&scene.owner, report(unknown, 0.4))
        .await
        .unwrap_err();
    assert_eq!(
        (error.code(), error.hint().is_some()),
        ("no_activation", true)
    );
    for wrong in [1.5, f64::NAN, f64::INFINITY] {
        let error = scene
            .engine
            .report_outcome(&scene.owner, report(activation, wrong))
            .await;
        assert!(error.unwrap_err().to_string().contains("-1 to 1"));
    }
    // The end of the run leaves a reported outcome as it is.
    scene.failed("r2", 1, BAD, ERROR).await;
    assert!(scene.ended("r2").await.settled.is_empty());
    let detail = scene.engine.lesson(&scene.owner, lesson).await.unwrap();
    let counts = detail.lesson.counts;
    assert_eq!(
        (counts.retrieved, counts.helpful, counts.harmful),
        (1, 1, 0)
    );
    assert_eq!(detail.lesson.history.len(), 1);
}

#[tokio::test]
async fn a_lesson_that_helps_is_promoted_with_its_evidence() {
    let scene = Scene::new();
    let lesson = scene.lesson_learned("r1").await.learned[0].lesson;
    for run in ["r2", "r3", "r4"] {
        used(&scene, run, 0.8).await;
        scene.worked(run, 1, GOOD).await;
        scene.ended(run).await;
    }
    // Three runs were needed to be relevant; the last outcome came before its run had ended.
    used(&scene, "r5", 0.8).await;
    assert_eq!(status(&scene, lesson).await, Status::Promoted);
    let detail = scene.engine.lesson(&scene.owner, lesson).await.unwrap();
    let decision = &detail.records.decisions[0];
    assert_eq!(
        (decision.from, decision.to),
        (Status::Candidate, Status::Promoted)
    );
    assert_eq!(decision.reason, Reason::DirectProof);
    assert!(decision.evidence.outcomes.len() >= 3);
    assert!(derives_again(decision));
    let health = scene.engine.lesson_health(&scene.owner).await.unwrap();
    assert_eq!((health.totals.promoted, health.precision), (1, Some(1.0)));
}

#[tokio::test]
async fn what_was_suppressed_stays_so_until_somebody_reviews_it() {
    let scene = Scene::new();
    let learned = scene.lesson_learned("r1").await;
    let (lesson, rule) = (learned.learned[0].lesson, learned.learned[0].rule.clone());
    for run in ["r2", "r3", "r4"] {
        used(&scene, run, -0.5).await;
    }
    assert_eq!(status(&scene, lesson).await, Status::Suppressed);
    let detail = scene.engine.lesson(&scene.owner, lesson).await.unwrap();
    assert!(derives_again(&detail.records.decisions[0]));
    let nothing = || async { assert!(scene.asked(None, 1, ERROR).await.lessons.is_empty()) };
    nothing().await;
    // Learned again, imported as it is, imported in other words: it stays out of use.
    let again = scene.lesson_learned("r9").await;
    assert_eq!(
        (again.learned[0].lesson, again.learned[0].status),
        (lesson, Status::Suppressed)
    );
    nothing().await;
    let same = scene
        .imported(vec![foreign(&rule, ERROR, Status::Promoted)])
        .await;
    assert_eq!((same.merged, same.new), (1, 0));
    nothing().await;
    let reworded = format!("{rule}!");
    let restated = scene
        .imported(vec![foreign(&reworded, ERROR, Status::Candidate)])
        .await;
    assert_eq!(restated.new, 0, "{restated:?}");
    nothing().await;
    let review = |to: Status| ReviewRequest {
        lesson,
        to,
        author: Some("ada".to_owned()),
        note: Some("the baseline was wrong".to_owned()),
    };
    let promoted = scene
        .engine
        .review_lesson(&scene.owner, review(Status::Promoted))
        .await;
    assert!(
        promoted
            .unwrap_err()
            .to_string()
            .contains("restore it to candidate")
    );
    let restored = scene
        .engine
        .review_lesson(&scene.owner, review(Status::Candidate))
        .await
        .unwrap();
    assert_eq!(restored.status, Status::Candidate);
    assert_eq!(
        scene.asked(None, 1, ERROR).await.lessons[0].lesson.id,
        lesson
    );
    let detail = scene.engine.lesson(&scene.owner, lesson).await.unwrap();
    let kept = &detail.records.reviews[0];
    assert_eq!(
        (kept.from, kept.to),
        (Status::Suppressed, Status::Candidate)
    );
    assert_eq!(kept.author.as_deref(), Some("ada"));
}

#[tokio::test]
async fn an_import_counts_once_and_a_rule_that_says_it_again_inherits() {
    let scene = Scene::new();
    let first = foreign(
        "Always quote the file name in LOAD statements",
        ERROR,
        Status::Suppressed,
    );
    let imported = scene.imported(vec![first.clone()]).await;
    assert_eq!((imported.new, imported.repeated), (1, 0));
    let again = scene.imported(vec![first.clone()]).await;
    assert_eq!((again.new, again.repeated), (1, 1));
    assert_eq!(again.ids, imported.ids);
    let words = "Always quote file names in the LOAD statements";
    let restated = scene
        .imported(vec![foreign(words, ERROR, Status::Promoted)])
        .await;
    assert_eq!((restated.inherited, restated.new), (1, 0), "{restated:?}");
    let detail = scene
        .engine
        .lesson(&scene.owner, restated.ids[0])
        .await
        .unwrap();
    assert_eq!(detail.lesson.status, Status::Suppressed);
    assert_eq!(detail.lesson.restates, Some(imported.ids[0]));
    // Under another error it is another lesson.
    let elsewhere = foreign(words, "timeout after 30 s", Status::Candidate);
    assert_eq!(scene.imported(vec![elsewhere]).await.new, 1);
}

#[tokio::test]
async fn contradicting_lessons_are_one_pair_and_one_of_them_is_returned() {
    let scene = Scene::new();
    let lessons = vec![
        foreign(
            "Always quote the file name in LOAD",
            ERROR,
            Status::Candidate,
        ),
        foreign(
            "Never quote the file name in LOAD",
            ERROR,
            Status::Candidate,
        ),
        foreign(
            "Use lowercase sum() in every report",
            ERROR,
            Status::Candidate,
        ),
    ];
    let imported = scene.imported(lessons).await;
    assert_eq!((imported.new, imported.conflicts), (3, 1));
    let page = ConflictPage {
        limit: 9,
        ..ConflictPage::default()
    };
    let conflicts = scene
        .engine
        .lesson_conflicts(&scene.owner, page)
        .await
        .unwrap();
    assert_eq!(conflicts.page.rows.len(), 1);
    assert!(!conflicts.page.rows[0].reason.is_empty());
    let mut pair = imported.ids[..2].to_vec();
    pair.sort();
    assert_eq!(conflicts.clusters, [pair.clone()]);
    assert_eq!(conflicts.lessons.len(), 2);
    let answer = scene.asked(Some("r1"), 1, ERROR).await;
    let returned: Vec<LessonId> = answer.lessons.iter().map(|hit| hit.lesson.id).collect();
    assert_eq!(returned.iter().filter(|id| pair.contains(id)).count(), 1);
    let winner = answer
        .lessons
        .iter()
        .find(|hit| pair.contains(&hit.lesson.id))
        .unwrap();
    assert_eq!(winner.beat.len(), 1);
    // The loser's loss counts once the winner helped.
    let won = report(winner.activation.unwrap(), 0.5);
    scene
        .engine
        .report_outcome(&scene.owner, won)
        .await
        .unwrap();
    let loser = scene
        .engine
        .lesson(&scene.owner, winner.beat[0])
        .await
        .unwrap()
        .lesson;
    assert_eq!(loser.contests.len(), 1);
    assert!(!loser.contests[0].won);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_engines_on_one_file_count_exactly() {
    let scene = Scene::new();
    let lesson = scene.lesson_learned("r0").await.learned[0].lesson;
    let engines = [scene.another(), scene.another()];
    let tasks = (0..24).map(|number| {
        let engine = engines[number % 2].clone();
        let owner = scene.owner.clone();
        tokio::spawn(async move {
            let run = format!("run{}", number / 2);
            // Both engines send each event and ask for each run: twins count once.
            let step = failing(&run, 1, BAD, ERROR);
            engine.capture_error(&owner, step).await.unwrap();
            let request = on_error(Some(&run), 1, ERROR);
            let answer = engine.retrieve_lessons(&owner, request).await.unwrap();
            let Some(hit) = answer.lessons.first() else {
                return 0_u32;
            };
            let report = report(hit.activation.unwrap(), 0.5);
            let taken = engine.report_outcome(&owner, report).await.unwrap();
            u32::from(!taken.repeated)
        })
    });
    let mut counted = 0;
    for task in tasks.collect::<Vec<_>>() {
        counted += task.await.unwrap();
    }
    assert_eq!(counted, 12);
    let detail = scene.engine.lesson(&scene.owner, lesson).await.unwrap();
    let counts = detail.lesson.counts;
    assert_eq!((counts.retrieved, counts.helpful), (12, 12));
    assert_eq!(detail.activations.len(), 12);
    assert_eq!(
        (detail.triggers[0].events, detail.triggers[0].runs),
        (13, 13)
    );
}

#[tokio::test]
async fn another_learner_sees_nothing_of_it() {
    let scene = Scene::new();
    let lesson = scene.lesson_learned("r1").await.learned[0].lesson;
    let activation = used(&scene, "r2", 0.5).await;
    let other = LearnerId::new("t", "another").unwrap();
    let engine = &scene.engine;
    assert!(engine.lesson(&other, lesson).await.is_err());
    assert!(engine.activation(&other, activation).await.is_err());
    assert!(
        engine
            .report_outcome(&other, report(activation, 0.5))
            .await
            .is_err()
    );
    assert!(engine.run(&other, "r1").await.is_err());
    let answer = engine
        .retrieve_lessons(&other, on_error(None, 1, ERROR))
        .await
        .unwrap();
    assert!(answer.lessons.is_empty() && answer.left_out.is_empty());
    assert_eq!(
        engine.lesson_health(&other).await.unwrap().totals,
        Default::default()
    );
}

#[tokio::test]
async fn all_lessons_of_a_learner_move_to_another_store() {
    let (scene, target) = (Scene::new(), Scene::new());
    let lesson = scene.lesson_learned("r1").await.learned[0].lesson;
    used(&scene, "r2", 0.5).await;
    for was_there in [false, true] {
        let copied = scene
            .engine
            .copy_lessons_to(&target.engine, &scene.owner)
            .await
            .unwrap();
        let copied = copied.unwrap();
        assert_eq!(
            (copied.lessons, copied.runs, copied.was_there),
            (1, 2, was_there)
        );
    }
    let answer = target.asked(None, 1, ERROR).await;
    assert_eq!(answer.lessons[0].lesson.id, lesson);
    let ended = target.ended("r1").await;
    assert!(ended.repeated, "the receipt of the end moved along");
    // Once both went on, neither is written over.
    let refused = scene
        .engine
        .copy_lessons_to(&target.engine, &scene.owner)
        .await;
    assert!(refused.is_ok(), "nothing was changed by reading");
    target.failed("r7", 1, BAD, ERROR).await;
    let refused = scene
        .engine
        .copy_lessons_to(&target.engine, &scene.owner)
        .await
        .unwrap_err();
    assert!(refused.to_string().contains("of its own"), "{refused}");
    let nobody = LearnerId::new("t", "nobody").unwrap();
    assert_eq!(
        scene
            .engine
            .copy_lessons_to(&target.engine, &nobody)
            .await
            .unwrap(),
        None
    );
}
