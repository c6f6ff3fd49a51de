//! Hook events of coding agents' runtimes: one JSON object for one moment of a session.
//!
//! The runtimes name the same fields differently. Fields are looked for under all names, so a new version that renames
//! one is still understood; only the form of the reply depends on the runtime.
//!
//! | runtime | known by | reply |
//! | --- | --- | --- |
//! | Claude Code, Codex, VS Code | none of the others | `hookSpecificOutput.additionalContext` |
//! | Cursor | `conversation_id`, `cursor_version` | `additional_context` |
//! | Copilot, OpenCode's plugin | `sessionId` | `additionalContext` |

use serde_json::Value;

use crate::formats::action_of;
use crate::json::{content, exit_code, replace_halves, text, unpacked};
use crate::marks::{self, Ended, plain};
use crate::step::{Action, Step};
use crate::streams::Streams;
use crate::verdict::{Answer, Call};

/// One event of a session.
#[derive(Clone, PartialEq, Debug)]
pub struct HookEvent {
    /// Its name as the runtime spells it; the reply repeats it.
    pub name: String,
    /// The session; absent where the runtime names none.
    pub session: Option<String>,
    /// The folders that the agent works in: the roots of its workspace, then its present folder.
    pub folders: Vec<String>,
    /// The moment of the session.
    pub moment: Moment,
    /// The agent's last words, where the runtime hands them over at the end of a turn.
    pub words: Option<String>,
    /// The form of the reply.
    pub reply: ReplyForm,
}

/// A moment of a session.
#[derive(Clone, PartialEq, Debug)]
pub enum Moment {
    /// It begins, or continues with an empty context.
    Begins,
    /// A sub-agent begins, with an empty context, in the session and the run of its agent.
    SubagentBegins,
    /// A sub-agent hands its last words to its agent, whose run continues.
    SubagentEnds,
    /// A person gives a prompt.
    Prompt(String),
    /// A tool is about to be called.
    BeforeTool {
        /// The tool as the runtime names it.
        tool: Option<String>,
        /// The coming action.
        action: Action,
    },
    /// A tool was called.
    AfterTool {
        /// The call and its result.
        step: Box<Step>,
        /// The runtime's id of the call.
        id: Option<String>,
    },
    /// The agent has finished its turn, or the context is about to be cut.
    Rests,
    /// The session ends.
    Ends,
    /// Anything else.
    Other,
}

/// The form in which a runtime takes a text for its model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplyForm {
    /// Within `hookSpecificOutput`, next to the name of the event.
    Nested,
    /// In a field `additional_context`.
    Snake,
    /// In a field `additionalContext`.
    Camel,
}

/// Names of each field in the different runtimes.
const SESSION: &[&str] = &["session_id", "sessionId", "conversation_id"];
const FOLDER: &[&str] = &["cwd", "workingDirectory", "working_directory"];
const ROOTS: &[&str] = &["workspace_roots", "workspaceRoots", "workspaceFolders"];
const TOOL: &[&str] = &["tool_name", "toolName"];
const INPUT: &[&str] = &["tool_input", "toolArgs", "tool_args"];
const RESULT: &[&str] = &[
    "tool_response",
    "tool_output",
    "toolResult",
    "tool_result",
    "result_json",
    "output",
];
const ERROR: &[&str] = &["error", "error_message", "errorMessage"];
const CALL: &[&str] = &["tool_use_id", "toolUseId", "tool_call_id", "toolCallId"];
const CODE: &[&str] = &["exit_code", "exitCode"];
const WORDS: &[&str] = &["last_assistant_message", "lastAssistantMessage"];
/// Most roots of a workspace that are looked at.
const ROOTS_MAX: usize = 16;
const PROMPT: &[&str] = &["prompt", "user_prompt", "initialPrompt"];

impl HookEvent {
    /// Reads an event. Its name is the one given, else that of its field `hook_event_name`.
    ///
    /// # Errors
    /// A sentence for people: it is no JSON object, or the event has no name. Half a surrogate pair is replaced.
    pub fn read(name: Option<&str>, text_of_it: &str) -> Result<Self, String> {
        let event: Value = serde_json::from_str(&replace_halves(text_of_it))
            .map_err(|error| format!("the event is no JSON: {error}"))?;
        if !event.is_object() {
            return Err("the event is no JSON object".to_owned());
        }
        let own = any(&event, &["hook_event_name", "hookEventName"]).and_then(Value::as_str);
        let name = own
            .or(name)
            .ok_or("neither the call nor its JSON names the event")?;
        Ok(Self {
            name: name.to_owned(),
            session: any_text(&event, SESSION),
            folders: folders(&event),
            moment: moment(&plain(name), &event),
            words: any_text(&event, WORDS),
            reply: reply_form(&event),
        })
    }
}

/// The roots name the project; the present folder moves with the agent.
fn folders(event: &Value) -> Vec<String> {
    let roots = any(event, ROOTS).and_then(Value::as_array);
    let path_of = |root: &Value| {
        let path = root.as_str().or_else(|| text(root, "path"))?;
        Some(path.strip_prefix("file://").unwrap_or(path).to_owned())
    };
    let roots = roots.into_iter().flatten().filter_map(path_of);
    roots
        .take(ROOTS_MAX)
        .chain(any_text(event, FOLDER))
        .filter(|folder| !folder.is_empty())
        .collect()
}

fn reply_form(event: &Value) -> ReplyForm {
    if event.get("conversation_id").is_some() || event.get("cursor_version").is_some() {
        ReplyForm::Snake
    } else if event.get("sessionId").is_some() || event.get("toolName").is_some() {
        ReplyForm::Camel
    } else {
        ReplyForm::Nested
    }
}

fn moment(name: &str, event: &Value) -> Moment {
    match name {
        "sessionstart" => Moment::Begins,
        "subagentstart" => Moment::SubagentBegins,
        "subagentstop" => Moment::SubagentEnds,
        "userpromptsubmit" | "userpromptsubmitted" | "beforesubmitprompt" => {
            any_text(event, PROMPT).map_or(Moment::Other, Moment::Prompt)
        }
        "pretooluse" => Moment::BeforeTool {
            tool: any_text(event, TOOL),
            action: action(event),
        },
        "posttooluse" | "posttoolusefailure" => Moment::AfterTool {
            step: Box::new(step(event, name == "posttoolusefailure")),
            id: any_text(event, CALL),
        },
        "stop" | "agentstop" | "precompact" => Moment::Rests,
        "sessionend" => Moment::Ends,
        _ => Moment::Other,
    }
}

fn action(event: &Value) -> Action {
    let input = any(event, INPUT).unwrap_or(&Value::Null);
    match any_text(event, TOOL) {
        Some(tool) => action_of(&tool, input),
        None => Action::Unknown,
    }
}

/// The call and its result. An event for failures alone needs no further sign that it is one.
fn step(event: &Value, has_failed: bool) -> Step {
    let call = Call {
        tool: any_text(event, TOOL),
        action: action(event),
        ..Call::default()
    };
    let result = unpacked(any(event, RESULT).unwrap_or(&Value::Null));
    let ended = ended(event, &result, has_failed);
    let stated = any(event, ERROR)
        .or_else(|| any(&result, ERROR))
        .filter(|error| !error.is_boolean())
        .map(|error| content(&unpacked(error)));
    let said = any(
        &result,
        &["textResultForLlm", "text_result_for_llm", "output"],
    )
    .unwrap_or(&result);
    let stream = |name: &str| text(&result, name).unwrap_or_default().to_owned();
    let streams = Streams {
        stdout: stream("stdout"),
        stderr: stream("stderr"),
    };
    let has_streams = !(streams.stdout.is_empty() && streams.stderr.is_empty());
    let metadata = result.get("metadata").unwrap_or(&Value::Null);
    call.answered(Answer {
        text: match stated {
            Some(error) if ended.failed == Some(true) => error,
            _ if has_streams => format!("{}\n{}", streams.stdout, streams.stderr),
            _ => content(said),
        },
        exit_code: any(event, CODE)
            .or_else(|| any(&result, CODE))
            .or_else(|| any(metadata, CODE))
            .and_then(exit_code),
        failed: ended.failed,
        stopped: ended.stopped,
        streams: has_streams.then_some(streams),
        at: None,
    })
}

/// How the call ended. An event for failures alone needs no further sign that it is one.
fn ended(event: &Value, result: &Value, has_failed: bool) -> Ended {
    let ended = marks::of(&[result, event]);
    // Codex, known by its turns, has one event for both; elsewhere a failure has an event of its own.
    let is_good = event.get("turn_id").is_none().then_some(false);
    Ended {
        failed: has_failed.then_some(true).or(ended.failed).or(is_good),
        ..ended
    }
}

fn any<'v>(value: &'v Value, names: &[&str]) -> Option<&'v Value> {
    let found = names.iter().find_map(|name| value.get(*name));
    found.filter(|found| !found.is_null())
}

fn any_text(value: &Value, names: &[&str]) -> Option<String> {
    names
        .iter()
        .find_map(|name| text(value, name))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::step::Outcome;

    fn read(event: &Value) -> HookEvent {
        HookEvent::read(None, &event.to_string()).unwrap()
    }

    fn after(event: &Value) -> Step {
        match read(event).moment {
            Moment::AfterTool { step, .. } => *step,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_runtime_tells_a_failure_in_its_own_words() {
        let command = Action::Command("npm tset".to_owned());
        let events = [
            // Claude Code.
            json!({"session_id": "s", "cwd": "/w", "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
                "tool_input": {"command": "npm tset"}, "tool_use_id": "t", "error": "Exit code 1\nnpm: unknown command tset"}),
            // Codex: one event for both.
            json!({"session_id": "s", "turn_id": "1", "cwd": "/w", "hook_event_name": "PostToolUse", "tool_name": "Bash",
                "tool_input": {"command": "npm tset"}, "tool_use_id": "t",
                "tool_response": "Exit code: 1\nWall time: 1 seconds\nOutput:\nnpm: unknown command tset"}),
            // Cursor.
            json!({"conversation_id": "s", "workspace_roots": ["/w"], "hook_event_name": "postToolUseFailure",
                "tool_name": "Shell", "tool_input": "{\"command\": \"npm tset\"}", "error_message": "npm: unknown command tset"}),
            json!({"conversation_id": "s", "cwd": "/w", "hook_event_name": "postToolUse", "tool_name": "Shell",
                "tool_input": {"command": "npm tset"}, "tool_output": "{\"output\":\"npm: unknown command tset\",\"exitCode\":1}"}),
            // Copilot.
            json!({"sessionId": "s", "cwd": "/w", "hook_event_name": "postToolUse", "toolName": "bash",
                "toolArgs": "{\"command\":\"npm tset\"}",
                "toolResult": {"resultType": "failure", "textResultForLlm": "npm: unknown command tset"}}),
        ];
        for event in &events {
            let (read, step) = (read(event), after(event));
            assert_eq!(
                (read.session.as_deref(), read.folders[0].as_str()),
                (Some("s"), "/w"),
                "{event}"
            );
            assert_eq!(step.action, command, "{event}");
            assert_eq!(step.outcome, Outcome::Failed, "{event}");
            assert!(
                step.error.ends_with("npm: unknown command tset"),
                "{}: {event}",
                step.error
            );
        }
        let forms = events.iter().map(|event| read(event).reply);
        let wanted = [
            ReplyForm::Nested,
            ReplyForm::Nested,
            ReplyForm::Snake,
            ReplyForm::Snake,
            ReplyForm::Camel,
        ];
        assert_eq!(forms.collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn what_worked_and_what_a_person_stopped_is_no_failure() {
        let claude = json!({"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Bash",
            "tool_input": {"command": "ls"}, "tool_response": {"stdout": "error.log", "stderr": "", "interrupted": false}});
        assert_eq!(
            (after(&claude).outcome, after(&claude).output.as_str()),
            (Outcome::Worked, "error.log")
        );
        let codex = json!({"session_id": "s", "turn_id": "1", "hook_event_name": "PostToolUse", "tool_name": "Bash",
            "tool_input": {"command": "ls"}, "tool_response": "Exit code: 0\nOutput:\nerror: in a file name"});
        assert_eq!(after(&codex).outcome, Outcome::Worked);
        let stopped = json!({"session_id": "s", "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
            "tool_input": {"command": "sleep 9"}, "error": "stopped", "is_interrupt": true});
        assert_eq!(after(&stopped).outcome, Outcome::Interrupted);
    }

    #[test]
    fn moments_are_known_by_any_spelling() {
        for (name, moment) in [
            ("SessionStart", Moment::Begins),
            ("session-start", Moment::Begins),
            ("userPromptSubmitted", Moment::Prompt("p".to_owned())),
            ("Stop", Moment::Rests),
            ("PreCompact", Moment::Rests),
            ("subagentStart", Moment::SubagentBegins),
            ("SubagentStop", Moment::SubagentEnds),
            ("sessionEnd", Moment::Ends),
            ("Notification", Moment::Other),
        ] {
            let event = HookEvent::read(Some(name), r#"{"prompt": "p"}"#).unwrap();
            assert_eq!(event.moment, moment, "{name}");
        }
        let before = json!({"hook_event_name": "PreToolUse", "tool_name": "mcp__db__query", "tool_input": {"sql": "x"}});
        assert!(matches!(
            read(&before).moment,
            Moment::BeforeTool {
                action: Action::Call { .. },
                ..
            }
        ));
        for bad in ["", "[]", "{}", "{\"hook_event_name\": 3}"] {
            assert!(HookEvent::read(None, bad).is_err(), "{bad}");
        }
    }
}
