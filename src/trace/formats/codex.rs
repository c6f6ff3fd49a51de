//! Sessions of Codex: rollout files, and the events of `codex exec --json`; one record a line.
//!
//! A call and its result are `response_item`s; Codex's own data on a command (its exit code and its two streams) comes
//! as an `event_msg` before the result and completes it. A command that keeps running is answered when a later poll of
//! its session sees it end. Old files have the items without the envelope.
//!
//! In code mode a model calls one tool, `exec`, with a script that calls the others. The commands that the script ran
//! are the steps, from Codex's own events; the script is a step only where none of them ran, as after a refusal.

mod exec;

use std::collections::{HashMap, HashSet};

use hindlore_primitives::timestamp::Timestamp;
use serde_json::Value;

use super::{Action, Confidence, action_of, joined};
use crate::collector::{Out, Pending};
use crate::json::{At, Values, content, exit_code, text, unpacked};
use crate::step::Run;
use crate::streams::Streams;
use crate::verdict::{Answer, Call};
use crate::wrapper;

/// Ids of calls that are remembered.
const CALLED_MAX: usize = 65_536;
/// Sessions of running commands that are remembered.
const RUNNING_MAX: usize = 256;
const STILL_RUNNING: &str = "Process running with session ID ";

/// Reads a session.
#[derive(Default)]
pub(crate) struct Codex {
    run: Run,
    pending: Pending,
    /// The ids of calls, so that an event about one of them is not taken for a call of its own.
    called: HashSet<String>,
    /// Answers from events about calls whose results are still to come.
    told: HashMap<String, Answer>,
    /// Commands that are still running, by their sessions.
    running: HashMap<String, (Call, String)>,
    /// A script waits for its result, and whether a command of it ran.
    script: Option<bool>,
}

/// The tool of code mode, and the name by which its scripts call the others.
const SCRIPT: &str = "exec";
const TOOLS: &str = "tools.";
/// The tool for commands.
const COMMAND: &str = "exec_command";

/// Rates how well a record fits.
pub(crate) fn looks_like(record: &Value) -> Confidence {
    let kind = text(record, "type").unwrap_or_default();
    let is_enveloped = record.get("payload").is_some_and(Value::is_object);
    match kind {
        "session_meta" | "response_item" | "event_msg" | "turn_context" | "compacted"
            if is_enveloped =>
        {
            Confidence::Certain
        }
        "thread.started" | "turn.started" | "turn.completed" | "item.started"
        | "item.completed" => Confidence::Certain,
        "function_call" | "function_call_output" if record.get("call_id").is_some() => {
            Confidence::Likely
        }
        _ => Confidence::No,
    }
}

impl Values for Codex {
    fn value(&mut self, record: &Value, at: At<'_>, out: &mut Out<'_>) {
        let time = text(record, "timestamp").and_then(Timestamp::parse);
        let payload = record.get("payload").unwrap_or(record);
        let place = Place {
            line: at.line,
            at: time,
        };
        match text(record, "type").unwrap_or_default() {
            "session_meta" => self.begin(text(payload, "id")),
            "thread.started" => self.begin(text(record, "thread_id")),
            "item.completed" => {
                if let Some(step) = record
                    .get("item")
                    .and_then(|item| exec::step(item, &self.run, place))
                {
                    out.step(step);
                }
            }
            "event_msg" => self.event(payload, place, out),
            _ => self.item(payload, place, out),
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        let mut running: Vec<Call> = self.running.drain().map(|(_, (call, _))| call).collect();
        running.sort_by_key(|call| call.line);
        for call in running {
            let told = call.id.as_ref().and_then(|id| self.told.remove(id));
            match told {
                Some(told) => out.step(call.answered(told)),
                None => out.skip(call.line, "the command still ran when the session ended"),
            }
        }
        self.pending.finish(out);
    }
}

/// The line of a record, and the time when it was written.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    at: Option<Timestamp>,
}

impl Codex {
    fn begin(&mut self, session: Option<&str>) {
        if let Some(session) = session {
            self.run = Run::Named(session.to_owned());
        }
    }

    fn item(&mut self, item: &Value, place: Place, out: &mut Out<'_>) {
        match text(item, "type").unwrap_or_default() {
            "message" if text(item, "role") == Some("assistant") => {
                let said = content(item.get("content").unwrap_or(&Value::Null));
                out.reply(self.run.clone(), &said);
            }
            "function_call" => self.call(item, "arguments", place, out),
            "custom_tool_call" => self.call(item, "input", place, out),
            "local_shell_call" => self.call(item, "action", place, out),
            "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
                self.result(
                    id(item),
                    item.get("output").unwrap_or(&Value::Null),
                    place,
                    out,
                );
            }
            _ => {}
        }
    }

    /// A call, whose arguments are in the field of this name.
    fn call(&mut self, item: &Value, arguments: &str, place: Place, out: &mut Out<'_>) {
        let name = text(item, "name").unwrap_or("local_shell");
        if self.called.len() >= CALLED_MAX {
            self.called.clear();
            self.told.clear();
        }
        self.called.extend(id(item).map(str::to_owned));
        let input = item.get(arguments).unwrap_or(&Value::Null);
        let script = input.as_str().filter(|_| name == SCRIPT);
        let script = script.filter(|script| script.contains(TOOLS));
        let (name, action) = match script.and_then(exec::command_of_script) {
            Some(line) => (COMMAND, Action::Command(line)),
            None if script.is_some() => (name, Action::Unknown),
            None => (name, action_of(name, input)),
        };
        if script.is_some() {
            self.script = Some(false);
        }
        let call = Call {
            id: id(item).map(str::to_owned),
            run: self.run.clone(),
            line: place.line,
            tool: Some(name.to_owned()),
            action,
            at: place.at,
            ..Call::default()
        };
        self.pending.add(call, out);
    }

    fn result(&mut self, id: Option<&str>, output: &Value, place: Place, out: &mut Out<'_>) {
        let answer = Answer {
            at: place.at,
            ..answer(output)
        };
        let answer = self.completed(id, answer);
        let Some(call) = self.pending.take(id) else {
            self.pending.answer(id, place.line, answer, out);
            return;
        };
        let answer = match self.script.take() {
            Some(true) => return,
            Some(false) => exec::of_script(answer),
            None => answer,
        };
        match (polled_session(&call), session_of(&answer.text)) {
            (Some(polled), _) => self.polled(&polled, call.line, answer, out),
            (None, Some(session)) if self.running.len() < RUNNING_MAX => {
                self.running.insert(session, (call, answer.text));
            }
            _ => out.step(call.answered(answer)),
        }
    }

    /// A poll of a session: its output belongs to the command that began the session.
    fn polled(&mut self, session: &str, line: usize, mut answer: Answer, out: &mut Out<'_>) {
        let Some((call, said)) = self.running.remove(session) else {
            let reason = format!("a poll of `{session}`, a session that no command began");
            out.skip(line, reason);
            return;
        };
        if session_of(&answer.text).is_some() {
            self.running.insert(session.to_owned(), (call, said));
            return;
        }
        let before = wrapper::strip(&said, &call.action).text;
        if !before.is_empty() {
            // Appended, since the header with the exit code must stay in front.
            answer.text = format!("{}\n{before}", answer.text.trim_end());
        }
        out.step(call.answered(answer));
    }

    /// An event of Codex itself: about a call whose result comes later, or in place of both.
    fn event(&mut self, event: &Value, place: Place, out: &mut Out<'_>) {
        let is_item = text(event, "type") == Some("item_completed");
        let event = event.get("item").filter(|_| is_item).unwrap_or(event);
        let kind = text(event, "type").unwrap_or_default();
        let (action, told) = match kind {
            "turn_aborted" => return self.pending.interrupt(place.at, out),
            "exec_command_end" | "CommandExecution" => {
                let words = event.get("command").and_then(Value::as_array);
                let line = words.map(|words| joined(words)).unwrap_or_default();
                (Action::Command(line), exec::of_command(event))
            }
            "patch_apply_end" => (Action::Unknown, exec::of_patch(event)),
            "mcp_tool_call_end" => exec::of_mcp(event),
            _ => return,
        };
        if let Some(id) = id(event).filter(|id| self.called.contains(*id)) {
            self.told.insert(id.to_owned(), told);
            return;
        }
        let is_known = !matches!(&action, Action::Unknown)
            && !matches!(&action, Action::Command(line) if line.is_empty());
        if is_known {
            self.script = self.script.map(|_| true);
            let tool = match kind {
                "CommandExecution" => COMMAND,
                kind => kind.trim_end_matches("_end"),
            };
            let call = Call {
                run: self.run.clone(),
                line: place.line,
                tool: Some(tool.to_owned()),
                action,
                at: place.at,
                ..Call::default()
            };
            out.step(call.answered(told));
        }
    }

    /// An answer completed by the event about its call.
    fn completed(&mut self, id: Option<&str>, answer: Answer) -> Answer {
        let Some(told) = id.and_then(|id| self.told.remove(id)) else {
            return answer;
        };
        Answer {
            exit_code: told.exit_code.or(answer.exit_code),
            streams: told.streams.or(answer.streams),
            failed: told.failed.or(answer.failed),
            ..answer
        }
    }
}

fn id(item: &Value) -> Option<&str> {
    text(item, "call_id").or_else(|| text(item, "id"))
}

/// The session that a call polls.
fn polled_session(call: &Call) -> Option<String> {
    let Action::Call { name, arguments } = &call.action else {
        return None;
    };
    if name != "write_stdin" {
        return None;
    }
    super::name_of(arguments, "session_id")
}

fn session_of(output: &str) -> Option<String> {
    let head = output.split("Output:").next()?;
    let line = head
        .lines()
        .find_map(|line| line.strip_prefix(STILL_RUNNING))?;
    Some(line.trim().to_owned())
}

/// The output of a call: a text, a text that holds JSON, a list of contents, or an object.
fn answer(output: &Value) -> Answer {
    let output = unpacked(output);
    let metadata = output.get("metadata").unwrap_or(&Value::Null);
    let said = match &output {
        Value::Object(object) => {
            let inner = ["output", "content"]
                .iter()
                .find_map(|name| object.get(*name));
            inner.map_or_else(|| output.to_string(), content)
        }
        other => content(other),
    };
    let failed = output
        .get("success")
        .and_then(Value::as_bool)
        .map(|success| !success);
    Answer {
        text: said,
        exit_code: metadata.get("exit_code").and_then(exit_code),
        failed,
        ..Answer::default()
    }
}

/// The two streams of an object; absent where it has neither.
fn streams(value: &Value) -> Option<Streams> {
    let stream = |name: &str| text(value, name).unwrap_or_default().to_owned();
    let streams = Streams {
        stdout: stream("stdout"),
        stderr: stream("stderr"),
    };
    let is_there = !(streams.stdout.is_empty() && streams.stderr.is_empty());
    is_there.then_some(streams)
}
