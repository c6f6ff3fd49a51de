//! Decisions of a person about lessons that contradict each other: recorded, respected, taken back.

use hindlore::{ConflictDecision, ConflictRequest, EngineError};
use hindlore_domain::lesson::lesson::Status;
use hindlore_primitives::ids::LessonId;
use hindlore_store::lessons::reading::ConflictPage;
use hindlore_store::lessons::rows::Settled;

use super::scene::{ERROR, Scene, foreign};

const ALWAYS: &str = "Always quote the file name in LOAD";
const NEVER: &str = "Never quote the file name in LOAD";

/// A learner with two lessons that contradict each other.
async fn opposed() -> (Scene, LessonId, LessonId) {
    let scene = Scene::new();
    let lesson = |rule| foreign(rule, ERROR, Status::Candidate);
    let imported = scene.imported(vec![lesson(ALWAYS), lesson(NEVER)]).await;
    assert_eq!(imported.conflicts, 1);
    (scene, imported.ids[0], imported.ids[1])
}

async fn decide(
    scene: &Scene,
    (one, other): (LessonId, LessonId),
    decision: ConflictDecision,
) -> Result<Option<Settled>, EngineError> {
    let request = ConflictRequest {
        one: one.to_string(),
        other: other.to_string(),
        decision,
        reason: Some("tried both".to_owned()),
        author: Some("eve".to_owned()),
    };
    let settled = scene
        .engine
        .resolve_lesson_conflict(&scene.owner, request)
        .await?;
    Ok(settled.settled.map(|settled| settled.decision))
}

async fn open(scene: &Scene) -> usize {
    let page = ConflictPage {
        limit: 9,
        ..ConflictPage::default()
    };
    let found = scene
        .engine
        .lesson_conflicts(&scene.owner, page)
        .await
        .unwrap();
    assert_eq!(found.clusters.len(), found.page.rows.len());
    found.page.rows.len()
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

/// How many of the two an error brings.
async fn returned(scene: &Scene, run: &str) -> usize {
    scene.asked(Some(run), 1, ERROR).await.lessons.len()
}

#[tokio::test]
async fn keeping_one_archives_the_other_by_a_review_until_it_is_reopened() {
    let (scene, one, other) = opposed().await;
    let settled = decide(&scene, (one, other), ConflictDecision::KeepOne)
        .await
        .unwrap();
    assert_eq!(settled, Some(Settled::One));
    assert_eq!(
        (open(&scene).await, status(&scene, other).await),
        (0, Status::Archived)
    );
    let detail = scene.engine.lesson(&scene.owner, other).await.unwrap();
    assert_eq!(detail.records.reviews[0].author.as_deref(), Some("eve"));
    // The same rules found again are no new conflict.
    scene
        .imported(vec![foreign(ALWAYS, ERROR, Status::Candidate)])
        .await;
    assert_eq!(open(&scene).await, 0);
    assert!(
        decide(&scene, (one, other), ConflictDecision::Merge)
            .await
            .is_err()
    );
    decide(&scene, (other, one), ConflictDecision::Reopen)
        .await
        .unwrap();
    assert_eq!(
        (open(&scene).await, status(&scene, other).await),
        (1, Status::Candidate)
    );
}

#[tokio::test]
async fn lessons_that_both_stay_are_both_returned() {
    let (scene, one, other) = opposed().await;
    assert_eq!(returned(&scene, "r1").await, 1);
    decide(&scene, (one, other), ConflictDecision::KeepBoth)
        .await
        .unwrap();
    assert_eq!((open(&scene).await, returned(&scene, "r2").await), (0, 2));
    decide(&scene, (one, other), ConflictDecision::Reopen)
        .await
        .unwrap();
    assert_eq!((open(&scene).await, returned(&scene, "r3").await), (1, 1));
    assert!(
        decide(&scene, (one, other), ConflictDecision::Reopen)
            .await
            .is_err()
    );
}

#[tokio::test]
async fn a_merged_lesson_gives_back_what_it_took() {
    let (scene, one, other) = opposed().await;
    let read = async |id| scene.engine.lesson(&scene.owner, id).await.unwrap().lesson;
    let (before, lost) = (read(one).await, read(other).await);
    decide(&scene, (one, other), ConflictDecision::Merge)
        .await
        .unwrap();
    let merged = read(one).await;
    assert!(
        lost.triggers
            .iter()
            .all(|trigger| merged.triggers.contains(trigger))
    );
    assert_eq!(
        (merged.status, status(&scene, other).await),
        (before.status, Status::Archived)
    );
    decide(&scene, (one, other), ConflictDecision::Reopen)
        .await
        .unwrap();
    let again = read(one).await;
    assert_eq!(
        (again.triggers, again.tags, again.status),
        (before.triggers, before.tags, before.status)
    );
    assert_eq!(status(&scene, other).await, Status::Candidate);
}
