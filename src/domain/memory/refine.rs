//! Grow and refine: near-duplicates merge, harmful bullets go, and the weakest make room.

mod neighbours;
mod opposites;
mod review;

use std::collections::BTreeSet;

use mnemograph_topk::DocId;

use super::add::absorb;
use super::application::DeltaApplication;
use super::bullet::{Bullet, BulletId, Kind, Status};
use super::decay::finalised_strength;
use super::link::LinkKind;
use super::policy::Policy;
use super::receipt::Merged;
use crate::text::guard::GuardFeatures;

use neighbours::Neighbours;

/// What keeps two similar texts apart, and the link that says so.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Kept {
    pub(super) kind: LinkKind,
    pub(super) reason: String,
}

/// True when two bullets are about the same subject, or one of them names none. Classic knows no
/// topic rule.
pub(super) fn topics_meet(policy: &Policy, a: &Bullet, b: &Bullet) -> bool {
    policy.is_classic() || a.topic.is_none() || b.topic.is_none() || a.topic == b.topic
}

impl DeltaApplication<'_, '_> {
    /// Why two similar texts must not be merged, if so.
    pub(super) fn apart(
        &self,
        (a, ours): (&Bullet, &GuardFeatures),
        (b, theirs): (&Bullet, &GuardFeatures),
    ) -> Option<Kept> {
        if !self.policy.guard {
            return None;
        }
        let apart = |kind, reason: String| Some(Kept { kind, reason });
        if let Some(reason) = self.tables.guard.check(ours, theirs) {
            let kind = if reason.is_conflict() {
                LinkKind::ConflictsWith
            } else {
                LinkKind::SimilarTo
            };
            return apart(kind, reason.to_string());
        }
        let warns = |bullet: &Bullet| bullet.kind == Kind::AntiPattern;
        if warns(a) != warns(b) {
            return apart(
                LinkKind::SimilarTo,
                "one is an anti-pattern, the other is not".to_owned(),
            );
        }
        None
    }
}

/// True when the bullets in two docs are about the same subject and nothing keeps them apart.
fn may_merge(event: &DeltaApplication<'_, '_>, a: DocId, b: DocId) -> bool {
    let memory = event.draft.memory();
    let (a, b) = (memory.at(a), memory.at(b));
    if !topics_meet(&event.policy, &a, &b) {
        return false;
    }
    if !event.policy.guard {
        return true;
    }
    let (ours, theirs) = (event.features(&a), event.features(&b));
    event.apart((&a, &ours), (&b, &theirs)).is_none()
}

/// True when `a` survives a merge with `b`, which comes later in order: larger balance, then later
/// created, then earlier in order.
pub(super) fn survives(policy: &Policy, a: &Bullet, b: &Bullet) -> bool {
    let balances = (a.counts.balance(), b.counts.balance());
    if balances.0 != balances.1 {
        return balances.0 > balances.1;
    }
    if policy.is_classic() {
        return a.created_at >= b.created_at;
    }
    (a.created_tick, a.position) >= (b.created_tick, b.position)
}

/// Merges near-duplicates, links what the guard kept apart, archives what does more harm than good.
pub(super) fn refine(event: &mut DeltaApplication<'_, '_>) {
    if event.policy.is_classic() {
        // The pass over everything, without the pairs that an earlier one left as they are.
        let unrefined = event.draft.take_unrefined();
        let starts = lower_places(event, unrefined.into_iter(), &Neighbours::default());
        merge_pass(event, &starts, None);
        return;
    }
    let mut fresh = fresh_bullets(event);
    let neighbours = Neighbours::find(event, &fresh);
    loop {
        let memory = event.draft.memory();
        let docs: Vec<DocId> = fresh.iter().filter_map(|id| memory.doc_of(*id)).collect();
        let starts = lower_places(event, docs.into_iter(), &neighbours);
        let survivors = merge_pass(event, &starts, Some(&mut fresh));
        if survivors == 0 {
            break;
        }
    }
    if !event.is_unguarded() {
        review::link_kept_apart(event, &fresh, &neighbours);
        opposites::link_opposites(event, &fresh);
    }
    archive_harmful(event);
}

/// Active bullets whose text, status, kind or topic this delta changed, except those that an import
/// puts back as they were.
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

/// Places at which a pass has something to compare: the lower doc of each similar pair with one of
/// these bullets.
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

/// One pass over places in insertion order. The text now at place i is compared with the later places;
/// the survivor of a merge takes place i. With `fresh`, only pairs with a fresh bullet are compared,
/// and survivors become fresh. Gives the number of merges.
fn merge_pass(
    event: &mut DeltaApplication<'_, '_>,
    starts: &BTreeSet<DocId>,
    mut fresh: Option<&mut BTreeSet<BulletId>>,
) -> usize {
    let mut merges = 0;
    // Slots whose bullet now stands at an earlier place.
    let mut moved: BTreeSet<DocId> = BTreeSet::new();
    for place in starts {
        if moved.contains(place) || !event.draft.memory().arena.header(*place).is_active() {
            continue;
        }
        let mut current = *place;
        let mut from = *place;
        while let Some(next) = next_mergeable(event, current, from, (&moved, fresh.as_deref())) {
            let survivor = merge_pair(event, current, next);
            merges += 1;
            if survivor == next {
                moved.insert(next);
            }
            if let Some(fresh) = fresh.as_deref_mut() {
                fresh.insert(event.draft.memory().arena.id(survivor));
            }
            current = survivor;
            from = next;
        }
    }
    merges
}

/// The first place after `from` whose bullet merges with the one in doc `current`.
fn next_mergeable(
    event: &DeltaApplication<'_, '_>,
    current: DocId,
    from: DocId,
    (moved, fresh): (&BTreeSet<DocId>, Option<&BTreeSet<BulletId>>),
) -> Option<DocId> {
    let memory = event.draft.memory();
    let is_fresh = |doc| fresh.is_none_or(|fresh| fresh.contains(&memory.arena.id(doc)));
    let mut near = event.search_mergeable(current).into_iter();
    near.find(|doc| {
        let is_ahead = *doc > from && !moved.contains(doc);
        let takes_part = is_ahead && (is_fresh(current) || is_fresh(*doc));
        takes_part && may_merge(event, current, *doc)
    })
}

/// Merges the bullets in two docs, the first at the earlier place; gives the survivor's doc.
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

fn archive_harmful(event: &mut DeltaApplication<'_, '_>) {
    let memory = event.draft.memory();
    let threshold = event.policy.harmful_votes;
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
