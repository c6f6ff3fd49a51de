//! Verbs: list the contradicting bullets of a memory, and record a person's decision about two of them.
//!
//! A decision is a delta, so history shows it and an undo takes it back.

use super::answers::AppliedDelta;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::delta::{Delta, LinkChange, Merging, Operation, Removal};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::{Link, LinkId, LinkKind};

/// Two bullets that contradict each other, the earlier one first.
#[derive(Clone, PartialEq, Debug)]
pub struct ConflictingBullets {
    /// The earlier one.
    pub first: Bullet,
    /// The later one.
    pub second: Bullet,
    /// Pairs of contradicting bullets.
    pub reason: Option<String>,
    /// Similarity of the texts, 0..=1.
    pub similarity: Option<f64>,
}

impl ConflictingBullets {
    /// Its place in the order of lists: the position of the later one, then of the earlier one.
    pub fn place(&self) -> (u64, u64) {
        (self.second.position, self.first.position)
    }
}

/// A person's decision about two bullets that contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConflictDecision {
    /// The first stays; the second is rejected, and cannot come back by learning.
    KeepOne,
    /// Both stay.
    KeepBoth,
    /// The first stays with the votes of both; the second is archived.
    Merge,
    /// An earlier decision to keep both is taken back.
    Reopen,
}

/// A decision about two bullets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConflictRequest {
    /// The bullet that stays if one does: an id or a unique beginning of it.
    pub one: String,
    /// The other.
    pub other: String,
    /// The decision.
    pub decision: ConflictDecision,
    /// Why.
    pub reason: Option<String>,
    /// Author of the decision; the engine's author when absent.
    pub author: Option<String>,
}

impl Engine {
    /// Lists the undecided pairs of active bullets that contradict each other, at most `limit`, by the insertion order
    /// of the later one, starting after a pair of positions; and whether there are more. None without a memory.
    pub async fn bullet_conflicts(
        &self,
        key: &MemoryKey,
        (after, limit): (Option<(u64, u64)>, usize),
    ) -> EngineResult<(Vec<ConflictingBullets>, bool)> {
        let mut found = self.read_memory(key, open_conflicts).await?;
        found.retain(|pair| after.is_none_or(|after| pair.place() > after));
        let is_cut = found.len() > limit;
        found.truncate(limit);
        Ok((found, is_cut))
    }

    /// Records a decision about two bullets as a delta.
    ///
    /// # Errors
    ///
    /// `NoBullet`; `Invalid` for a bullet with itself, and for two about which there is nothing to decide.
    pub async fn resolve_bullet_conflict(
        &self,
        key: &MemoryKey,
        request: ConflictRequest,
    ) -> EngineResult<AppliedDelta> {
        let one = self.find_bullet(key, &request.one).await?.id;
        let other = self.find_bullet(key, &request.other).await?.id;
        let operations = self
            .read_memory(key, |memory| decided(memory, (one, other), &request))
            .await?
            .map_err(EngineError::Invalid)?;
        let mut delta = Delta::new(Self::fresh_delta_id()?, operations);
        delta.reasoning = request.reason;
        delta.origin.author = request.author;
        self.apply_delta(key, delta).await
    }
}

fn open_conflicts(memory: &Memory) -> Vec<ConflictingBullets> {
    let open = memory.links().filter(|link| {
        link.id.kind == LinkKind::ConflictsWith
            && memory.contradicting(link.id.from).contains(&link.id.to)
    });
    let pair = |link: &Link| {
        let (a, b) = (memory.get(link.id.from)?, memory.get(link.id.to)?);
        let (first, second) = if a.position <= b.position {
            (a, b)
        } else {
            (b, a)
        };
        (first.is_active() && second.is_active()).then_some(ConflictingBullets {
            first,
            second,
            reason: link.reason.clone(),
            similarity: link.similarity,
        })
    };
    let mut found: Vec<ConflictingBullets> = open.filter_map(pair).collect();
    found.sort_by_key(ConflictingBullets::place);
    found
}

/// Returns the operations of a decision; `Err` has the reason why no decision is possible.
fn decided(
    memory: &Memory,
    (one, other): (BulletId, BulletId),
    request: &ConflictRequest,
) -> Result<Vec<Operation>, String> {
    if one == other {
        return Err(format!("`{one}` does not contradict itself"));
    }
    let pair = (one, other);
    if request.decision == ConflictDecision::Reopen {
        return reopened(memory, pair);
    }
    let Some(conflict) = standing(memory, LinkKind::ConflictsWith, pair) else {
        return Err(format!(
            "`{one}` and `{other}` are not linked as a conflict"
        ));
    };
    Ok(match request.decision {
        ConflictDecision::KeepBoth => vec![
            changed(conflict, true),
            Operation::Link(LinkChange {
                kind: LinkKind::ReconciledWith,
                from: one.into(),
                to: other.into(),
                reason: request.reason.clone(),
                similarity: None,
                removed: false,
            }),
        ],
        ConflictDecision::Merge => vec![Operation::Merge(Merging {
            into: one.into(),
            from: other.into(),
        })],
        ConflictDecision::KeepOne | ConflictDecision::Reopen => {
            let reason = request.reason.clone();
            let reason = reason.unwrap_or_else(|| format!("contradicts {one}, which was kept"));
            vec![Operation::Reject(Removal {
                id: other.into(),
                reason: Some(reason),
            })]
        }
    })
}

/// Returns the operations that take a decision to keep both back.
fn reopened(memory: &Memory, pair: (BulletId, BulletId)) -> Result<Vec<Operation>, String> {
    let Some(settled) = standing(memory, LinkKind::ReconciledWith, pair) else {
        return Err(format!(
            "nobody decided that both `{}` and `{}` stay; what was decided otherwise is undone by `delta undo`",
            pair.0, pair.1
        ));
    };
    let conflict = memory.link(LinkId::new(LinkKind::ConflictsWith, pair.0, pair.1));
    let again = conflict.map(|conflict| changed(conflict, false));
    Ok(again.into_iter().chain([changed(settled, true)]).collect())
}

/// Returns a link that is not removed.
fn standing(memory: &Memory, kind: LinkKind, pair: (BulletId, BulletId)) -> Option<&Link> {
    let link = memory.link(LinkId::new(kind, pair.0, pair.1));
    link.filter(|link| !link.removed)
}

/// Returns the operation that removes a link or brings it back.
fn changed(link: &Link, removed: bool) -> Operation {
    Operation::Link(LinkChange::of(link, removed))
}
