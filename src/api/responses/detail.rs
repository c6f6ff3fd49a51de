//! A bullet with everything known about it.

use schemars::JsonSchema;
use serde::Serialize;

use super::BulletResponse;
use crate::schema::{Id, Word};
use hindlore::BulletDetail;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{CountChange, DeltaId};
use hindlore_domain::memory::link::{Link, LinkKind};
use hindlore_domain::memory::receipt::ChangeKind;
use hindlore_store::{LaterChange, Usage};

/// A bullet with its present strength, usage, links, and history.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct DetailResponse {
    /// The bullet itself.
    #[serde(flatten)]
    pub bullet: BulletResponse,
    /// Clock of the strength.
    pub clock: u64,
    /// Strength at that clock, after decay.
    pub decayed_score: f64,
    /// Remaining share of its strength, in 0..=1.
    pub retention: f64,
    /// (helpful + 1) / (helpful + harmful + 2), in 0..=1.
    pub helpfulness: f64,
    /// Importance at that clock, in 0..=1: the given one, less 0.1 for each three half-lives without use, plus 0.1 for
    /// each helpful vote beyond the harmful ones.
    pub importance_now: f64,
    /// Number and results of its retrievals.
    pub usage: UsageResponse,
    /// Links from and to it.
    pub links: Vec<LinkResponse>,
    /// Its changes by deltas, oldest first.
    pub history: Vec<ChangeResponse>,
}

/// Number and results of the retrievals of a bullet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "BulletUsageResponse")]
pub struct UsageResponse {
    /// Times returned.
    pub retrieved: u64,
    /// Times put into a prompt.
    pub injected: u64,
    /// Times used.
    pub used: u64,
    /// Times it helped.
    pub helped: u64,
    /// Times it did harm.
    pub harmed: u64,
    /// Times ignored.
    pub ignored: u64,
}

/// A link of a bullet.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct LinkResponse {
    /// Kind of link.
    #[schemars(with = "Word<LinkKind>")]
    pub kind: LinkKind,
    /// The bullet it starts from.
    #[schemars(with = "Id")]
    pub from: BulletId,
    /// The bullet it leads to.
    #[schemars(with = "Id")]
    pub to: BulletId,
    /// Reason for the link; null: none given.
    pub reason: Option<String>,
    /// Similarity of the two texts, in 0..=1; null: not measured.
    pub similarity: Option<f64>,
}

/// The change of one delta to a bullet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ChangeResponse {
    /// The delta.
    #[schemars(with = "Id")]
    pub delta: DeltaId,
    /// Its revision.
    pub revision: u64,
    /// Kind of change.
    #[schemars(with = "Word<ChangeKind>")]
    pub change: ChangeKind,
    /// Changes of its counts.
    pub counts: CountChangeResponse,
    /// True if more than counts and strength changed.
    pub fields: bool,
}

/// Changes of a bullet's counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CountChangeResponse {
    /// Helpful votes.
    pub helpful: i64,
    /// Harmful votes.
    pub harmful: i64,
    /// Neutral votes.
    pub neutral: i64,
}

impl From<CountChange> for CountChangeResponse {
    fn from(change: CountChange) -> Self {
        Self {
            helpful: change.helpful,
            harmful: change.harmful,
            neutral: change.neutral,
        }
    }
}

impl From<&BulletDetail> for DetailResponse {
    fn from(detail: &BulletDetail) -> Self {
        Self {
            bullet: BulletResponse::from(&detail.bullet),
            clock: detail.clock,
            decayed_score: detail.decayed_score,
            retention: detail.retention,
            helpfulness: detail.helpfulness,
            importance_now: detail.importance_now,
            usage: detail.usage.into(),
            links: detail.links.iter().map(LinkResponse::from).collect(),
            history: detail.history.iter().map(ChangeResponse::from).collect(),
        }
    }
}

impl From<Usage> for UsageResponse {
    fn from(usage: Usage) -> Self {
        Self {
            retrieved: usage.retrieved,
            injected: usage.injected,
            used: usage.used,
            helped: usage.helped,
            harmed: usage.harmed,
            ignored: usage.ignored,
        }
    }
}

impl From<&Link> for LinkResponse {
    fn from(link: &Link) -> Self {
        Self {
            kind: link.id.kind,
            from: link.id.from,
            to: link.id.to,
            reason: link.reason.clone(),
            similarity: link.similarity,
        }
    }
}

impl From<&LaterChange> for ChangeResponse {
    fn from(later: &LaterChange) -> Self {
        Self {
            delta: later.delta.clone(),
            revision: later.revision,
            change: later.change.kind,
            counts: later.change.counts.into(),
            fields: later.change.fields,
        }
    }
}
