//! Why two similar bullets must not merge: by the guard, or because one of them is a warning.
//!
//! A separation is recorded as a link for review, so that no near duplicate is kept without a reason.

use super::application::DeltaApplication;
use crate::memory::bullet::{Bullet, Kind};
use crate::memory::link::LinkKind;
use hindlore_text::guard::GuardFeatures;

/// Why two similar texts must not merge, and the kind of link that records it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Separation {
    pub(crate) kind: LinkKind,
    pub(crate) reason: String,
}

/// A bullet with its guard features, ready to be compared.
#[derive(Clone, Copy)]
pub(crate) struct Compared<'b> {
    pub(crate) bullet: &'b Bullet,
    pub(crate) features: &'b GuardFeatures,
}

impl DeltaApplication<'_, '_> {
    /// Returns why two similar texts must not merge; `None` if they may.
    pub(crate) fn separation(&self, a: Compared<'_>, b: Compared<'_>) -> Option<Separation> {
        if !self.policy.guard {
            return None;
        }
        if let Some(reason) = self.tables.guard.check(a.features, b.features) {
            let kind = if reason.is_conflict() {
                LinkKind::ConflictsWith
            } else {
                LinkKind::SimilarTo
            };
            let reason = reason.to_string();
            return Some(Separation { kind, reason });
        }
        // The same words as advice and as a warning mean the opposite.
        let warns = |bullet: &Bullet| bullet.kind == Kind::AntiPattern;
        (warns(a.bullet) != warns(b.bullet)).then(|| Separation {
            kind: LinkKind::SimilarTo,
            reason: "one is an anti-pattern, the other is not".to_owned(),
        })
    }
}
