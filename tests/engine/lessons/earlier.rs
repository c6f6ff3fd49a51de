//! Statuses that the first rules have set: judged anew once, from what their runs still show.

use hindlore::domain::lesson::lesson::Status;
use hindlore::domain::lesson::promotion::{Reason, derives_again};
use hindlore::engine::lessons::ReviewRequest;

use super::scene::{BAD, ERROR, GOOD, Scene};

/// A scene whose lesson cured three errors, and was decided about, as a store of the first rules holds it: no proof
/// state, no rows, and in this status.
async fn older(status: Status) -> Scene {
    let scene = Scene::new();
    scene.lesson_learned("r1").await;
    for run in ["r2", "r3", "r4"] {
        scene.pass();
        scene.failed(run, 1, BAD, ERROR).await;
        assert_eq!(scene.asked(Some(run), 1, ERROR).await.lessons.len(), 1);
        scene.worked(run, 2, GOOD).await;
        scene.ended(run).await;
    }
    let file = rusqlite::Connection::open(scene.place.path()).unwrap();
    file.execute_batch(&format!(
        "UPDATE lessons SET status = '{status}', proof = '{{}}';
         UPDATE postings SET live = {};
         UPDATE activations SET outcome = json_remove(outcome, '$.row');",
        u8::from(status.is_live())
    ))
    .unwrap();
    scene.pass();
    scene
}

/// Returns true if the cure is offered.
async fn is_hinted(scene: &Scene) -> bool {
    let hints = scene.asked(None, 1, ERROR).await.lessons;
    let mut rules = hints.iter().map(|hit| &hit.lesson.rule);
    rules.any(|rule| rule.rewrite(BAD).as_deref() == Some(GOOD))
}

/// What the end of a run that meets the error, and gives up, tells of changes.
async fn met(scene: &Scene, run: &str) -> Vec<(Status, Status, Reason)> {
    scene.failed(run, 1, BAD, ERROR).await;
    let ended = scene.ended(run).await;
    for decided in &ended.decisions {
        let detail = scene
            .engine
            .lesson(&scene.owner, decided.lesson)
            .await
            .unwrap();
        let is_it = |decision: &&hindlore::domain::lesson::promotion::Decision| {
            decision.id == decided.decision
        };
        let decision = detail.records.decisions.iter().find(is_it).unwrap();
        assert!(derives_again(decision), "{decision:?}");
    }
    let decided = ended.decisions.iter();
    decided.map(|one| (one.from, one.to, one.reason)).collect()
}

#[tokio::test]
async fn a_lesson_that_the_first_rules_suppressed_comes_back_by_its_cures() {
    let scene = older(Status::Suppressed).await;
    assert!(!is_hinted(&scene).await);
    let back = (Status::Suppressed, Status::Promoted, Reason::JudgedAnew);
    assert_eq!(met(&scene, "r5").await, [back]);
    assert!(is_hinted(&scene).await);
    // Once, and told once.
    assert!(met(&scene, "r6").await.is_empty());
}

#[tokio::test]
async fn a_run_that_has_nothing_to_do_with_it_judges_it_anew_too() {
    let scene = older(Status::Suppressed).await;
    let engine = scene.another();
    let other = hindlore::engine::lessons::EndRun {
        run: "elsewhere".to_owned(),
        ..Default::default()
    };
    let step = super::scene::working("elsewhere", 1, "ls");
    engine.capture_error(&scene.owner, step).await.unwrap();
    let ended = engine.end_run(&scene.owner, other).await.unwrap();
    let reasons: Vec<Reason> = ended.decisions.iter().map(|one| one.reason).collect();
    assert_eq!(reasons, [Reason::JudgedAnew]);
    assert!(is_hinted(&scene).await);
}

#[tokio::test]
async fn what_the_rows_of_the_time_carry_stays() {
    let scene = older(Status::Promoted).await;
    assert!(met(&scene, "r5").await.is_empty());
    assert!(is_hinted(&scene).await);
}

#[tokio::test]
async fn what_a_person_has_set_is_not_judged_anew() {
    let scene = older(Status::Promoted).await;
    let lesson = scene.asked(None, 1, ERROR).await.lessons[0].lesson.id;
    let review = ReviewRequest {
        lesson,
        to: Status::Suppressed,
        author: None,
        note: None,
    };
    scene
        .engine
        .review_lesson(&scene.owner, review)
        .await
        .unwrap();
    let file = rusqlite::Connection::open(scene.place.path()).unwrap();
    file.execute("UPDATE lessons SET proof = '{}'", []).unwrap();
    scene.pass();
    assert!(met(&scene, "r5").await.is_empty());
    let detail = scene.engine.lesson(&scene.owner, lesson).await.unwrap();
    assert_eq!(detail.lesson.status, Status::Suppressed);
    assert!(detail.lesson.proof.by_person);
}
