//! The size of a learner's data: the number of rows of each kind, and the length of their texts.

use hindlore_primitives::word_enum;

word_enum! {
    /// A kind of stored rows.
    CostKind {
        /// Bullets of every status.
        Bullets = "bullets",
        /// Deltas with their bodies and receipts.
        Deltas = "deltas",
        /// Records of retrievals with their queries.
        Retrievals = "retrievals",
        /// Checkpoints with their pieces.
        Checkpoints = "checkpoints",
        /// Lessons of every status.
        Lessons = "lessons",
        /// Runs, or trajectories.
        Runs = "runs",
        /// Steps of runs.
        Steps = "steps",
        /// Errors that runs raised.
        Errors = "errors",
        /// Lessons that were given to runs.
        Activations = "activations",
        /// Verdicts on lessons.
        Decisions = "decisions",
        /// Receipts of requests about lessons.
        Receipts = "receipts",
    }
}

/// How much is kept of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// The kind.
    pub kind: CostKind,
    /// Number kept.
    pub count: u64,
    /// Characters of their longest texts: contents, bodies, receipts, queries, actions.
    pub characters: u64,
}
