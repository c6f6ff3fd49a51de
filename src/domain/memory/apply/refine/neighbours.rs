//! The near duplicates of the bullets that an event changed, found once per text.
//!
//! An ADD searches before it inserts its text, so its result covers all earlier texts except those that were
//! inserted or changed without a search. Only those are searched when the refine pass begins; each pair is
//! then recorded at both ends.
//!
//! If very many texts are near, as with texts from one template, not all of them are compared: candidates for
//! a merge are found by the keys that the text needs of them, and candidates for a review link are sampled.
//! So the cost of a text does not grow with the number of its near duplicates.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hindlore_topk::DocId;

use super::super::application::DeltaApplication;
use super::super::nearby::{NEAR_MAX, Nearby, Searches};
use super::{may_merge, same_topic};
use crate::memory::bullet::{Bullet, BulletId};
use hindlore_text::guard::GuardFeatures;
use hindlore_text::similar::{Bound, Near, Similar};
use hindlore_text::words::Tokens;

/// Maximum comparisons by the guard per text, most similar first. More candidates than that, all with the same
/// numbers, names and words, are permutations of one text.
const CHECKS_MAX: usize = 256;
/// Maximum guard features cached during an event, a few kilobytes each.
const FEATURES_KEPT: usize = 4_096;

impl DeltaApplication<'_, '_> {
    /// Returns the guard features of a bullet, from the cache if possible.
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

    /// Caches the guard features of a bullet.
    pub(in crate::memory) fn keep_features(&self, id: BulletId, features: Arc<GuardFeatures>) {
        let mut kept = self.draft.searches.features.borrow_mut();
        if kept.len() >= FEATURES_KEPT {
            kept.clear();
        }
        kept.insert(id, features);
    }

    /// Completes the result of a search with the candidates for a merge, if the result is a sample.
    pub(in crate::memory) fn nearby(
        &self,
        near: Near,
        bound: Bound,
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

    /// Returns the bullets of the same topic to compare with a bullet, most similar first, of equals the latest
    /// first.
    pub(in crate::memory) fn most_similar(
        &self,
        bullet: &Bullet,
        near: &[Similar],
    ) -> Vec<Similar> {
        let memory = self.draft.memory();
        let has_same_topic =
            |near: &&Similar| same_topic(&self.policy, bullet, &memory.at(near.doc));
        let mut near: Vec<Similar> = near.iter().filter(has_same_topic).copied().collect();
        near.sort_by(|a, b| {
            let by_likeness = b.similarity.total_cmp(&a.similarity);
            by_likeness.then(b.doc.cmp(&a.doc))
        });
        if !self.is_unguarded() {
            near.truncate(CHECKS_MAX);
        }
        near
    }

    /// Returns true if similarity alone decides about merges, so that nothing is linked for review.
    pub(in crate::memory) fn is_unguarded(&self) -> bool {
        self.policy.is_classic() || !self.policy.guard
    }

    /// Searches the near duplicates of a bullet, without itself.
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
            // One more, since the bullet finds itself.
            let near = memory.near_text(text, bound, NEAR_MAX + 1);
            self.nearby(near, bound, text, || self.features(&memory.at(doc)))
        };
        near.retain(|similar| similar.doc != doc);
        near
    }

    /// Searches the active bullets that may merge with a bullet, ascending by document.
    pub(super) fn search_mergeable(&self, doc: DocId) -> Vec<DocId> {
        let near = self.search(doc);
        near.mergeable().iter().map(|near| near.doc).collect()
    }
}

/// The near duplicates of bullets.
#[derive(Default)]
pub(super) struct Neighbours {
    /// The bullets whose near duplicates are all recorded.
    complete: BTreeSet<DocId>,
    /// Pairs that may merge, by either end.
    mergeable: BTreeMap<DocId, BTreeSet<DocId>>,
    /// Pairs to compare for a review link, by the end whose turn it is.
    review: BTreeMap<DocId, Vec<Similar>>,
}

impl Neighbours {
    /// Finds the near duplicates of these bullets.
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
        for other in event.most_similar(&bullet, near.mergeable()) {
            if may_merge(event, doc, other.doc) {
                self.mergeable.entry(doc).or_default().insert(other.doc);
                self.mergeable.entry(other.doc).or_default().insert(doc);
            }
        }
        for other in near.review {
            // A pair is compared in the turn of its later fresh bullet, as if the bullets had come one by one.
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

    /// Returns the active bullets that may merge with a bullet, ascending by document.
    pub(super) fn mergeable(&self, event: &DeltaApplication<'_, '_>, doc: DocId) -> Vec<DocId> {
        if !self.complete.contains(&doc) {
            return event.search_mergeable(doc);
        }
        let arena = &event.draft.memory().arena;
        let near = self.mergeable.get(&doc).into_iter().flatten().copied();
        near.filter(|other| arena.header(*other).is_active())
            .collect()
    }

    /// Returns the bullets to compare for a review link in the turn of a bullet, most similar first, of equals the
    /// earliest first.
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
