//! Which bullets are near duplicates of which, found once per text of an event.
//!
//! What an ADD searched before it put its text in tells every later reader of the event which texts the
//! new one is close to, except those that came or changed without a search. Only these are searched for
//! when the refine pass begins; both ends of a pair then know of it.
//!
//! Where more than a few texts are near, as those of one template are, not all of them are looked at: those
//! that may be merged with the text are found by what it needs of them, and of the others, which would be
//! linked for review at most, the first ones and those that share a rare word stand for the rest. So what a
//! text costs does not grow with their number.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mnemograph_topk::DocId;

use super::super::application::DeltaApplication;
use super::super::bullet::{Bullet, BulletId};
use super::super::nearby::{NEAR_MAX, Nearby, Searches};
use super::{may_merge, topics_meet};
use crate::text::guard::GuardFeatures;
use crate::text::similar::{Bound, Near, Similar};
use crate::text::words::Tokens;

/// Texts that a text is compared with by the guard before it counts as kept apart, the most similar first.
/// More than a few that have all its numbers, names and words are texts of the same words in another order.
const CHECKS_MAX: usize = 256;
/// Texts whose features are kept during an event, some kilobytes each.
const FEATURES_KEPT: usize = 4_096;

impl DeltaApplication<'_, '_> {
    /// What the guard compares of a bullet of the memory.
    pub(in crate::memory) fn features(&self, bullet: &Bullet) -> Arc<GuardFeatures> {
        let known = self
            .draft
            .searches
            .features
            .borrow()
            .get(&bullet.id)
            .cloned();
        known.unwrap_or_else(|| {
            let features = Arc::new(self.tables.guard.features(bullet.content.as_str()));
            self.keep_features(bullet.id, Arc::clone(&features));
            features
        })
    }

    /// Keeps what the guard compares of a bullet that the event has just made.
    pub(in crate::memory) fn keep_features(&self, id: BulletId, of: Arc<GuardFeatures>) {
        let mut kept = self.draft.searches.features.borrow_mut();
        if kept.len() >= FEATURES_KEPT {
            kept.clear();
        }
        kept.insert(id, of);
    }

    /// What a search has found for a text, with what it may be merged with.
    pub(in crate::memory) fn nearby(
        &self,
        (near, bound): (Near, Bound),
        text: &str,
        features: impl FnOnce() -> Arc<GuardFeatures>,
    ) -> Nearby {
        let Near { similar, is_all } = near;
        let memory = self.draft.memory();
        let merge = (!is_all).then(|| match self.policy.similarity.tokens() {
            Tokens::Standard => memory.similar_meeting(text, bound, &features().needs()),
            Tokens::Classic => memory.similar_to(text, bound),
        });
        Nearby {
            review: similar,
            merge,
        }
    }

    /// Those of the same subject that a bullet is compared with, the most similar first and of equals the last.
    pub(in crate::memory) fn likeliest(&self, bullet: &Bullet, near: &[Similar]) -> Vec<Similar> {
        let memory = self.draft.memory();
        let about_it = |near: &&Similar| topics_meet(&self.policy, bullet, &memory.at(near.doc));
        let mut near: Vec<Similar> = near.iter().filter(about_it).copied().collect();
        near.sort_by(|a, b| {
            let by_likeness = b.similarity.total_cmp(&a.similarity);
            by_likeness.then(b.doc.cmp(&a.doc))
        });
        if !self.is_unguarded() {
            near.truncate(CHECKS_MAX);
        }
        near
    }

    /// True when nothing but likeness decides about merges, so that nothing is linked.
    pub(in crate::memory) fn is_unguarded(&self) -> bool {
        self.policy.is_classic() || !self.policy.guard
    }

    /// The near duplicates of the bullet in a doc, without itself.
    fn search(&self, doc: DocId) -> Nearby {
        let bound = Bound::Above(self.policy.dedup_threshold);
        let memory = self.draft.memory();
        let text = memory.arena.text(doc);
        let mut near = if self.is_unguarded() {
            Nearby {
                review: memory.similar_to(text, bound),
                merge: None,
            }
        } else {
            let near = memory.near_text(text, bound, NEAR_MAX + 1);
            self.nearby((near, bound), text, || self.features(&memory.at(doc)))
        };
        near.retain(|similar| similar.doc != doc);
        near
    }

    /// Active docs whose bullets may be merged with the one in a doc, ascending.
    pub(super) fn search_mergeable(&self, doc: DocId) -> Vec<DocId> {
        let near = self.search(doc);
        near.mergeable().iter().map(|near| near.doc).collect()
    }
}

/// The near duplicates of bullets, complete for those it was made for.
#[derive(Default)]
pub(super) struct Neighbours {
    complete: BTreeSet<DocId>,
    /// Pairs that may be merged, by either doc.
    mergeable: BTreeMap<DocId, BTreeSet<DocId>>,
    /// Pairs to be looked at for review, by the doc whose turn it is.
    review: BTreeMap<DocId, Vec<Similar>>,
}

impl Neighbours {
    /// The near duplicates of these bullets.
    pub(super) fn find(event: &DeltaApplication<'_, '_>, bullets: &BTreeSet<BulletId>) -> Self {
        let memory = event.draft.memory();
        let Searches {
            found, unsearched, ..
        } = &event.draft.searches;
        let mut all = Self::default();
        if bullets.is_empty() {
            return all;
        }
        let docs = bullets.iter().filter_map(|id| memory.doc_of(*id));
        all.complete = docs.collect();
        for id in bullets.union(unsearched) {
            let Some(doc) = memory.doc_of(*id) else {
                continue;
            };
            if !memory.arena.header(doc).is_active() {
                continue;
            }
            let near = match found.get(id) {
                Some(near) => {
                    let mut near = near.clone();
                    near.retain(|near| !unsearched.contains(&memory.arena.id(near.doc)));
                    near
                }
                None => event.search(doc),
            };
            all.join(event, doc, near);
        }
        for near in all.review.values_mut() {
            near.sort_unstable_by_key(|similar| similar.doc);
            near.dedup_by_key(|similar| similar.doc);
        }
        all
    }

    fn join(&mut self, event: &DeltaApplication<'_, '_>, doc: DocId, near: Nearby) {
        let bullet = event.draft.memory().at(doc);
        for other in event.likeliest(&bullet, near.mergeable()) {
            if may_merge(event, doc, other.doc) {
                self.mergeable.entry(doc).or_default().insert(other.doc);
                self.mergeable.entry(other.doc).or_default().insert(doc);
            }
        }
        for other in near.review {
            // A pair is looked at when its later fresh bullet has its turn, as if they had come one by one.
            let is_others = self.complete.contains(&other.doc)
                && (other.doc > doc || !self.complete.contains(&doc));
            let (turn, beside) = if is_others {
                (other.doc, Similar { doc, ..other })
            } else {
                (doc, other)
            };
            self.review.entry(turn).or_default().push(beside);
        }
    }

    /// Active docs whose bullets may be merged with the one in a doc.
    pub(super) fn mergeable(&self, event: &DeltaApplication<'_, '_>, doc: DocId) -> Vec<DocId> {
        if !self.complete.contains(&doc) {
            return event.search_mergeable(doc);
        }
        let arena = &event.draft.memory().arena;
        let near = self.mergeable.get(&doc).into_iter().flatten().copied();
        near.filter(|other| arena.header(*other).is_active())
            .collect()
    }

    /// What is to be looked at for review when a bullet has its turn, the most similar first and of equals the
    /// earliest.
    pub(super) fn review(&self, event: &DeltaApplication<'_, '_>, doc: DocId) -> Vec<Similar> {
        let mut near = if self.complete.contains(&doc) {
            self.review.get(&doc).cloned().unwrap_or_default()
        } else {
            event.search(doc).review
        };
        near.sort_by(|a, b| {
            let by_likeness = b.similarity.total_cmp(&a.similarity);
            by_likeness.then(a.doc.cmp(&b.doc))
        });
        near
    }
}
