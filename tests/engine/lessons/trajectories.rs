//! A run is a trajectory: what was captured comes back as steps with their errors, and listings keep to their filter.

use mnemograph::domain::lesson::action::Action;
use mnemograph::domain::trajectory::{Status, StepKind, TrajectoryFilter};
use mnemograph::engine::EngineError;
use mnemograph::engine::lessons::EndRun;
use mnemograph::store::lessons::reading::RunPage;

use super::scene::{BAD, ERROR, GOOD, Scene};

fn page(limit: usize) -> RunPage {
    RunPage {
        limit,
        ..RunPage::default()
    }
}

#[tokio::test]
async fn a_run_is_a_trajectory_with_its_steps_and_errors() {
    let scene = Scene::new();
    scene.failed("r", 1, BAD, ERROR).await;
    scene.worked("r", 2, GOOD).await;
    let request = EndRun {
        run: "r".to_owned(),
        passed: Some(true),
        score: Some(0.75),
        ..EndRun::default()
    };
    scene.engine.end_run(&scene.owner, request).await.unwrap();
    let found = scene.engine.trajectory(&scene.owner, "r").await.unwrap();
    assert_eq!(
        (found.status, found.score()),
        (Some(Status::Success), Some(0.75))
    );
    assert_eq!((found.steps_taken, found.steps.len()), (2, 2));
    let (first, second) = (&found.steps[0], &found.steps[1]);
    assert_eq!(
        (first.number, first.kind, first.failed),
        (1, StepKind::Action, true)
    );
    assert_eq!(first.error.as_deref(), Some(ERROR));
    assert_eq!(first.fingerprints.len(), 1);
    assert_eq!(second.description, GOOD);
    assert_eq!(second.action, Some(Action::Command(GOOD.to_owned())));
    assert_eq!((second.failed, &second.error), (false, &None));
    let unknown = scene.engine.trajectory(&scene.owner, "s").await;
    assert!(matches!(unknown, Err(EngineError::NoRun(id)) if id == "s"));
}

#[tokio::test]
async fn a_listing_keeps_to_its_filter_and_goes_on_where_it_stopped() {
    let scene = Scene::new();
    for number in 0..6 {
        let run = format!("r{number}");
        scene.worked(&run, 1, GOOD).await;
        let request = EndRun {
            run,
            passed: Some(number % 2 == 0),
            ..EndRun::default()
        };
        scene.engine.end_run(&scene.owner, request).await.unwrap();
    }
    let failures = TrajectoryFilter {
        status: Some(Status::Failure),
        ..TrajectoryFilter::default()
    };
    let list = |page| scene.engine.trajectories(&scene.owner, &failures, page);
    let ids = |rows: &[mnemograph::domain::trajectory::Trajectory]| {
        rows.iter().map(|one| one.id.clone()).collect::<Vec<_>>()
    };
    let first = list(page(2)).await.unwrap();
    assert_eq!(ids(&first.rows), ["r1", "r3"]);
    let after = first.next;
    assert!(after.is_some());
    let second = list(RunPage { after, ..page(2) }).await.unwrap();
    assert_eq!(
        (ids(&second.rows), second.next),
        (vec!["r5".to_owned()], None)
    );
}
