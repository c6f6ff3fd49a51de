//! The three relations to an object, each of which includes the ones below it.

use hindlore_primitives::word_enum;

word_enum! {
    /// The relation of a subject to an object, weakest first.
    Relation {
        /// Reads.
        Viewer = "viewer",
        /// Reads and changes, reversibly.
        Editor = "editor",
        /// Reads, changes, destroys, and grants rights to others.
        Owner = "owner",
    }
}

impl Relation {
    /// True if this relation includes the other one.
    pub fn includes(self, other: Self) -> bool {
        self >= other
    }
}
