//! The part of the story of all surfaces that is about trajectories.

use serde_json::json;

use super::parity::{Step, step};

/// A trajectory is started, logged, completed, and contradicted, so that it is queued.
pub(super) fn a_trajectory_is_recorded() -> Vec<Step> {
    vec![
        step(
            "trajectory.start",
            json!({
                "description": "fetch the report", "id": "t1", "task_type": "api_call", "agent": "scout", "user": "zoe",
                "parent": "r3", "domain": "grid",
            }),
            "trajectory start fetch the report --id t1 --task-type api_call --agent scout --user zoe --parent r3 \
             --domain grid",
        ),
        step(
            "trajectory.log",
            json!({
                "trajectory": "t1", "description": "ask twice", "kind": "decision", "id": "s1", "number": 1,
                "metadata": {"retries": 2},
            }),
            "trajectory log t1 ask twice --kind decision --id s1 --number 1 --metadata {\"retries\":2}",
        ),
        step(
            "trajectory.log",
            json!({
                "trajectory": "t1", "description": "call it", "action": "curl /report", "error": "503 unavailable",
                "exit_code": 22, "id": "s2",
            }),
            "trajectory log t1 call it --action curl~/report --error 503~unavailable --exit-code 22 --id s2",
        ),
        step(
            "trajectory.complete",
            json!({
                "trajectory": "t1", "status": "partial", "success_score": 0.75, "error": "half of it",
                "metrics": {"tokens": 12.0},
            }),
            "trajectory complete t1 --status partial --score 0.75 --error half~of~it --metrics {\"tokens\":12.0}",
        ),
        step(
            "trajectory.feedback",
            json!({
                "trajectory": "t1", "score": 0.25, "kind": "human", "source": "zoe", "message": "wrong report",
                "metrics": {"minutes": 3.5}, "id": "f1",
            }),
            "trajectory feedback t1 --score 0.25 --type human --source zoe --message wrong~report \
             --metrics {\"minutes\":3.5} --id f1",
        ),
        step(
            "trajectory.show",
            json!({"trajectory": "t1", "score": "average"}),
            "trajectory show t1 --score average",
        ),
        step(
            "trajectory.list",
            json!({"agent": "scout", "status": "partial", "min_score": 0.1, "limit": 5}),
            "trajectory list --agent scout --status partial --min-score 0.1 --limit 5",
        ),
        step(
            "trajectory.queue",
            json!({"limit": 3}),
            "trajectory queue --limit 3",
        ),
    ]
}
