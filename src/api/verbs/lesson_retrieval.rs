//! The verb that finds the lessons that help, before a run or after an error.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::patterns::{LINE, NAME};
use crate::problem::Problem;
use crate::prompt::{as_lessons, fitting};
use crate::responses::lesson_answers::{
    LessonHitResponse, LessonPromptResponse, RetrievedLessonsResponse,
};
use crate::schema::{AnyAction, Id};
use crate::verb::{Context, Effect, Subject, Verb};
use hindlore::Fit;
use hindlore::lessons::{FitLessons, KnownLessons, LessonCall, LessonRequest, RetrievedLesson};
use hindlore_domain::lesson::lesson::Place;
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_domain::sharing::api_key::Rights;
use hindlore_domain::sharing::relation::Relation;
use hindlore_errors::fingerprint::Evidence;
use hindlore_primitives::ids::LessonId;
use hindlore_trace::bare_error;

/// Retrieve the lessons that help before a run, before an action, or after an error.
///
/// With an action and no error it returns the lessons that call the action's form wrong and know a form that works. Ask
/// before a run with the task, or after a failed step with its error. For a run the question is recorded as a use,
/// which the end of the run judges; from a control run lessons are withheld. A caller who may only read leaves no
/// trace: `run` in the answer is empty.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RetrieveLessons {
    /// The task; after an error, further context.
    #[serde(default)]
    pub intent: String,
    /// The run that asks; without one nothing is written down.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub run: Option<String>,
    /// The error, after a failed step.
    #[serde(default)]
    pub error: Option<String>,
    /// The action that failed; without an error, the next action: a command line, a list of its words, or a call such
    /// as `{"name": …, "arguments": {…}}`, as data or as text.
    #[serde(default)]
    #[schemars(with = "Option<AnyAction>")]
    pub action: Option<Value>,
    /// The exit code of a process that failed.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// Number of the failed step, from 1.
    #[serde(default = "first")]
    pub step: u32,
    /// The task that this belongs to.
    #[serde(default)]
    #[schemars(regex(pattern = LINE))]
    pub task: Option<String>,
    /// The domain that it belongs to.
    #[serde(default)]
    #[schemars(regex(pattern = LINE))]
    pub domain: Option<String>,
    /// The tool that is used.
    #[serde(default)]
    pub tool: Option<String>,
    /// Only lessons with one of these tags of the question.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Lessons that the reader has seen in this session: before an action they are returned again only to refuse it.
    #[serde(default)]
    #[schemars(with = "Vec<Id>")]
    pub shown: Vec<LessonId>,
    /// Lessons that have refused an action in this session: each does so once.
    #[serde(default)]
    #[schemars(with = "Vec<Id>")]
    pub refused: Vec<LessonId>,
    /// At most this many lessons.
    #[serde(default)]
    pub max_results: Option<usize>,
    /// Only lessons that the fingerprint itself triggers.
    #[serde(default)]
    pub exact_only: bool,
    /// Order by personalised PageRank over the neighbourhood.
    #[serde(default)]
    pub page_rank: bool,
    /// Add the lessons as text for a prompt, fenced as data.
    #[serde(default)]
    pub prompt: bool,
    /// At most this many tokens in the prompt. A lesson that does not fit is left out.
    #[serde(default)]
    pub budget: Option<usize>,
}

fn first() -> u32 {
    1
}

/// The question about the error without the report of a harness around it; absent where there is none.
fn without_report(mut bare: LessonRequest) -> Option<LessonRequest> {
    let LessonCall::OnError { evidence, .. } = &mut bare.call else {
        return None;
    };
    let said = evidence.error.as_str()?;
    let error = bare_error(said);
    if error.is_empty() || error == said {
        return None;
    }
    evidence.error = Value::from(error);
    Some(bare)
}

impl Verb for RetrieveLessons {
    const NAME: &'static str = "lessons.retrieve";
    const SUBJECT: Subject = Subject::Learner;
    const EFFECT: Effect = Effect::Writes;
    const IDEMPOTENT: bool = false;
    /// A caller with read rights leaves no trace.
    const NEEDS: Relation = Relation::Viewer;
    const RIGHTS: Rights = Rights::Read;
    type Answer = RetrievedLessonsResponse;

    async fn call(mut self, context: &Context) -> Result<Self::Answer, Problem> {
        self.run = self.run.filter(|_| context.leaves_traces());
        let (prompt, budget) = (self.prompt, self.budget);
        let (owner, mut request) = (context.owner()?, self.read()?);
        request.scope = Some(context.key.scope().to_owned());
        request.fit = budget.map(fit);
        let asked = request.clone();
        let mut found = context.engine.retrieve_lessons(&owner, request).await?;
        // A text that was captured as it is has its own fingerprint; one from a trace has that of the bare error.
        if found.lessons.is_empty()
            && let Some(bare) = without_report(asked)
        {
            found = context.engine.retrieve_lessons(&owner, bare).await?;
        }
        let mut answer = RetrievedLessonsResponse::from(found);
        answer.prompt = prompt.then(|| as_prompt(&answer.lessons, budget));
        Ok(answer)
    }

    fn records(answer: &Self::Answer) -> Option<usize> {
        Some(answer.lessons.len())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.lessons.is_empty()
    }
}

impl RetrieveLessons {
    /// The question for the engine; refuses fields about an error or a prompt that is missing.
    fn read(self) -> Result<LessonRequest, Problem> {
        if self.budget.is_some() && !self.prompt {
            return Err(lacks("budget", "prompt"));
        }
        Ok(LessonRequest {
            call: self.moment()?,
            run: self.run,
            text: self.intent,
            tags: self.tags,
            place: Place {
                task: self.task,
                domain: self.domain,
                tool: self.tool,
            },
            max_results: self.max_results,
            mode: if self.page_rank {
                RankingMode::PageRank
            } else {
                RankingMode::Direct
            },
            exact_only: self.exact_only,
            fit: None,
            scope: None,
        })
    }

    fn moment(&self) -> Result<LessonCall, Problem> {
        let Some(error) = &self.error else {
            let of_an_error = [
                ("exit_code", self.exit_code.is_some()),
                ("exact_only", self.exact_only),
            ];
            let given = of_an_error.iter().find(|(_, is_given)| *is_given);
            return match given {
                Some((field, _)) => Err(lacks(field, "error")),
                None => Ok(match &self.action {
                    Some(action) => LessonCall::BeforeAction {
                        action: action.clone(),
                        known: KnownLessons {
                            shown: self.shown.clone(),
                            refused: self.refused.clone(),
                        },
                    },
                    None => LessonCall::PreRun,
                }),
            };
        };
        let evidence = Evidence {
            error: Value::from(error.as_str()),
            action: self.action.clone().unwrap_or_default(),
            ..Evidence::default()
        };
        Ok(LessonCall::OnError {
            step: self.step,
            evidence,
            exit_code: self.exit_code,
        })
    }
}

/// A field that means nothing without another one.
pub(super) fn lacks(field: &str, other: &str) -> Problem {
    let message = format!("there is `{field}`, and no `{other}` that it belongs to");
    Problem::new("invalid_request", message).with_hint(format!(
        "give <field:{other}> too, or leave <field:{field}> out"
    ))
}

/// The choice of the lessons that fit a budget of tokens.
pub(super) fn fit(budget: usize) -> FitLessons {
    Fit::new(Arc::new(move |hits: &[RetrievedLesson]| {
        let advice: Vec<String> = hits.iter().map(|hit| hit.lesson.advice()).collect();
        fitting(hits.len(), |places| {
            let shown: Vec<&str> = places.iter().map(|at| advice[*at].as_str()).collect();
            as_lessons(&shown, Some(budget))
        })
    }))
}

/// Lessons as text for a prompt.
pub fn as_prompt(hits: &[LessonHitResponse], budget: Option<usize>) -> LessonPromptResponse {
    let advice: Vec<&str> = hits.iter().map(|hit| hit.lesson.advice.as_str()).collect();
    as_lessons(&advice, budget).into()
}
