//! Answers of the agent.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::problem::Problem;
use hindlore_agents::agent::Turn;
use hindlore_agents::model::Reply;

/// One turn of the agent.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct TurnResponse {
    /// The answer; empty where neither a model nor memory has one.
    pub answer: String,
    /// The way of working: cot, tot or react.
    pub mode: String,
    /// The full result of the solver, from which the answer was taken.
    pub result: String,
    /// How it came about.
    pub scratch: Scratch,
}

/// How an answer came about.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Scratch {
    /// The receipt of the delta that was learned; null where nothing was to be learned.
    pub ace_delta: Value,
    /// The learning: author, curated and rejected insights with reasons; null if there was none.
    pub learned: Value,
    /// How often memory was read: once.
    pub memory_loaded: usize,
    /// Ids of the bullets that memory returned, best first.
    pub bullets: Vec<String>,
    /// Id of the retrieval, for feedback.
    pub retrieval: Option<String>,
    /// Ids of the bullets that the answer claims to use.
    pub cited: Vec<String>,
    /// The outcome: its judge, success, and reason; null if it could not be judged.
    pub verdict: Value,
    /// Cost of the model: calls, tokens, dollars, milliseconds.
    pub spent: Value,
    /// Replies of the model that were refused, and why.
    pub refused: Value,
    /// The failures, and their replacements.
    pub notes: Vec<String>,
    /// The whole state, with which the turn can be looked at or gone on with.
    pub state: Value,
}

impl TurnResponse {
    /// The answer of a turn.
    ///
    /// # Errors
    /// `internal_error` for a state without a JSON form.
    pub fn new(turn: &Turn) -> Result<Self, Problem> {
        let mut learned = turn.learned.clone().unwrap_or_default();
        let receipt = learned
            .as_object_mut()
            .and_then(|learned| learned.remove("receipt"));
        Ok(Self {
            answer: turn.answer.clone(),
            mode: turn.mode().word().to_owned(),
            result: turn.raw.clone(),
            scratch: Scratch {
                ace_delta: receipt.unwrap_or_default(),
                learned,
                memory_loaded: usize::from(turn.shown.is_some()),
                bullets: turn.bullets().iter().map(|one| one.id.clone()).collect(),
                retrieval: turn.retrieval.clone(),
                cited: turn.cited.clone(),
                verdict: json(&turn.verdict)?,
                spent: json(&turn.spent)?,
                refused: json(&turn.refused)?,
                notes: turn.notes.clone(),
                state: json(turn)?,
            },
        })
    }
}

fn json(value: &impl Serialize) -> Result<Value, Problem> {
    serde_json::to_value(value).map_err(|error| {
        Problem::new(
            "internal_error",
            format!("a part of the answer has no JSON form: {error}"),
        )
    })
}

/// An answer in a conversation.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ChatResponse {
    /// The answer.
    pub answer: String,
    /// The way of working: cot, tot or react.
    pub mode: String,
    /// Id of the conversation, to continue it.
    pub conversation_id: String,
    /// How it came about.
    pub metadata: ChatMetadata,
}

/// How an answer in a conversation came about.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ChatMetadata {
    /// As in `agent.run`.
    pub scratch: Scratch,
}

impl ChatResponse {
    /// The answer of a turn in a conversation.
    ///
    /// # Errors
    /// `internal_error` for a state without a JSON form.
    pub fn new(conversation_id: String, turn: &Turn) -> Result<Self, Problem> {
        let TurnResponse {
            answer,
            mode,
            scratch,
            ..
        } = TurnResponse::new(turn)?;
        Ok(Self {
            answer,
            mode,
            conversation_id,
            metadata: ChatMetadata { scratch },
        })
    }
}

/// How the model answered a short question.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ModelCheckResponse {
    /// Its name; null where none is configured, and the rules answer.
    pub model: Option<String>,
    /// The remedy.
    pub hint: Option<&'static str>,
    /// Its protocol and address.
    pub endpoint: String,
    /// The beginning of its answer.
    pub answer: String,
    /// Milliseconds until the answer.
    pub millis: u64,
    /// Attempts that it took.
    pub attempts: u32,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

impl ModelCheckResponse {
    /// The answer where no model is configured.
    pub fn none() -> Self {
        Self {
            model: None,
            hint: Some(
                "set a vendor's key, such as GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY, or `model.vendor` and \
                 `model.name` in the settings; everything works without one",
            ),
            endpoint: String::new(),
            answer: String::new(),
            millis: 0,
            attempts: 0,
            input_tokens: 0,
            output_tokens: 0,
        }
    }

    /// The answer of a model.
    pub fn new(model: &str, endpoint: &str, reply: &Reply) -> Self {
        Self {
            model: Some(model.to_owned()),
            hint: None,
            endpoint: endpoint.to_owned(),
            answer: reply.text.chars().take(80).collect(),
            millis: u64::try_from(reply.took.as_millis()).unwrap_or(u64::MAX),
            attempts: reply.attempts,
            input_tokens: reply.usage.input_tokens,
            output_tokens: reply.usage.output_tokens,
        }
    }
}
