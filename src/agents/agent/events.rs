//! Log events of a turn, in addition to those of the engine about the memory: each thought, each rated branch, and each
//! call of a tool. Texts appear as the engine shows contents: by their length, unless the user asked for more.

use super::turn::Turn;
use super::work::Step;
use hindlore::Engine;

/// The log of a turn.
#[derive(Clone, Copy)]
pub(super) struct TurnLog<'e>(pub(super) &'e Engine);

impl TurnLog<'_> {
    /// Memory was read, once a turn.
    pub(super) fn loaded(self, turn: &Turn) {
        tracing::info!(target: "hindlore::agent", event = "loaded", turn = %turn.id, bullets = turn.bullets().len());
    }

    /// A step of thinking.
    pub(super) fn thought(self, mode: &str, text: &str) {
        tracing::debug!(target: "hindlore::agent", event = "thought", mode, text = self.0.loggable(text));
    }

    /// A branch of the beam with its rating, whether it is kept or not.
    pub(super) fn branch(self, depth: u32, rating: f64, text: &str) {
        tracing::debug!(target: "hindlore::agent", event = "branch", depth, rating, text = self.0.loggable(text));
    }

    /// A call of a tool with its output.
    pub(super) fn tool(self, step: &Step) {
        tracing::debug!(
            target: "hindlore::agent", event = "tool", tool = step.tool, failed = step.failed,
            input = self.0.loggable(&step.input), output = self.0.loggable(&step.result)
        );
    }
}
