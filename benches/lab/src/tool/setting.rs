//! What a world is made of.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Level, Messages, Task};

/// What a world is made of.
#[derive(Clone, Debug)]
pub struct Setting {
    /// What is said about errors.
    pub messages: Arc<Messages>,
    /// How much is said.
    pub level: Level,
    /// The files under `data/`.
    pub data: Arc<BTreeMap<String, String>>,
    /// What is wanted.
    pub task: Task,
    /// Decides what is chance in the world.
    pub seed: u64,
}

impl Setting {
    /// What the tool prints when it refuses an action for a reason with values: the reason's message, inside
    /// the frame of all its errors, where `place` says at which status or line.
    pub(crate) fn said(
        &self,
        kind: &str,
        values: &[(&'static str, String)],
        place: (&str, &str),
    ) -> String {
        let values: Vec<(&str, &str)> = values
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let message = self.messages.text(self.level, kind, &values);
        self.messages
            .text(self.level, "error", &[place, ("message", &message)])
    }
}
