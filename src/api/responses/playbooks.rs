//! Playbooks: one in a listing, one with its strategies, its versions, and the result of a change.

use schemars::JsonSchema;
use serde::Serialize;

use super::prompt::PromptResponse;
use crate::schema::{Time, Word};
use hindlore::playbooks::{PlaybookChanged, PlaybookView, RankedStrategy};
use hindlore_domain::playbook::{
    Category, Change, ChangeKind, Confidence, ConfidenceRules, Playbook, Scope, Strategy,
    StrategyDiff, Version, Visibility,
};
use hindlore_primitives::timestamp::Timestamp;

/// A playbook in a listing.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PlaybookResponse {
    /// Its name.
    pub name: String,
    /// Its purpose; may be empty.
    pub description: String,
    /// For whom it is meant.
    #[schemars(with = "Word<Scope>")]
    pub scope: Scope,
    /// Its visibility.
    #[schemars(with = "Word<Visibility>")]
    pub visibility: Visibility,
    /// True once it was deleted.
    pub archived: bool,
    /// Number of its newest version; 0 before the first.
    pub version: u32,
    /// Number of uses that were reported.
    pub usage_count: u32,
    /// Success rate: the successes divided by the uses, in 0..=1; null before the first use.
    pub success_rate: Option<f64>,
    /// Mean improvement, in -1..=1; null until one is reported.
    pub average_improvement: Option<f64>,
    /// When a use was reported last; null: never.
    #[schemars(with = "Option<Time>")]
    pub last_used_at: Option<Timestamp>,
    /// Number of curations that took something in.
    pub curations: u32,
    /// Trajectories that it was curated from.
    pub trajectories_analysed: u32,
    /// When it was curated last; null: never.
    #[schemars(with = "Option<Time>")]
    pub curated_at: Option<Timestamp>,
    /// When it was made.
    #[schemars(with = "Time")]
    pub created_at: Timestamp,
    /// When it changed last.
    #[schemars(with = "Time")]
    pub updated_at: Timestamp,
}

impl From<Playbook> for PlaybookResponse {
    fn from(playbook: Playbook) -> Self {
        Self {
            name: playbook.name,
            description: playbook.description,
            scope: playbook.scope,
            visibility: playbook.visibility,
            archived: playbook.archived,
            version: playbook.version,
            usage_count: playbook.usage.count,
            success_rate: playbook.usage.success_rate(),
            average_improvement: playbook.usage.average_improvement(),
            last_used_at: playbook.used_at,
            curations: playbook.curations,
            trajectories_analysed: playbook.analysed,
            curated_at: playbook.curated_at,
            created_at: playbook.created,
            updated_at: playbook.updated,
        }
    }
}

/// Playbooks of a learner.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PlaybooksResponse {
    /// By name.
    pub playbooks: Vec<PlaybookResponse>,
    /// Start of the next page, for `after`; null if there is none.
    pub next: Option<String>,
}

/// A strategy.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct StrategyResponse {
    /// Its id, which stays while it changes.
    pub id: String,
    /// To do, to avoid, or seen.
    #[schemars(with = "Word<Category>")]
    pub category: Category,
    /// The advice.
    pub pattern: String,
    /// When it applies; empty for always.
    pub context: String,
    /// How sure it is, in 0..=1.
    pub confidence: f64,
    /// Lower bound of the 90 % Wilson interval of the share of its trajectories that support it, in 0..=1.
    pub consistency: f64,
    /// Number of supporting trajectories, or a stated number.
    pub evidence: u32,
    /// Trajectories in which it worked.
    pub worked: usize,
    /// Trajectories in which it failed.
    pub failed: usize,
    /// The newest trajectories that support it.
    pub examples: Vec<String>,
    /// When it entered the playbook.
    #[schemars(with = "Time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schemars(with = "Time")]
    pub updated_at: Timestamp,
}

impl StrategyResponse {
    /// A strategy, as sure as it is at `now`.
    pub fn new(strategy: &Strategy, now: Timestamp) -> Self {
        Self::sure(strategy, ConfidenceRules::default().of(strategy, now))
    }

    fn sure(strategy: &Strategy, confidence: Confidence) -> Self {
        let (worked, failed) = strategy.votes();
        Self {
            id: strategy.id.clone(),
            category: strategy.category,
            pattern: strategy.pattern.clone(),
            context: strategy.context.clone(),
            confidence: confidence.value,
            consistency: confidence.consistency,
            evidence: strategy.evidence_count(),
            worked,
            failed,
            examples: strategy.examples().into_iter().map(str::to_owned).collect(),
            created_at: strategy.created,
            updated_at: strategy.updated,
        }
    }
}

/// A version of a playbook.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct VersionResponse {
    /// Its number, from 1, without a gap.
    pub number: u32,
    /// SHA-256 of its strategies, without their times, in hexadecimal.
    pub digest: String,
    /// Number of its strategies.
    pub strategies: u32,
    /// The operation that made it.
    pub reason: String,
    /// Its author; null if unknown.
    pub author: Option<String>,
    /// True if its strategies are kept for good.
    pub major: bool,
    /// Version whose content it has again; null: none.
    pub restores: Option<u32>,
    /// True once its strategies are gone.
    pub retired: bool,
    /// When it was made.
    #[schemars(with = "Time")]
    pub at: Timestamp,
}

impl From<Version> for VersionResponse {
    fn from(version: Version) -> Self {
        Self {
            number: version.number,
            digest: version.digest,
            strategies: version.strategies,
            reason: version.reason,
            author: version.author,
            major: version.major,
            restores: version.restores,
            retired: version.retired,
            at: version.at,
        }
    }
}

/// A playbook with the strategies of one version.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PlaybookDetailResponse {
    /// The playbook.
    pub playbook: PlaybookResponse,
    /// The version shown; null before the first.
    pub version: Option<VersionResponse>,
    /// Its strategies, in their order.
    pub strategies: Vec<StrategyResponse>,
    /// The strategies as text for a prompt, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PromptResponse>,
}

impl PlaybookDetailResponse {
    /// A playbook as of `now`, without a prompt.
    pub fn new(view: PlaybookView, now: Timestamp) -> Self {
        Self {
            strategies: view
                .strategies
                .iter()
                .map(|one| StrategyResponse::new(one, now))
                .collect(),
            playbook: view.playbook.into(),
            version: view.version.map(Into::into),
            prompt: None,
        }
    }
}

/// The versions of a playbook.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct VersionsResponse {
    /// The playbook.
    pub playbook: String,
    /// Newest first.
    pub versions: Vec<VersionResponse>,
    /// Start of the next page, for `after`; null if there is none.
    pub next: Option<String>,
}

/// A playbook after a change.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PlaybookChangedResponse {
    /// The playbook.
    pub playbook: String,
    /// Number of its newest version; 0 before the first.
    pub version: u32,
    /// Digest of that version; null before the first.
    pub digest: Option<String>,
    /// True if the change made that version.
    pub new_version: bool,
    /// New strategies.
    pub added: Vec<StrategyChangeResponse>,
    /// Strategies with other evidence, context or category than before.
    pub updated: Vec<StrategyChangeResponse>,
    /// Strategies that are gone.
    pub removed: Vec<StrategyChangeResponse>,
    /// Proposals that no trajectory supports.
    pub left_out: Vec<StrategyChangeResponse>,
    /// Number of strategies that are as they were.
    pub unchanged: usize,
}

/// The change of a strategy, with its reason.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct StrategyChangeResponse {
    /// Its id; empty for one left out.
    pub id: String,
    /// Its pattern.
    pub pattern: String,
    /// Why.
    pub reason: String,
}

impl From<PlaybookChanged> for PlaybookChangedResponse {
    fn from(changed: PlaybookChanged) -> Self {
        let of = |kinds: &[ChangeKind]| {
            let of_kind = changed
                .changes
                .iter()
                .filter(|change| kinds.contains(&change.kind));
            of_kind.map(StrategyChangeResponse::from).collect()
        };
        Self {
            added: of(&[ChangeKind::Added]),
            updated: of(&[ChangeKind::Updated, ChangeKind::Moved]),
            removed: of(&[ChangeKind::Removed]),
            left_out: of(&[ChangeKind::LeftOut]),
            unchanged: changed.unchanged,
            new_version: changed.is_new_version,
            version: changed.view.playbook.version,
            digest: changed.view.version.map(|version| version.digest),
            playbook: changed.view.playbook.name,
        }
    }
}

impl From<&Change> for StrategyChangeResponse {
    fn from(change: &Change) -> Self {
        Self {
            id: change.strategy.clone(),
            pattern: change.pattern.clone(),
            reason: change.reason.clone(),
        }
    }
}

/// The differences between two versions of a playbook.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct PlaybookDiffResponse {
    /// The playbook.
    pub playbook: String,
    /// The first version.
    pub from: u32,
    /// The second version.
    pub to: u32,
    /// Strategies that only the second has.
    pub added: Vec<StrategyResponse>,
    /// Strategies that only the first has.
    pub removed: Vec<StrategyResponse>,
    /// Strategies that both have, otherwise.
    pub changed: Vec<ChangedStrategyResponse>,
    /// Ids in the order of the second, if the rest does not determine it; null else.
    pub order: Option<Vec<String>>,
}

/// A strategy before and after.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ChangedStrategyResponse {
    /// As it was.
    pub before: StrategyResponse,
    /// As it is.
    pub after: StrategyResponse,
}

impl PlaybookDiffResponse {
    /// A difference, with confidences as of `now`.
    pub fn new(
        playbook: String,
        (from, to): (u32, u32),
        diff: StrategyDiff,
        now: Timestamp,
    ) -> Self {
        let shown = |one: &Strategy| StrategyResponse::new(one, now);
        Self {
            playbook,
            from,
            to,
            added: diff.added.iter().map(shown).collect(),
            removed: diff.removed.iter().map(shown).collect(),
            changed: diff
                .changed
                .iter()
                .map(|(before, after)| ChangedStrategyResponse {
                    before: shown(before),
                    after: shown(after),
                })
                .collect(),
            order: diff.order,
        }
    }
}

/// Strategies for a task.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RankedStrategiesResponse {
    /// Best first.
    pub strategies: Vec<RankedStrategyResponse>,
}

/// A strategy for a task.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RankedStrategyResponse {
    /// The playbook that has it.
    pub playbook: String,
    /// How well it matches the task, in 0..=1, as for a bullet of the same text.
    pub relevance: f64,
    /// The strategy.
    #[serde(flatten)]
    pub strategy: StrategyResponse,
}

impl From<RankedStrategy> for RankedStrategyResponse {
    fn from(ranked: RankedStrategy) -> Self {
        Self {
            strategy: StrategyResponse::sure(&ranked.strategy, ranked.confidence),
            playbook: ranked.playbook,
            relevance: ranked.relevance,
        }
    }
}

/// The uses of a playbook.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PlaybookUsageResponse")]
pub struct UsageResponse {
    /// The playbook.
    pub playbook: String,
    /// Number of uses.
    pub count: u32,
    /// Success rate, in 0..=1.
    pub success_rate: Option<f64>,
    /// Average improvement, in -1..=1; null until one is reported.
    pub average_improvement: Option<f64>,
}

/// A playbook as a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PlaybookFileResponse {
    /// The playbook.
    pub playbook: String,
    /// Number of its strategies.
    pub strategies: usize,
    /// The text of the file.
    pub text: String,
}
