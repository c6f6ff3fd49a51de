//! The figures of a memory: counts, strengths, votes, use and growth, computed once for every form.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::api::problem::Problem;
use crate::cli::session::OpenMemory;
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::decay::{decayed_score, retention};
use crate::domain::memory::link::LinkKind;
use crate::engine::MemoryView;
use crate::store::{DeltaPage, DeltaRecord, RetrievalRecord};

/// Entries of a list.
const LIST_MAX: usize = 10;
/// Newest deltas and retrievals that are looked at.
const RECORDS_MAX: usize = 10_000;
/// Newest deltas whose growth is listed.
const GROWTH_MAX: usize = 15;

/// Everything that the summary tells.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub(crate) struct Figures {
    pub(crate) memory: String,
    pub(crate) clock: u64,
    pub(crate) revision: u64,
    pub(crate) content_digest: String,
    pub(crate) bullets: usize,
    pub(crate) by_status: Vec<Share>,
    /// These and the following count active bullets.
    pub(crate) by_type: Vec<Share>,
    pub(crate) by_kind: Vec<Share>,
    pub(crate) by_section: Vec<Share>,
    pub(crate) by_topic: Vec<Share>,
    pub(crate) top_tags: Vec<Share>,
    pub(crate) strongest: Vec<Standing>,
    pub(crate) fading: Vec<Standing>,
    pub(crate) most_helpful: Vec<Standing>,
    pub(crate) most_harmful: Vec<Standing>,
    pub(crate) conflicts: Vec<Pair>,
    pub(crate) duplicates: Vec<Pair>,
    pub(crate) usage: UseFigures,
    /// Newest first.
    pub(crate) growth: Vec<Growth>,
}

/// How many there are of something.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub(crate) struct Share {
    pub(crate) name: String,
    pub(crate) count: usize,
}

/// A bullet and how strong it is.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "the fields are those of a bullet")]
pub(crate) struct Standing {
    pub(crate) id: BulletId,
    pub(crate) content: String,
    pub(crate) decayed_score: f64,
    pub(crate) retention: f64,
    pub(crate) helpful: u64,
    pub(crate) harmful: u64,
}

/// Two bullets that the guard kept apart.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "the fields are those of a link")]
pub(crate) struct Pair {
    pub(crate) from: BulletId,
    pub(crate) from_content: String,
    pub(crate) to: BulletId,
    pub(crate) to_content: String,
    pub(crate) reason: String,
    pub(crate) similarity: Option<f64>,
}

/// What became of retrievals. One that returns nothing leaves no record, so it is in no figure.
#[derive(Debug, Serialize)]
pub(crate) struct UseFigures {
    /// Recorded retrievals that were looked at, the newest ones.
    pub(crate) retrievals: usize,
    /// Share of them with a bullet that was used or helped; absent without retrievals.
    pub(crate) hit_rate: Option<f64>,
    /// Share of them with a bullet that did harm.
    pub(crate) harm_rate: Option<f64>,
    /// Bullets that they returned, on average.
    pub(crate) returned_mean: Option<f64>,
    /// Times that bullets were returned, over the whole life of the memory.
    pub(crate) returned: u64,
    /// Times that a returned bullet was put into a prompt.
    pub(crate) injected: u64,
    /// Times that a returned bullet was used.
    pub(crate) used: u64,
    /// Times that it helped.
    pub(crate) helped: u64,
    /// Times that it did harm.
    pub(crate) harmed: u64,
    /// Active bullets that were never returned.
    pub(crate) never_returned: usize,
}

/// What one delta did to the size of the memory.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "the fields are those of a receipt")]
pub(crate) struct Growth {
    pub(crate) revision: u64,
    pub(crate) delta: String,
    pub(crate) added: usize,
    pub(crate) merged: usize,
    pub(crate) updated: usize,
    pub(crate) archived: usize,
    pub(crate) reasoning: Option<String>,
}

/// Computes the figures of a memory.
pub(crate) async fn of(memory: &OpenMemory) -> Result<Figures, Problem> {
    let view = memory.view().await?;
    let active: Vec<&Bullet> = view.bullets.iter().filter(|b| b.is_active()).collect();
    let page = DeltaPage {
        below_revision: None,
        limit: GROWTH_MAX,
    };
    let deltas = memory.engine.deltas(&memory.key, page).await?;
    let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "(none)".to_owned());
    let by_status = view.bullets.iter().map(|b| b.status.to_string());
    let standings: Vec<Standing> = active.iter().map(|b| standing(&view, b)).collect();
    Ok(Figures {
        memory: memory.key.to_string(),
        clock: view.clock,
        revision: view.revision,
        content_digest: view.content_digest.clone(),
        bullets: view.bullets.len(),
        by_status: shares(by_status),
        by_type: shares(active.iter().map(|b| b.memory_type.to_string())),
        by_kind: shares(active.iter().map(|b| b.kind.to_string())),
        by_section: shares(active.iter().map(|b| name(&b.section))),
        by_topic: shares(active.iter().map(|b| name(&b.topic))),
        top_tags: top(shares(active.iter().flat_map(|b| b.tags.clone()))),
        strongest: best(&standings, |s| s.decayed_score),
        fading: best_of(&standings, |s| s.retention < 1.0, |s| -s.retention),
        most_helpful: best_of(&standings, |s| s.helpful > 0, |s| float(s.helpful)),
        most_harmful: best_of(&standings, |s| s.harmful > 0, |s| float(s.harmful)),
        conflicts: pairs(&view, LinkKind::ConflictsWith),
        duplicates: pairs(&view, LinkKind::SimilarTo),
        usage: usage(memory, &active).await?,
        growth: deltas.iter().map(growth).collect(),
    })
}

/// Counts equal names; the most frequent first, equal ones by name.
fn shares(names: impl Iterator<Item = String>) -> Vec<Share> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut shares: Vec<Share> = counts
        .into_iter()
        .map(|(name, count)| Share { name, count })
        .collect();
    shares.sort_by_key(|share| std::cmp::Reverse(share.count));
    shares
}

fn top(mut shares: Vec<Share>) -> Vec<Share> {
    shares.truncate(LIST_MAX);
    shares
}

fn standing(view: &MemoryView, bullet: &Bullet) -> Standing {
    let (rates, clock) = (&view.policy.rates, view.clock);
    Standing {
        id: bullet.id,
        content: bullet.content.as_str().to_owned(),
        decayed_score: decayed_score(bullet, rates, clock),
        retention: retention(bullet, rates, clock),
        helpful: bullet.counts.helpful,
        harmful: bullet.counts.harmful,
    }
}

fn best(all: &[Standing], by: impl Fn(&Standing) -> f64) -> Vec<Standing> {
    best_of(all, |_| true, by)
}

/// The first few by a number, among those that take part; equal ones stay in insertion order.
fn best_of(
    all: &[Standing],
    takes_part: impl Fn(&Standing) -> bool,
    by: impl Fn(&Standing) -> f64,
) -> Vec<Standing> {
    let mut chosen: Vec<&Standing> = all.iter().filter(|one| takes_part(one)).collect();
    chosen.sort_by(|a, b| by(b).total_cmp(&by(a)));
    chosen.truncate(LIST_MAX);
    let copy = |one: &Standing| Standing {
        content: one.content.clone(),
        ..*one
    };
    chosen.into_iter().map(copy).collect()
}

#[allow(clippy::cast_precision_loss)]
fn float(count: u64) -> f64 {
    count as f64
}

/// Pairs of active bullets that a link of this kind joins.
fn pairs(view: &MemoryView, kind: LinkKind) -> Vec<Pair> {
    let active: HashMap<BulletId, &Bullet> = view
        .bullets
        .iter()
        .filter(|bullet| bullet.is_active())
        .map(|bullet| (bullet.id, bullet))
        .collect();
    let of_kind = view.links.iter().filter(|link| link.id.kind == kind);
    let pairs = of_kind.filter_map(|link| {
        let (from, to) = (active.get(&link.id.from)?, active.get(&link.id.to)?);
        Some(Pair {
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

async fn usage(memory: &OpenMemory, active: &[&Bullet]) -> Result<UseFigures, Problem> {
    let records = memory.engine.retrievals(&memory.key, RECORDS_MAX).await?;
    let counts = memory.engine.store().usage(&memory.key, &[]).await?;
    let share = |of: fn(&RetrievalRecord) -> bool| {
        let hits = records.iter().filter(|record| of(record)).count();
        ratio(hits, records.len())
    };
    let returned: HashMap<BulletId, u64> = counts
        .iter()
        .map(|(id, usage)| (*id, usage.retrieved))
        .collect();
    let sum = |of: fn(&crate::store::Usage) -> u64| counts.iter().map(|(_, one)| of(one)).sum();
    let never = |bullet: &&&Bullet| returned.get(&bullet.id).copied().unwrap_or_default() == 0;
    Ok(UseFigures {
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
    })
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
        let shares = shares(names.into_iter());
        let told: Vec<(&str, usize)> = shares.iter().map(|s| (s.name.as_str(), s.count)).collect();
        assert_eq!(told, [("b", 3), ("c", 2), ("a", 1)]);
    }

    #[test]
    fn a_share_of_nothing_is_absent() {
        assert_eq!(ratio(0, 0), None);
        assert_eq!(ratio(1, 4), Some(0.25));
    }
}
