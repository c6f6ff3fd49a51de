//! Trajectories of SWE-agent, its demonstrations, and those of mini-SWE-agent.
//!
//! A trajectory is a list of actions with observations and the state before them. Demonstrations, and the first files,
//! have a history of messages only. There are no exit codes but in mini-SWE-agent, so that words decide.

use serde_json::Value;

use super::{Action, Confidence, has_list, name_of};
use crate::collector::Out;
use crate::json::{At, Values, content, line_of, text, unpacked};
use crate::step::Run;
use crate::verdict::{Answer, Call};

/// Actions that end a trajectory and call no tool.
const ENDS: &[&str] = &[
    "submit",
    "exit_cost",
    "exit_context",
    "exit_format",
    "exit_error",
    "skip",
];

/// Reads trajectories.
#[derive(Default)]
pub(crate) struct SweAgent {
    trajectories: usize,
}

/// Rates how well a record fits.
pub(crate) fn looks_like(record: &Value) -> Confidence {
    let is_turn = |turn: &Value| turn.get("action").is_some() && turn.get("observation").is_some();
    let is_mini =
        text(record, "trajectory_format").is_some_and(|name| name.starts_with("mini-swe"));
    let is_own = |message: &Value| {
        text(message, "role") == Some("assistant") && text(message, "action").is_some()
    };
    if has_list(record, "trajectory", is_turn) || is_mini || has_list(record, "history", is_own) {
        Confidence::Certain
    } else {
        Confidence::No
    }
}

impl Values for SweAgent {
    fn value(&mut self, record: &Value, at: At<'_>, out: &mut Out<'_>) {
        self.trajectories += 1;
        let names = ["instance_id", "id"]
            .iter()
            .find_map(|name| name_of(record, name));
        let run = names.map_or(Run::Part(self.trajectories), Run::Named);
        let begun = Call {
            run,
            line: at.line,
            tool: Some("shell".to_owned()),
            ..Call::default()
        };
        let list = |name: &str| {
            record
                .get(name)
                .and_then(Value::as_array)
                .filter(|list| !list.is_empty())
        };
        if let Some(turns) = list("trajectory") {
            let lines = at.elements("trajectory");
            for (index, turn) in turns.iter().enumerate() {
                let begun = Call {
                    line: line_of(&lines, index, at),
                    ..begun.clone()
                };
                let Some(observation) = turn.get("observation").map(content) else {
                    out.skip(begun.line, "the turn has no observation");
                    continue;
                };
                let state = unpacked(turn.get("state").unwrap_or(&Value::Null));
                let action = text(turn, "action").unwrap_or_default();
                step(action, observation, Call { state, ..begun }, out);
            }
        } else if let Some(messages) = list("history") {
            history(messages, &at.elements("history"), &begun, out);
        } else if let Some(messages) = list("messages") {
            mini(messages, &at.elements("messages"), &begun, out);
        } else {
            out.skip(at.line, "the trajectory has no turns");
        }
    }

    fn end(&mut self, _: &mut Out<'_>) {}
}

fn step(action: &str, observation: String, begun: Call, out: &mut Out<'_>) {
    let action = action.trim();
    if action.is_empty() || ENDS.contains(&action) {
        return;
    }
    let call = Call {
        action: Action::Command(action.to_owned()),
        ..begun
    };
    out.step(call.answered(Answer {
        text: observation,
        ..Answer::default()
    }));
}

/// The actions of a history and the messages that follow them.
fn history(messages: &[Value], lines: &[usize], begun: &Call, out: &mut Out<'_>) {
    for (index, pair) in messages.windows(2).enumerate() {
        let [said, heard] = pair else { continue };
        // Demonstrations come before the agent's own actions.
        let is_demo = said.get("is_demo").and_then(Value::as_bool) == Some(true);
        let Some(action) = text(said, "action").filter(|_| !is_demo) else {
            continue;
        };
        if matches!(text(heard, "role"), Some("user" | "tool")) {
            let begun = Call {
                line: lines.get(index).copied().unwrap_or(begun.line),
                ..begun.clone()
            };
            step(
                action,
                heard.get("content").map(content).unwrap_or_default(),
                begun,
                out,
            );
        }
    }
}

/// The fenced commands of a conversation and the messages that follow them.
fn mini(messages: &[Value], lines: &[usize], begun: &Call, out: &mut Out<'_>) {
    for (index, pair) in messages.windows(2).enumerate() {
        let [said, heard] = pair else { continue };
        if text(said, "role") != Some("assistant") || text(heard, "role") == Some("assistant") {
            continue;
        }
        let words = said.get("content").map(content).unwrap_or_default();
        let observation = heard.get("content").map(content).unwrap_or_default();
        let begun = Call {
            line: lines.get(index).copied().unwrap_or(begun.line),
            ..begun.clone()
        };
        if let Some(command) = fenced(&words) {
            step(command, observation, begun, out);
        }
    }
}

/// The content of the first fence for a shell.
fn fenced(words: &str) -> Option<&str> {
    let fences = ["```bash\n", "```mswea_bash_command\n", "```sh\n"];
    let (_, rest) = fences.iter().find_map(|fence| words.split_once(fence))?;
    Some(rest.split("\n```").next().unwrap_or(rest))
}
