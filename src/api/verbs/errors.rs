//! Verbs about errors: capture steps, the failed ones as errors, and list them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::lesson_retrieval::lacks;
use super::lessons::rows;
use crate::cursor::{CURSOR_MAX, place};
use crate::problem::Problem;
use crate::responses::errors::{CaptureResponse, ErrorsResponse};
use crate::responses::reading::ReadingResponse;
use crate::steps::{Numbering, STEPS_MAX, StepDefaults, StepsRead, steps_of};
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore_domain::lesson::lesson::Place;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::{ErrorFilter, ErrorPage};

/// Record steps of runs, the failed ones as errors.
///
/// Up to 250 steps are written all or none, more in parts of that size. Unknown runs are begun.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaptureErrors {
    /// The steps in order. A step has any of run, step, error, action, state, state_after, reason, exit_code,
    /// hard_failure, failed_constraints, progress, no_progress, efficiency, wasteful, unsafe_action, allowed_steps,
    /// task, domain, tool, tags, plan_step, followed and at. `progress` is how much nearer the goal came, in any unit:
    /// zero or less twice in a row is a failure, and so is `unsafe_action` alone. A step without `step` gets the next number of its run;
    /// one with the number of another action is refused.
    #[schemars(length(max = STEPS_MAX), extend("examples" = [[{"run": "r1", "error": "no such file", "exit_code": 2}]]))]
    pub steps: Vec<Value>,
    /// Run of steps without one.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256))]
    pub run: Option<String>,
    /// Id of this call; sent again with the same id, it counts once.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256))]
    pub call: Option<String>,
    /// Task of the steps.
    #[serde(default)]
    pub task: Option<String>,
    /// Domain of the steps.
    #[serde(default)]
    pub domain: Option<String>,
    /// Tool of the steps.
    #[serde(default)]
    pub tool: Option<String>,
}

impl Verb for CaptureErrors {
    verb!("errors.capture", Learner, Writes, not idempotent -> CaptureResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;
    const ONCE_BY: Option<&'static str> = Some("call");

    async fn call(mut self, context: &Context) -> Result<Self::Answer, Problem> {
        let values = std::mem::take(&mut self.steps);
        let read = StepsRead {
            steps: steps_of(values, &self.defaults(context.engine.now()))?,
            ..StepsRead::default()
        };
        capture(context, read, self.call.as_deref()).await
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.captured.steps.is_empty()
    }
}

impl CaptureErrors {
    /// Defaults for the steps.
    pub fn defaults(&self, at: Timestamp) -> StepDefaults {
        StepDefaults {
            run: self.run.clone(),
            place: Place {
                task: self.task.clone(),
                domain: self.domain.clone(),
                tool: self.tool.clone(),
            },
            at,
            numbering: Numbering::Store,
        }
    }
}

/// Captures parsed steps.
pub async fn capture(
    context: &Context,
    mut read: StepsRead,
    call: Option<&str>,
) -> Result<CaptureResponse, Problem> {
    let reading = ReadingResponse::take_from(&mut read);
    let owner = context.owner()?;
    for step in &mut read.steps {
        step.scope = Some(context.key.scope().to_owned());
    }
    let captured = context.engine.capture_all(&owner, call, read.steps).await?;
    Ok(CaptureResponse {
        captured: captured.into(),
        reading,
        notes: read.notes,
    })
}

/// List errors, newest first.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListErrors {
    /// Only errors of this run.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256))]
    pub run: Option<String>,
    /// Only errors with this fingerprint, or with one that uniquely begins like this.
    #[serde(default)]
    #[schemars(length(max = 256))]
    pub fingerprint: Option<String>,
    /// Only errors of this task.
    #[serde(default)]
    pub task: Option<String>,
    /// Only errors of this domain.
    #[serde(default)]
    pub domain: Option<String>,
    /// Only errors with this tool of the domain.
    #[serde(default)]
    pub tool: Option<String>,
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// Maximum number of errors.
    #[serde(default = "rows")]
    pub limit: usize,
}

impl Verb for ListErrors {
    verb!("errors.list", Learner, Reads, idempotent -> ErrorsResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (owner, limit) = (context.owner()?, self.limit);
        let after = place(self.after.as_deref())?;
        let page = ErrorPage {
            filter: self.filter(context).await?,
            after,
            limit,
        };
        Ok(context.engine.errors(&owner, page).await?.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.errors.is_empty()
    }
}

impl ListErrors {
    async fn filter(self, context: &Context) -> Result<ErrorFilter, Problem> {
        if self.tool.is_some() && self.domain.is_none() {
            return Err(lacks("tool", "domain"));
        }
        match (self.run, self.fingerprint, self.task, self.domain) {
            (None, None, None, None) => Ok(ErrorFilter::All),
            (Some(run), None, None, None) => Ok(ErrorFilter::Run(run)),
            (None, Some(name), None, None) => {
                let owner = context.owner()?;
                let id = context.engine.find_fingerprint(&owner, &name).await?;
                Ok(ErrorFilter::Fingerprint(id))
            }
            (None, None, Some(task), None) => Ok(ErrorFilter::Task(task)),
            (None, None, None, Some(domain)) => Ok(ErrorFilter::Domain(domain, self.tool)),
            _ => Err(Problem::new(
                "invalid_request",
                "errors are listed by one of `run`, `fingerprint`, `task` and `domain`",
            )
            .with_hint("leave the others out")),
        }
    }
}
