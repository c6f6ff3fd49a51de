//! Keeps the statements of a person in a chat.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::deltas::apply;
use crate::delta_input::DeltaInput;
use crate::messages::SessionMessage;
use crate::problem::Problem;
use crate::responses::DeltaApplied;
use crate::traces::name_of;
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore_agents::agent::session::{role, text};
use hindlore_domain::memory::bullet::Source;
use hindlore_domain::memory::delta::{DeltaId, NewBullet, OPERATIONS_MAX, Operation};

/// Keep the statements of the user in a chat: each message of the user that is no question becomes a bullet.
///
/// No model is needed, and nothing that an assistant says is kept. The same messages count once. `session.record` learns
/// from the work of an agent instead.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeepStatements {
    /// The messages, oldest first, in the form of any runtime.
    #[schemars(length(min = 1, max = OPERATIONS_MAX), with = "Vec<SessionMessage>")]
    pub messages: Vec<Value>,
    /// Free tags of the new bullets, by which a retrieval can choose.
    #[serde(default)]
    pub tags: Vec<String>,
}

impl Verb for KeepStatements {
    verb!("session.keep", Memory, Writes, idempotent -> DeltaApplied);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let bytes = serde_json::to_vec(&self.messages)
            .map_err(|error| Problem::new("invalid_request", error.to_string()))?;
        let add = |content: String| {
            Operation::Add(Box::new(NewBullet {
                content,
                tags: self.tags.clone(),
                source: Some(Source::Person),
                ..NewBullet::default()
            }))
        };
        let delta = DeltaInput {
            id: Some(DeltaId::derive(&["statements", &name_of(&bytes)])),
            operations: self
                .messages
                .iter()
                .filter_map(statement)
                .map(add)
                .collect(),
            ..DeltaInput::default()
        };
        apply(context, delta).await
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.is_refused
    }
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
