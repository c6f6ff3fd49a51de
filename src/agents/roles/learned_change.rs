//! A bullet that learning changed, as people read it: the change in one word, and the text, since a receipt has ids alone.

use serde::Serialize;

use hindlore_domain::memory::receipt::{BulletChange, ChangeKind};
use hindlore_primitives::word_enum;

word_enum! {
    /// The effect of learning on a bullet.
    Effect {
        /// It is new.
        Added = "added",
        /// It has more helpful votes, or another text was merged into it.
        Strengthened = "strengthened",
        /// It has more harmful votes.
        Weakened = "weakened",
        /// Its text or another field is new.
        Changed = "changed",
        /// It is no longer retrieved.
        Removed = "removed",
    }
}

/// A bullet that learning changed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LearnedChange {
    /// The effect.
    pub effect: Effect,
    /// Id of the bullet.
    pub bullet: String,
    /// Its text after the change.
    pub content: String,
}

impl From<&BulletChange> for LearnedChange {
    fn from(change: &BulletChange) -> Self {
        let before = change.before.as_ref().map(|bullet| bullet.counts);
        let (was, is) = (before.unwrap_or_default(), change.after.counts);
        let effect = match change.kind {
            ChangeKind::Added => Effect::Added,
            ChangeKind::Archived | ChangeKind::Rejected => Effect::Removed,
            _ if is.harmful > was.harmful => Effect::Weakened,
            ChangeKind::Merged => Effect::Strengthened,
            ChangeKind::Changed if is.helpful > was.helpful => Effect::Strengthened,
            ChangeKind::Changed => Effect::Changed,
        };
        Self {
            effect,
            bullet: change.after.id.to_string(),
            content: change.after.content.as_str().to_owned(),
        }
    }
}
