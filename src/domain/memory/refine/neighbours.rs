//! Which bullets are near duplicates of which, found once per text of an event.
//!
//! What an ADD searched before it put its text in tells every later reader of the event which texts the
//! new one is close to, except those that came or changed without a search. Only these are searched for
//! when the refine pass begins; both ends of a pair then know of it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::apply::Event;
use super::super::bullet::BulletId;
use crate::domain::text::similar::{Bound, Similar};

/// What an event has searched so far.
#[derive(Default, Debug)]
pub(in crate::domain::memory) struct Searches {
    /// What was near to a text right before the event put it in.
    found: BTreeMap<BulletId, Vec<Similar>>,
    /// Bullets whose text came, changed, went or came back without a search.
    unsearched: BTreeSet<BulletId>,
}

impl Searches {
    /// Notes what an ADD found, all above the dedup threshold.
    pub(in crate::domain::memory) fn note_found(&mut self, id: BulletId, near: Vec<Similar>) {
        self.found.insert(id, near);
    }

    /// Notes a text that came, changed, went or came back without a search.
    pub(in crate::domain::memory) fn note_unsearched(&mut self, id: BulletId) {
        self.found.remove(&id);
        self.unsearched.insert(id);
    }

    /// Forgets everything: what is near is decided otherwise from now on.
    pub(in crate::domain::memory) fn forget(&mut self) {
        let found = std::mem::take(&mut self.found);
        self.unsearched.extend(found.into_keys());
    }
}

/// The near duplicates of bullets, complete for those it was made for.
#[derive(Default)]
pub(super) struct Neighbours {
    complete: BTreeSet<u32>,
    /// By slot, ascending; absent for those without any.
    near: BTreeMap<u32, Vec<Similar>>,
}

impl Neighbours {
    /// The near duplicates of these bullets.
    pub(super) fn of(event: &Event<'_, '_>, bullets: &BTreeSet<BulletId>) -> Self {
        let memory = event.draft.memory();
        let Searches { found, unsearched } = &event.draft.searches;
        let mut all = Self::default();
        if bullets.is_empty() {
            return all;
        }
        for id in bullets.union(unsearched) {
            let Some(slot) = memory.slot_of(*id) else {
                continue;
            };
            if !memory.shelf.core(slot).is_active() {
                continue;
            }
            match found.get(id) {
                Some(near) => {
                    let is_same = |near: &&Similar| {
                        let other = memory.shelf.id(near.slot);
                        !unsearched.contains(&other)
                    };
                    near.iter()
                        .filter(is_same)
                        .for_each(|near| all.join(slot, *near));
                }
                None => search(event, slot)
                    .into_iter()
                    .for_each(|near| all.join(slot, near)),
            }
        }
        for near in all.near.values_mut() {
            near.sort_unstable_by_key(|similar| similar.slot);
            near.dedup_by_key(|similar| similar.slot);
        }
        let slots = bullets.iter().filter_map(|id| memory.slot_of(*id));
        all.complete = slots.collect();
        all
    }

    fn join(&mut self, slot: u32, near: Similar) {
        let back = Similar { slot, ..near };
        self.near.entry(slot).or_default().push(near);
        self.near.entry(near.slot).or_default().push(back);
    }

    /// The active near duplicates of the bullet in a slot, ascending, without itself.
    pub(super) fn near(&self, event: &Event<'_, '_>, slot: u32) -> Vec<Similar> {
        if !self.complete.contains(&slot) {
            return search(event, slot);
        }
        let shelf = &event.draft.memory().shelf;
        let near = self.near.get(&slot).into_iter().flatten();
        near.filter(|similar| shelf.core(similar.slot).is_active())
            .copied()
            .collect()
    }
}

/// Active slots above the dedup threshold, ascending, without the bullet's own.
pub(super) fn search(event: &Event<'_, '_>, slot: u32) -> Vec<Similar> {
    let bound = Bound::Above(event.policy.dedup_threshold);
    let memory = event.draft.memory();
    let mut near = memory.similar_to(memory.shelf.text(slot), bound);
    near.retain(|similar| similar.slot != slot);
    near
}
