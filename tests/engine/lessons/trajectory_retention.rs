//! The retention of the steps of trajectories, and its duration.

use hindlore::Record;
use hindlore::clock::WallClock;
use hindlore::lessons::{About, LessonRules, StepLog};
use hindlore_domain::trajectory::{
    AfterRetention, Status, StepKind, TraceState, Trajectory, TrajectoryPolicy,
};

use super::scene::{BAD, ERROR, Scene};
use super::trajectories::{given, says};

impl Scene {
    fn pass_days(&self, days: u32) {
        self.clock.set(self.clock.now().plus_days(days));
    }
}

fn scene_with(trajectories: TrajectoryPolicy) -> Scene {
    let mut rules = LessonRules {
        trajectories,
        ..LessonRules::default()
    };
    rules.numbers.control_rate = 0.0;
    Scene::with_rules(rules)
}

#[tokio::test]
async fn steps_of_a_success_that_is_not_drawn_go_after_an_hour() {
    let scene = scene_with(TrajectoryPolicy {
        sample_rate: 0.0,
        ..TrajectoryPolicy::default()
    });
    for (id, status) in [
        ("good", Status::Success),
        ("bad", Status::Failure),
        ("half", Status::Partial),
    ] {
        scene.started(id, About::default()).await.unwrap();
        scene
            .logged(id, says(StepKind::Action, "do it"))
            .await
            .unwrap();
        scene.completed(id, status).await;
    }
    scene.started("doubted", About::default()).await.unwrap();
    scene
        .logged("doubted", says(StepKind::Action, "do it"))
        .await
        .unwrap();
    scene.completed("doubted", Status::Success).await;
    let doubt = given("doubted", "f", 0.1);
    scene
        .engine
        .trajectory_feedback(&scene.owner, doubt)
        .await
        .unwrap();
    let before = scene.read("good").await;
    assert_eq!((before.trace, before.steps.len()), (TraceState::Summary, 1));
    assert!(before.steps_until.is_some());
    scene.pass_days(1);
    scene.started("next", About::default()).await.unwrap();
    let after = scene.read("good").await;
    assert_eq!(
        (after.steps.len(), after.steps_taken, after.steps_until),
        (0, 1, None)
    );
    assert_eq!(
        (after.trace_hash, after.status),
        (before.trace_hash, Some(Status::Success))
    );
    for id in ["bad", "half", "doubted"] {
        let kept = scene.read(id).await;
        assert_eq!(
            (kept.trace, kept.steps.len()),
            (TraceState::Whole, 1),
            "{id}"
        );
    }
}

/// An archive moves along with its learner, and is erased with its run.
async fn archives_move_and_go(scene: &Scene, archived: &Trajectory) {
    let other = Scene::new();
    let copied = scene
        .engine
        .copy_lessons_to(&other.engine, &scene.owner)
        .await;
    copied.unwrap().unwrap();
    let moved = other.read("t").await;
    assert_eq!(moved, *archived);
    let error = other
        .engine
        .run(&other.owner, "t")
        .await
        .unwrap()
        .contents
        .errors[0]
        .id;
    let erase = |record| other.engine.erase_record(&other.owner, record);
    erase(Record::Error(error)).await.unwrap();
    let left = other.read("t").await.steps;
    assert_eq!(left.iter().map(|step| step.number).collect::<Vec<_>>(), [1]);
    erase(Record::Run("t".to_owned())).await.unwrap();
    let records = other
        .engine
        .store()
        .export_records(&other.owner)
        .await
        .unwrap();
    assert_eq!(records, None);
}

#[tokio::test]
async fn steps_are_archived_or_purged_when_their_days_after_the_reflection_are_over() {
    for (after_retention, trace, steps) in [
        (AfterRetention::Archive, TraceState::Archived, 2),
        (AfterRetention::Purge, TraceState::Purged, 0),
        (AfterRetention::Keep, TraceState::Whole, 2),
    ] {
        let scene = scene_with(TrajectoryPolicy {
            retention_days: 7,
            after_retention,
            ..TrajectoryPolicy::default()
        });
        scene.started("t", About::default()).await.unwrap();
        scene
            .logged("t", says(StepKind::Decision, "ask"))
            .await
            .unwrap();
        let wrong = StepLog {
            error: Some(ERROR.to_owned()),
            ..says(StepKind::Action, BAD)
        };
        scene.logged("t", wrong).await.unwrap();
        scene.completed("t", Status::Failure).await;
        let whole = scene.read("t").await;
        scene
            .engine
            .note_reflection(&scene.owner, &["t".to_owned()])
            .await
            .unwrap();
        scene.pass_days(6);
        scene.started("early", About::default()).await.unwrap();
        assert_eq!(scene.read("t").await.trace, TraceState::Whole);
        scene.pass_days(2);
        scene.started("late", About::default()).await.unwrap();
        let after = scene.read("t").await;
        assert_eq!(
            (after.trace, after.steps.len()),
            (trace, steps),
            "{after_retention}"
        );
        assert_eq!(
            (after.steps_taken, &after.trace_hash),
            (2, &whole.trace_hash)
        );
        if steps > 0 {
            assert_eq!(after.steps, whole.steps);
        }
        if trace == TraceState::Archived {
            archives_move_and_go(&scene, &after).await;
        }
        let stored = scene.engine.run(&scene.owner, "t").await.unwrap();
        let expected = if trace == TraceState::Whole { 2 } else { 0 };
        assert_eq!(stored.contents.steps.len(), expected);
        let is_purged = trace == TraceState::Purged;
        let errors = stored.contents.errors;
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].error.is_empty(), is_purged, "{after_retention}");
    }
}
