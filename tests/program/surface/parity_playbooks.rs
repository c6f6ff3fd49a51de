//! The part of the story of all surfaces that is about reflections and playbooks.

use serde_json::json;

use super::parity::{Step, fed, step};

const FILE: &str =
    "{\"strategies\": [{\"pattern\": \"Keep it short.\", \"confidence\": 0.5, \"evidence\": 3}]}";

/// A trajectory is reflected upon.
pub(super) fn a_trajectory_is_reflected_upon() -> Vec<Step> {
    let log = |id: &str, action: &str, error: Option<&str>| {
        let mut request = json!({"trajectory": "t2", "description": action, "id": id});
        let mut command = format!("trajectory log t2 {action} --id {id}");
        if let Some(error) = error {
            request["error"] = error.into();
            command = format!("{command} --error {}", error.replace(' ', "~"));
        }
        step("trajectory.log", request, &command)
    };
    vec![
        step(
            "trajectory.start",
            json!({"description": "build it", "id": "t2", "agent": "smith"}),
            "trajectory start build it --id t2 --agent smith",
        ),
        log("b1", "cargo biuld", Some("error: no such command: `biuld`")),
        log("b2", "cargo build", None),
        step(
            "trajectory.complete",
            json!({"trajectory": "t2", "status": "success"}),
            "trajectory complete t2 --status success",
        ),
        step(
            "reflection.reflect",
            json!({"trajectory": "t2"}),
            "reflect t2",
        ),
        step(
            "reflection.show",
            json!({"reflection": "{reflection}"}),
            "reflection show {reflection}",
        ),
        step(
            "reflection.batch",
            json!({"agent": "smith", "min_trajectories": 1, "limit": 9}),
            "reflection batch --agent smith --min-trajectories 1 --limit 9",
        ),
        step(
            "reflection.list",
            json!({"limit": 3}),
            "reflection list --limit 3",
        ),
    ]
}

/// A playbook is made, changed, compared, restored and exchanged.
pub(super) fn a_playbook_lives() -> Vec<Step> {
    vec![
        step(
            "playbook.create",
            json!({
                "playbook": "reports", "description": "how reports are fetched", "scope": "user",
                "strategies": [{"pattern": "Ask for the report twice."}, {"category": "harmful", "pattern": "Fetch it at noon."}],
            }),
            "playbook create reports --description how~reports~are~fetched --scope user \
             --strategies [{\"pattern\":\"Ask~for~the~report~twice.\"},{\"category\":\"harmful\",\"pattern\":\"Fetch~it~at~noon.\"}]",
        ),
        step(
            "playbook.update",
            json!({"playbook": "reports", "strategies": [{"pattern": "Read the header first.", "context": "large reports"}], "major": true, "reason": "by hand"}),
            "playbook update reports --strategies [{\"pattern\":\"Read~the~header~first.\",\"context\":\"large~reports\"}] --major --reason by~hand",
        ),
        step(
            "playbook.curate",
            json!({"playbook": "reports", "trajectories": ["t2"]}),
            "playbook curate reports --trajectory t2",
        ),
        step(
            "playbook.show",
            json!({"playbook": "reports", "version": 1, "prompt": true}),
            "playbook show reports --version 1 --prompt",
        ),
        step(
            "playbook.diff",
            json!({"playbook": "reports", "from": 1, "to": 2}),
            "playbook diff reports --from 1 --to 2",
        ),
        step(
            "playbook.restore",
            json!({"playbook": "reports", "version": 1}),
            "playbook restore reports --version 1",
        ),
        step(
            "playbook.versions",
            json!({"playbook": "reports"}),
            "playbook versions reports",
        ),
        step(
            "playbook.use",
            json!({"playbook": "reports", "success": 0.5, "improvement": 0.25}),
            "playbook use reports --success 0.5 --improvement 0.25",
        ),
        step(
            "playbook.strategies",
            json!({"task": "fetch the report", "limit": 2}),
            "playbook strategies fetch the report --limit 2",
        ),
    ]
}

/// Strategies come from a memory and a file, and go into both.
pub(super) fn strategies_are_exchanged() -> Vec<Step> {
    vec![
        step(
            "playbook.from-memory",
            json!({"playbook": "kept"}),
            "playbook from-memory kept",
        ),
        step(
            "playbook.into-memory",
            json!({"playbook": "reports", "section": "REPORTS", "id": "into"}),
            "playbook into-memory reports --section REPORTS --id into",
        ),
        step(
            "retrieve",
            json!({"query": "fetch the report", "peek": true, "strategies": 2}),
            "retrieve fetch the report --peek --strategies 2",
        ),
        step(
            "playbook.export",
            json!({"playbook": "reports"}),
            "playbook export reports",
        ),
        fed(
            FILE,
            step(
                "playbook.import",
                json!({"text": FILE, "playbook": "imported"}),
                "playbook import - --name imported",
            ),
        ),
        step(
            "playbook.delete",
            json!({"playbook": "kept"}),
            "playbook delete kept",
        ),
        step(
            "playbook.list",
            json!({"archived": true}),
            "playbook list --archived",
        ),
    ]
}
