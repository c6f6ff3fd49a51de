//! Event logs of OpenHands: actions and the observations that they cause, of both generations of its software.
//!
//! A log is a list of events, a record whose `history` is one, or one event a line. The first generation ties an
//! observation to its action by `cause`, the second by the id of the call.

use hindlore_primitives::timestamp::Timestamp;
use serde_json::Value;

use super::{Action, Confidence, action_of, has_list, name_of};
use crate::collector::{Out, Pending};
use crate::json::{At, Values, content, exit_code, line_of, text, unpacked};
use crate::step::Run;
use crate::verdict::{Answer, Call};

/// Actions that call no tool.
const NO_TOOLS: &[&str] = &[
    "message",
    "system",
    "think",
    "finish",
    "recall",
    "change_agent_state",
    "null",
    "initialize",
    "start",
    "condensation",
    "task_tracking",
    "condensation_request",
    "loop_recovery",
];
/// Observations that answer no call.
const NO_RESULTS: &[&str] = &[
    "null",
    "agent_state_changed",
    "recall",
    "think",
    "agent_think",
    "task_tracking",
    "loop_detection",
];
/// The answer to a call that the person did not allow.
const REJECTED: &str = "rejected by user";
/// The exit code of a command that is still running.
const GOES_ON: i32 = -1;

/// Reads event logs.
#[derive(Default)]
pub(crate) struct OpenHands {
    pending: Pending,
    run: Run,
    logs: usize,
}

/// Rates how well a record fits.
pub(crate) fn looks_like(record: &Value) -> Confidence {
    let is_log = ["history", "trajectory"].iter().any(|name| {
        has_list(record, name, |event| {
            is_event(event)
                || event
                    .as_array()
                    .is_some_and(|pair| pair.iter().any(is_event))
        })
    });
    let is_pair = record
        .as_array()
        .is_some_and(|pair| pair.iter().any(is_event));
    if is_log || is_pair || is_event(record) {
        Confidence::Certain
    } else {
        Confidence::No
    }
}

fn is_event(value: &Value) -> bool {
    let first = ["action", "observation"]
        .iter()
        .any(|name| text(value, name).is_some());
    let is_first = first && (value.get("args").is_some() || value.get("extras").is_some());
    let kind = text(value, "kind").unwrap_or_default();
    let is_second = matches!(
        kind,
        "ActionEvent"
            | "ObservationEvent"
            | "AgentErrorEvent"
            | "UserRejectObservation"
            | "SystemPromptEvent"
    );
    is_first || is_second
}

impl Values for OpenHands {
    fn value(&mut self, record: &Value, at: At<'_>, out: &mut Out<'_>) {
        let field = ["history", "trajectory"]
            .into_iter()
            .find(|name| record.get(*name).is_some());
        let Some((field, events)) =
            field.and_then(|name| Some((name, record.get(name)?.as_array()?)))
        else {
            self.event_or_pair(record, at.line, out);
            return;
        };
        self.pending.finish(out);
        self.logs += 1;
        let names = ["instance_id", "conversation_id", "session_id", "id"];
        let name = names.iter().find_map(|name| name_of(record, name));
        self.run = name.map_or(Run::Part(self.logs), Run::Named);
        let lines = at.elements(field);
        for (index, event) in events.iter().enumerate() {
            self.event_or_pair(event, line_of(&lines, index, at), out);
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        self.pending.finish(out);
    }
}

impl OpenHands {
    /// Old logs keep an action and its observation as a pair.
    fn event_or_pair(&mut self, event: &Value, line: usize, out: &mut Out<'_>) {
        match event {
            Value::Array(pair) => {
                for event in pair {
                    self.event(event, line, out);
                }
            }
            event => self.event(event, line, out),
        }
    }

    fn event(&mut self, event: &Value, line: usize, out: &mut Out<'_>) {
        let at = text(event, "timestamp").and_then(Timestamp::parse);
        let begun = Call {
            run: self.run.clone(),
            line,
            at,
            ..Call::default()
        };
        match text(event, "kind").unwrap_or_default() {
            "ActionEvent" => self.pending.add(second_action(event, begun), out),
            "ObservationEvent" | "AgentErrorEvent" | "UserRejectObservation" => {
                let answer = Answer {
                    at,
                    ..second_answer(event)
                };
                self.pending
                    .answer(text(event, "tool_call_id"), line, answer, out);
            }
            _ => self.first_event(event, begun, out),
        }
    }

    fn first_event(&mut self, event: &Value, begun: Call, out: &mut Out<'_>) {
        if let Some(action) = text(event, "action") {
            let is_agents = text(event, "source").is_none_or(|source| source == "agent");
            if is_agents && !NO_TOOLS.contains(&action) {
                self.pending.add(first_action(event, action, begun), out);
            }
            return;
        }
        let Some(observation) = text(event, "observation") else {
            return;
        };
        let cause = name_of(event, "cause");
        // Some observations come unasked; one that answers no waiting call is ignored.
        let is_awaited = cause.as_deref().is_none_or(|id| self.pending.has(id));
        if NO_RESULTS.contains(&observation) || !is_awaited {
            return;
        }
        let answer = Answer {
            at: begun.at,
            ..first_answer(event, observation)
        };
        self.pending
            .answer(cause.as_deref(), begun.line, answer, out);
    }
}

fn first_action(event: &Value, action: &str, begun: Call) -> Call {
    let arguments = event.get("args").unwrap_or(&Value::Null);
    let metadata = event.get("tool_call_metadata").unwrap_or(&Value::Null);
    let tool = text(metadata, "function_name").unwrap_or(action);
    let action = match action {
        "run" | "run_ipython" => {
            match text(arguments, "command").or_else(|| text(arguments, "code")) {
                Some(line) => Action::Command(line.to_owned()),
                None => action_of(tool, arguments),
            }
        }
        _ => action_of(tool, &without_bookkeeping(arguments)),
    };
    Call {
        id: name_of(event, "id"),
        tool: Some(tool.to_owned()),
        action,
        ..begun
    }
}

/// The arguments without the program's own notes, and without those that were not given.
fn without_bookkeeping(arguments: &Value) -> Value {
    const NOTES: &[&str] = &[
        "thought",
        "hidden",
        "blocking",
        "confirmation_state",
        "security_risk",
        "impl_source",
        "translated_ipython_code",
        "is_input",
        "include_extra",
    ];
    let Some(object) = arguments.as_object() else {
        return arguments.clone();
    };
    let given = object
        .iter()
        .filter(|(name, value)| !NOTES.contains(&name.as_str()) && !value.is_null());
    given
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn first_answer(event: &Value, observation: &str) -> Answer {
    let said = event.get("content").map(content).unwrap_or_default();
    let extras = event.get("extras").unwrap_or(&Value::Null);
    let metadata = extras.get("metadata").unwrap_or(&Value::Null);
    let code = [metadata, extras]
        .iter()
        .find_map(|place| place.get("exit_code"))
        .and_then(exit_code);
    let is_error = match observation {
        _ if code == Some(GOES_ON) => Some(false),
        "error" => Some(true),
        // Edits and reads answer with `ERROR:` on a line of its own, and have no code.
        _ if said.trim_start().starts_with("ERROR:") => Some(true),
        "edit" | "read" | "write" => Some(false),
        _ => event
            .get("success")
            .and_then(Value::as_bool)
            .map(|success| !success),
    };
    Answer {
        text: if observation == "user_rejected" {
            REJECTED.to_owned()
        } else {
            said
        },
        exit_code: code.filter(|code| *code >= 0),
        failed: is_error,
        ..Answer::default()
    }
}

fn second_action(event: &Value, begun: Call) -> Call {
    let tool = text(event, "tool_name").unwrap_or("tool");
    let call = event.get("tool_call").unwrap_or(&Value::Null);
    let function = call.get("function").unwrap_or(call);
    let arguments = function.get("arguments").or_else(|| event.get("action"));
    let arguments = unpacked(arguments.unwrap_or(&Value::Null));
    Call {
        id: text(event, "tool_call_id").map(str::to_owned),
        tool: Some(tool.to_owned()),
        action: action_of(tool, &arguments),
        ..begun
    }
}

fn second_answer(event: &Value) -> Answer {
    if let Some(error) = text(event, "error") {
        return Answer {
            text: error.to_owned(),
            failed: Some(true),
            ..Answer::default()
        };
    }
    if text(event, "kind") == Some("UserRejectObservation") {
        return Answer {
            text: REJECTED.to_owned(),
            ..Answer::default()
        };
    }
    let observation = event.get("observation").unwrap_or(&Value::Null);
    let metadata = observation.get("metadata").unwrap_or(&Value::Null);
    let code = [observation, metadata]
        .iter()
        .find_map(|place| place.get("exit_code"))
        .and_then(exit_code);
    let flags = ["is_error", "error"]
        .iter()
        .filter_map(|name| observation.get(*name)?.as_bool());
    let error = text(observation, "error");
    let said = ["content", "output"]
        .iter()
        .find_map(|name| observation.get(*name));
    Answer {
        text: match error {
            Some(error) => error.to_owned(),
            None => said.map(content).unwrap_or_default(),
        },
        exit_code: code.filter(|code| *code >= 0),
        failed: flags.max().or(error.is_some().then_some(true)),
        ..Answer::default()
    }
}
