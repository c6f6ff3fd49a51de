//! Verbs about the agent: run a turn, continue a conversation, and check the model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agents::Configured;
use crate::messages::ChatMessage;
use crate::problem::Problem;
use crate::responses::agents::{ChatResponse, ModelCheckResponse, TurnResponse};
use crate::schema::Word;
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore::clock::random_id;
use hindlore::{Engine, EngineError};
use hindlore_agents::agent::session::{role, text};
use hindlore_agents::agent::turn::Known;
use hindlore_agents::agent::{AgentOptions, Mode, Turn};
use hindlore_agents::model::{Message, Request, Role};
use hindlore_agents::roles::generator::remember;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_store::records::conversation::ConversationRow;

/// Messages of one request.
const MESSAGES_MAX: usize = 2_000;
/// Messages of a conversation that are kept; older ones go.
const KEPT_MAX: usize = 200;
/// Characters of a system prompt.
const SYSTEM_MAX: usize = 100_000;
/// Drafts of one answer.
pub const DRAFTS_MAX: u32 = 20;
/// Thoughts that a search keeps at each depth.
pub const BREADTH_MAX: u32 = 10;
/// Depths of a search.
pub const DEPTH_MAX: u32 = 6;
/// Steps with tools.
pub const TURNS_MAX: u32 = 50;
/// Characters of a title.
const TITLE_CHARS: usize = 80;

/// Known parts of the outcome of a turn.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct KnownInput {
    /// The right answer; equal but for case, space and marks around it is right.
    pub ground_truth: Option<String>,
    /// Whether the answer will be right, where the caller knows by other means.
    pub passed: Option<bool>,
    /// Feedback of the environment.
    pub feedback: Option<String>,
}

impl KnownInput {
    fn known(&self) -> Known {
        Known {
            ground_truth: self.ground_truth.clone(),
            success: self.passed,
            feedback: self.feedback.clone(),
            rubrics: Vec::new(),
        }
    }
}

/// Run one turn of the agent: answer the last message from memory, judge the answer, and learn from it.
///
/// With a model it thinks, uses tools or searches, as the question requires. Without one it answers by rules: a
/// calculation, a remembered answer, else the matching bullets.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunAgent {
    /// The messages, oldest first: each has a `role` (system, user, assistant or tool) and a `content`.
    #[schemars(length(min = 1, max = MESSAGES_MAX), with = "Vec<ChatMessage>")]
    pub messages: Vec<Value>,
    /// Way of working; by default the question decides.
    #[serde(default)]
    #[schemars(with = "Option<Word<Mode>>")]
    pub mode: Option<Mode>,
    /// Drafts of which the majority wins, in the mode cot.
    #[serde(default)]
    #[schemars(range(min = 1, max = DRAFTS_MAX))]
    pub drafts: Option<u32>,
    /// Thoughts that are kept at each depth, in the mode tot; by default as configured.
    #[serde(default)]
    #[schemars(range(min = 1, max = BREADTH_MAX))]
    pub breadth: Option<u32>,
    /// Depth of the search, in the mode tot; by default as configured.
    #[serde(default)]
    #[schemars(range(min = 1, max = DEPTH_MAX))]
    pub depth: Option<u32>,
    /// Maximum number of steps, in the mode react; by default as configured.
    #[serde(default)]
    #[schemars(range(min = 1, max = TURNS_MAX))]
    pub max_turns: Option<u32>,
    /// Temperature of the model while it works on the answer; by default as configured.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 2.0))]
    pub temperature: Option<f64>,
    /// System prompt before the messages; by default as configured. It is neither kept nor learned from.
    #[serde(default)]
    #[schemars(length(max = SYSTEM_MAX))]
    pub system: Option<String>,
    /// Topic of the learned bullets.
    #[serde(default)]
    pub topic: Option<String>,
    /// Known outcome.
    #[serde(default)]
    pub known: KnownInput,
    /// Answer only, and learn nothing.
    #[serde(default)]
    pub without_learning: bool,
    /// A turn in progress, from an earlier answer or a file of `--state`; it resumes where it stopped.
    #[serde(default)]
    pub state: Option<Value>,
}

impl RunAgent {
    /// The turn that is meant, and how the agent works on it.
    pub fn turn(&self, options: &AgentOptions) -> Result<(Turn, AgentOptions), Problem> {
        let mut options = options.clone();
        let numbers = &mut options.numbers;
        numbers.drafts = self.drafts.unwrap_or(numbers.drafts);
        numbers.breadth = self.breadth.unwrap_or(numbers.breadth);
        numbers.depth = self.depth.unwrap_or(numbers.depth);
        numbers.max_turns = self.max_turns.unwrap_or(numbers.max_turns);
        numbers.temperature = self.temperature.or(numbers.temperature);
        options.system = self.system.clone().or(options.system);
        options.learns &= !self.without_learning;
        if let Some(state) = &self.state {
            let turn = serde_json::from_value(state.clone()).map_err(|error| {
                Problem::new(
                    "invalid_request",
                    format!("`state` is no state of a turn: {error}"),
                )
                .with_hint("leave it out to begin a new one")
            })?;
            return Ok((turn, options));
        }
        let messages = read(&self.messages)?;
        let turn = Turn {
            preset: self.mode,
            topic: self.topic.clone(),
            known: self.known.known(),
            ..Turn::new(random("turn")?, messages)
        };
        Ok((turn, options))
    }
}

fn random(prefix: &str) -> Result<String, Problem> {
    Ok(random_id(prefix).map_err(|error| EngineError::Invalid(error.to_string()))?)
}

/// Messages of a caller, with texts alone.
fn read(messages: &[Value]) -> Result<Vec<Message>, Problem> {
    let mut all = Vec::new();
    for (place, message) in messages.iter().enumerate() {
        let wrong =
            |what: &str| Problem::new("invalid_request", format!("`messages[{place}]`: {what}"));
        let role: Role = serde_json::from_value(role(message).into())
            .map_err(|_| wrong("`role` is none of system, user, assistant, tool"))?;
        let content = text(message);
        all.push(Message { role, content });
    }
    question_among(&all)?;
    Ok(all)
}

/// Refuses messages without a question.
fn question_among(messages: &[Message]) -> Result<(), Problem> {
    if messages
        .iter()
        .any(|message| message.role == Role::User && !message.content.trim().is_empty())
    {
        return Ok(());
    }
    Err(Problem::new(
        "invalid_request",
        "`messages` has no question: none is from `user`",
    )
    .with_hint("give at least one message with the role user and a content"))
}

/// Runs a turn to its end, and reports each step.
async fn ended(context: &Context, turn: &mut Turn, options: AgentOptions) -> Result<(), Problem> {
    let agent = context.agent(options)?;
    agent
        .run(turn, |turn| {
            context.tell(&step(turn));
            Ok(())
        })
        .await
}

impl Verb for RunAgent {
    verb!("agent.run", Memory, Writes, not idempotent -> TurnResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (mut turn, options) = self.turn(context.agents.options()?)?;
        ended(context, &mut turn, options).await?;
        TurnResponse::new(&turn)
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.answer.is_empty()
    }
}

/// A step of a turn for the progress callback: the next node, and the answer as soon as there is one.
fn step(turn: &Turn) -> Value {
    serde_json::json!({"next": turn.node, "mode": turn.mode().word(), "answer": turn.answer})
}

/// Send a message to the agent and continue a conversation, which belongs to this learner.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatWithAgent {
    /// The message.
    #[schemars(length(min = 1, max = 200_000))]
    pub message: String,
    /// Id of the conversation to continue; by default a new one.
    #[serde(default)]
    pub conversation_id: Option<String>,
    /// Earlier messages, if the caller keeps them; not together with `conversation_id`.
    #[serde(default)]
    #[schemars(length(max = MESSAGES_MAX), with = "Vec<ChatMessage>")]
    pub conversation_history: Vec<Value>,
    /// System prompt before the messages; by default as configured. It is neither kept nor learned from.
    #[serde(default)]
    #[schemars(length(max = SYSTEM_MAX))]
    pub system: Option<String>,
    /// Known outcome.
    #[serde(default)]
    pub known: KnownInput,
}

/// The stored part of a conversation.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    messages: Vec<Message>,
    reflections: Vec<String>,
}

impl Verb for ChatWithAgent {
    verb!("agent.chat", Memory, Writes, not idempotent -> ChatResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let owner = context.owner()?;
        let (mut row, mut kept) = self.conversation(context, &owner).await?;
        let mut messages = kept.messages.clone();
        messages.push(Message::user(self.message.as_str()));
        question_among(&messages)?;
        let mut turn = Turn {
            known: self.known.known(),
            reflections: kept.reflections.clone(),
            ..Turn::new(random("turn")?, messages)
        };
        let mut options = context.agents.options()?.clone();
        options.system = self.system.clone().or(options.system);
        ended(context, &mut turn, options).await?;
        let safe = |text: &str| context.engine.without_secrets(text);
        kept.messages.push(Message::user(safe(&self.message)));
        kept.messages.push(Message::assistant(safe(&turn.answer)));
        let old = kept.messages.len().saturating_sub(KEPT_MAX);
        kept.messages.drain(..old);
        remember(&mut kept.reflections, safe(&turn.reflection));
        row.revision += 1;
        row.at = context.engine.now();
        row.body = serde_json::to_string(&kept).unwrap_or_default();
        let id = row.id.clone();
        if !context.engine.keep_conversation(&owner, row).await? {
            return Err(Problem::new(
                "contended",
                format!("somebody else went on with the conversation `{id}` meanwhile"),
            )
            .with_hint(
                "send the message again; it was answered, and what was learned stays learned",
            ));
        }
        ChatResponse::new(id, &turn)
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.answer.is_empty()
    }
}

impl ChatWithAgent {
    async fn conversation(
        &self,
        context: &Context,
        owner: &LearnerId,
    ) -> Result<(ConversationRow, Kept), Problem> {
        if let Some(id) = &self.conversation_id {
            if !self.conversation_history.is_empty() {
                let message = "`conversation_id` and `conversation_history` are both given";
                return Err(Problem::new("invalid_request", message).with_hint("give one of them"));
            }
            let row = context.engine.conversation(owner, id).await?;
            if row.scope != context.key.scope() {
                let message = format!("the conversation `{id}` is about the scope `{}`", row.scope);
                return Err(Problem::new("invalid_request", message).with_hint("name that scope"));
            }
            let kept = serde_json::from_str(&row.body).unwrap_or_default();
            return Ok((row, kept));
        }
        let history = if self.conversation_history.is_empty() {
            Vec::new()
        } else {
            read(&self.conversation_history)?
        };
        let row = ConversationRow {
            id: Engine::fresh_conversation(owner)?,
            title: context
                .engine
                .without_secrets(&self.message)
                .chars()
                .take(TITLE_CHARS)
                .collect(),
            scope: context.key.scope().to_owned(),
            revision: 0,
            body: String::new(),
            at: context.engine.now(),
        };
        Ok((
            row,
            Kept {
                messages: history
                    .into_iter()
                    .map(|message| Message {
                        content: context.engine.without_secrets(&message.content),
                        ..message
                    })
                    .collect(),
                reflections: Vec::new(),
            },
        ))
    }
}

/// Ask the configured model one short question, and report whether and how it answered.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckModel {}

impl Verb for CheckModel {
    verb!("model.check", Store, Reads, not idempotent -> ModelCheckResponse);
    const MISSING_STORE: MissingStore = MissingStore::Empty;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let Some(Configured { model, endpoint }) = context.agents.model()? else {
            return Ok(ModelCheckResponse::none());
        };
        let asked = Request::new(vec![Message::user("Answer with the one word: ready")]);
        let reply = model.complete(&asked).await?;
        Ok(ModelCheckResponse::new(model.name(), endpoint, &reply))
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.model.is_none()
    }
}
