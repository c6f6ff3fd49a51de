//! Verbs about consolidation: similar bullets of little importance become one, and back.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::patterns::NAME;
use crate::problem::Problem;
use crate::responses::consolidation::{ConsolidatedResponse, RolledBackResponse};
use crate::schema::Word;
use crate::verb::{Context, Effect, Subject, Verb, number, verb};
use hindlore::{ConsolidateRequest, Level};
use hindlore_domain::memory::bullet::{BulletId, Kind};
use hindlore_domain::memory::consolidation::{Choice, Proposal};

/// Groups in an answer, at most.
const LISTED_MAX: usize = 1_000;

/// Make one bullet of several similar ones of little importance.
///
/// The text of the new bullet is the richest of its group, with the sentences of the others that it lacks; no name,
/// number, quotation or identifier is lost. A group that would lose more than a tenth of its other words, or save less
/// than a tenth of its bytes, is refused. Sources are archived, linked, and come back by a rollback.
///
/// Importance is the given one (0.5 when learned, 0.8 by a person), less 0.1 for each three half-lives without use,
/// plus 0.1 for each helpful vote beyond the harmful ones.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConsolidateMemory {
    /// Only bullets of this kind; two kinds are never mixed.
    #[serde(default)]
    #[schemars(with = "Option<Word<Kind>>")]
    pub kind: Option<Kind>,
    /// Which memories: agent (this learner in this scope), user (all scopes of the learner), tenant, global (the whole
    /// store). Bullets of two memories never become one.
    #[serde(default = "agent")]
    #[schemars(with = "Word<Level>")]
    pub level: Level,
    /// Only bullets whose importance is at most this.
    #[serde(default = "low")]
    #[schemars(range(min = 0, max = 1))]
    pub min_importance: f64,
    /// Keep bullets at or above the threshold, regardless of `min_importance`.
    #[serde(default = "yes")]
    pub preserve_high_importance: bool,
    /// Importance from which on a bullet is kept as it is.
    #[serde(default = "high")]
    #[schemars(range(min = 0, max = 1))]
    pub importance_threshold: f64,
    /// Similarity from which on two texts are compared: shared words over all words.
    #[serde(default = "similar")]
    #[schemars(range(min = 0.5, max = 1))]
    pub similarity: f64,
    /// Only show the groups and their losses; change nothing.
    #[serde(default)]
    pub dry_run: bool,
    /// Bullets of one delta; an interrupted run loses at most one delta, and resumes with the same id.
    #[serde(default = "number::<500>")]
    #[schemars(range(min = 100, max = 1000))]
    pub batch: usize,
    /// Run id for `rollback`; pass an earlier id to resume. Default: generated.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub id: Option<String>,
    /// Texts for groups of your choice, such as a model writes; nothing else is merged then. Each is checked: one that
    /// is empty, loses or invents a detail, or contradicts a source changes nothing, and is reported.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    pub texts: Option<Vec<MergedText>>,
    /// Groups shown of each memory, and refused groups as well.
    #[serde(default = "number::<20>")]
    #[schemars(range(max = LISTED_MAX))]
    pub limit: usize,
}

/// A text for a group of bullets.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MergedText {
    /// Ids of the bullets that it replaces, the most telling one first.
    #[schemars(length(min = 2, max = 32))]
    pub sources: Vec<String>,
    /// The text.
    pub content: String,
}

fn agent() -> Level {
    Level::Agent
}

fn low() -> f64 {
    Choice::default().min_importance
}

fn high() -> f64 {
    Choice::default().importance_threshold
}

fn similar() -> f64 {
    Choice::default().similarity
}

fn yes() -> bool {
    true
}

impl ConsolidateMemory {
    fn check(&self) -> Result<(), Problem> {
        let reason = match self.kind {
            Some(Kind::AntiPattern) => "a warning is never consolidated: it would lose its mark",
            Some(Kind::MetaStrategy) => "general advice is never consolidated",
            _ => return Ok(()),
        };
        Err(Problem::new("invalid_request", reason).with_hint("choose another <field:kind>"))
    }
}

impl Verb for ConsolidateMemory {
    const NAME: &'static str = "memory.consolidate";
    // Not the memory: the level `global` reaches all of the store, and a credential must cover the widest.
    const SUBJECT: Subject = Subject::Store;
    const EFFECT: Effect = Effect::Writes;
    const IDEMPOTENT: bool = true;
    type Answer = ConsolidatedResponse;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        self.check()?;
        let (level, limit, dry_run) = (self.level, self.limit, self.dry_run);
        let request = ConsolidateRequest {
            run: self.id,
            choice: Choice {
                kind: self.kind,
                min_importance: self.min_importance,
                preserve_high_importance: self.preserve_high_importance,
                importance_threshold: self.importance_threshold,
                similarity: self.similarity,
            },
            dry_run,
            batch: self.batch,
            texts: proposals(self.texts.unwrap_or_default())?,
            author: context.author.clone(),
        };
        let (engine, key) = (&context.engine, &context.key);
        let done = engine.consolidate_level(key, level, request).await?;
        Ok(ConsolidatedResponse::new(&done, dry_run, limit))
    }
}

fn proposals(texts: Vec<MergedText>) -> Result<Vec<Proposal>, Problem> {
    let proposal = |text: MergedText| {
        let sources = text.sources.iter().map(|id| id.trim().parse::<BulletId>());
        Ok(Proposal {
            sources: sources.collect::<Result<_, String>>()?,
            content: text.content,
        })
    };
    let proposals = texts.into_iter().map(proposal);
    let proposals = proposals.collect::<Result<_, String>>();
    proposals.map_err(|reason| {
        Problem::new("invalid_request", reason)
            .with_hint("<field:dry_run> shows groups with the ids of their bullets")
    })
}

/// Roll a consolidation back: its sources are active again, its results are archived.
///
/// Deltas of a run that was rolled back already are left alone. If later deltas changed the same bullets, nothing is
/// undone, and they are named.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RollBackConsolidation {
    /// Id of the run, as the consolidation and the reasons in the history name it.
    #[schemars(length(max = 256))]
    pub id: String,
    /// Undo even if later deltas depend on it.
    #[serde(default)]
    pub force: bool,
}

impl Verb for RollBackConsolidation {
    verb!("memory.rollback", Memory, Writes, idempotent -> RolledBackResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, key, author) = (&context.engine, &context.key, context.author.clone());
        let done = engine.roll_back(key, &self.id, author, self.force).await?;
        Ok(RolledBackResponse::from(&done))
    }
}
