//! Verbs that bring strategies into a playbook and out of it: from a memory, into one, from a file, as a file.

use schemars::JsonSchema;
use serde::Deserialize;

use super::deltas::apply;
use super::playbooks::{default_name, proposals};
use crate::delta_input::DeltaInput;
use crate::patterns::NAME;
use crate::playbook_file::{PlaybookFile, read, written};
use crate::problem::Problem;
use crate::responses::DeltaApplied;
use crate::responses::playbooks::{PlaybookChangedResponse, PlaybookFileResponse};
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore::playbooks::{About, Curation, NewPlaybook, PlaybookUpdate, UpdateMode, Which};
use hindlore::{EngineError, MemoryView};
use hindlore_domain::memory::delta::{DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::playbook::{Category, ConfidenceRules, Proposal, Stated, Strategy};
use hindlore_domain::sharing::object::Object;

/// Put the bullets of a memory into a playbook, as strategies to do.
///
/// A bullet with more harmful than helpful votes becomes one to avoid. Its votes are stated evidence, which counts until
/// trajectories are there.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaybookFromMemory {
    /// Name of the playbook, which is made if it is not there.
    #[serde(default = "default_name")]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: String,
    /// Only bullets of these sections.
    #[serde(default)]
    pub sections: Vec<String>,
}

impl Verb for PlaybookFromMemory {
    verb!("playbook.from-memory", Memory, Writes, idempotent -> PlaybookChangedResponse);

    /// It reads one thing of the learner and writes another.
    fn object(&self, _: &MemoryKey) -> Object {
        Object::Learner
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let view = context.engine.view(&context.key).await?;
        let view = view.ok_or_else(|| EngineError::NoMemory(context.key.clone()))?;
        let curation = Curation {
            proposals: from_bullets(&view, &self.sections),
            analysed: 0,
            source: format!("memory {}", context.key.scope()),
            author: context.author.clone(),
        };
        let owner = context.owner()?;
        Ok(context
            .engine
            .curate_playbook(&owner, &self.playbook, curation)
            .await?
            .into())
    }
}

fn from_bullets(view: &MemoryView, sections: &[String]) -> Vec<Proposal> {
    let is_wanted = |section: Option<&str>| {
        sections.is_empty()
            || section.is_some_and(|name| sections.iter().any(|one| one.eq_ignore_ascii_case(name)))
    };
    let bullets = view.bullets.iter();
    let bullets = bullets
        .filter(|one| one.is_active() && !one.is_seed() && is_wanted(one.section.as_deref()));
    let proposal = |bullet: &hindlore_domain::memory::bullet::Bullet| {
        let (helpful, harmful) = (bullet.counts.helpful, bullet.counts.harmful);
        let is_harmful = harmful > helpful;
        let votes = helpful + harmful;
        let supporting = if is_harmful { harmful } else { helpful };
        Proposal {
            category: if is_harmful {
                Category::Harmful
            } else {
                Category::Helpful
            },
            pattern: bullet.content.as_str().to_owned(),
            context: bullet.section.clone().unwrap_or_default(),
            evidence: Vec::new(),
            stated: (votes > 0).then(|| Stated {
                confidence: share(supporting, votes),
                evidence: u32::try_from(votes).unwrap_or(u32::MAX),
            }),
        }
    };
    bullets.map(proposal).collect()
}

#[allow(clippy::cast_precision_loss, reason = "votes are far below 2^53")]
fn share(part: u64, of: u64) -> f64 {
    part as f64 / of as f64
}

/// Put the strategies of a playbook into a memory, as bullets of one section.
///
/// Known bullets are not added twice. Strategies to avoid are marked; mere observations stay out.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaybookIntoMemory {
    /// Name of the playbook.
    #[serde(default = "default_name")]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: String,
    /// Section of the bullets; by default the name of the playbook.
    #[serde(default)]
    #[schemars(length(max = 256))]
    pub section: Option<String>,
    /// Only strategies that are at least so sure.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub min_confidence: f64,
    /// Id of the delta: sent again, it counts once. Random by default.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub id: Option<String>,
}

impl Verb for PlaybookIntoMemory {
    verb!("playbook.into-memory", Memory, Writes, idempotent -> DeltaApplied);
    const ONCE_BY: Option<&'static str> = Some("id");

    /// It reads one thing of the learner and writes another.
    fn object(&self, _: &MemoryKey) -> Object {
        Object::Learner
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let engine = &context.engine;
        let view = engine
            .playbook(&context.owner()?, &self.playbook, Which::Newest)
            .await?;
        let section = self.section.unwrap_or_else(|| self.playbook.clone());
        let (rules, now) = (ConfidenceRules::default(), engine.now());
        let operations: Vec<Operation> = view
            .strategies
            .iter()
            .filter(|one| {
                one.category != Category::Neutral && rules.of(one, now).value >= self.min_confidence
            })
            .map(|one| bullet(one, &section))
            .collect();
        let number = view.version.as_ref().map_or(0, |version| version.number);
        let id = self.id.as_deref().map(DeltaId::parse).transpose();
        let delta = DeltaInput {
            id: id.map_err(|reason| Problem::new("invalid_delta_id", reason))?,
            operations,
            reasoning: Some(format!("playbook {} version {number}", self.playbook)),
            ..DeltaInput::default()
        };
        apply(context, delta).await
    }
}

fn bullet(strategy: &Strategy, section: &str) -> Operation {
    let lead = if strategy.category == Category::Harmful {
        "Avoid: "
    } else {
        ""
    };
    Operation::Add(Box::new(NewBullet {
        content: format!("{lead}{}", strategy.sentence()),
        section: Some(section.to_owned()),
        tags: vec!["playbook".to_owned()],
        ..NewBullet::default()
    }))
}

/// Import a playbook from the text of a file, such as a template.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportPlaybook {
    /// The text: `{"playbook": {"name": …}, "strategies": [{"category": …, "pattern": …, "context": …}]}`.
    pub text: String,
    /// Name of the playbook; by default the one of the file. One that is there takes the strategies in.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: Option<String>,
    /// Put them in the place of all that are there.
    #[serde(default)]
    pub replace: bool,
}

impl Verb for ImportPlaybook {
    verb!("playbook.import", Learner, Writes, idempotent -> PlaybookChangedResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let file = read(&self.text)?;
        let name = self
            .playbook
            .or(file.playbook.name)
            .unwrap_or_else(default_name);
        let about = About {
            description: file.playbook.description,
            scope: file.playbook.scope,
            visibility: None,
        };
        let (owner, engine) = (context.owner()?, &context.engine);
        let proposals = proposals(file.strategies);
        let known = engine.playbook_or_none(&owner, &name).await?;
        let changed = if known.is_some_and(|playbook| !playbook.archived) {
            let update = PlaybookUpdate {
                about,
                proposals: Some(proposals),
                mode: if self.replace {
                    UpdateMode::Replace
                } else {
                    UpdateMode::Merge
                },
                major: false,
                reason: Some("imported".to_owned()),
                author: context.author.clone(),
            };
            engine.update_playbook(&owner, &name, update).await?
        } else {
            let new = NewPlaybook {
                name,
                about,
                proposals,
                revive: true,
                author: context.author.clone(),
            };
            engine.create_playbook(&owner, new).await?
        };
        Ok(changed.into())
    }
}

/// Export a playbook as the text of a file that can be imported elsewhere.
///
/// Its trajectories stay here: confidence and number of them go along as stated.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportPlaybook {
    /// Name of the playbook.
    #[serde(default = "default_name")]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub playbook: String,
    /// Number of the version; by default the newest.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub version: Option<u32>,
}

impl Verb for ExportPlaybook {
    verb!("playbook.export", Learner, Reads, idempotent -> PlaybookFileResponse);

    fn object(&self, _: &MemoryKey) -> Object {
        Object::Playbook(self.playbook.clone())
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let which = self.version.map_or(Which::Newest, Which::Number);
        let view = context
            .engine
            .playbook(&context.owner()?, &self.playbook, which)
            .await?;
        let file = PlaybookFile::of(&view, context.engine.now());
        Ok(PlaybookFileResponse {
            playbook: self.playbook,
            strategies: view.strategies.len(),
            text: written(&file)?,
        })
    }
}
