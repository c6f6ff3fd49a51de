//! Keeping the indexes of a memory true: the door through which bullets and links enter and leave.

use std::collections::{BTreeSet, HashMap};

use super::aggregate::Memory;
use super::bullet::{Bullet, BulletId, Status};
use super::digest::{content_leaf, state_leaf};
use super::link::{Link, LinkKind};
use super::policy::Policy;

impl Memory {
    /// Puts a bullet in place of its earlier state, or adds it behind all others.
    pub fn put(&mut self, bullet: Bullet) {
        match self.slot_of(bullet.id) {
            Some(slot) => {
                self.unindex_facts(slot);
                self.lookups.leave(slot, &self.slots, Some(&bullet));
                let old = std::mem::replace(&mut self.slots[slot as usize], bullet);
                self.lookups.enter(slot, &self.slots, Some(&old));
                self.index_facts(slot);
            }
            None => {
                // More than 2^32 bullets do not fit into the memory of a machine.
                let slot = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
                if self.slots.len() == self.slots.capacity() {
                    // Doubling would leave a third of a large memory empty.
                    self.slots.reserve_exact(self.slots.len() / 8 + 8);
                }
                self.slots.push(bullet);
                let slots = &self.slots;
                self.by_id.insert(slot, |slot| slots[slot as usize].id);
                self.lookups.enter(slot, &self.slots, None);
                self.index_facts(slot);
            }
        }
    }

    /// Takes back the newest bullet, which a refused event had made.
    pub(super) fn forget_last(&mut self) {
        let Some(id) = self.slots.last().map(|last| last.id) else {
            return;
        };
        let Some(slot) = self.slot_of(id) else {
            return;
        };
        self.unindex_facts(slot);
        self.lookups.leave(slot, &self.slots, None);
        let slots = &self.slots;
        self.by_id.remove(&id, |slot| slots[slot as usize].id);
        self.states.remove(id);
        self.contents.remove(id);
        self.slots.pop();
    }

    /// Puts a link in place of its earlier state.
    pub fn put_link(&mut self, link: Link) {
        if link.id.kind == LinkKind::Follows {
            let (from, to) = (link.id.from, link.id.to);
            set_end(&mut self.previous, from, to, link.removed);
            set_end(&mut self.next, to, from, link.removed);
        }
        self.links.insert(link.id, link);
    }

    /// Takes back a link that a refused event had made.
    pub(super) fn forget_link(&mut self, link: &Link) {
        self.put_link(Link {
            removed: true,
            ..link.clone()
        });
        self.links.remove(&link.id);
    }

    pub(super) fn set_policy(&mut self, policy: Policy) {
        let recount = policy.mode != self.policy.mode;
        self.lookups.follow_policy(&self.policy, &policy);
        self.policy = policy;
        if recount {
            let counted = self
                .slots
                .iter()
                .filter(|bullet| self.counts_against_limit(bullet))
                .count();
            self.limited = counted as u64;
        }
    }

    fn counts_against_limit(&self, bullet: &Bullet) -> bool {
        let exempt = !self.policy.is_classic() && (bullet.pinned || bullet.is_meta_strategy());
        bullet.is_active() && !exempt
    }

    fn index_facts(&mut self, slot: u32) {
        let slots = &self.slots;
        let bullet = &slots[slot as usize];
        if bullet.holds_hash {
            let hash_of = |slot: u32| slots[slot as usize].content_hash;
            self.by_hash.insert(slot, hash_of);
        }
        if let Some(legacy) = &bullet.legacy_id {
            let slots = self.by_legacy.entry(legacy.clone()).or_default();
            if let Err(at) = slots.binary_search(&slot) {
                slots.insert(at, slot);
            }
        }
        if bullet.is_active() {
            if let (Some(days), false) = (bullet.ttl_days, bullet.pinned) {
                self.expiring
                    .insert((bullet.created_at.plus_days(days), slot));
            }
            if bullet.is_meta_strategy() {
                self.meta.insert(slot);
            }
        }
        self.limited += u64::from(self.counts_against_limit(bullet));
        self.states.put(bullet.id, state_leaf(bullet));
        match content_leaf(bullet) {
            Some(leaf) => self.contents.put(bullet.id, leaf),
            None => self.contents.remove(bullet.id),
        }
        let status = bullet.status;
        *self.census_of(status) += 1;
    }

    fn unindex_facts(&mut self, slot: u32) {
        let slots = &self.slots;
        let old = &slots[slot as usize];
        let hash_of = |slot: u32| slots[slot as usize].content_hash;
        if old.holds_hash && self.by_hash.get(&old.content_hash, hash_of) == Some(slot) {
            self.by_hash.remove(&old.content_hash, hash_of);
        }
        if let Some(slots) = old
            .legacy_id
            .as_ref()
            .and_then(|legacy| self.by_legacy.get_mut(legacy))
        {
            slots.retain(|other| *other != slot);
        }
        if let Some(days) = old.ttl_days {
            self.expiring
                .remove(&(old.created_at.plus_days(days), slot));
        }
        self.meta.remove(&slot);
        self.limited -= u64::from(self.counts_against_limit(old));
        let status = old.status;
        *self.census_of(status) -= 1;
    }

    fn census_of(&mut self, status: Status) -> &mut u64 {
        match status {
            Status::Active => &mut self.census.active,
            Status::Archived => &mut self.census.archived,
            Status::Rejected => &mut self.census.rejected,
        }
    }
}

/// Notes or forgets that a link leads from one bullet to another.
fn set_end(
    ends: &mut HashMap<BulletId, BTreeSet<BulletId>>,
    one: BulletId,
    other: BulletId,
    gone: bool,
) {
    let others = ends.entry(one).or_default();
    if gone {
        others.remove(&other)
    } else {
        others.insert(other)
    };
    if others.is_empty() {
        ends.remove(&one);
    }
}
