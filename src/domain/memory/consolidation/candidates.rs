//! The candidates of a consolidation: a copy of the relevant parts of a memory, so that a plan holds no lock.

use std::collections::{BTreeMap, HashSet};

use super::super::aggregate::Memory;
use super::super::bullet::{Bullet, BulletId, Kind, MemoryType, Status};
use super::super::content::{ContentHash, Identity};
use super::super::digest::content_leaf;
use super::super::link::{LinkId, LinkKind};
use super::Choice;
use super::importance::importance_at;
use hindlore_primitives::identity::hex;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_primitives::word_enum;

/// Maximum sources of a consolidated bullet that a further consolidation reads again.
const ORIGINALS_MAX: usize = 1_000;

word_enum! {
    /// Why an active bullet is no candidate.
    Kept {
        /// It is of another kind than was asked for.
        OtherKind = "other_kind",
        /// Its importance is above the limit, or at the threshold.
        Important = "important",
        /// A person pinned it.
        Pinned = "pinned",
        /// It is general advice.
        Advice = "advice",
        /// It is a warning, and would lose the mark of one.
        AntiPattern = "anti_pattern",
        /// More votes call it harmful than helpful.
        Harmful = "harmful",
        /// It contradicts another, and the conflict is undecided.
        Contradicted = "contradicted",
        /// It gives or gave a value that changed.
        Superseded = "superseded",
        /// It is part of a dialogue or a trace, whose order counts.
        Sequence = "sequence",
        /// Its lifetime has ended.
        Expired = "expired",
    }
}

/// A bullet that may be merged with others.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) id: BulletId,
    pub(crate) seen: String,
    pub(crate) hash: ContentHash,
    pub(crate) content: String,
    pub(crate) kind: Kind,
    pub(crate) memory_type: MemoryType,
    pub(crate) topic: Option<String>,
    pub(crate) section: Option<String>,
    pub(crate) balance: i128,
    /// Texts that it was itself consolidated from; its own if it was not. Losses are measured against these, so that
    /// they do not add up unseen.
    pub(crate) originals: Vec<String>,
}

/// The candidates of one memory, in insertion order.
#[derive(Clone, Debug)]
pub struct Candidates {
    pub(crate) list: Vec<Candidate>,
    pub(crate) max_content_chars: u32,
    pub(crate) identity: Identity,
    /// Hashes of all texts that active and rejected bullets hold.
    pub(crate) held: HashSet<ContentHash>,
    /// Active bullets that are no candidates, by reason.
    pub kept: BTreeMap<Kept, u64>,
}

impl Candidates {
    /// Returns the number of candidates.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns true if there is no candidate.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// Copies the candidates of a memory. `now` decides which bullets have expired.
pub fn collect(memory: &Memory, choice: &Choice, now: Timestamp) -> Candidates {
    let takes_part = |bullet: &Bullet| bullet.status != Status::Archived;
    let bullets = memory.bullets().into_iter();
    let held = bullets
        .filter(takes_part)
        .map(|bullet| bullet.content_hash());
    let held = held.collect();
    let mut kept = BTreeMap::new();
    let mut list = Vec::new();
    for bullet in memory.active_bullets() {
        match kept_because(memory, &bullet, choice, now) {
            Some(reason) => *kept.entry(reason).or_insert(0) += 1,
            None => list.push(candidate(memory, bullet)),
        }
    }
    Candidates {
        list,
        max_content_chars: memory.policy().max_content_chars,
        identity: memory.policy().identity(),
        held,
        kept,
    }
}

fn candidate(memory: &Memory, bullet: Bullet) -> Candidate {
    Candidate {
        id: bullet.id,
        seen: seen(&bullet),
        hash: bullet.content_hash(),
        originals: originals(memory, &bullet),
        content: bullet.content.as_str().to_owned(),
        kind: bullet.kind,
        memory_type: bullet.memory_type,
        balance: i128::from(bullet.counts.helpful) - i128::from(bullet.counts.harmful),
        topic: bullet.topic,
        section: bullet.section,
    }
}

/// Returns the fields of a bullet that a plan sees: text, votes, names, importance, pin and status, but no strength.
pub(crate) fn seen(bullet: &Bullet) -> String {
    let leaf = content_leaf(bullet).unwrap_or_default();
    hex(&leaf[..10])
}

fn kept_because(memory: &Memory, bullet: &Bullet, choice: &Choice, now: Timestamp) -> Option<Kept> {
    let importance = importance_at(bullet, &memory.policy().rates, memory.clock());
    let is_high = importance.max(bullet.importance) >= choice.importance_threshold;
    let is_important =
        importance > choice.min_importance || (choice.preserve_high_importance && is_high);
    let has = |kind| has_link(memory, bullet.id, kind);
    let reasons: [(bool, Kept); 7] = [
        (
            choice.kind.is_some_and(|kind| bullet.kind != kind),
            Kept::OtherKind,
        ),
        (bullet.pinned, Kept::Pinned),
        (bullet.is_meta_strategy(), Kept::Advice),
        (bullet.kind == Kind::AntiPattern, Kept::AntiPattern),
        (is_important, Kept::Important),
        (bullet.is_expired(now), Kept::Expired),
        (bullet.counts.harmful > bullet.counts.helpful, Kept::Harmful),
    ];
    let reason = reasons.into_iter().find(|(holds, _)| *holds);
    reason.map(|(_, reason)| reason).or_else(|| {
        if !memory.contradicting(bullet.id).is_empty() {
            return Some(Kept::Contradicted);
        }
        if has(LinkKind::Supersedes) {
            return Some(Kept::Superseded);
        }
        has(LinkKind::Follows).then_some(Kept::Sequence)
    })
}

/// Returns true if a bullet is at either end of a link of order or of value.
fn has_link(memory: &Memory, id: BulletId, kind: LinkKind) -> bool {
    let ends = match kind {
        LinkKind::Follows => [&memory.previous, &memory.next],
        _ => [&memory.newer, &memory.older],
    };
    ends.iter().any(|ends| ends.contains_key(&id))
}

/// Returns the source texts of a bullet: those that it was consolidated from, directly or not.
fn originals(memory: &Memory, bullet: &Bullet) -> Vec<String> {
    let mut texts = Vec::new();
    let mut open = vec![bullet.id];
    while let Some(id) = open.pop().filter(|_| texts.len() < ORIGINALS_MAX) {
        let sources = sources_of(memory, id);
        if sources.is_empty() {
            texts.extend(memory.get(id).map(|it| it.content.as_str().to_owned()));
        }
        open.extend(sources);
    }
    texts
}

/// Returns the bullets that one was consolidated from, ascending; none if it was not.
pub(crate) fn sources_of(memory: &Memory, id: BulletId) -> Vec<BulletId> {
    let end = |to| LinkId::new(LinkKind::ConsolidatedFrom, id, to);
    let links = memory
        .links
        .range(end(BulletId([0; 10]))..=end(BulletId([u8::MAX; 10])));
    links
        .filter(|(_, link)| !link.removed)
        .map(|(id, _)| id.to)
        .collect()
}
