//! The verb that returns the lessons worth knowing at the start of a session.

use schemars::JsonSchema;
use serde::Deserialize;

use super::lesson_retrieval::{as_prompt, fit};
use crate::patterns::{LINE, NAME};
use crate::problem::Problem;
use crate::responses::lesson_answers::RetrievedLessonsResponse;
use crate::verb::{Context, Effect, Subject, Verb, number};
use hindlore::lessons::{LessonCall, LessonRequest};
use hindlore_domain::lesson::lesson::Place;
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_domain::sharing::api_key::Rights;
use hindlore_domain::sharing::relation::Relation;

/// Return the lessons worth knowing at the start of a session, as text for a prompt.
///
/// Proved lessons come first, then those that two runs showed, the nearest first: on this task, with this tool, in this
/// domain. With a run each lesson in the text is written down as an offer before the run, which its end judges; from a control run
/// lessons are withheld. A caller who may only read leaves no trace: `run` in the answer is empty.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BriefLessons {
    /// The run that begins; without one nothing is written down.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub run: Option<String>,
    /// The task or the repository that the session is about.
    #[serde(default)]
    #[schemars(regex(pattern = LINE))]
    pub task: Option<String>,
    /// The domain that it belongs to.
    #[serde(default)]
    #[schemars(regex(pattern = LINE))]
    pub domain: Option<String>,
    /// The tool that it uses, where it uses only one.
    #[serde(default)]
    pub tool: Option<String>,
    /// At most this many lessons.
    #[serde(default = "number::<10>")]
    #[schemars(range(min = 1, max = 50))]
    pub max_results: usize,
    /// At most this many tokens. A lesson that does not fit is left out.
    #[serde(default = "number::<800>")]
    pub budget: usize,
}

impl Verb for BriefLessons {
    const NAME: &'static str = "lessons.brief";
    const SUBJECT: Subject = Subject::Learner;
    const EFFECT: Effect = Effect::Writes;
    const IDEMPOTENT: bool = false;
    /// A caller with read rights leaves no trace.
    const NEEDS: Relation = Relation::Viewer;
    const RIGHTS: Rights = Rights::Read;
    type Answer = RetrievedLessonsResponse;

    async fn call(mut self, context: &Context) -> Result<Self::Answer, Problem> {
        self.run = self.run.filter(|_| context.leaves_traces());
        let owner = context.owner()?;
        let request = LessonRequest {
            run: self.run,
            call: LessonCall::SessionStart,
            text: String::new(),
            tags: Vec::new(),
            place: Place {
                task: self.task,
                domain: self.domain,
                tool: self.tool,
            },
            max_results: Some(self.max_results),
            mode: RankingMode::Direct,
            exact_only: false,
            fit: Some(fit(self.budget)),
            scope: Some(context.key.scope().to_owned()),
        };
        let found = context.engine.retrieve_lessons(&owner, request).await?;
        let mut answer = RetrievedLessonsResponse::from(found);
        answer.prompt = Some(as_prompt(&answer.lessons, Some(self.budget)));
        Ok(answer)
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.lessons.is_empty()
    }
}
