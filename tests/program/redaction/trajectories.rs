//! The texts of trajectories hold no secret once they are stored.

use hindlore::lessons::{About, CompleteTrajectory, FeedbackInput, StartRun, StepLog};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::trajectory::{Metrics, Status, StepKind};
use hindlore_redact::Redactor;
use serde_json::json;
use tempfile::TempDir;

use super::world::holds;
use super::writes::{SECRET, engine, secret};

#[tokio::test]
async fn trajectories_hold_no_secret() {
    let folder = TempDir::new().unwrap();
    let engine = engine(&folder, Redactor::default());
    let owner = LearnerId::new("t", "l").unwrap();
    let start = StartRun {
        id: Some("r".to_owned()),
        intent: secret("try @"),
        about: About {
            task_type: Some(secret("type @")),
            agent: Some(secret("agent @")),
            user: Some(secret("user @")),
            parent: None,
            scope: None,
        },
        ..StartRun::default()
    };
    let started = engine.start_run(&owner, start).await.unwrap();
    assert_eq!(started.redacted.total(), 4);
    let step = StepLog {
        kind: StepKind::Decision,
        description: secret("decide for @"),
        metadata: Some(json!({"password": "hunter2more", "said": secret("@")})),
        error: Some(secret("denied: @")),
        ..StepLog::default()
    };
    let logged = engine.log_step(&owner, "r", step).await.unwrap();
    assert!(logged.redacted.total() >= 4, "{:?}", logged.redacted);
    let told = CompleteTrajectory {
        id: "r".to_owned(),
        status: Status::Failure,
        success_score: None,
        error: Some(secret("refused @")),
        metrics: Metrics::default(),
    };
    let ended = engine.complete_trajectory(&owner, told).await.unwrap();
    assert_eq!(ended.redacted.total(), 1);
    let feedback = FeedbackInput {
        trajectory: "r".to_owned(),
        kind: Some(secret("kind @")),
        source: Some(secret("by @")),
        message: Some(secret("because of @")),
        ..FeedbackInput::default()
    };
    let taken = engine.trajectory_feedback(&owner, feedback).await.unwrap();
    assert_eq!(taken.redacted.total(), 3);
    drop(engine);
    for told in [SECRET, "hunter2more"] {
        assert!(!holds(folder.path(), "m.db", told), "{told}");
    }
}
