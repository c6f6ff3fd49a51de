//! Verbs about sessions of agents that keep their own messages: the context of the next prompt, and the results to
//! keep.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::runs::{LearnTrace, learn};
use crate::messages::SessionMessage;
use crate::problem::Problem;
use crate::prompt::PromptForm;
use crate::responses::DeltaApplied;
use crate::responses::sessions::{PreparedResponse, RecordedResponse};
use crate::traces::{name_of, read_trace};
use crate::verb::{Context, MissingStore, Verb, number, verb};
use crate::verbs::lesson_brief::BriefLessons;
use crate::verbs::retrieval::Retrieve;
use hindlore::RetrieveRequest;
use hindlore::lessons::EndRun;
use hindlore_agents::agent::session::{prepared, question, role, text};
use hindlore_agents::model::Message;
use hindlore_agents::model::inject::InjectionMode;
use hindlore_agents::roles::shown::advice_block;
use hindlore_agents::roles::{Pipeline, Trace};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::query::{QUERY_MAX_CHARS, Query};
use hindlore_domain::sharing::api_key::Rights;
use hindlore_domain::sharing::relation::Relation;
use hindlore_primitives::ids::LessonId;

/// Lessons that go into a prompt.
const LESSONS_MAX: usize = 5;
/// Tokens of them.
const LESSON_TOKENS: usize = 300;
/// Judged turns of one session.
const TURNS_MAX: usize = 1_000;
/// Problems of a turn that called no tool.
const NO_STEPS: [&str; 4] = [
    "unreadable_input",
    "no_steps",
    "invalid_request",
    "invalid_step",
];
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
    #[schemars(length(min = 1, max = MESSAGES_MAX), with = "Vec<SessionMessage>")]
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
                lessons: Vec::new(),
                retrieval: None,
            });
        };
        let query: String = asked.chars().take(QUERY_MAX_CHARS).collect();
        let request = serde_json::json!({
            "query": &query, "top_k": self.top_k, "budget": self.budget, "prompt": PromptForm::Playbook,
        });
        let advice_use = context.agents.options()?.advice;
        let request: Retrieve = serde_json::from_value(request)
            .map_err(|error| Problem::new("internal_error", error.to_string()))?;
        let found = request.call(context).await?;
        let mut parts = vec![found.prompt.map(|prompt| prompt.text).unwrap_or_default()];
        if advice_use.applies(found.results.len()) {
            parts.push(advice(context, query).await?);
        }
        let (lessons, told) = lessons(context).await?;
        parts.push(told);
        parts.retain(|part| !part.is_empty());
        let block = parts.join("\n");
        let (messages, left_out) = prepared(&self.messages, &block, mode);
        Ok(PreparedResponse {
            messages,
            left_out,
            bullets: found.results.iter().map(|one| one.id.to_string()).collect(),
            lessons,
            retrieval: found.retrieval,
        })
    }
}

/// The general advice of the memory as text for a prompt.
async fn advice(context: &Context, query: String) -> Result<String, Problem> {
    let request = RetrieveRequest {
        with_advice: true,
        ..RetrieveRequest::peek(Query::new(query))
    };
    let found = context.engine.retrieve(&context.key, request).await?;
    let advice = found.meta_strategies.iter();
    let advice: Vec<String> = advice.map(|one| one.content.as_str().to_owned()).collect();
    Ok(advice_block(&advice))
}

/// The lessons worth knowing, for the owner alone: they are the learner's, and a memory may be shared without them.
async fn lessons(context: &Context) -> Result<(Vec<LessonId>, String), Problem> {
    if !context.may(Relation::Owner) {
        return Ok((Vec::new(), String::new()));
    }
    let brief = serde_json::json!({"max_results": LESSONS_MAX, "budget": LESSON_TOKENS});
    let brief: BriefLessons = serde_json::from_value(brief)
        .map_err(|error| Problem::new("internal_error", error.to_string()))?;
    let found = brief.call(context).await?;
    let prompt = found.prompt.map(|prompt| prompt.text).unwrap_or_default();
    let ids = found.lessons.into_iter().map(|hit| hit.lesson.id);
    Ok((ids.collect(), prompt))
}

/// Record the work of an agent in a session: its tool calls become steps of a run, and the lessons of the turn become
/// bullets.
///
/// Texts of the assistant are read for that and not kept.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordSession {
    /// Name of the session; its run, which ends with the first judged turn. The next one is `SESSION-2`, and so on.
    #[schemars(length(min = 1, max = 256))]
    pub session: String,
    /// The messages of the turn, oldest first, in the form of any runtime.
    #[schemars(length(min = 1, max = MESSAGES_MAX), with = "Vec<SessionMessage>")]
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
        let (run, steps) = self.captured(context, (&bytes, &name)).await?;
        let ended = match self.passed.filter(|_| steps > 0) {
            Some(passed) => {
                let end = EndRun {
                    run: run.clone(),
                    passed: Some(passed),
                    ..EndRun::default()
                };
                Some(context.engine.end_run(&context.owner()?, end).await?.into())
            }
            None => None,
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
            run,
            steps,
            ended,
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
    /// Writes the steps of the turn down; returns its run and their number. A judged turn has ended its run, so the next turn
    /// begins another.
    async fn captured(
        &self,
        context: &Context,
        (bytes, name): (&[u8], &str),
    ) -> Result<(String, usize), Problem> {
        for turn in 1..=TURNS_MAX {
            let run = match turn {
                1 => self.session.clone(),
                later => format!("{}-{later}", self.session),
            };
            let request = LearnTrace {
                run: Some(run.clone()),
                stay_open: true,
                ..LearnTrace::default()
            };
            let defaults = request.defaults(name, context.engine.now())?;
            let read = match read_trace(bytes, &defaults) {
                Ok(read) => read,
                // A turn without a tool call has no steps.
                Err(problem) if NO_STEPS.contains(&problem.code) => return Ok((run, 0)),
                Err(problem) => return Err(problem),
            };
            match learn(context, request.trace(name, read)).await {
                Err(problem) if problem.code == "run_ended" => {}
                learned => return Ok((run, learned?.steps)),
            }
        }
        let message = format!("the session `{}` has {TURNS_MAX} runs", self.session);
        Err(Problem::new("run_ended", message).with_hint("begin another session"))
    }

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
