//! Verbs about sessions of agents that keep their own messages: the context of the next prompt, and the results to
//! keep.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::runs::{LearnTrace, learn};
use crate::problem::Problem;
use crate::prompt::PromptForm;
use crate::responses::DeltaApplied;
use crate::responses::sessions::{PreparedResponse, RecordedResponse};
use crate::traces::{name_of, read_trace};
use crate::verb::{Context, MissingStore, Verb, number, verb};
use crate::verbs::retrieval::Retrieve;
use hindlore_agents::agent::session::{prepared, question, role, text};
use hindlore_agents::model::Message;
use hindlore_agents::model::inject::InjectionMode;
use hindlore_agents::roles::{Pipeline, Trace};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::query::QUERY_MAX_CHARS;
use hindlore_domain::sharing::api_key::Rights;
use hindlore_domain::sharing::relation::Relation;

/// Messages of one request.
const MESSAGES_MAX: usize = 10_000;

/// Where memory goes among messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InjectionChoice {
    /// Before everything.
    System,
    /// Immediately before the last question.
    PostContext,
}

impl From<InjectionChoice> for InjectionMode {
    fn from(choice: InjectionChoice) -> Self {
        match choice {
            InjectionChoice::System => Self::System,
            InjectionChoice::PostContext => Self::PostContext,
        }
    }
}

/// Prepare the messages of an agent for its next call: memory for the last question goes in, chatter of earlier turns goes
/// out.
///
/// Chatter is text of the assistant that called no tool and came before the last question. Everything else comes back as it
/// was given, in its order.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrepareSession {
    /// The messages, oldest first, in the form of any runtime.
    #[schemars(length(min = 1, max = MESSAGES_MAX))]
    pub messages: Vec<Value>,
    /// Where memory goes; by default as configured.
    #[serde(default)]
    pub injection: Option<InjectionChoice>,
    /// Maximum number of bullets.
    #[serde(default = "number::<6>")]
    #[schemars(range(min = 1, max = 100))]
    pub top_k: usize,
    /// Maximum tokens of memory.
    #[serde(default)]
    pub budget: Option<usize>,
}

impl Verb for PrepareSession {
    verb!("session.prepare", Memory, Writes, not idempotent -> PreparedResponse);
    const MISSING_STORE: MissingStore = MissingStore::Empty;
    const NEEDS: Relation = Relation::Viewer;
    const RIGHTS: Rights = Rights::Read;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let asked = question(&self.messages);
        let mode = self
            .injection
            .map_or(context.agents.options()?.injection, Into::into);
        let Some(asked) = asked else {
            let (messages, left_out) = prepared(&self.messages, "", mode);
            return Ok(PreparedResponse {
                messages,
                left_out,
                bullets: Vec::new(),
                retrieval: None,
            });
        };
        let query: String = asked.chars().take(QUERY_MAX_CHARS).collect();
        let request = serde_json::json!({
            "query": query, "top_k": self.top_k, "budget": self.budget, "prompt": PromptForm::Playbook,
        });
        let request: Retrieve = serde_json::from_value(request)
            .map_err(|error| Problem::new("internal_error", error.to_string()))?;
        let found = request.call(context).await?;
        let block = found.prompt.map(|prompt| prompt.text).unwrap_or_default();
        let (messages, left_out) = prepared(&self.messages, &block, mode);
        Ok(PreparedResponse {
            messages,
            left_out,
            bullets: found.results.iter().map(|one| one.id.to_string()).collect(),
            retrieval: found.retrieval,
        })
    }
}

/// Record the work of an agent in a session: its tool calls become steps of a run, and the lessons of the turn become
/// bullets.
///
/// Texts of the assistant are read for that and not kept.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordSession {
    /// Name of the session; its run.
    #[schemars(length(min = 1, max = 256))]
    pub session: String,
    /// The messages of the turn, oldest first, in the form of any runtime.
    #[schemars(length(min = 1, max = MESSAGES_MAX))]
    pub messages: Vec<Value>,
    /// Whether the turn went well; left out if it was not judged.
    #[serde(default)]
    pub passed: Option<bool>,
    /// Feedback of the environment or a person.
    #[serde(default)]
    pub feedback: Option<String>,
    /// The right answer, if known.
    #[serde(default)]
    pub ground_truth: Option<String>,
}

impl Verb for RecordSession {
    verb!("session.record", Memory, Writes, idempotent -> RecordedResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let bytes = serde_json::to_vec(&self.messages)
            .map_err(|error| Problem::new("invalid_request", error.to_string()))?;
        let name = name_of(&bytes);
        let request = LearnTrace {
            run: Some(self.session.clone()),
            stay_open: true,
            ..LearnTrace::default()
        };
        let defaults = request.defaults(&name, context.engine.now())?;
        let steps = match read_trace(&bytes, &defaults) {
            Ok(read) => learn(context, request.trace(&name, read)).await?.steps,
            // A turn without a tool call has no steps.
            Err(problem)
                if matches!(
                    problem.code,
                    "unreadable_input" | "no_steps" | "invalid_request" | "invalid_step"
                ) =>
            {
                0
            }
            Err(problem) => return Err(problem),
        };
        let model = context.agents.model()?;
        let pipeline = Pipeline {
            engine: &context.engine,
            key: &context.key,
            model: model.map(|configured| &*configured.model),
            options: &context.agents.options()?.learning,
        };
        let id = DeltaId::derive(&["session", &self.session, &name]);
        let learned = pipeline.learn(&self.as_trace(), id, (None, "")).await?;
        Ok(RecordedResponse {
            steps,
            takeaways: learned
                .takeaways
                .iter()
                .map(|one| one.content.clone())
                .collect(),
            rejected: learned.rejected.len(),
            notes: learned.notes,
            receipt: learned.applied.map(DeltaApplied::from),
        })
    }
}

impl RecordSession {
    fn as_trace(&self) -> Trace {
        let last = |wanted: &str| {
            self.messages
                .iter()
                .rfind(|message| role(message) == wanted && !text(message).is_empty())
        };
        let messages = self.messages.iter().map(|message| match role(message) {
            "assistant" => Message::assistant(text(message)),
            "tool" => Message::tool(text(message)),
            "system" => Message::system(text(message)),
            _ => Message::user(text(message)),
        });
        Trace {
            question: question(&self.messages).unwrap_or_default(),
            answer: last("assistant").map(text).unwrap_or_default(),
            ground_truth: self.ground_truth.clone(),
            feedback: self.feedback.clone(),
            success: self.passed,
            messages: messages
                .filter(|message| !message.content.is_empty())
                .collect(),
            ..Trace::default()
        }
    }
}
