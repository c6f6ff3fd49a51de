//! Keeping the indexes of a memory true: the door through which bullets and links enter and leave.

use std::collections::{BTreeSet, HashMap};

use super::aggregate::Memory;
use super::bullet::{Bullet, BulletId, Status};
use super::digest::{content_leaf, state_leaf};
use super::link::{Link, LinkKind};
use super::policy::Policy;
use crate::domain::text::similar::SimilarityIndex;

impl Memory {
    /// Puts a bullet in place of its earlier state, or adds it behind all others.
    pub fn put(&mut self, bullet: Bullet) {
        match self.by_id.get(&bullet.id) {
            Some(slot) => {
                let slot = *slot;
                let old = std::mem::replace(&mut self.slots[slot as usize], bullet);
                self.reindex(slot, Some(&old));
            }
            None => {
                // More than 2^32 bullets do not fit into the memory of a machine.
                let slot = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
                self.by_id.insert(bullet.id, slot);
                self.slots.push(bullet);
                self.reindex(slot, None);
            }
        }
    }

    /// Takes back the newest bullet, which a refused event had made.
    pub(super) fn forget_last(&mut self) {
        let Some(last) = self.slots.last().cloned() else {
            return;
        };
        let slot = self.by_id[&last.id];
        self.unindex(slot, &last);
        self.by_id.remove(&last.id);
        self.states.remove(last.id);
        self.contents.remove(last.id);
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
        let reindex = policy.similarity != self.policy.similarity;
        let recount = policy.mode != self.policy.mode;
        self.policy = policy;
        if reindex {
            self.similar = SimilarityIndex::new();
            let tokens = self.policy.similarity.tokens();
            for (slot, bullet) in (0..).zip(&self.slots) {
                if bullet.is_active() {
                    self.similar
                        .insert(slot, &tokens.set(bullet.content.as_str()));
                }
            }
        }
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

    fn reindex(&mut self, slot: u32, old: Option<&Bullet>) {
        let same_text = old.is_some_and(|old| {
            let new = &self.slots[slot as usize];
            old.content == new.content && old.is_active() == new.is_active()
        });
        if let Some(old) = old {
            self.unindex_facts(slot, old);
            if !same_text {
                self.unindex_text(slot, old);
            }
        }
        let bullet = self.slots[slot as usize].clone();
        if !same_text && bullet.is_active() {
            let text = bullet.content.as_str();
            self.similar
                .insert(slot, &self.policy.similarity.tokens().set(text));
            self.terms.insert(slot, text);
        }
        self.index_facts(slot, &bullet);
    }

    fn unindex(&mut self, slot: u32, old: &Bullet) {
        self.unindex_facts(slot, old);
        self.unindex_text(slot, old);
    }

    fn unindex_text(&mut self, slot: u32, old: &Bullet) {
        if old.is_active() {
            self.similar.remove(slot);
            self.terms.remove(slot, old.content.as_str());
        }
    }

    fn index_facts(&mut self, slot: u32, bullet: &Bullet) {
        if bullet.holds_hash {
            self.by_hash.insert(bullet.content_hash, slot);
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
        *self.census_of(bullet.status) += 1;
        self.states.put(bullet.id, state_leaf(bullet));
        match content_leaf(bullet) {
            Some(leaf) => self.contents.put(bullet.id, leaf),
            None => self.contents.remove(bullet.id),
        }
    }

    fn unindex_facts(&mut self, slot: u32, old: &Bullet) {
        if old.holds_hash && self.by_hash.get(&old.content_hash) == Some(&slot) {
            self.by_hash.remove(&old.content_hash);
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
        *self.census_of(old.status) -= 1;
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
