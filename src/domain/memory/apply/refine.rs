//! The refine pass of a delta: merges near duplicates, links those that the guard keeps apart and those that give a
//! newer value, and archives harmful bullets.
//!
//! The result is defined by a pass over all pairs in insertion order. Only pairs with a new or changed bullet
//! can have a new result, so only those are compared.

mod neighbours;
mod newest;
mod opposites;
mod review;

use std::collections::BTreeSet;

use hindlore_topk::DocId;

use super::add::absorb;
use super::application::DeltaApplication;
use super::separation::Compared;
use crate::memory::bullet::{Bullet, BulletId, Status};
use crate::memory::decay::finalised_strength;
use crate::memory::policy::Policy;
use crate::memory::receipt::Merged;

use neighbours::Neighbours;
pub(crate) use review::LINKS_MAX;

/// Returns true if two bullets may merge by topic: they have the same one, or one has none. Classic mode ignores
/// topics.
pub(crate) fn same_topic(policy: &Policy, a: &Bullet, b: &Bullet) -> bool {
    policy.is_classic() || a.topic.is_none() || b.topic.is_none() || a.topic == b.topic
}

/// Returns true if two bullets have the same topic and no reason to stay apart.
fn may_merge(event: &DeltaApplication<'_, '_>, a: DocId, b: DocId) -> bool {
    let memory = event.draft.memory();
    let (a, b) = (memory.at(a), memory.at(b));
    if !same_topic(&event.policy, &a, &b) {
        return false;
    }
    if !event.policy.guard {
        return true;
    }
    let a = Compared {
        bullet: &a,
        features: &event.features(&a),
    };
    let b = Compared {
        bullet: &b,
        features: &event.features(&b),
    };
    event.separation(a, b).is_none()
}

/// Returns true if `a` survives a merge with `b`, which comes later in insertion order: by larger balance of
/// votes, then by later creation; of equals, `a` survives.
pub(crate) fn survives(policy: &Policy, a: &Bullet, b: &Bullet) -> bool {
    let balances = (a.counts.balance(), b.counts.balance());
    if balances.0 != balances.1 {
        return balances.0 > balances.1;
    }
    if policy.is_classic() {
        return a.created_at >= b.created_at;
    }
    (a.created_tick, a.position) >= (b.created_tick, b.position)
}

/// Merges near duplicates, links those that the guard keeps apart, and archives bullets with more harmful than
/// helpful votes.
pub(crate) fn refine(event: &mut DeltaApplication<'_, '_>) {
    if event.policy.is_classic() {
        // A pass over all pairs, without those that an earlier pass compared and left as they are.
        let unrefined = event.draft.take_unrefined();
        let starts = lower_places(event, unrefined.into_iter(), &Neighbours::default());
        MergePass::new(None).run(event, &starts);
        return;
    }
    let mut fresh = fresh_bullets(event);
    let neighbours = Neighbours::find(event, &fresh);
    loop {
        let memory = event.draft.memory();
        let docs: Vec<DocId> = fresh.iter().filter_map(|id| memory.doc_of(*id)).collect();
        let starts = lower_places(event, docs.into_iter(), &neighbours);
        // Survivors have new votes and tags, and may merge again, so passes run until nothing changes.
        let merges = MergePass::new(Some(&mut fresh)).run(event, &starts);
        if merges == 0 {
            break;
        }
    }
    if !event.is_unguarded() {
        review::forget_settled(event, &fresh);
        newest::link_newest(event, &fresh);
        review::link_kept_apart(event, &fresh, &neighbours);
        opposites::link_opposites(event, &fresh);
    }
    archive_harmful(event);
}

/// Returns the active bullets whose text, status, kind or topic this delta changed, except those that an import
/// or an undo restored.
fn fresh_bullets(event: &DeltaApplication<'_, '_>) -> BTreeSet<BulletId> {
    let is_fresh = |id: &BulletId| {
        let Some((before, now)) = event.draft.change(*id) else {
            return false;
        };
        let same = before.is_some_and(|old| {
            old.content == now.content
                && old.is_active() == now.is_active()
                && old.kind == now.kind
                && old.topic == now.topic
        });
        now.is_active() && !same && !event.put_back.contains(id)
    };
    event.draft.changed().filter(is_fresh).collect()
}

/// Returns the places at which a pass has something to compare: the earlier document of each pair of one of these
/// bullets and a candidate for a merge with it.
fn lower_places(
    event: &DeltaApplication<'_, '_>,
    docs: impl Iterator<Item = DocId>,
    neighbours: &Neighbours,
) -> BTreeSet<DocId> {
    let arena = &event.draft.memory().arena;
    let mut places = BTreeSet::new();
    for doc in docs.filter(|doc| arena.header(*doc).is_active()) {
        let near = neighbours.mergeable(event, doc);
        places.extend(near.into_iter().map(|other| other.min(doc)));
    }
    places
}

/// One pass over places in insertion order. The text now at a place is compared with the later places; the
/// survivor of a merge takes the earlier place.
struct MergePass<'p> {
    /// If given, only pairs with a fresh bullet are compared, and survivors become fresh.
    fresh: Option<&'p mut BTreeSet<BulletId>>,
    /// Survivors that moved to an earlier place; their own place is empty.
    moved: BTreeSet<DocId>,
}

impl<'p> MergePass<'p> {
    fn new(fresh: Option<&'p mut BTreeSet<BulletId>>) -> Self {
        let moved = BTreeSet::new();
        Self { fresh, moved }
    }

    /// Runs the pass from each of these places, and returns the number of merges.
    fn run(mut self, event: &mut DeltaApplication<'_, '_>, starts: &BTreeSet<DocId>) -> usize {
        let mut merges = 0;
        for place in starts {
            if self.moved.contains(place) || !event.draft.memory().arena.header(*place).is_active()
            {
                continue;
            }
            let mut current = *place;
            let mut from = *place;
            while let Some(next) = self.next_mergeable(event, current, from) {
                let survivor = merge_pair(event, current, next);
                merges += 1;
                if survivor == next {
                    self.moved.insert(next);
                }
                if let Some(fresh) = &mut self.fresh {
                    fresh.insert(event.draft.memory().arena.id(survivor));
                }
                current = survivor;
                from = next;
            }
        }
        merges
    }

    /// Returns the first place after `from` whose bullet merges with `current`.
    fn next_mergeable(
        &self,
        event: &DeltaApplication<'_, '_>,
        current: DocId,
        from: DocId,
    ) -> Option<DocId> {
        let memory = event.draft.memory();
        let is_fresh = |doc| {
            let fresh = self.fresh.as_deref();
            fresh.is_none_or(|fresh| fresh.contains(&memory.arena.id(doc)))
        };
        let mut near = event.search_mergeable(current).into_iter();
        near.find(|doc| {
            let is_ahead = *doc > from && !self.moved.contains(doc);
            let takes_part = is_ahead && (is_fresh(current) || is_fresh(*doc));
            takes_part && may_merge(event, current, *doc)
        })
    }
}

/// Merges two bullets, the first at the earlier place, and returns the survivor.
fn merge_pair(event: &mut DeltaApplication<'_, '_>, first: DocId, second: DocId) -> DocId {
    let memory = event.draft.memory();
    let first_stays = survives(&event.policy, &memory.at(first), &memory.at(second));
    let (keep, drop) = if first_stays {
        (first, second)
    } else {
        (second, first)
    };
    let (keep_id, lost) = (memory.arena.id(keep), memory.at(drop));
    let policy = event.policy.clone();
    event.draft.edit(keep_id, |bullet| {
        absorb(&policy, bullet, &lost);
        bullet.strength = finalised_strength(bullet.strength, &policy, bullet.counts);
    });
    event.draft.edit(lost.id, |bullet| {
        bullet.status = Status::Archived;
        bullet.merged_into = Some(keep_id);
        bullet.holds_hash &= !policy.is_classic();
    });
    event.link_merge(lost.id, keep_id);
    event.merged.push(Merged {
        into: keep_id,
        from: lost.id,
    });
    keep
}

/// Archives bullets with more harmful than helpful votes. A change of the policy may change the rule for all
/// bullets; else only changed ones are checked.
fn archive_harmful(event: &mut DeltaApplication<'_, '_>) {
    let memory = event.draft.memory();
    let threshold = event.policy.harmful_votes;
    // A few votes may be chance, so a bullet needs a minimum before it is judged harmful.
    let harms = |doc: &DocId| {
        let bullet = memory.arena.header(*doc);
        let votes = bullet.counts.helpful.saturating_add(bullet.counts.harmful);
        let harmful = bullet.counts.harmful > bullet.counts.helpful && votes >= threshold;
        bullet.is_active() && harmful && !event.put_back.contains(&memory.arena.id(*doc))
    };
    let harmful: Vec<BulletId> = if event.draft.policy_changed() {
        let harmful = memory.arena.docs().filter(harms);
        harmful.map(|doc| memory.arena.id(doc)).collect()
    } else {
        let changed = event.draft.changed();
        let harms = |id: &BulletId| memory.doc_of(*id).is_some_and(|doc| harms(&doc));
        changed.filter(harms).collect()
    };
    harmful.into_iter().for_each(|id| event.archive(id));
}

#[cfg(test)]
mod tests;
