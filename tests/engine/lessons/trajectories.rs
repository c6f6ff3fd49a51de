//! A run is a trajectory: captured steps come back with their errors, and listings keep to their filter.

use hindlore::clock::WallClock;
use hindlore::lessons::{
    About, CompleteTrajectory, EndRun, EndedRun, FeedbackInput, LoggedStep, StartRun, StepLog,
};
use hindlore::{EngineError, Record};
use hindlore_domain::trajectory::status::State;
use hindlore_domain::trajectory::{
    Metrics, ScoreMode, Status, StepKind, Trajectory, TrajectoryFilter,
};
use hindlore_errors::action::Action;
use hindlore_store::lessons::reading::RunPage;

use serde_json::json;

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
        status: Some(State::Failure),
        ..TrajectoryFilter::default()
    };
    let list = |page| scene.engine.trajectories(&scene.owner, &failures, page);
    let ids = |rows: &[hindlore_domain::trajectory::Trajectory]| {
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

pub(super) fn says(kind: StepKind, description: &str) -> StepLog {
    StepLog {
        kind,
        description: description.to_owned(),
        ..StepLog::default()
    }
}

fn outcome(id: &str, status: Status) -> CompleteTrajectory {
    CompleteTrajectory {
        id: id.to_owned(),
        status,
        success_score: None,
        error: None,
        metrics: Metrics::default(),
    }
}

impl Scene {
    pub(super) async fn started(&self, id: &str, about: About) -> hindlore::EngineResult<String> {
        let request = StartRun {
            id: Some(id.to_owned()),
            intent: format!("the task of {id}"),
            about,
            ..StartRun::default()
        };
        let started = self.engine.start_run(&self.owner, request).await?;
        Ok(started.run.id)
    }

    pub(super) async fn logged(
        &self,
        id: &str,
        step: StepLog,
    ) -> hindlore::EngineResult<LoggedStep> {
        self.engine.log_step(&self.owner, id, step).await
    }

    pub(super) async fn completed(&self, id: &str, status: Status) -> EndedRun {
        let request = outcome(id, status);
        let ended = self.engine.complete_trajectory(&self.owner, request).await;
        ended.unwrap()
    }

    pub(super) async fn read(&self, id: &str) -> Trajectory {
        self.engine.trajectory(&self.owner, id).await.unwrap()
    }
}

fn refused<T: std::fmt::Debug>(result: hindlore::EngineResult<T>, said: &str) {
    let error = result.unwrap_err();
    assert!(error.to_string().contains(said), "{error}");
}

#[tokio::test]
async fn logged_steps_come_back_as_they_were_said() {
    let scene = Scene::new();
    let about = About {
        task_type: Some("api".to_owned()),
        agent: Some(" scout ".to_owned()),
        user: Some(String::new()),
        parent: None,
        scope: Some("github.com/a/b".to_owned()),
    };
    scene.started("t", about).await.unwrap();
    let decision = StepLog {
        metadata: Some(json!({"retries": 2})),
        ..says(StepKind::Decision, "ask twice")
    };
    scene.logged("t", decision).await.unwrap();
    let call = StepLog {
        action: Some(json!({"tool": "fetch", "arguments": {"url": "/a"}})),
        error: Some("503 unavailable".to_owned()),
        ..says(StepKind::Action, "fetch it")
    };
    assert!(scene.logged("t", call).await.unwrap().failed);
    scene
        .logged("t", says(StepKind::Observation, "nothing came"))
        .await
        .unwrap();
    let read = scene.read("t").await;
    assert_eq!((read.agent.as_deref(), &read.user), (Some("scout"), &None));
    assert_eq!(read.description, "the task of t");
    let kinds: Vec<StepKind> = read.steps.iter().map(|step| step.kind).collect();
    assert_eq!(
        kinds,
        [StepKind::Decision, StepKind::Action, StepKind::Observation]
    );
    let numbers: Vec<u32> = read.steps.iter().map(|step| step.number).collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(read.steps[0].metadata, Some(json!({"retries": 2})));
    assert_eq!(
        (&read.steps[0].action, &read.steps[2].action),
        (&None, &None)
    );
    assert!(matches!(&read.steps[1].action, Some(Action::Tool { name, .. }) if name == "fetch"));
    assert_eq!(read.steps[1].error.as_deref(), Some("503 unavailable"));
    assert_eq!(read.steps[1].fingerprints.len(), 1);
    assert_eq!(read.trace_hash.map(|hash| hash.len()), Some(64));
}

#[tokio::test]
async fn what_is_logged_feeds_the_lessons() {
    let scene = Scene::new();
    scene.started("t", About::default()).await.unwrap();
    let wrong = StepLog {
        error: Some(ERROR.to_owned()),
        ..says(StepKind::Action, BAD)
    };
    scene.logged("t", wrong).await.unwrap();
    scene
        .logged("t", says(StepKind::Action, GOOD))
        .await
        .unwrap();
    let ended = scene.completed("t", Status::Success).await;
    assert_eq!(ended.learned.len(), 1, "{ended:?}");
    assert!(
        ended.learned[0].rule.contains("desc"),
        "{}",
        ended.learned[0].rule
    );
}

#[tokio::test]
async fn a_step_counts_once_by_its_id_and_takes_no_gap() {
    let scene = Scene::new();
    scene.started("t", About::default()).await.unwrap();
    let named = |id: &str, text: &str| StepLog {
        id: Some(id.to_owned()),
        ..says(StepKind::Action, text)
    };
    let numbered = |number, text: &str| StepLog {
        number: Some(number),
        ..says(StepKind::Action, text)
    };
    let first = scene.logged("t", named("a", "do it")).await.unwrap();
    let again = scene.logged("t", named("a", "do it")).await.unwrap();
    assert_eq!((first.number, first.repeated), (1, false));
    assert_eq!((again.number, again.repeated), (1, true));
    refused(
        scene.logged("t", named("a", "do that")).await,
        "exists with other contents",
    );
    assert_eq!(
        scene
            .logged("t", numbered(2, "second"))
            .await
            .unwrap()
            .number,
        2
    );
    assert!(
        scene
            .logged("t", numbered(2, "second"))
            .await
            .unwrap()
            .repeated
    );
    refused(
        scene.logged("t", numbered(2, "another")).await,
        "exists with other contents",
    );
    refused(
        scene.logged("t", numbered(9, "ninth")).await,
        "the next one, which is 3",
    );
    refused(scene.logged("t", numbered(0, "none")).await, "from 1");
    refused(
        scene.logged("t", says(StepKind::Decision, " ")).await,
        "says nothing",
    );
    let large = StepLog {
        metadata: Some(json!("x".repeat(70_000))),
        ..says(StepKind::Decision, "big")
    };
    refused(scene.logged("t", large).await, "65536");
    scene.completed("t", Status::Partial).await;
    assert!(
        scene
            .logged("t", named("a", "do it"))
            .await
            .unwrap()
            .repeated
    );
    let late = scene.logged("t", named("b", "too late")).await;
    assert!(matches!(late, Err(EngineError::RunEnded(id)) if id == "t"));
    let nowhere = scene.logged("u", says(StepKind::Action, "x")).await;
    assert!(matches!(nowhere, Err(EngineError::NoRun(id)) if id == "u"));
    assert_eq!(scene.read("t").await.steps.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_engines_that_log_at_once_leave_no_gap() {
    let scene = Scene::new();
    scene.started("t", About::default()).await.unwrap();
    let engines = [scene.engine.clone(), scene.another()];
    let calls = (0..30).map(|n| {
        let (engine, owner) = (engines[n % 2].clone(), scene.owner.clone());
        let step = StepLog {
            id: Some(format!("s{}", n / 2)),
            ..says(StepKind::Observation, &format!("saw {}", n / 2))
        };
        tokio::spawn(async move { engine.log_step(&owner, "t", step).await })
    });
    let calls: Vec<_> = calls.collect();
    let mut fresh = 0;
    for call in calls {
        fresh += u32::from(!call.await.unwrap().unwrap().repeated);
    }
    let steps = scene.read("t").await.steps;
    let numbers: Vec<u32> = steps.iter().map(|step| step.number).collect();
    assert_eq!((fresh, numbers), (15, (1..=15).collect()));
}

#[tokio::test]
async fn parts_form_no_circle_and_have_a_parent_that_is_there() {
    let scene = Scene::new();
    let part_of = |parent: &str| About {
        parent: Some(parent.to_owned()),
        ..About::default()
    };
    let unknown = scene.started("b", part_of("a")).await;
    assert!(matches!(unknown, Err(EngineError::NoRun(id)) if id == "a"));
    scene.started("a", About::default()).await.unwrap();
    scene.started("b", part_of("a")).await.unwrap();
    scene.started("c", part_of("b")).await.unwrap();
    refused(
        scene.started("a", part_of("a")).await,
        "name another parent",
    );
    refused(
        scene.started("a", part_of("c")).await,
        "name another parent",
    );
    assert_eq!(scene.read("a").await.parent, None);
    // A parent stays, for all later reports.
    scene.started("c", part_of("a")).await.unwrap();
    assert_eq!(scene.read("c").await.parent.as_deref(), Some("b"));
    let parts = TrajectoryFilter {
        parent: Some("a".to_owned()),
        ..TrajectoryFilter::default()
    };
    let parts = scene
        .engine
        .trajectories(&scene.owner, &parts, page(9))
        .await
        .unwrap();
    assert_eq!(
        parts.rows.iter().map(|one| &one.id).collect::<Vec<_>>(),
        ["b"]
    );
    // An erased run is named by none of its parts.
    let whole = Record::Run("a".to_owned());
    scene
        .engine
        .erase_record(&scene.owner, whole)
        .await
        .unwrap();
    assert_eq!(scene.read("b").await.parent, None);
}

#[tokio::test]
async fn an_outcome_is_taken_once() {
    let scene = Scene::new();
    for id in ["t", "u"] {
        scene.started(id, About::default()).await.unwrap();
    }
    let told = CompleteTrajectory {
        success_score: Some(0.4),
        error: Some("half of it".to_owned()),
        metrics: Metrics::new([("tokens".to_owned(), 12.0)].into()).unwrap(),
        ..outcome("t", Status::Partial)
    };
    let complete = |request| scene.engine.complete_trajectory(&scene.owner, request);
    assert!(!complete(told.clone()).await.unwrap().repeated);
    assert!(complete(told.clone()).await.unwrap().repeated);
    let other = complete(outcome("t", Status::Success)).await;
    assert!(
        matches!(other, Err(EngineError::OperationReused(_))),
        "{other:?}"
    );
    let read = scene.read("t").await;
    assert_eq!(
        (read.status, read.score()),
        (Some(Status::Partial), Some(0.4))
    );
    assert_eq!(
        (read.error.as_deref(), read.metrics.tokens()),
        (Some("half of it"), Some(12.0))
    );
    let beyond = CompleteTrajectory {
        success_score: Some(1.1),
        ..outcome("u", Status::Success)
    };
    refused(complete(beyond).await, "from 0 to 1");
    assert_eq!(scene.read("u").await.ended_at, None);
    let nobody = complete(outcome("nobody", Status::Success)).await;
    assert!(matches!(nobody, Err(EngineError::NoRun(_))));
}

/// A feedback with a score.
pub(super) fn given(trajectory: &str, id: &str, score: f64) -> FeedbackInput {
    FeedbackInput {
        trajectory: trajectory.to_owned(),
        id: Some(id.to_owned()),
        score: Some(score),
        ..FeedbackInput::default()
    }
}

#[tokio::test]
async fn feedback_that_cannot_be_is_refused() {
    let scene = Scene::new();
    for id in ["t", "open"] {
        scene.started(id, About::default()).await.unwrap();
    }
    scene.completed("t", Status::Success).await;
    let give = |input| scene.engine.trajectory_feedback(&scene.owner, input);
    give(given("t", "f2", 0.9)).await.unwrap();
    refused(
        give(given("t", "f2", 0.1)).await,
        "exists with other contents",
    );
    refused(give(given("t", "f3", 1.5)).await, "from 0 to 1");
    refused(give(given("open", "f1", 0.5)).await, "still open");
    let silent = FeedbackInput {
        score: None,
        ..given("t", "f4", 0.0)
    };
    refused(give(silent).await, "says nothing");
    let nobody = give(given("nobody", "f1", 0.5)).await;
    assert!(matches!(nobody, Err(EngineError::NoRun(_))));
    assert_eq!(scene.read("t").await.feedback.len(), 1);
}

#[tokio::test]
async fn feedback_that_contradicts_the_score_queues_a_trajectory_until_it_is_reflected_upon() {
    let scene = Scene::new();
    for (id, status) in [
        ("t", Status::Success),
        ("u", Status::Failure),
        ("v", Status::Success),
    ] {
        scene.started(id, About::default()).await.unwrap();
        scene.completed(id, status).await;
        scene.pass();
    }
    let give = |input| scene.engine.trajectory_feedback(&scene.owner, input);
    assert_eq!(
        give(given("t", "f1", 0.5))
            .await
            .unwrap()
            .trajectory
            .relearning,
        Some(5)
    );
    assert_eq!(
        give(given("u", "f1", 0.9))
            .await
            .unwrap()
            .trajectory
            .relearning,
        Some(9)
    );
    assert_eq!(
        give(given("v", "f1", 0.7))
            .await
            .unwrap()
            .trajectory
            .relearning,
        None
    );
    // A milder one does not make it less urgent, and the same one counts once.
    assert_eq!(
        give(given("t", "f2", 0.9))
            .await
            .unwrap()
            .trajectory
            .relearning,
        Some(5)
    );
    assert!(give(given("t", "f2", 0.9)).await.unwrap().repeated);
    assert_eq!(scene.read("t").await.feedback.len(), 2);
    let now = scene.clock.now();
    let read = scene.read("t").await;
    assert_eq!(read.effective_score(ScoreMode::Latest, now), Some(0.9));
    assert_eq!(read.effective_score(ScoreMode::Average, now), Some(0.7));
    let queue = || scene.engine.relearning_queue(&scene.owner, 9);
    let ids = |rows: Vec<Trajectory>| rows.into_iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(ids(queue().await.unwrap()), ["u", "t"]);
    let reflected = ["u".to_owned(), "nobody".to_owned()];
    assert_eq!(
        scene
            .engine
            .note_reflection(&scene.owner, &reflected)
            .await
            .unwrap(),
        1
    );
    assert_eq!(ids(queue().await.unwrap()), ["t"]);
    assert_eq!(scene.read("u").await.reflected_at, Some(now));
}
