//! An export in a chosen format: everything in ours, active bullets in those of other programs.

use std::io;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::json_playbook::{KAYBA, SESSION_PLAYBOOK, write_json_playbook};
use super::markdown::{block, document};
use super::skill::{File, skills};
use super::strong::{Group, groups};
use super::{LearnedLines, Manifest, write_ace_playbook, write_classic, write_export};
use hindlore::MemoryView;
use hindlore_domain::lesson::lesson::Lesson;
use hindlore_domain::memory::key::MemoryKey;

/// A format that can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExportFormat {
    /// The memory with all bullets, and the lessons of its learner, as JSON Lines.
    #[default]
    Hindlore,
    /// The active bullets as `ace_memory.json`.
    Classic,
    /// The active bullets as a text playbook.
    AcePlaybook,
    /// The active bullets as a kayba playbook.
    Kayba,
    /// The active bullets as a SessionPlaybook.
    SessionPlaybook,
    /// Strong bullets and promoted lessons as a Markdown document.
    Markdown,
    /// Markdown as a block between marks, for an AGENTS.md.
    AgentsMd,
    /// Markdown as folders, each with a SKILL.md.
    Skill,
}

impl ExportFormat {
    /// True if the format can hold lessons, errors, and runs.
    pub fn holds_lessons(self) -> bool {
        !matches!(
            self,
            Self::Classic | Self::AcePlaybook | Self::Kayba | Self::SessionPlaybook
        )
    }
}

/// A written export.
#[derive(Debug, Default)]
pub struct Written {
    /// The whole text; for skills, all files one after the other.
    pub text: Vec<u8>,
    /// The files of a format that has several.
    pub(crate) files: Vec<File>,
    /// Texts in it, for a format that chooses.
    pub chosen: Option<usize>,
}

/// The lessons of a learner: as lines, and as values.
#[derive(Clone, Copy, Debug)]
pub struct Learned<'l> {
    /// All rows.
    pub lines: &'l LearnedLines,
    /// The lessons, in any status.
    pub lessons: &'l [Lesson],
}

/// Writes a memory and its learner's lessons; omits the parts that the format cannot hold.
///
/// # Errors
///
/// A row without JSON form; none lacks one.
pub fn write(
    key: &MemoryKey,
    view: Option<&MemoryView>,
    learned: Learned<'_>,
    format: ExportFormat,
) -> io::Result<Written> {
    let mut out = Vec::new();
    let Learned { lines, lessons } = learned;
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
        ExportFormat::Kayba => write_json_playbook(&mut out, &KAYBA, bullets.iter())?,
        ExportFormat::SessionPlaybook => {
            write_json_playbook(&mut out, &SESSION_PLAYBOOK, bullets.iter())?;
        }
        ExportFormat::Hindlore => {
            let empty = || Manifest::without_memory(key.clone());
            let manifest = Manifest {
                learned: lines.manifest(),
                ..view.map_or_else(empty, Manifest::from_view)
            };
            write_export(&mut out, &manifest, bullets.iter(), links.iter())?;
            lines.write(&mut out)?;
        }
        ExportFormat::Markdown | ExportFormat::AgentsMd | ExportFormat::Skill => {
            return Ok(readable(&groups(view, lessons), format));
        }
    }
    Ok(Written {
        text: out,
        ..Written::default()
    })
}

fn readable(groups: &[Group], format: ExportFormat) -> Written {
    let chosen = Some(groups.iter().map(|group| group.texts.len()).sum());
    let files = match format {
        ExportFormat::Skill => skills(groups),
        _ => Vec::new(),
    };
    let text = match format {
        ExportFormat::Skill => {
            let files = files
                .iter()
                .map(|file| format!("<!-- {} -->\n{}\n", file.path, file.text));
            files.collect()
        }
        ExportFormat::AgentsMd => block(groups),
        _ => document(groups),
    };
    Written {
        text: text.into_bytes(),
        files,
        chosen,
    }
}
