//! Verbs about lessons: read them, change their status, and report their outcomes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cursor::{CURSOR_MAX, place};
use crate::problem::Problem;
use crate::responses::lesson_answers::OutcomeResponse;
use crate::responses::lessons::{
    ExplainedResponse, LessonDetailResponse, LessonResponse, LessonsResponse, StatedResponse,
};
use crate::responses::runs::ConflictsResponse;
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore::lessons::{AgentReply, OutcomeReport, ReviewRequest};
use hindlore_domain::lesson::lesson::Status;
use hindlore_store::lessons::reading::{ConflictPage, LessonPage};

/// Default rows of a listing.
pub(super) fn rows() -> usize {
    100
}

/// The status of a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LessonStatusChoice {
    /// Seen in one run and not confirmed; never returned to an agent.
    Observed,
    /// In use, not yet proved.
    Candidate,
    /// In use and proved.
    Promoted,
    /// Out of use, since its wrong form works.
    Refuted,
    /// Out of use, since it does not help.
    Suppressed,
    /// Put away.
    Archived,
}

impl From<LessonStatusChoice> for Status {
    fn from(choice: LessonStatusChoice) -> Self {
        match choice {
            LessonStatusChoice::Observed => Self::Observed,
            LessonStatusChoice::Refuted => Self::Refuted,
            LessonStatusChoice::Candidate => Self::Candidate,
            LessonStatusChoice::Promoted => Self::Promoted,
            LessonStatusChoice::Suppressed => Self::Suppressed,
            LessonStatusChoice::Archived => Self::Archived,
        }
    }
}

/// List lessons, newest first.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListLessons {
    /// Only of this status.
    #[serde(default)]
    pub status: Option<LessonStatusChoice>,
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// At most this many.
    #[serde(default = "rows")]
    pub limit: usize,
}

impl Verb for ListLessons {
    verb!("lessons.list", Learner, Reads, idempotent -> LessonsResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let page = LessonPage {
            status: self.status.map(Into::into),
            after: place(self.after.as_deref())?,
            limit: self.limit,
        };
        let listed = context.engine.lessons(&context.owner()?, page).await?;
        Ok(listed.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.lessons.is_empty()
    }
}

/// Show everything that is known about a lesson.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowLesson {
    /// Id of the lesson, or a beginning of it that is unique.
    #[schemars(length(max = 256))]
    pub id: String,
}

impl Verb for ShowLesson {
    verb!("lessons.show", Learner, Reads, idempotent -> LessonDetailResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let owner = context.owner()?;
        let id = context.engine.find_lesson(&owner, &self.id).await?;
        Ok(context.engine.lesson(&owner, id).await?.into())
    }
}

/// Explain why a lesson was returned, and its outcome.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainLesson {
    /// Id of one use of a lesson, or of a lesson: then its last uses and the decisions about it.
    #[schemars(length(max = 256))]
    pub id: String,
}

impl Verb for ExplainLesson {
    verb!("lessons.explain", Learner, Reads, idempotent -> ExplainedResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, owner) = (&context.engine, context.owner()?);
        if self.id.starts_with("a_") {
            let id = engine.find_activation(&owner, &self.id).await?;
            let row = engine.activation(&owner, id).await?;
            return Ok(ExplainedResponse::Use(Box::new(row.into())));
        }
        if !self.id.starts_with("l_") {
            return Err(neither(&self.id));
        }
        let id = engine.find_lesson(&owner, &self.id).await?;
        let detail = engine.lesson(&owner, id).await?;
        Ok(ExplainedResponse::Lesson(Box::new(detail.into())))
    }
}

fn neither(id: &str) -> Problem {
    let message = format!(
        "`{}` is no id of a lesson or of a use of one",
        id.escape_debug()
    );
    Problem::new("invalid_id", message)
        .with_hint("lessons have ids such as l_…, their uses such as a_…")
}

/// List lessons that contradict each other, and their clusters.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListConflicts {
    /// Only those of the lesson with this id, or with this beginning of it.
    #[serde(default)]
    #[schemars(length(max = 256))]
    pub lesson: Option<String>,
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// At most this many pairs.
    #[serde(default = "rows")]
    pub limit: usize,
}

impl Verb for ListConflicts {
    verb!("lessons.conflicts", Learner, Reads, idempotent -> ConflictsResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, owner) = (&context.engine, context.owner()?);
        let lesson = match &self.lesson {
            Some(name) => Some(engine.find_lesson(&owner, name).await?),
            None => None,
        };
        let page = ConflictPage {
            lesson,
            after: place(self.after.as_deref())?,
            limit: self.limit,
        };
        Ok(engine.lesson_conflicts(&owner, page).await?.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.conflicts.is_empty()
    }
}

/// Give a lesson a status as a person.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewLesson {
    /// Id of the lesson, or a beginning of it that is unique.
    #[schemars(length(max = 256))]
    pub id: String,
    /// The new status; `candidate` restores it.
    pub to: LessonStatusChoice,
    /// Why, for the history.
    #[serde(default)]
    pub note: Option<String>,
}

impl Verb for ReviewLesson {
    verb!("lessons.review", Learner, Writes, idempotent -> LessonResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, owner) = (&context.engine, context.owner()?);
        let request = ReviewRequest {
            lesson: engine.find_lesson(&owner, &self.id).await?,
            to: self.to.into(),
            author: context.author.clone(),
            note: self.note,
        };
        let lesson = engine.review_lesson(&owner, request).await?;
        Ok(LessonResponse::from(&lesson))
    }
}

/// Take in the lessons that an agent states in its reply, as observed.
///
/// A line of the reply states one: `LESSON tool: WRONG form -> CORRECT form (because: problem)`. It is returned to an
/// agent once a run shows the contrast, or a person releases it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StateLessons {
    /// The reply; other lines are passed over.
    #[schemars(length(min = 1, max = 262144))]
    pub text: String,
    /// The run in which the call failed.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256))]
    pub run: Option<String>,
}

impl Verb for StateLessons {
    verb!("lessons.state", Learner, Writes, idempotent -> StatedResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let reply = AgentReply {
            text: self.text,
            run: self.run,
            scope: Some(context.key.scope().to_owned()),
        };
        let stated = context
            .engine
            .state_lessons(&context.owner()?, reply)
            .await?;
        Ok(StatedResponse {
            lessons: stated.iter().map(Into::into).collect(),
        })
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.lessons.is_empty()
    }
}

/// Report the outcome of a lesson that was returned.
///
/// Every term is a difference to runs without the lesson, from -1 to 1. An outcome counts once; one of an interrupted
/// run is accepted even after its end.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportOutcome {
    /// Id of the use that the retrieval gave, or a beginning of it that is unique.
    #[schemars(length(max = 256))]
    pub activation: String,
    /// By how much the errors became fewer, from -1 to 1.
    #[schemars(range(min = -1, max = 1))]
    pub error_reduction: f64,
    /// By how much the steps became fewer, from -1 to 1.
    #[serde(default)]
    #[schemars(range(min = -1, max = 1))]
    pub step_efficiency_gain: f64,
    /// By how much a referee's score rose, from -1 to 1.
    #[serde(default)]
    #[schemars(range(min = -1, max = 1))]
    pub referee_score_gain: Option<f64>,
}

impl Verb for ReportOutcome {
    verb!("lessons.outcome", Learner, Writes, idempotent -> OutcomeResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, owner) = (&context.engine, context.owner()?);
        let report = OutcomeReport {
            activation: engine.find_activation(&owner, &self.activation).await?,
            error_reduction: self.error_reduction,
            step_efficiency_gain: self.step_efficiency_gain,
            referee_score_gain: self.referee_score_gain,
        };
        Ok(engine.report_outcome(&owner, report).await?.into())
    }
}
