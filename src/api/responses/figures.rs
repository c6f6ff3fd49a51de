//! The figures of a memory: counts, strengths, votes, usage, and growth, computed once for all surfaces.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::Serialize;

use crate::schema::Id;
use hindlore::{MemoryFigures, MemoryView};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::decay::{decayed_score, retention};
use hindlore_domain::memory::link::LinkKind;
use hindlore_store::{DeltaRecord, RetrievalRecord, Usage};

/// Maximum entries of a list.
const LIST_MAX: usize = 10;
/// The figures of a memory.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FiguresResponse {
    /// Tenant, learner, and scope, separated by `/`.
    pub memory: String,
    /// Clock of the memory.
    pub clock: u64,
    /// Revision of the memory.
    pub revision: u64,
    /// Content digest of the memory.
    pub content_digest: String,
    /// Bullets in any status; neither here nor below is the general advice counted that came with the memory.
    pub bullets: usize,
    /// Pieces of that advice.
    pub advice: usize,
    /// Bullets by status.
    pub by_status: Vec<NamedCount>,
    /// Active bullets by memory type; the counts below are of active bullets, too.
    pub by_type: Vec<NamedCount>,
    /// By kind.
    pub by_kind: Vec<NamedCount>,
    /// By section; `(none)` counts those without one.
    pub by_section: Vec<NamedCount>,
    /// By subject; `(none)` counts those without one.
    pub by_topic: Vec<NamedCount>,
    /// The most frequent tags, at most 10.
    pub top_tags: Vec<NamedCount>,
    /// The strongest, at most 10.
    pub strongest: Vec<BulletStrength>,
    /// The most faded ones, at most 10.
    pub fading: Vec<BulletStrength>,
    /// Those with the most helpful votes, at most 10.
    pub most_helpful: Vec<BulletStrength>,
    /// Those with the most harmful votes, at most 10.
    pub most_harmful: Vec<BulletStrength>,
    /// Pairs that contradict each other.
    pub conflicts: Vec<LinkedPair>,
    /// Similar pairs kept apart.
    pub duplicates: Vec<LinkedPair>,
    /// Results of retrievals.
    pub usage: UsageFigures,
    /// Changes of its size by deltas, newest first.
    pub growth: Vec<Growth>,
}

/// A count with a name.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NamedCount {
    /// The counted property.
    pub name: String,
    /// The count.
    pub count: usize,
}

/// A bullet and its strength.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BulletStrength {
    /// Id of the bullet.
    #[schemars(with = "Id")]
    pub id: BulletId,
    /// Its text.
    pub content: String,
    /// Strength now, after decay.
    pub decayed_score: f64,
    /// Remaining share of its strength, in 0..=1.
    pub retention: f64,
    /// Helpful votes.
    pub helpful: u64,
    /// Harmful votes.
    pub harmful: u64,
}

/// Two bullets kept apart by the guard.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LinkedPair {
    /// One bullet.
    #[schemars(with = "Id")]
    pub from: BulletId,
    /// Its text.
    pub from_content: String,
    /// The other bullet.
    #[schemars(with = "Id")]
    pub to: BulletId,
    /// Text of the other bullet.
    pub to_content: String,
    /// The difference that kept them apart.
    pub reason: String,
    /// Similarity of the two texts, in 0..=1; null: not measured.
    pub similarity: Option<f64>,
}

/// Results of retrievals. A retrieval that returns nothing has no record and is not counted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UsageFigures {
    /// Number of recorded retrievals examined, the newest ones.
    pub retrievals: usize,
    /// Share of them with a bullet that was used or helped; absent without retrievals.
    pub hit_rate: Option<f64>,
    /// Share of them with a bullet that did harm.
    pub harm_rate: Option<f64>,
    /// Mean number of bullets returned.
    pub returned_mean: Option<f64>,
    /// Times bullets were returned, over the memory's whole life.
    pub returned: u64,
    /// Times a returned bullet was put into a prompt.
    pub injected: u64,
    /// Times a returned bullet was used.
    pub used: u64,
    /// Times that it helped.
    pub helped: u64,
    /// Times that it did harm.
    pub harmed: u64,
    /// Active bullets never returned.
    pub never_returned: usize,
}

/// Change of the memory's size by a delta.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Growth {
    /// Revision it made.
    pub revision: u64,
    /// Id of the delta.
    pub delta: String,
    /// Bullets added.
    pub added: usize,
    /// Texts merged into other bullets.
    pub merged: usize,
    /// Bullets changed.
    pub updated: usize,
    /// Bullets archived.
    pub archived: usize,
    /// Its author's reasons; null: none given.
    pub reasoning: Option<String>,
}

impl From<&MemoryFigures> for FiguresResponse {
    fn from(gathered: &MemoryFigures) -> Self {
        let view = &gathered.view;
        let learned = || view.bullets.iter().filter(|bullet| !bullet.is_seed());
        let active: Vec<&Bullet> = learned().filter(|b| b.is_active()).collect();
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "(none)".to_owned());
        let by_status = learned().map(|b| b.status.to_string());
        let strengths: Vec<BulletStrength> = active.iter().map(|b| strength(view, b)).collect();
        Self {
            memory: view.key.to_string(),
            clock: view.clock,
            revision: view.revision,
            content_digest: view.content_digest.clone(),
            bullets: learned().count(),
            advice: view.bullets.len() - learned().count(),
            by_status: counts(by_status),
            by_type: counts(active.iter().map(|b| b.memory_type.to_string())),
            by_kind: counts(active.iter().map(|b| b.kind.to_string())),
            by_section: counts(active.iter().map(|b| name(&b.section))),
            by_topic: counts(active.iter().map(|b| name(&b.topic))),
            top_tags: top(counts(active.iter().flat_map(|b| b.tags.clone()))),
            strongest: best(&strengths, |s| s.decayed_score),
            fading: best_of(&strengths, |s| s.retention < 1.0, |s| -s.retention),
            most_helpful: best_of(&strengths, |s| s.helpful > 0, |s| float(s.helpful)),
            most_harmful: best_of(&strengths, |s| s.harmful > 0, |s| float(s.harmful)),
            conflicts: pairs(view, LinkKind::ConflictsWith),
            duplicates: pairs(view, LinkKind::SimilarTo),
            usage: usage(gathered, &active),
            growth: gathered.deltas.iter().map(growth).collect(),
        }
    }
}

/// Counts equal names; most frequent first, then by name.
fn counts(names: impl Iterator<Item = String>) -> Vec<NamedCount> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut listed: Vec<NamedCount> = counts
        .into_iter()
        .map(|(name, count)| NamedCount { name, count })
        .collect();
    listed.sort_by_key(|one| std::cmp::Reverse(one.count));
    listed
}

fn top(mut listed: Vec<NamedCount>) -> Vec<NamedCount> {
    listed.truncate(LIST_MAX);
    listed
}

fn strength(view: &MemoryView, bullet: &Bullet) -> BulletStrength {
    let (rates, clock) = (&view.policy.rates, view.clock);
    BulletStrength {
        id: bullet.id,
        content: bullet.content.as_str().to_owned(),
        decayed_score: decayed_score(bullet, rates, clock),
        retention: retention(bullet, rates, clock),
        helpful: bullet.counts.helpful,
        harmful: bullet.counts.harmful,
    }
}

fn best(all: &[BulletStrength], by: impl Fn(&BulletStrength) -> f64) -> Vec<BulletStrength> {
    best_of(all, |_| true, by)
}

/// The first few active bullets by a number; ties keep the order of insertion.
fn best_of(
    all: &[BulletStrength],
    takes_part: impl Fn(&BulletStrength) -> bool,
    by: impl Fn(&BulletStrength) -> f64,
) -> Vec<BulletStrength> {
    let mut chosen: Vec<&BulletStrength> = all.iter().filter(|one| takes_part(one)).collect();
    chosen.sort_by(|a, b| by(b).total_cmp(&by(a)));
    chosen.truncate(LIST_MAX);
    let copy = |one: &BulletStrength| BulletStrength {
        content: one.content.clone(),
        ..*one
    };
    chosen.into_iter().map(copy).collect()
}

#[allow(clippy::cast_precision_loss)]
fn float(count: u64) -> f64 {
    count as f64
}

/// Pairs of active bullets joined by a link of this kind.
fn pairs(view: &MemoryView, kind: LinkKind) -> Vec<LinkedPair> {
    let active = view.active();
    let of_kind = view.links.iter().filter(|link| link.id.kind == kind);
    let pairs = of_kind.filter_map(|link| {
        let (from, to) = (active.get(&link.id.from)?, active.get(&link.id.to)?);
        Some(LinkedPair {
            from: from.id,
            from_content: from.content.as_str().to_owned(),
            to: to.id,
            to_content: to.content.as_str().to_owned(),
            reason: link.reason.clone().unwrap_or_default(),
            similarity: link.similarity,
        })
    });
    pairs.collect()
}

fn usage(gathered: &MemoryFigures, active: &[&Bullet]) -> UsageFigures {
    let (records, usage) = (&gathered.retrievals, &gathered.usage);
    let share = |of: fn(&RetrievalRecord) -> bool| {
        let hits = records.iter().filter(|record| of(record)).count();
        ratio(hits, records.len())
    };
    let returned: HashMap<BulletId, u64> =
        usage.iter().map(|(id, one)| (*id, one.retrieved)).collect();
    let sum = |of: fn(&Usage) -> u64| usage.iter().map(|(_, one)| of(one)).sum();
    let never = |bullet: &&&Bullet| returned.get(&bullet.id).copied().unwrap_or_default() == 0;
    UsageFigures {
        retrievals: records.len(),
        hit_rate: share(|record| record.returned.iter().any(|one| one.used || one.helped)),
        harm_rate: share(|record| record.returned.iter().any(|one| one.harmed)),
        returned_mean: ratio(
            records.iter().map(|record| record.returned.len()).sum(),
            records.len(),
        ),
        returned: sum(|one| one.retrieved),
        injected: sum(|one| one.injected),
        used: sum(|one| one.used),
        helped: sum(|one| one.helped),
        harmed: sum(|one| one.harmed),
        never_returned: active.iter().filter(never).count(),
    }
}

#[allow(clippy::cast_precision_loss)]
fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn growth(record: &DeltaRecord) -> Growth {
    let receipt = &record.receipt;
    Growth {
        revision: record.revision,
        delta: record.id.to_string(),
        added: receipt.added.len(),
        merged: receipt.merged.len(),
        updated: receipt.updated.len(),
        archived: receipt.archived.len(),
        reasoning: record.reasoning.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_stand_first_and_equal_ones_by_name() {
        let names = ["b", "a", "c", "b", "c", "b"].map(str::to_owned);
        let counts = counts(names.into_iter());
        let told: Vec<(&str, usize)> = counts.iter().map(|s| (s.name.as_str(), s.count)).collect();
        assert_eq!(told, [("b", 3), ("c", 2), ("a", 1)]);
    }

    #[test]
    fn a_share_of_nothing_is_absent() {
        assert_eq!(ratio(0, 0), None);
        assert_eq!(ratio(1, 4), Some(0.25));
    }
}
