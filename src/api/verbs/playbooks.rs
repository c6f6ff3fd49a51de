//! Verbs that change playbooks: create, update, curate, delete, restore, report a use.

use schemars::JsonSchema;
use serde::Deserialize;

use super::lesson_retrieval::lacks;
use crate::patterns::NAME;
use crate::playbook_file::StrategyInput;
use crate::problem::Problem;
use crate::responses::playbooks::{PlaybookChangedResponse, PlaybookResponse, UsageResponse};
use crate::schema::Word;
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore::playbooks::{About, Curation, NewPlaybook, PlaybookUpdate, UpdateMode};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::playbook::{DEFAULT_NAME, Proposal, Scope, UsageReport, Visibility};
use hindlore_domain::sharing::object::Object;

/// The playbook that a request means unless it names one.
pub(super) fn default_name() -> String {
    DEFAULT_NAME.to_owned()
}

pub(super) fn proposals(inputs: Vec<StrategyInput>) -> Vec<Proposal> {
    inputs.into_iter().map(Into::into).collect()
}

/// Make a playbook: a named set of strategies of this learner.
///
/// Each change of its strategies makes a version, numbered from 1 without a gap and never changed again.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreatePlaybook {
    /// Name of the playbook.
    #[serde(default = "default_name")]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: String,
    /// Its purpose.
    #[serde(default)]
    #[schemars(length(max = 4000))]
    pub description: Option<String>,
    /// For whom it is meant; by default an agent.
    #[serde(default)]
    #[schemars(with = "Option<Word<Scope>>")]
    pub scope: Option<Scope>,
    /// Its readers: the owner and subjects with a grant (private, the default), members of its scope (shared), everyone
    /// of the tenant (public).
    #[serde(default)]
    #[schemars(with = "Option<Word<Visibility>>")]
    pub visibility: Option<Visibility>,
    /// Its first strategies.
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub strategies: Vec<StrategyInput>,
    /// Bring an archived playbook of this name back, with its versions.
    #[serde(default)]
    pub revive: bool,
}

impl Verb for CreatePlaybook {
    verb!("playbook.create", Learner, Writes, not idempotent -> PlaybookChangedResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let new = NewPlaybook {
            name: self.playbook,
            about: About {
                description: self.description,
                scope: self.scope,
                visibility: self.visibility,
            },
            proposals: proposals(self.strategies),
            revive: self.revive,
            author: context.author.clone(),
        };
        Ok(context
            .engine
            .create_playbook(&context.owner()?, new)
            .await?
            .into())
    }
}

/// Change a playbook: its description and its strategies.
///
/// Strategies merge by similarity with existing ones, or replace them. A change without effect makes no version. A
/// playbook that is not there is made.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdatePlaybook {
    /// Name of the playbook.
    #[serde(default = "default_name")]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: String,
    /// Its purpose.
    #[serde(default)]
    #[schemars(length(max = 4000))]
    pub description: Option<String>,
    /// For whom it is meant.
    #[serde(default)]
    #[schemars(with = "Option<Word<Scope>>")]
    pub scope: Option<Scope>,
    /// Its visibility.
    #[serde(default)]
    #[schemars(with = "Option<Word<Visibility>>")]
    pub visibility: Option<Visibility>,
    /// Strategies; left out, they stay as they are.
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub strategies: Option<Vec<StrategyInput>>,
    /// Put them in the place of all that are there.
    #[serde(default)]
    pub replace: bool,
    /// Keep the strategies of the new version for good.
    #[serde(default)]
    pub major: bool,
    /// Why, for the list of versions.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pub reason: Option<String>,
}

impl Verb for UpdatePlaybook {
    verb!("playbook.update", Learner, Writes, idempotent -> PlaybookChangedResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    fn object(&self, _: &MemoryKey) -> Object {
        Object::Playbook(self.playbook.clone())
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        if self.strategies.is_none() && (self.replace || self.major || self.reason.is_some()) {
            let given = if self.replace {
                "replace"
            } else if self.major {
                "major"
            } else {
                "reason"
            };
            return Err(lacks(given, "strategies"));
        }
        let update = PlaybookUpdate {
            about: About {
                description: self.description,
                scope: self.scope,
                visibility: self.visibility,
            },
            proposals: self.strategies.map(proposals),
            mode: if self.replace {
                UpdateMode::Replace
            } else {
                UpdateMode::Merge
            },
            major: self.major,
            reason: self.reason,
            author: context.author.clone(),
        };
        let owner = context.owner()?;
        Ok(context
            .engine
            .update_playbook(&owner, &self.playbook, update)
            .await?
            .into())
    }
}

/// Curate a playbook: add the insights of trajectories and those that several share, and remove strategies that they refute.
///
/// Equal strategies become one and their evidence adds up, each trajectory once. A playbook that is not there is made.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CuratePlaybook {
    /// Name of the playbook.
    #[serde(default = "default_name")]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: String,
    /// Reflections to take in.
    #[serde(default)]
    #[schemars(length(max = 100))]
    pub reflections: Vec<String>,
    /// Trajectories to reflect upon first, each and all together, and then to take in.
    #[serde(default)]
    #[schemars(length(max = 100))]
    pub trajectories: Vec<String>,
}

impl Verb for CuratePlaybook {
    verb!("playbook.curate", Learner, Writes, idempotent -> PlaybookChangedResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        if self.reflections.is_empty() && self.trajectories.is_empty() {
            return Err(Problem::new("invalid_request", "there is nothing to curate from")
                .with_hint("name <field:reflections>, which <verb:reflection.list> shows, or <field:trajectories>"));
        }
        let owner = context.owner()?;
        let source = self.source();
        let (mut proposals, mut analysed) = (Vec::new(), 0);
        for id in &self.reflections {
            let reflection = context.engine.reflection(&owner, id).await?;
            proposals.extend(reflection.proposals);
            analysed += reflection.trajectories.len();
        }
        for id in &self.trajectories {
            let reflected = context.engine.reflect(&owner, id).await?;
            proposals.extend(reflected.map(|one| one.row.proposals).unwrap_or_default());
            analysed += 1;
        }
        proposals.extend(
            context
                .engine
                .shared_insights(&owner, &self.trajectories)
                .await?,
        );
        let curation = Curation {
            proposals,
            analysed: u32::try_from(analysed).unwrap_or(u32::MAX),
            source,
            author: context.author.clone(),
        };
        Ok(context
            .engine
            .curate_playbook(&owner, &self.playbook, curation)
            .await?
            .into())
    }
}

impl CuratePlaybook {
    fn source(&self) -> String {
        let named = |word: &str, names: &[String]| match names {
            [] => None,
            [only] => Some(format!("{word} {only}")),
            more => Some(format!("{} {word}s", more.len())),
        };
        let parts = [
            named("reflection", &self.reflections),
            named("trajectory", &self.trajectories),
        ];
        parts
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" and ")
            .replace("trajectorys", "trajectories")
    }
}

/// Delete a playbook: it is archived with all its versions, and can be made again with them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeletePlaybook {
    /// Name of the playbook.
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: String,
}

impl Verb for DeletePlaybook {
    verb!("playbook.delete", Learner, Writes, not idempotent -> PlaybookResponse);

    fn object(&self, _: &MemoryKey) -> Object {
        Object::Playbook(self.playbook.clone())
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let owner = context.owner()?;
        Ok(context
            .engine
            .archive_playbook(&owner, &self.playbook)
            .await?
            .into())
    }
}

/// Give a playbook the strategies of an earlier version again, as a new version.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestorePlaybook {
    /// Name of the playbook.
    #[serde(default = "default_name")]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: String,
    /// Number of the version.
    #[schemars(range(min = 1))]
    pub version: u32,
}

impl Verb for RestorePlaybook {
    verb!("playbook.restore", Learner, Writes, idempotent -> PlaybookChangedResponse);

    fn object(&self, _: &MemoryKey) -> Object {
        Object::Playbook(self.playbook.clone())
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (owner, author) = (context.owner()?, context.author.clone());
        let engine = &context.engine;
        Ok(engine
            .restore_playbook(&owner, &self.playbook, self.version, author)
            .await?
            .into())
    }
}

/// Report the result of using a playbook.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UsePlaybook {
    /// Name of the playbook.
    #[serde(default = "default_name")]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: String,
    /// How well the task went, in 0..=1.
    #[schemars(range(min = 0, max = 1))]
    pub success: f64,
    /// By how much better than without the playbook, in -1..=1.
    #[serde(default)]
    #[schemars(range(min = -1, max = 1))]
    pub improvement: Option<f64>,
}

impl Verb for UsePlaybook {
    verb!("playbook.use", Learner, Writes, not idempotent -> UsageResponse);

    fn object(&self, _: &MemoryKey) -> Object {
        Object::Playbook(self.playbook.clone())
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let report = UsageReport {
            success: self.success,
            improvement: self.improvement,
        };
        let usage = context
            .engine
            .use_playbook(&context.owner()?, &self.playbook, report)
            .await?;
        Ok(UsageResponse {
            playbook: self.playbook,
            count: usage.count,
            success_rate: usage.success_rate(),
            average_improvement: usage.average_improvement(),
        })
    }
}
