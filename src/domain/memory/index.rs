//! Keeping the indexes of a memory true: the door through which bullets and links enter and leave.

use std::collections::{BTreeSet, HashMap};

use mnemograph_topk::{DocId, DocSet};

use super::aggregate::Memory;
use super::bullet::{Bullet, BulletId, Status};
use super::digest::{content_leaf, has_content_leaf};
use super::header::BulletHeader;
use super::link::{Link, LinkKind};
use super::policy::Policy;
use super::search_indexes::BulletChange;
use crate::text::similar::Prepared;
use crate::timestamp::Timestamp;

impl Memory {
    /// Puts a bullet in place of its earlier state, or adds it behind all others.
    pub fn put(&mut self, bullet: &Bullet) {
        self.put_prepared(bullet, None);
    }

    /// The same for a bullet whose text may have been prepared for the index of near duplicates.
    pub(super) fn put_prepared(&mut self, bullet: &Bullet, prepared: Option<Prepared>) {
        match self.doc_of(bullet.id) {
            Some(doc) => {
                let old = self.at(doc);
                let change = BulletChange {
                    old: Some(&old),
                    new: Some(bullet),
                };
                self.unindex_facts(doc, &old);
                self.search_indexes.remove(doc, &self.arena, change);
                self.arena.set(doc, bullet);
                self.search_indexes.insert(doc, &self.arena, change, None);
                self.index_facts(doc, bullet);
                self.note_unrefined(doc, Some(&old), bullet);
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
                self.index_facts(doc, bullet);
                self.note_unrefined(doc, None, bullet);
                self.index_digests(doc, None, bullet);
            }
        }
    }

    /// Touches a bullet where it stands: all that a touch changes is its strength and its state.
    pub(super) fn touch_doc(&mut self, doc: DocId, tick: u64, at: Timestamp) {
        self.search_indexes.remove_strength(doc, &self.arena);
        self.arena.touch(doc, tick, at);
        self.search_indexes.insert_strength(doc, &self.arena);
        self.note_state(doc);
    }

    /// Takes back the newest bullet, which a refused event had made.
    pub(super) fn forget_last(&mut self) {
        let Some(doc) = self.arena.docs().last() else {
            return;
        };
        let last = self.at(doc);
        self.unindex_facts(doc, &last);
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

    /// Puts a link in place of its earlier state.
    pub fn put_link(&mut self, link: Link) {
        if link.id.kind == LinkKind::Follows {
            let (from, to) = (link.id.from, link.id.to);
            set_end(&mut self.previous, from, to, link.removed);
            set_end(&mut self.next, to, from, link.removed);
        }
        if link.id.kind.is_for_review() {
            set_end(&mut self.reviews, link.id.from, link.id, link.removed);
            set_end(&mut self.reviews, link.id.to, link.id, link.removed);
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
        let compares = |policy: &Policy| {
            let threshold = policy.dedup_threshold.to_bits();
            (policy.mode, policy.similarity, threshold, policy.guard)
        };
        let compare_anew = compares(&policy) != compares(&self.policy);
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
        if compare_anew {
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

    /// True for a bullet that can be pruned.
    pub(super) fn counts_against_limit(&self, bullet: &BulletHeader) -> bool {
        let exempt = !self.policy.is_classic() && (bullet.pinned || bullet.is_meta_strategy());
        bullet.is_active() && !exempt
    }

    fn index_facts(&mut self, doc: DocId, bullet: &Bullet) {
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

    /// Notes what the next classic pass has to compare: what is new or reads otherwise, and what took
    /// another in, since a pass does not compare the survivor with all that lies between the two.
    fn note_unrefined(&mut self, doc: DocId, old: Option<&Bullet>, new: &Bullet) {
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
        self.note_state(doc);
        let reads_alike = |old| content_leaf(old) == content_leaf(new);
        if !self.content_tree.is_kept() || old.is_some_and(reads_alike) {
            return;
        }
        if has_content_leaf(new.status) {
            self.content_tree.insert(doc, &self.arena)
        } else {
            self.content_tree.remove(doc, &self.arena)
        }
    }

    /// Notes that the state of a bullet is another; its leaf is worked out when a digest is asked for.
    fn note_state(&mut self, doc: DocId) {
        if (doc as usize) < self.state_leaves.len() {
            self.stale_leaves.insert(doc);
        }
        self.state_tree.insert(doc, &self.arena);
    }

    fn unindex_facts(&mut self, doc: DocId, old: &Bullet) {
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

/// Notes or forgets that a link leads from one bullet to another.
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
