//! What an event has searched so far: the near duplicates of its texts.
//!
//! An ADD searches before it inserts its text. What it found serves every later reader of the event, so no
//! text is searched for twice.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::bullet::BulletId;
use crate::text::guard::GuardFeatures;
use crate::text::similar::Similar;

/// Similar texts up to this number are all looked at.
pub(super) const NEAR_MAX: usize = 32;

/// The near duplicates of a text, each list ascending by doc.
#[derive(Clone, Default, Debug)]
pub(super) struct Nearby {
    /// Those that are looked at for review.
    pub(super) review: Vec<Similar>,
    /// Those that the text may be merged with, where they are not the same.
    pub(super) merge: Option<Vec<Similar>>,
}

impl Nearby {
    /// Those that may be merged with the text: all others cannot be.
    pub(super) fn mergeable(&self) -> &[Similar] {
        self.merge.as_ref().unwrap_or(&self.review)
    }

    /// Keeps what is similar enough.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(&Similar) -> bool) {
        self.review.retain(&is_wanted);
        if let Some(merge) = &mut self.merge {
            merge.retain(is_wanted);
        }
    }
}

/// What an event has searched and read so far.
#[derive(Default, Debug)]
pub(super) struct Searches {
    /// What was near to a text right before the event put it in.
    pub(super) found: BTreeMap<BulletId, Nearby>,
    /// Bullets whose text came, changed, went or came back without a search.
    pub(super) unsearched: BTreeSet<BulletId>,
    /// What the guard compares of a text: read once, however many others it is compared with.
    pub(super) features: RefCell<HashMap<BulletId, Arc<GuardFeatures>>>,
}

impl Searches {
    /// Notes what an ADD found, all above the dedup threshold.
    pub(super) fn note_found(&mut self, id: BulletId, near: Nearby) {
        self.found.insert(id, near);
    }

    /// Notes a text that came, changed, went or came back without a search.
    pub(super) fn note_unsearched(&mut self, id: BulletId) {
        self.found.remove(&id);
        self.unsearched.insert(id);
        self.features.get_mut().remove(&id);
    }

    /// Forgets everything: what is near is decided otherwise from now on.
    pub(super) fn forget(&mut self) {
        let found = std::mem::take(&mut self.found);
        self.unsearched.extend(found.into_keys());
    }
}
