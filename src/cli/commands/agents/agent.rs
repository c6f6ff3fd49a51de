//! Commands about the agent: a turn from a file or stdin, whose state may be kept, and sessions.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::commands::CommandResult;
use crate::form::{Form, Request, Rule, Typed};
use crate::input;
use crate::output::receipts::{LIST_MAX, beyond};
use crate::output::words::plural;
use crate::output::{Outcome, Page, Tone, file, lessons};
use crate::redaction;
use crate::session::Session;
use hindlore_agents::agent::{Node, Turn};
use hindlore_api::catalog;
use hindlore_api::problem::Problem;
use hindlore_api::responses::agents::{Scratch, TurnResponse};
use hindlore_api::responses::sessions::RecordedResponse;
use hindlore_api::verbs::agent::{ChatWithAgent, CheckModel, RunAgent};
use hindlore_api::verbs::session::{PrepareSession, RecordSession};
use hindlore_domain::memory::key::MemoryKey;

/// Fields of the input that options override.
const OVERRIDES: [&str; 9] = [
    "mode",
    "drafts",
    "breadth",
    "depth",
    "max_turns",
    "temperature",
    "system",
    "topic",
    "without_learning",
];

pub(crate) const RUN: Form = Form::new(
    "agent.run",
    &[
        ("messages", Typed::FileOrStdin("FILE", "File with `{\"messages\": [...]}`; `-` reads stdin")),
        ("known", Typed::Hidden),
        ("state", Typed::Text("Keep the state in this file after each step; if it is there, go on with it")),
    ],
)
.with_after_help(
    "The input is a JSON object: `messages`, each with a `role` and a `content`, and any of `learner`, `scope`, `mode`, \
     `topic`, `drafts`, `breadth`, `depth`, `max_turns`, `temperature`, `system` and `known` (`ground_truth`, `passed`, `feedback`). The answer has `answer`, `mode`, `result` and \
     `scratch`; `scratch.ace_delta` is the receipt of what was learned.",
);

pub(crate) const CHAT: Form = Form::new(
    "agent.chat",
    &[
        ("message", Typed::Words("MESSAGE")),
        ("conversation_id", Typed::Named("conversation")),
        ("conversation_history", Typed::Hidden),
        ("known", Typed::Hidden),
    ],
);

pub(crate) const CHECK: Form = Form::new("model.check", &[]);

pub(crate) const PREPARE: Form = Form::new(
    "session.prepare",
    &[(
        "messages",
        Typed::FileOrStdin("FILE", "File with the messages as JSON; `-` reads stdin"),
    )],
);

/// The flag for a turn that failed.
const FAILED: &str = "failed";

pub(crate) const RECORD: Form = Form::new(
    "session.record",
    &[
        ("session", Typed::Word("SESSION")),
        ("passed", Typed::Told("The turn went well")),
        (
            "messages",
            Typed::FileOrStdin("FILE", "File with the messages as JSON; `-` reads stdin"),
        ),
    ],
)
.with_flag(FAILED, "The turn failed")
.with_rules(&[Rule::OneOf(&["passed", FAILED])]);

/// Runs a turn.
pub(crate) async fn run(session: &Session, mut request: Request) -> CommandResult {
    let file = request.take_path("messages");
    let kept = request
        .get("state")
        .and_then(Value::as_str)
        .map(PathBuf::from);
    let known = match &kept {
        Some(path) if path.exists() => Some(begun(session, path).await?),
        _ => None,
    };
    let mut fields = match known {
        Some(begun) => begun,
        None => object(&input::text(&file).await?)?,
    };
    let mut text = |name: &str| {
        fields
            .remove(name)
            .and_then(|value| value.as_str().map(str::to_owned))
    };
    let (learner, scope) = (text("learner"), text("scope"));
    for name in OVERRIDES {
        if let Some(value) = request.get(name) {
            fields.insert(name.to_owned(), value.clone());
        }
    }
    let mut own = session.again();
    for (name, value) in [("learner", learner), ("scope", scope)] {
        if let Some(value) = value.filter(|_| !session.settings.is_flag(name)) {
            own.settings.set_flag(name, "the input", value.into());
        }
    }
    let redactor = redaction::read(&own.settings).unwrap_or_default();
    let request: RunAgent = catalog::receive(&redactor, Value::Object(fields))?;
    let access = own.access_of::<RunAgent>().await?;
    let object = access.memory();
    let work = access.within::<RunAgent, _, _>(object, |context| async move {
        let (mut turn, options) = request.turn(context.agents.options()?)?;
        let agent = context.agent(options)?;
        agent
            .run(&mut turn, |turn| {
                kept.as_deref()
                    .map_or(Ok(()), |path| keep(path, &context.key, turn))
            })
            .await?;
        TurnResponse::new(&turn)
    });
    let shown = own.wait("thinking", work).await?;
    own.settle().await;
    note_no_model(session);
    session.output.show(&shown, |page| {
        answer(page, &shown.answer);
        about(page, (&shown.mode, None), &shown.scratch);
    })?;
    Ok(Outcome::from_verb::<RunAgent>(&shown))
}

/// Notes once that the rules answered.
pub(crate) fn note_no_model(session: &Session) {
    if matches!(session.agents().model(), Ok(None)) {
        session.warn(
            "no_model",
            "no model is configured, so the rules answered".to_owned(),
        );
    }
}

fn object(text: &str) -> Result<Map<String, Value>, Problem> {
    match catalog::parse(text)? {
        Value::Object(fields) => Ok(fields),
        // Messages alone are a request.
        Value::Array(messages) => Ok(Map::from_iter([(
            "messages".to_owned(),
            Value::Array(messages),
        )])),
        _ => Err(Problem::new("invalid_json", "the input is no JSON object")
            .with_hint("send `{\"messages\": [{\"role\": \"user\", \"content\": \"…\"}]}`")),
    }
}

/// The fields of a turn that was begun: its state, and whose memory it is about.
async fn begun(session: &Session, path: &Path) -> Result<Map<String, Value>, Problem> {
    let unusable = |what: String| {
        Problem::new("invalid_state", format!("{} {what}", path.display()))
            .with_hint("name another file by --state")
    };
    let mut fields = object(&input::text(path).await?)?;
    let state = fields.remove("turn");
    let state = state.ok_or_else(|| unusable("has no `turn`".to_owned()))?;
    for name in ["learner", "scope"] {
        let kept = fields.get(name).and_then(Value::as_str).unwrap_or_default();
        let asked = session.settings.text(name).unwrap_or_default();
        if session.settings.is_flag(name) && asked != kept {
            return Err(unusable(format!(
                "is of the {name} `{kept}`, not of `{asked}`"
            )));
        }
    }
    // Each request has messages; those of the state are the ones that count.
    let messages = serde_json::json!([{"role": "user", "content": "go on"}]);
    fields.insert("messages".to_owned(), messages);
    fields.insert("state".to_owned(), state);
    Ok(fields)
}

/// Writes a state down so that it is there whole or not at all; nothing is kept of a turn that has ended.
fn keep(path: &Path, key: &MemoryKey, turn: &Turn) -> Result<(), Problem> {
    if turn.node == Node::End {
        return match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                let message = format!("`{}` cannot be removed: {error}", path.display());
                Err(Problem::new("unwritten_output", message)
                    .with_hint("remove it yourself; the turn has ended"))
            }
            _ => Ok(()),
        };
    }
    let state = serde_json::json!({"learner": key.learner(), "scope": key.scope(), "turn": turn});
    file::replace(path, state.to_string().as_bytes())
}

fn answer(page: &mut Page, answer: &str) {
    if answer.is_empty() {
        page.line(
            Tone::Bad,
            "there is no answer: neither the memory nor a model has one",
        );
    } else {
        page.line(Tone::Plain, answer);
    }
    page.gap();
}

/// Writes how an answer came about, and what was learned from it.
fn about(page: &mut Page, (mode, conversation): (&str, Option<&str>), scratch: &Scratch) {
    page.field("mode", mode);
    if let Some(id) = conversation {
        page.field("conversation", id);
    }
    page.field(
        "memory",
        format_args!(
            "{}, {} used",
            plural(scratch.bullets.len(), "bullet"),
            scratch.cited.len()
        ),
    );
    let steps = scratch.state["steps"].as_array().map_or(0, Vec::len);
    if steps > 0 {
        page.field("tools", plural(steps, "step"));
    }
    learned(page, &scratch.learned);
    for note in &scratch.notes {
        page.line(Tone::Faint, note);
    }
}

/// Writes each bullet that learning changed, in a sentence.
fn learned(page: &mut Page, learned: &Value) {
    if learned.is_null() {
        return;
    }
    page.gap();
    let changes = learned["changes"].as_array().map_or(&[][..], Vec::as_slice);
    if changes.is_empty() {
        page.line(Tone::Faint, "nothing was learned from this turn");
    }
    for change in changes.iter().take(LIST_MAX) {
        let text = |name: &str| change[name].as_str().unwrap_or_default();
        let sentence = format!("{} a bullet: {}", text("effect"), text("content"));
        page.prose(Tone::Good, 0, &sentence);
    }
    beyond(page, changes.len());
    let refused = learned["rejected"].as_array().into_iter().flatten();
    for one in refused.take(LIST_MAX) {
        let text = |name: &str| one[name].as_str().unwrap_or_default();
        let sentence = format!(
            "refused a takeaway ({}): {}",
            text("reason"),
            text("content")
        );
        page.prose(Tone::Faint, 0, &sentence);
    }
}

/// Sends a message in a conversation.
pub(crate) async fn chat(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ChatWithAgent>("thinking", request).await?;
    note_no_model(session);
    session.output.show(&shown, |page| {
        answer(page, &shown.answer);
        let conversation = Some(shown.conversation_id.as_str());
        about(page, (&shown.mode, conversation), &shown.metadata.scratch);
    })?;
    Ok(Outcome::from_verb::<ChatWithAgent>(&shown))
}

/// Tries the model.
pub(crate) async fn check(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<CheckModel>("asking", request).await?;
    let Some(model) = &shown.model else {
        session.output.show(&shown, |page| {
            page.line(Tone::Plain, "no model is configured; the rules answer");
            page.prose(Tone::Faint, 0, shown.hint.unwrap_or_default());
        })?;
        return Ok(Outcome::NothingFound);
    };
    session.output.show(&shown, |page| {
        page.line(Tone::Good, format_args!("{model} answers"));
        page.field("endpoint", &shown.endpoint);
        page.field("answer", &shown.answer);
        page.field("milliseconds", shown.millis);
        page.field("attempts", shown.attempts);
        page.field(
            "tokens",
            format_args!(
                "{} read, {} written",
                shown.input_tokens, shown.output_tokens
            ),
        );
    })?;
    Ok(Outcome::Done)
}

/// Prepares messages.
pub(crate) async fn prepare(session: &Session, mut request: Request) -> CommandResult {
    let messages = messages(&request.take_path("messages")).await?;
    request.set("messages", messages);
    let shown = session
        .answer::<PrepareSession>("preparing", request)
        .await?;
    session.output.show(&shown, |page| {
        for message in &shown.messages {
            page.line(Tone::Plain, message);
        }
    })?;
    // stdout holds the messages alone, so that the next program can read them.
    session.output.note(&format!(
        "{} left out; {} and {} went in",
        plural(shown.left_out, "message"),
        plural(shown.bullets.len(), "bullet"),
        plural(shown.lessons.len(), "lesson")
    ));
    Ok(Outcome::Done)
}

/// Records a turn.
pub(crate) async fn record(session: &Session, mut request: Request) -> CommandResult {
    if request.take_flag(FAILED) {
        request.set("passed", false);
    }
    let messages = messages(&request.take_path("messages")).await?;
    request.set("messages", messages);
    let shown = session
        .answer::<RecordSession>("recording", request)
        .await?;
    session.output.show(&shown, |page| recorded(page, &shown))?;
    Ok(Outcome::Done)
}

fn recorded(page: &mut Page, shown: &RecordedResponse) {
    page.line(
        Tone::Good,
        format_args!(
            "{}, {}",
            plural(shown.steps, "step"),
            plural(shown.takeaways.len(), "takeaway")
        ),
    );
    for one in &shown.takeaways {
        page.line(Tone::Plain, one);
    }
    if let Some(ended) = &shown.ended {
        page.gap();
        lessons::ended(page, ended);
    }
    for note in &shown.notes {
        page.line(Tone::Faint, note);
    }
}

/// Messages of a file: a list, or an object that holds one.
pub(super) async fn messages(file: &Path) -> Result<Value, Problem> {
    let mut fields = object(&input::text(file).await?)?;
    fields.remove("messages").ok_or_else(|| {
        Problem::new("invalid_json", "the input has no `messages`")
            .with_hint("send a list of messages")
    })
}
