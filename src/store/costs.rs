//! What a learner costs: how many of each kind are kept, and how much text is in them.

use hindlore_domain::word_enum;

word_enum! {
    /// A kind of what is kept.
    CostKind {
        /// Bullets, whatever became of them.
        Bullets = "bullets",
        /// Deltas with their bodies and receipts.
        Deltas = "deltas",
        /// Records of retrievals with their queries.
        Retrievals = "retrievals",
        /// Checkpoints with their pieces.
        Checkpoints = "checkpoints",
        /// Lessons, whatever became of them.
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
