//! Verbs that read playbooks: a list, one of them, its versions, the differences of two, strategies for a task.

use schemars::JsonSchema;
use serde::Deserialize;

use super::playbooks::default_name;
use crate::cursor::{CURSOR_MAX, page};
use crate::patterns::NAME;
use crate::problem::Problem;
use crate::prompt::strategies_as_prompt;
use crate::responses::playbooks::{
    PlaybookDetailResponse, PlaybookDiffResponse, PlaybooksResponse, RankedStrategiesResponse,
    VersionsResponse,
};
use crate::schema::Time;
use crate::verb::{Context, Verb, number, verb};
use hindlore::playbooks::Which;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::QUERY_MAX_CHARS;
use hindlore_domain::playbook::diff;
use hindlore_domain::sharing::object::Object;
use hindlore_primitives::timestamp::Timestamp;

/// List the playbooks of this learner, by name.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListPlaybooks {
    /// Those that were deleted, instead of the others.
    #[serde(default)]
    pub archived: bool,
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// At most this many.
    #[serde(default = "number::<1_000>")]
    #[schemars(range(min = 1, max = 10_000))]
    pub limit: usize,
}

impl Verb for ListPlaybooks {
    verb!("playbook.list", Learner, Reads, idempotent -> PlaybooksResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let owner = context.owner()?;
        let found = context
            .engine
            .playbooks(&owner, self.archived, None)
            .await?;
        let wanted = (self.after.as_deref(), self.limit);
        let (found, next) = page(found, wanted, |one| one.name.clone())?;
        Ok(PlaybooksResponse {
            playbooks: found.into_iter().map(Into::into).collect(),
            next,
        })
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.playbooks.is_empty()
    }
}

/// Show a playbook with its strategies, as they are or as they were.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowPlaybook {
    /// Name of the playbook.
    #[serde(default = "default_name")]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: String,
    /// Number of the version; by default the newest.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub version: Option<u32>,
    /// The version of that time.
    #[serde(default)]
    #[schemars(with = "Option<Time>")]
    pub as_of: Option<Timestamp>,
    /// Add the strategies as text for a prompt, fenced as data: the surest first.
    #[serde(default)]
    pub prompt: bool,
    /// At most this many tokens in the prompt. A strategy that does not fit is left out.
    #[serde(default)]
    pub budget: Option<usize>,
}

impl Verb for ShowPlaybook {
    verb!("playbook.show", Learner, Reads, idempotent -> PlaybookDetailResponse);

    fn object(&self, _: &MemoryKey) -> Object {
        Object::Playbook(self.playbook.clone())
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let which = match (self.version, self.as_of) {
            (Some(_), Some(_)) => {
                return Err(Problem::new(
                    "invalid_request",
                    "a version is chosen by its number or by a time, not by both",
                )
                .with_hint("leave <field:version> or <field:as_of> out"));
            }
            (Some(number), None) => Which::Number(number),
            (None, Some(at)) => Which::AsOf(at),
            (None, None) => Which::Newest,
        };
        let view = context
            .engine
            .playbook(&context.owner()?, &self.playbook, which)
            .await?;
        let mut shown = PlaybookDetailResponse::new(view, context.engine.now());
        if self.prompt {
            shown.prompt = Some(strategies_as_prompt(&shown.strategies, self.budget).into());
        }
        Ok(shown)
    }
}

/// List the versions of a playbook, newest first.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListVersions {
    /// Name of the playbook.
    #[serde(default = "default_name")]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: String,
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// At most this many.
    #[serde(default = "number::<1_000>")]
    #[schemars(range(min = 1, max = 10_000))]
    pub limit: usize,
}

impl Verb for ListVersions {
    verb!("playbook.versions", Learner, Reads, idempotent -> VersionsResponse);

    fn object(&self, _: &MemoryKey) -> Object {
        Object::Playbook(self.playbook.clone())
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let found = context
            .engine
            .playbook_versions(&context.owner()?, &self.playbook)
            .await?;
        let wanted = (self.after.as_deref(), self.limit);
        let (found, next) = page(found, wanted, |one| one.number.to_string())?;
        Ok(VersionsResponse {
            playbook: self.playbook,
            versions: found.into_iter().map(Into::into).collect(),
            next,
        })
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.versions.is_empty()
    }
}

/// Show the differences between two versions of a playbook.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiffPlaybook {
    /// Name of the playbook.
    #[serde(default = "default_name")]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: String,
    /// The first version.
    #[schemars(range(min = 1))]
    pub from: u32,
    /// The second version; by default the newest.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub to: Option<u32>,
}

impl Verb for DiffPlaybook {
    verb!("playbook.diff", Learner, Reads, idempotent -> PlaybookDiffResponse);

    fn object(&self, _: &MemoryKey) -> Object {
        Object::Playbook(self.playbook.clone())
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (owner, engine) = (context.owner()?, &context.engine);
        let to = self.to.map_or(Which::Newest, Which::Number);
        let second = engine.playbook(&owner, &self.playbook, to).await?;
        let first = engine
            .playbook(&owner, &self.playbook, Which::Number(self.from))
            .await?;
        let numbers = (
            self.from,
            second.version.as_ref().map_or(0, |version| version.number),
        );
        let found = diff(&first.strategies, &second.strategies);
        Ok(PlaybookDiffResponse::new(
            self.playbook,
            numbers,
            found,
            engine.now(),
        ))
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.added.is_empty()
            && answer.removed.is_empty()
            && answer.changed.is_empty()
            && answer.order.is_none()
    }
}

/// Find the strategies that fit a task, in all playbooks of this learner or in some.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindStrategies {
    /// The task, in your own words.
    #[schemars(length(max = QUERY_MAX_CHARS))]
    pub task: String,
    /// Only these playbooks.
    #[serde(default)]
    #[schemars(length(max = 100))]
    pub playbooks: Vec<String>,
    /// At most this many.
    #[serde(default = "number::<8>")]
    #[schemars(range(min = 1, max = 100))]
    pub limit: usize,
}

impl Verb for FindStrategies {
    verb!("playbook.strategies", Learner, Reads, idempotent -> RankedStrategiesResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let owner = context.owner()?;
        let found = context
            .engine
            .strategies_for(&owner, &self.task, &self.playbooks, self.limit)
            .await?;
        Ok(RankedStrategiesResponse {
            strategies: found.into_iter().map(Into::into).collect(),
        })
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.strategies.is_empty()
    }
}
