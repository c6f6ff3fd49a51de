//! Updates the indexes of a memory whenever a bullet or a link enters, changes or leaves.
//!
//! Indexes are removed from before the arena changes and inserted into after it, since they read the bullet's
//! order and key from the arena.

pub(super) mod facet_index;
pub(super) mod hash_index;
mod image;
pub(super) mod look_up;
mod named;
pub(super) mod occasions;
mod opposites;
pub(super) mod search_indexes;
mod statements;

use std::collections::{BTreeSet, HashMap};

use hindlore_topk::{DocId, DocSet};

use self::search_indexes::BulletChange;
use super::aggregate::Memory;
use super::bullet::header::BulletHeader;
use super::bullet::{Bullet, BulletId, Status};
use super::digest::{content_leaf, has_content_leaf};
use super::link::{Link, LinkKind};
use super::policy::Policy;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_text::similar::Prepared;

impl Memory {
    /// Replaces a bullet by its id, or appends it if it is new.
    pub fn put(&mut self, bullet: &Bullet) {
        self.put_prepared(bullet, None);
    }

    /// Does the same for a bullet whose text may be prepared for the index of near duplicates.
    pub(super) fn put_prepared(&mut self, bullet: &Bullet, prepared: Option<Prepared>) {
        match self.doc_of(bullet.id) {
            Some(doc) => {
                let old = self.at(doc);
                let change = BulletChange {
                    old: Some(&old),
                    new: Some(bullet),
                };
                self.unindex_fields(doc, &old);
                self.search_indexes.remove(doc, &self.arena, change);
                self.arena.set(doc, bullet);
                self.search_indexes.insert(doc, &self.arena, change, None);
                self.index_fields(doc, bullet);
                self.mark_unrefined(doc, Some(&old), bullet);
                self.index_digests(doc, Some(&old), bullet);
            }
            None => {
                let doc = self.arena.push(bullet);
                let arena = &self.arena;
                self.by_id.insert(doc, |doc| arena.id(doc), |_| true);
                let change = BulletChange {
                    old: None,
                    new: Some(bullet),
                };
                self.search_indexes
                    .insert(doc, &self.arena, change, prepared);
                self.index_fields(doc, bullet);
                self.mark_unrefined(doc, None, bullet);
                self.index_digests(doc, None, bullet);
            }
        }
    }

    /// Touches a bullet in place. A touch changes only its strength and its state, so other indexes stay.
    pub(super) fn touch_doc(&mut self, doc: DocId, tick: u64, at: Timestamp) {
        self.search_indexes.remove_strength(doc, &self.arena);
        self.arena.touch(doc, tick, at);
        self.search_indexes.insert_strength(doc, &self.arena);
        self.mark_state(doc);
    }

    /// Removes the newest bullet, which a refused event added.
    pub(super) fn forget_last(&mut self) {
        let Some(doc) = self.arena.docs().last() else {
            return;
        };
        let last = self.at(doc);
        self.unindex_fields(doc, &last);
        let change = BulletChange {
            old: Some(&last),
            new: None,
        };
        self.search_indexes.remove(doc, &self.arena, change);
        let arena = &self.arena;
        self.by_id.remove(&last.id, |doc| arena.id(doc), |_| true);
        self.state_tree.remove(doc, arena);
        self.content_tree.remove(doc, arena);
        self.unrefined.remove(doc);
        self.state_leaves.truncate(doc as usize);
        self.stale_leaves.remove(doc);
        self.arena.pop();
    }

    /// Sets a link, removed or not.
    pub fn put_link(&mut self, link: Link) {
        if link.id.kind == LinkKind::Follows {
            let (from, to) = (link.id.from, link.id.to);
            set_end(&mut self.previous, from, to, link.removed);
            set_end(&mut self.next, to, from, link.removed);
        }
        if link.id.kind == LinkKind::Supersedes {
            let (from, to) = (link.id.from, link.id.to);
            set_end(&mut self.newer, to, from, link.removed);
            set_end(&mut self.older, from, to, link.removed);
        }
        if link.id.kind.is_symmetric() {
            set_end(&mut self.reviews, link.id.from, link.id, link.removed);
            set_end(&mut self.reviews, link.id.to, link.id, link.removed);
        }
        self.links.insert(link.id, link);
    }

    /// Removes a link that a refused event added, without a trace.
    pub(super) fn forget_link(&mut self, link: &Link) {
        self.put_link(Link {
            removed: true,
            ..link.clone()
        });
        self.links.remove(&link.id);
    }

    pub(super) fn set_policy(&mut self, policy: Policy) {
        let recount = policy.mode != self.policy.mode;
        let compares = |policy: &Policy| {
            let threshold = policy.dedup_threshold.to_bits();
            (policy.mode, policy.similarity, threshold, policy.guard)
        };
        let must_compare_again = compares(&policy) != compares(&self.policy);
        self.search_indexes.set_policy(&self.policy, &policy);
        self.policy = policy;
        if recount {
            let arena = &self.arena;
            let counted = arena
                .docs()
                .filter(|doc| self.counts_against_limit(&arena.header(*doc)))
                .count();
            self.limited = counted as u64;
        }
        if must_compare_again {
            self.unrefined = DocSet::default();
            let arena = &self.arena;
            let active = arena.docs().filter(|doc| arena.header(*doc).is_active());
            if self.policy.is_classic() {
                active.for_each(|doc| {
                    self.unrefined.insert(doc);
                });
            }
        }
    }

    /// Returns true if a bullet counts against the limit, and so can be pruned.
    pub(super) fn counts_against_limit(&self, bullet: &BulletHeader) -> bool {
        let exempt = !self.policy.is_classic() && (bullet.pinned || bullet.is_meta_strategy());
        bullet.is_active() && !exempt
    }

    fn index_fields(&mut self, doc: DocId, bullet: &Bullet) {
        let arena = &self.arena;
        if bullet.holds_hash {
            let hash = bullet.content_hash();
            let is_meant = |other| arena.content_hash(other) == hash;
            self.by_hash
                .insert(doc, |doc| arena.hash_prefix(doc), is_meant);
        }
        if let Some(legacy) = &bullet.legacy_id {
            let docs = self.by_legacy.entry(legacy.clone()).or_default();
            if let Err(at) = docs.binary_search(&doc) {
                docs.insert(at, doc);
            }
        }
        if bullet.is_active() {
            if let (Some(days), false) = (bullet.ttl_days, bullet.pinned) {
                self.expiring
                    .insert((bullet.created_at.plus_days(days), doc));
            }
            if bullet.is_seed() {
                self.seeds.insert(doc);
            }
        }
        self.limited += u64::from(self.counts_against_limit(&bullet.header()));
        *self.count_of(bullet.status) += 1;
    }

    /// Marks the bullets that the next classic pass must compare: new or changed ones, and survivors of merges, since a
    /// pass does not compare a survivor with the bullets between the merged two.
    fn mark_unrefined(&mut self, doc: DocId, old: Option<&Bullet>, new: &Bullet) {
        if !self.policy.is_classic() {
            return;
        }
        let same = |old: &Bullet| {
            old.is_active() == new.is_active() && old.content == new.content && old.kind == new.kind
        };
        if new.is_active() && !old.is_some_and(same) {
            self.unrefined.insert(doc);
        }
        let merged = old.and_then(|old| old.merged_into) != new.merged_into;
        if let (true, Some(into)) = (merged, new.merged_into)
            && let Some(survivor) = self.doc_of(into)
        {
            self.unrefined.insert(survivor);
        }
    }

    fn index_digests(&mut self, doc: DocId, old: Option<&Bullet>, new: &Bullet) {
        self.mark_state(doc);
        let has_same_leaf = |old| content_leaf(old) == content_leaf(new);
        if !self.content_tree.is_built() || old.is_some_and(has_same_leaf) {
            return;
        }
        if has_content_leaf(new.status) {
            self.content_tree.insert(doc, &self.arena)
        } else {
            self.content_tree.remove(doc, &self.arena)
        }
    }

    /// Marks the state of a bullet as changed; its leaf is computed by the next digest.
    fn mark_state(&mut self, doc: DocId) {
        if (doc as usize) < self.state_leaves.len() {
            self.stale_leaves.insert(doc);
        }
        self.state_tree.insert(doc, &self.arena);
    }

    fn unindex_fields(&mut self, doc: DocId, old: &Bullet) {
        if old.holds_hash {
            let arena = &self.arena;
            let prefix = arena.hash_prefix(doc);
            self.by_hash
                .remove(&prefix, |doc| arena.hash_prefix(doc), |other| other == doc);
        }
        if let Some(legacy) = &old.legacy_id
            && let Some(docs) = self.by_legacy.get_mut(legacy)
        {
            docs.retain(|other| *other != doc);
        }
        if let Some(days) = old.ttl_days {
            self.expiring.remove(&(old.created_at.plus_days(days), doc));
        }
        self.seeds.remove(&doc);
        self.limited -= u64::from(self.counts_against_limit(&old.header()));
        *self.count_of(old.status) -= 1;
    }

    fn count_of(&mut self, status: Status) -> &mut u64 {
        match status {
            Status::Active => &mut self.status_counts.active,
            Status::Archived => &mut self.status_counts.archived,
            Status::Rejected => &mut self.status_counts.rejected,
        }
    }
}

/// Adds or removes one end of a link.
fn set_end<T: Ord>(ends: &mut HashMap<BulletId, BTreeSet<T>>, one: BulletId, other: T, gone: bool) {
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
