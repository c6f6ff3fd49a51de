//! Results of tau-bench: episodes with a task, a trial, a reward, and the messages of the agent.
//!
//! An episode is a run that is named after task and trial, and its reward shows whether it passed. Messages are those
//! of chat completions; a shorter form has calls and results as steps of their own. Nothing has a flag for errors.

use serde_json::Value;

use super::{Confidence, action_of, has_list, name_of};
use crate::collector::{Out, Pending};
use crate::json::{At, Values, content, line_of, text};
use crate::step::Run;
use crate::verdict::{Answer, Call};

/// The reward of an episode that reached its goal; rewards lie between 0 and 1.
const PASSED: f64 = 1.0 - 1e-6;

/// Reads episodes.
#[derive(Default)]
pub(crate) struct TauBench {
    pending: Pending,
}

/// Rates how well a record fits.
pub(crate) fn looks_like(record: &Value) -> Confidence {
    let has_role = |message: &Value| message.get("role").is_some();
    let is_episode = task(record).is_some() && record.get("reward").is_some();
    let has_messages = has_list(record, "traj", has_role) || has_list(record, "steps", has_role);
    match (has_messages, is_episode) {
        (true, true) => Confidence::Certain,
        (true, false) => Confidence::Likely,
        _ => Confidence::No,
    }
}

fn task(record: &Value) -> Option<String> {
    name_of(record, "task_id").or_else(|| name_of(record, "task"))
}

impl Values for TauBench {
    fn value(&mut self, record: &Value, at: At<'_>, out: &mut Out<'_>) {
        let field = ["traj", "steps"]
            .into_iter()
            .find(|name| record.get(*name).is_some());
        let Some((field, messages)) =
            field.and_then(|name| Some((name, record.get(name)?.as_array()?)))
        else {
            out.skip(at.line, "the episode has no messages");
            return;
        };
        let task = task(record);
        let names = [task.clone(), name_of(record, "trial")];
        let names: Vec<String> = names.into_iter().flatten().collect();
        let run = Run::Named(format!("tau-{}", names.join("-")));
        let lines = at.elements(field);
        for (index, message) in messages.iter().enumerate() {
            let line = line_of(&lines, index, at);
            let begun = Call {
                run: run.clone(),
                line,
                task: task.clone(),
                ..Call::default()
            };
            self.message(message, begun, out);
        }
        self.pending.finish(out);
        if let Some(reward) = record.get("reward").and_then(Value::as_f64) {
            out.ended(run, reward >= PASSED);
        }
    }

    fn end(&mut self, _: &mut Out<'_>) {}
}

impl TauBench {
    fn message(&mut self, message: &Value, begun: Call, out: &mut Out<'_>) {
        let line = begun.line;
        match text(message, "role").unwrap_or_default() {
            "call" => {
                let name = text(message, "name").unwrap_or("tool");
                let arguments = message.get("arguments").unwrap_or(&Value::Null);
                let call = Call {
                    tool: Some(name.to_owned()),
                    action: action_of(name, arguments),
                    ..begun
                };
                self.pending.add(call, out);
            }
            "tool" => {
                let answer = Answer {
                    text: message.get("content").map(content).unwrap_or_default(),
                    ..Answer::default()
                };
                self.pending
                    .answer(text(message, "tool_call_id"), line, answer, out);
            }
            _ => {
                let calls = message.get("tool_calls").and_then(Value::as_array);
                for call in calls.into_iter().flatten() {
                    let function = call.get("function").unwrap_or(call);
                    let name = text(function, "name").unwrap_or("tool");
                    let arguments = function.get("arguments").unwrap_or(&Value::Null);
                    let call = Call {
                        id: text(call, "id").map(str::to_owned),
                        tool: Some(name.to_owned()),
                        action: action_of(name, arguments),
                        ..begun.clone()
                    };
                    self.pending.add(call, out);
                }
            }
        }
    }
}
