//! Verbs about runs: begin, show, and end them, or learn from a whole one in a single call.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::lesson_retrieval::lacks;
use super::lessons::rows;
use super::trajectory::curated;
use crate::cursor::{CURSOR_MAX, place};
use crate::patterns::{LINE, NAME};
use crate::problem::Problem;
use crate::responses::ended::{EndedRunResponse, TraceResponse, TraceTally};
use crate::responses::reading::ReadingResponse;
use crate::responses::runs::{RunDetailResponse, RunsResponse, StartedRunResponse};
use crate::steps::{Numbering, STEPS_MAX, StepDefaults, StepsRead, steps_of};
use crate::traces::name_of;
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore::lessons as engine;
use hindlore_domain::lesson::lesson::Place;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::RunPage;

/// Begin a run, and describe it.
///
/// Any mention of an unknown run begins it, too. Missing fields of an open run are filled in.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartRun {
    /// Name of the run; random by default.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub run: Option<String>,
    /// Goal of the run.
    #[serde(default)]
    pub intent: String,
    /// Maximum number of steps.
    #[serde(default)]
    pub allowed_steps: Option<u32>,
    /// Task of the run.
    #[serde(default)]
    #[schemars(regex(pattern = LINE))]
    pub task: Option<String>,
    /// Domain of the run.
    #[serde(default)]
    #[schemars(regex(pattern = LINE))]
    pub domain: Option<String>,
    /// Tool of the run.
    #[serde(default)]
    pub tool: Option<String>,
}

impl Verb for StartRun {
    verb!("runs.start", Learner, Writes, not idempotent -> StartedRunResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let request = engine::StartRun {
            id: self.run,
            place: Place {
                task: self.task,
                domain: self.domain,
                tool: self.tool,
            },
            intent: self.intent,
            allowed_steps: self.allowed_steps,
            about: engine::About {
                scope: Some(context.key.scope().to_owned()),
                ..engine::About::default()
            },
        };
        let owner = context.owner()?;
        Ok(context.engine.start_run(&owner, request).await?.into())
    }
}

/// List runs, newest first.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRuns {
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// Maximum number of runs.
    #[serde(default = "rows")]
    pub limit: usize,
}

impl Verb for ListRuns {
    verb!("runs.list", Learner, Reads, idempotent -> RunsResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let page = RunPage {
            after: place(self.after.as_deref())?,
            limit: self.limit,
            ..RunPage::default()
        };
        Ok(context.engine.runs(&context.owner()?, page).await?.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.runs.is_empty()
    }
}

/// Show a run with its steps, errors, and lessons.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowRun {
    /// Name of the run, or a unique beginning of a random name.
    #[schemars(length(max = 256))]
    pub run: String,
}

impl Verb for ShowRun {
    verb!("runs.show", Learner, Reads, idempotent -> RunDetailResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let owner = context.owner()?;
        let run = context.engine.find_run(&owner, &self.run).await?;
        Ok(context.engine.run(&owner, &run).await?.into())
    }
}

/// End a run, which produces lessons and judges those it used.
///
/// Repeated for an ended run, it returns the results of that end. A late result of an evaluator is accepted once, and
/// the lessons of the run are judged again by it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndRun {
    /// Name of the run.
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub run: String,
    /// Whether it passed, by an evaluator; left out if there was none.
    #[serde(default)]
    pub passed: Option<bool>,
    /// Score of an evaluator or referee, in 0..=1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub score: Option<f64>,
    /// Number of steps; by default the highest one reported.
    #[serde(default)]
    pub steps: Option<u32>,
}

impl Verb for EndRun {
    verb!("runs.end", Learner, Writes, idempotent -> EndedRunResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let request = engine::EndRun {
            run: self.run,
            passed: self.passed,
            score: self.score,
            steps: self.steps,
            ..engine::EndRun::default()
        };
        let owner = context.owner()?;
        Ok(context.engine.end_run(&owner, request).await?.into())
    }
}

/// Learn from a whole trace: record its steps, return advice, and end its runs.
///
/// Steps without a run belong to one named after them, so that the same trace is the same run. Sent again, a
/// trace counts once.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LearnTrace {
    /// The steps in order, each with its action, and with the error if it failed, as in `errors.capture`. One without a
    /// number follows the one before it.
    #[schemars(length(max = STEPS_MAX))]
    pub steps: Vec<Value>,
    /// Run of steps without one.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256))]
    pub run: Option<String>,
    /// Keep the named run open: steps without numbers come after its present ones.
    #[serde(default)]
    pub stay_open: bool,
    /// Goal of the run.
    #[serde(default)]
    pub intent: String,
    /// Whether the run passed, by an evaluator; left out if there was none.
    #[serde(default)]
    pub passed: Option<bool>,
    /// Score of an evaluator or referee, in 0..=1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub score: Option<f64>,
    /// Return advice against the last step, if it failed.
    #[serde(default)]
    pub hint: bool,
    /// Task of the run.
    #[serde(default)]
    pub task: Option<String>,
    /// Domain of the run.
    #[serde(default)]
    pub domain: Option<String>,
    /// Tool of the run.
    #[serde(default)]
    pub tool: Option<String>,
    /// Reflect on the runs that end, and curate this playbook with the insights; the playbook is created if it is
    /// missing.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: Option<String>,
}

impl Verb for LearnTrace {
    verb!("runs.learn", Learner, Writes, idempotent -> TraceResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(mut self, context: &Context) -> Result<Self::Answer, Problem> {
        let name = name_of(json_of(&self.steps)?.as_bytes());
        let steps = std::mem::take(&mut self.steps);
        let defaults = self.defaults(&name, context.engine.now())?;
        let read = StepsRead {
            steps: steps_of(steps, &defaults)?,
            ..StepsRead::default()
        };
        learn(context, self.trace(&name, read)).await
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.steps == 0
    }
}

fn json_of(steps: &[Value]) -> Result<String, Problem> {
    serde_json::to_string(steps).map_err(|error| {
        Problem::new(
            "invalid_request",
            format!("the steps have no JSON form: {error}"),
        )
    })
}

/// A trace with parsed steps, and notes.
#[derive(Clone, Debug)]
pub struct TraceRead {
    pub(crate) trace: engine::Trace,
    pub(crate) playbook: Option<String>,
    reading: ReadingResponse,
    notes: Vec<String>,
}

impl LearnTrace {
    /// Defaults for the steps.
    ///
    /// # Errors
    ///
    /// `invalid_request` to keep a run open that has no name.
    pub fn defaults(&self, name: &str, at: Timestamp) -> Result<StepDefaults, Problem> {
        if self.stay_open && self.run.is_none() {
            return Err(lacks("stay_open", "run"));
        }
        // A trace with its own run is complete; in an open run its steps follow the present ones.
        let numbering = if self.stay_open {
            Numbering::Store
        } else {
            Numbering::Place
        };
        Ok(StepDefaults {
            run: Some(self.run.clone().unwrap_or_else(|| name.to_owned())),
            place: Place {
                task: self.task.clone(),
                domain: self.domain.clone(),
                tool: self.tool.clone(),
            },
            at,
            numbering,
        })
    }

    /// The trace for the engine, from parsed steps.
    pub fn trace(self, name: &str, mut read: StepsRead) -> TraceRead {
        let run = self.run.unwrap_or_else(|| name.to_owned());
        let start = (!self.intent.is_empty()).then(|| engine::StartRun {
            id: Some(run.clone()),
            place: Place::default(),
            intent: self.intent,
            allowed_steps: None,
            about: engine::About::default(),
        });
        // Numbered steps count once by their numbers; steps numbered by the store need an id of the call.
        let call = self.stay_open.then(|| format!("{name}:{run}"));
        TraceRead {
            playbook: self.playbook,
            reading: ReadingResponse::take_from(&mut read),
            trace: engine::Trace {
                start,
                call,
                steps: read.steps,
                wants_hint: self.hint,
                stays_open: self.stay_open.then_some(run),
                passed: self.passed,
                passed_by_run: read.passed,
                replies: read.replies,
                // `learn` names it.
                scope: None,
                score: self.score,
            },
            notes: read.notes,
        }
    }
}

/// Learns from a trace with parsed steps.
pub async fn learn(context: &Context, mut read: TraceRead) -> Result<TraceResponse, Problem> {
    let owner = context.owner()?;
    read.trace.take_scope(context.key.scope());
    let mut learned = context.engine.learn_trace(&owner, read.trace).await?;
    let mut tally = TraceTally::default();
    tally.add(std::mem::take(&mut learned.captured));
    let answer = tally.answer(learned, read.reading, read.notes);
    with_playbook(context, answer, read.playbook.as_deref()).await
}

/// Curates a playbook with the insights of the runs that ended, if one is named.
pub(crate) async fn with_playbook(
    context: &Context,
    mut answer: TraceResponse,
    playbook: Option<&str>,
) -> Result<TraceResponse, Problem> {
    if let Some(playbook) = playbook {
        for run in &mut answer.runs {
            run.playbook = curated(context, &run.run, playbook).await?;
        }
    }
    Ok(answer)
}
