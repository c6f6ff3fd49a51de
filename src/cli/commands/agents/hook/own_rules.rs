//! The rule files that an agent reads by itself: a note that is in one of them would be told twice.

use std::path::PathBuf;

use hindlore_config::{Links, read_regular_file};
use hindlore_trace::HookEvent;

/// Names of rule files of the runtimes.
const NAMES: &[&str] = &[
    "AGENTS.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "GEMINI.md",
    ".cursorrules",
    ".github/copilot-instructions.md",
];
/// Largest file that is read, in bytes.
const BYTES_MAX: u64 = 128 << 10;
/// Most folders that are looked into, from the folder of the session upwards.
const FOLDERS_MAX: usize = 16;

/// The text of the rule files in the folder of an event, and above it up to the root of its repository.
pub(super) fn text(event: &HookEvent) -> String {
    let folder = event
        .folders
        .iter()
        .map(PathBuf::from)
        .find(|folder| folder.is_absolute());
    let Some(folder) = folder else {
        return String::new();
    };
    let mut text = String::new();
    for folder in folder.ancestors().take(FOLDERS_MAX) {
        for name in NAMES {
            if let Ok(bytes) = read_regular_file(&folder.join(name), BYTES_MAX, Links::Refuse) {
                text.push_str(&String::from_utf8_lossy(&bytes));
                text.push('\n');
            }
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    text
}
