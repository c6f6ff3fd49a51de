//! Keeps the statements of a person in a chat.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::deltas::apply;
use crate::delta_input::DeltaInput;
use crate::import::moment::moment;
use crate::messages::SessionMessage;
use crate::problem::Problem;
use crate::responses::DeltaApplied;
use crate::traces::name_of;
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore_agents::agent::session::{role, text};
use hindlore_domain::memory::bullet::Source;
use hindlore_domain::memory::delta::{BulletRef, DeltaId, NewBullet, OPERATIONS_MAX, Operation};
use hindlore_primitives::timestamp::Timestamp;

/// Names of the time of a message.
const TIMES: [&str; 4] = ["created_at", "timestamp", "time", "date"];

/// Keep the statements of the user in a chat: each message of the user that is no question becomes a bullet, with the
/// time of the message if it has one.
///
/// No model is needed. The replies of an assistant are kept only with `replies`, as bullets of the agent that follow the
/// message before it. The same messages count once. `session.record` learns from the work of an agent instead.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeepStatements {
    /// The messages, oldest first, in the form of any runtime.
    #[schemars(length(min = 1, max = OPERATIONS_MAX), with = "Vec<SessionMessage>")]
    pub messages: Vec<Value>,
    /// Free tags of the new bullets, by which a retrieval can choose.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Also keep the replies of the assistant, and the questions that they answer.
    #[serde(default)]
    pub replies: bool,
}

impl Verb for KeepStatements {
    verb!("session.keep", Memory, Writes, idempotent -> DeltaApplied);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let bytes = serde_json::to_vec(&self.messages)
            .map_err(|error| Problem::new("invalid_request", error.to_string()))?;
        let kind = if self.replies { "chat" } else { "statements" };
        let delta = DeltaInput {
            id: Some(DeltaId::derive(&[kind, &name_of(&bytes)])),
            operations: self.operations()?,
            ..DeltaInput::default()
        };
        apply(context, delta).await
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.is_refused
    }
}

impl KeepStatements {
    /// The bullets of the chat. A reply follows the message before it; two messages of one side do not, since the second
    /// seldom answers a question about the first.
    fn operations(&self) -> Result<Vec<Operation>, Problem> {
        let mut operations: Vec<Operation> = Vec::new();
        let mut before: Option<Source> = None;
        for (place, message) in self.messages.iter().enumerate() {
            let (content, source) = match (statement(message), self.replies) {
                (Some(content), _) => (content, Source::Person),
                (None, true) => match said(message) {
                    Some(said) => said,
                    None => continue,
                },
                (None, false) => continue,
            };
            let is_reply = self.replies && before.is_some_and(|before| before != source);
            let last = operations.len().checked_sub(1).filter(|_| is_reply);
            operations.push(Operation::Add(Box::new(NewBullet {
                content,
                tags: self.tags.clone(),
                source: Some(source),
                created_at: time_of(message, place)?,
                follows: last.map(|last| BulletRef(format!("#{last}"))),
                ..NewBullet::default()
            })));
            before = Some(source);
        }
        Ok(operations)
    }
}

/// The text of a message of either side, and its writer.
fn said(message: &Value) -> Option<(String, Source)> {
    let source = match role(message) {
        "user" => Source::Person,
        "assistant" => Source::Agent,
        _ => return None,
    };
    let text = text(message).trim().to_owned();
    (!text.is_empty()).then_some((text, source))
}

/// The time of a message, under any of the names that chats have for it.
fn time_of(message: &Value, place: usize) -> Result<Option<Timestamp>, Problem> {
    let named = TIMES.iter().find_map(|name| message.get(name));
    let Some(value) = named.filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    moment(value).map(Some).ok_or_else(|| {
        let message = format!("`messages[{place}]`: its time cannot be read");
        Problem::new("invalid_request", message).with_hint("write it like 2026-01-31T12:00:00Z")
    })
}

/// The text of a message in which the user states something.
fn statement(message: &Value) -> Option<String> {
    let text = text(message).trim().to_owned();
    let states = role(message) == "user" && !text.is_empty() && !text.ends_with('?');
    states.then_some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_chat_has_its_speakers_times_and_replies() {
        let chat = json!({"replies": true, "messages": [
            {"role": "user", "content": "I moved to Graz.", "timestamp": "2023-08-19T10:00:00Z"},
            {"role": "user", "content": "Which trams run there?", "time": 1_692_439_300},
            {"role": "assistant", "content": "Six lines.", "created_at": null},
            {"role": "tool", "content": "ignored"},
        ]});
        let chat: KeepStatements = serde_json::from_value(chat).unwrap();
        let kept: Vec<_> = chat
            .operations()
            .unwrap()
            .into_iter()
            .map(|one| match one {
                Operation::Add(new) => (
                    new.source,
                    new.created_at.map(|at| at.to_string()),
                    new.follows.map(|follows| follows.0),
                ),
                other => panic!("{other:?}"),
            })
            .collect();
        let at = |text: &str| Some(text.to_owned());
        assert_eq!(
            kept,
            [
                (Some(Source::Person), at("2023-08-19T10:00:00.000Z"), None),
                (Some(Source::Person), at("2023-08-19T10:01:40.000Z"), None),
                (Some(Source::Agent), None, at("#1")),
            ]
        );
        let wrong = json!({"messages": [{"role": "user", "content": "x", "date": "soon"}]});
        let wrong: KeepStatements = serde_json::from_value(wrong).unwrap();
        assert!(
            wrong
                .operations()
                .unwrap_err()
                .to_string()
                .contains("messages[0]")
        );
    }

    #[test]
    fn a_statement_is_a_text_of_the_user_that_asks_nothing() {
        for (message, kept) in [
            (
                json!({"role": "user", "content": " I eat no meat. "}),
                Some("I eat no meat."),
            ),
            (
                json!({"role": "user", "content": [{"text": "I eat no nuts."}]}),
                Some("I eat no nuts."),
            ),
            (json!({"role": "user", "content": "May I eat nuts?"}), None),
            (json!({"role": "user", "content": " "}), None),
            (
                json!({"role": "assistant", "content": "You eat no meat."}),
                None,
            ),
        ] {
            assert_eq!(statement(&message).as_deref(), kept, "{message}");
        }
    }
}
