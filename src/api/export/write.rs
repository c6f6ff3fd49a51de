//! An export in a chosen format: everything in ours, active bullets in those of other programs.

use std::io;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LearnedLines, Manifest, write_ace_playbook, write_classic, write_export};
use crate::domain::memory::key::MemoryKey;
use crate::engine::MemoryView;

/// A format that can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExportFormat {
    /// The memory with all bullets, and what its learner learned from failures, as JSON Lines.
    #[default]
    Mnemograph,
    /// The active bullets as `ace_memory.json`.
    Classic,
    /// The active bullets as a text playbook.
    AcePlaybook,
}

impl ExportFormat {
    /// True if the format can hold lessons, errors, and runs.
    pub fn holds_lessons(self) -> bool {
        self == Self::Mnemograph
    }
}

/// Writes a memory and its learner's lessons; omits whatever the format cannot hold.
///
/// # Errors
///
/// A row without JSON form; none lacks one.
pub fn write(
    key: &MemoryKey,
    view: Option<&MemoryView>,
    learned: &LearnedLines,
    format: ExportFormat,
) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let (bullets, links) = match view {
        Some(view) => (view.bullets.as_slice(), view.links.as_slice()),
        None => (&[][..], &[][..]),
    };
    match format {
        ExportFormat::Classic => {
            let clock = view.map_or(0, |view| view.clock);
            write_classic(&mut out, key, clock, bullets.iter())?;
        }
        ExportFormat::AcePlaybook => write_ace_playbook(&mut out, bullets.iter())?,
        ExportFormat::Mnemograph => {
            let empty = || Manifest::without_memory(key.clone());
            let manifest = Manifest {
                learned: learned.manifest(),
                ..view.map_or_else(empty, Manifest::from_view)
            };
            write_export(&mut out, &manifest, bullets.iter(), links.iter())?;
            learned.write(&mut out)?;
        }
    }
    Ok(out)
}
