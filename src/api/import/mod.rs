//! Reads files of other programs, and our own exports, as operations of one delta.
//!
//! Every record is accounted for: it becomes an operation with its line number, or a bad line with a reason.
//! Nothing is dropped silently, and nothing here decides what a bullet merges into.

mod ace_playbook;
mod classic;
mod guess;
mod kayba;
mod learned;
mod lessons;
mod lossless;
mod readable;
mod record;
mod records;
mod seeds;
mod session_playbook;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::json::{HALVES_REPLACED, replace_halves, strip_bom};
use super::nearest::{quoted, suggestion};
use super::problem::Problem;
use crate::domain::memory::delta::{DeltaId, Operation};
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::policy::Policy;
use crate::store::lessons::reading::LessonsCopy;

pub(crate) use ace_playbook::{split_bullet, split_heading};
pub(crate) use guess::guess;
pub use kayba::legacy_id as kayba_legacy_id;
pub use lessons::{CLASSIC_LESSONS, ClassicLessons, read_classic_lessons};
pub(crate) use readable::refuse_unreadable;
pub(crate) use records::{bytes_of as bytes_of_records, read as read_records};
use seeds::recognised;

/// A file format that can be imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// `ace_memory.json` of the original programs.
    Classic,
    /// The JSON of a kayba playbook.
    Kayba,
    /// The text playbook of the published ACE experiments.
    AcePlaybook,
    /// The JSON of a SessionPlaybook.
    SessionPlaybook,
    /// The JSON Lines export of this engine.
    Mnemograph,
}

impl Format {
    /// All formats, in order.
    pub const ALL: [Self; 5] = [
        Self::Classic,
        Self::Kayba,
        Self::AcePlaybook,
        Self::SessionPlaybook,
        Self::Mnemograph,
    ];

    /// The name of this format.
    pub fn word(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Kayba => "kayba",
            Self::AcePlaybook => "ace-playbook",
            Self::SessionPlaybook => "session-playbook",
            Self::Mnemograph => "mnemograph",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Format {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let found = Self::ALL.into_iter().find(|format| format.word() == text);
        found.ok_or_else(|| {
            let mut known = Self::ALL.map(Self::word).to_vec();
            // Lessons come from the same programs but take another path.
            known.push(CLASSIC_LESSONS);
            Problem::new(
                "unknown_format",
                format!("{} is not an import format", quoted(text)),
            )
            .with_hint(suggestion(text, &known))
        })
    }
}

/// A record of a file, as an operation.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportRecord {
    /// Line on which the record starts, from 1.
    pub line: u64,
    /// Its operation.
    pub operation: Operation,
}

/// An unreadable record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadLine {
    /// Line on which it starts, from 1.
    pub line: u64,
    /// Why.
    pub reason: String,
}

/// A parsed file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Import {
    /// Readable records in file order, with links after all bullets.
    pub records: Vec<ImportRecord>,
    /// Unreadable records in file order.
    pub bad: Vec<BadLine>,
    /// Number of records, good and bad, without links.
    pub read: u64,
    /// Records that name another learner; they are imported anyway.
    pub foreign_learners: u64,
    /// Clock of the exported memory, if the format has one.
    pub clock: Option<u64>,
    /// Policy of the exported memory, if the format has one.
    pub policy: Option<Policy>,
    /// Notes on replaced input.
    pub notes: Vec<String>,
    /// Lessons of the learner, if the format has them.
    pub learned: Option<LessonsCopy>,
    /// True if the file holds lessons but no memory.
    pub has_no_memory: bool,
}

impl Import {
    fn add(&mut self, line: u64, read: Result<Operation, String>) {
        self.read += 1;
        match read {
            Ok(operation) => self.records.push(ImportRecord { line, operation }),
            Err(reason) => self.bad.push(BadLine { line, reason }),
        }
    }

    /// Index of the next record in the delta; ids are derived from it.
    fn ordinal(&self) -> u64 {
        u64::try_from(self.records.len()).unwrap_or(u64::MAX)
    }
}

/// Parses a file for the memory `key`; ids of new bullets are derived from the id of the delta.
///
/// # Errors
///
/// `not_text` with the byte offset, `invalid_json` with line and column, `wrong_format`; for our own exports
/// also `newer_export`, `export_incomplete`, `export_damaged`.
pub fn parse(
    format: Format,
    bytes: &[u8],
    key: &MemoryKey,
    delta: &DeltaId,
) -> Result<Import, Problem> {
    let text = strip_bom(text_of(bytes)?);
    // In a text playbook a backslash is just a backslash, not an escape.
    let whole = match format {
        Format::AcePlaybook => Cow::Borrowed(text),
        _ => replace_halves(text),
    };
    let mut import = match format {
        Format::Classic => classic::read(&whole, key, delta),
        Format::Kayba => Ok(recognised(kayba::read(&whole)?, key, delta)),
        Format::AcePlaybook => Ok(recognised(ace_playbook::read(&whole)?, key, delta)),
        Format::SessionPlaybook => Ok(recognised(session_playbook::read(&whole)?, key, delta)),
        Format::Mnemograph => lossless::read(&whole, key),
    }?;
    if let Cow::Owned(_) = whole {
        import.notes.push(HALVES_REPLACED.to_owned());
    }
    Ok(import)
}

/// Decodes the text of a file.
///
/// # Errors
///
/// `not_text` with the byte offset of the first invalid UTF-8 or zero byte.
pub(crate) fn text_of(bytes: &[u8]) -> Result<&str, Problem> {
    let refused = |at: usize, what: &str| {
        Problem::new(
            "not_text",
            format!("the file is not UTF-8 text: {what} at byte offset {at}"),
        )
        .with_hint("save it as UTF-8, or check that it is the right file")
    };
    let text = std::str::from_utf8(bytes)
        .map_err(|error| refused(error.valid_up_to(), "an invalid byte"))?;
    match text.find('\0') {
        Some(at) => Err(refused(at, "a zero byte")),
        None => Ok(text),
    }
}

/// The refusal of a file of another kind than stated.
fn wrong_format(format: Format, why: &str) -> Problem {
    let name = match format {
        Format::Classic => "a classic memory file",
        Format::Kayba => "a kayba playbook",
        Format::AcePlaybook => "an ACE playbook",
        Format::SessionPlaybook => "a SessionPlaybook",
        Format::Mnemograph => "a mnemograph export",
    };
    let known = Format::ALL.map(Format::word).join(", ");
    Problem::new(
        "wrong_format",
        format!("this does not look like {name}: {why}"),
    )
    .with_hint(format!("choose the format that the file has: {known}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::delta_input::parse_delta;
    use crate::api::export::samples;

    #[test]
    fn a_format_has_a_word_and_a_slip_is_noticed() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let problem = "ace_playbok".parse::<Format>().unwrap_err();
        assert!(problem.to_string().contains("ace-playbook"), "{problem}");
        assert!("".parse::<Format>().is_err());
    }

    #[test]
    fn what_is_not_text_is_refused_at_its_offset() {
        let key = MemoryKey::new("t", "l", "s").unwrap();
        let delta = DeltaId::parse("d").unwrap();
        for (bytes, words) in [
            (&b"## A\n[a-00001] x\xff"[..], "byte offset 16"),
            (&b"\xff\xfe["[..], "byte offset 0"),
            (&b"abc\0def"[..], "zero byte at byte offset 3"),
        ] {
            for format in Format::ALL {
                let problem = parse(format, bytes, &key, &delta).unwrap_err();
                assert_eq!(problem.code, "not_text");
                assert!(problem.message.contains(words), "{problem}");
            }
        }
        for format in Format::ALL {
            let problem = parse(format, b"", &key, &delta).unwrap_err();
            assert!(
                matches!(problem.code, "wrong_format" | "invalid_json"),
                "{problem}"
            );
        }
    }

    /// A small file of each kind, to be broken by the tests.
    const WHOLE: [&str; 4] = [
        r#"{"bullets": {"a": {"id": "a", "content": "x\u0041\"", "tags": ["q"]}, "b": {"content": "é"}},
            "next_id": 3, "access_clock": 4}"#,
        r#"{"strategies": {"s": {"id": "s", "category": "c", "content": "x"}}, "next_id": 0}"#,
        "## A:\n[abc-00001] helpful=1 harmful=2 :: x\n```py\n## z\n```\ny\n[b-002] z\n# t",
        r#"{"new_bullets": [{"content": "x"}], "update_bullets": {"a": {"helpful": 1}}}"#,
    ];

    #[test]
    fn a_broken_file_is_read_or_refused_and_every_record_is_counted() {
        let (key, delta) = (samples::key(), DeltaId::parse("d").unwrap());
        let junk: Vec<char> = "{}[]\",:\\0-1.e`#= \n\u{e9}\u{2028}\0ut".chars().collect();
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..4_000 {
            let mut text: Vec<char> = WHOLE[random.usize(..WHOLE.len())].chars().collect();
            for _ in 0..random.usize(1..5) {
                let at = random.usize(..text.len());
                match random.u8(..3) {
                    0 => drop(text.remove(at)),
                    1 => text.insert(at, junk[random.usize(..junk.len())]),
                    _ => text[at] = junk[random.usize(..junk.len())],
                }
            }
            let text: String = text.into_iter().collect();
            let _ = parse_delta(&text);
            for format in Format::ALL {
                if let Ok(import) = parse(format, text.as_bytes(), &key, &delta) {
                    let seen = import.records.len() + import.bad.len();
                    assert_eq!(usize::try_from(import.read), Ok(seen), "{text}");
                }
            }
        }
    }
}
