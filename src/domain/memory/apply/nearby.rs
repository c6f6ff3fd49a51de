//! The near-duplicate searches of one event, kept so that no text is searched for twice.
//!
//! An ADD searches before it inserts its text, so its result is complete up to that moment; texts that come or change
//! later without a search are recorded as such.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::memory::bullet::BulletId;
use hindlore_text::guard::GuardFeatures;
use hindlore_text::similar::Similar;

/// Up to this many similar texts, all are compared.
pub(crate) const NEAR_MAX: usize = 32;

/// The near duplicates of a text, each list ascending by document.
#[derive(Clone, Default, Debug)]
pub(crate) struct Nearby {
    /// Candidates for a review link.
    pub(crate) review: Vec<Similar>,
    /// Candidates for a merge; `None` if they are the same as those for review.
    pub(crate) merge: Option<Vec<Similar>>,
}

impl Nearby {
    /// Returns the candidates for a merge; no other bullet can merge with the text.
    pub(crate) fn mergeable(&self) -> &[Similar] {
        self.merge.as_ref().unwrap_or(&self.review)
    }

    /// Keeps the candidates for which `is_wanted` returns true.
    pub(crate) fn retain(&mut self, is_wanted: impl Fn(&Similar) -> bool) {
        self.review.retain(&is_wanted);
        if let Some(merge) = &mut self.merge {
            merge.retain(is_wanted);
        }
    }
}

/// The searches of an event so far.
#[derive(Default, Debug)]
pub(crate) struct Searches {
    /// The near duplicates of a text right before the event inserted it.
    pub(crate) found: BTreeMap<BulletId, Nearby>,
    /// Bullets whose text was inserted, changed, archived or revived without a search.
    pub(crate) unsearched: BTreeSet<BulletId>,
    /// Guard features by bullet, extracted once however often they are compared.
    pub(crate) features: RefCell<HashMap<BulletId, Arc<GuardFeatures>>>,
}

impl Searches {
    /// Records the near duplicates that an ADD found, all above the dedup threshold.
    pub(crate) fn note_found(&mut self, id: BulletId, near: Nearby) {
        self.found.insert(id, near);
    }

    /// Records a text that was inserted, changed, archived or revived without a search.
    pub(crate) fn note_unsearched(&mut self, id: BulletId) {
        self.found.remove(&id);
        self.unsearched.insert(id);
        self.features.get_mut().remove(&id);
    }

    /// Drops all results, because another policy has another threshold.
    pub(crate) fn forget(&mut self) {
        let found = std::mem::take(&mut self.found);
        self.unsearched.extend(found.into_keys());
    }
}
