//! Whether the engines of a session load the model for embeddings, which takes longer than most commands.

use super::Session;

/// How a process uses the model for embeddings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ModelUse {
    /// For this command, to its end.
    Once,
    /// For questions, and in the background after each write: the process stays.
    Follow,
}

impl Session {
    /// Loads the model for embeddings with the next engine.
    pub(crate) fn use_model(&self, model_use: ModelUse) {
        // The first use decides; a command has one.
        let _ = self.model_use.set(model_use);
    }

    /// True if the process stays after an answer, so that work in the background delays nobody.
    pub(super) fn stays(&self) -> bool {
        self.model_use() == Some(ModelUse::Follow)
    }

    /// How this process uses the model; absent if it has no time to load it.
    pub(super) fn model_use(&self) -> Option<ModelUse> {
        let kept = self.is_warm().then_some(ModelUse::Follow);
        kept.or_else(|| self.model_use.get().copied())
    }
}
