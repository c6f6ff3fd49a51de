//! The parts of a world.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Level, Messages, Task};

/// The parts of a world.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The messages about errors.
    pub messages: Arc<Messages>,
    /// The level of the messages.
    pub level: Level,
    /// The files under `data/`.
    pub data: Arc<BTreeMap<String, String>>,
    /// The task.
    pub task: Task,
    /// Decides the chance in the world.
    pub seed: u64,
}

impl Setting {
    /// The output of the tool when it refuses an action for a reason with values: the reason's message, inside the
    /// frame of all its errors, where `place` gives the status or line.
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
