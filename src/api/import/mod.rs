//! Reads files of other programs, and our own exports, as operations of one delta.
//!
//! Every record is accounted for: it becomes an operation with its line number, or a bad line with a reason. Nothing is
//! dropped silently, and no merge is decided here.

mod ace_playbook;
mod ace_state;
mod basic_memory;
mod bullet_record;
mod cheatsheet;
mod classic;
mod decode;
mod format;
mod guess;
mod homes;
mod kayba;
mod langgraph;
mod learned;
mod learnings;
mod lessons;
mod letta;
mod list;
mod lossless;
mod markdown;
mod mcp_memory;
mod mem0;
pub(crate) mod moment;
mod newer;
mod readable;
mod record;
mod records;
mod seeds;
mod session_playbook;
mod unfit;

use std::borrow::Cow;

use super::json::{HALVES_REPLACED, replace_halves, strip_bom};
use super::problem::Problem;
use hindlore_domain::memory::delta::{DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_store::lessons::reading::LessonsCopy;

pub(crate) use ace_playbook::{split_bullet, split_heading};
pub use decode::decode;
pub use format::{AboutFormat, Format};
pub(crate) use guess::guess_named;
pub use kayba::legacy_id as kayba_legacy_id;
pub(crate) use learnings::{Failure, LearnedFailures, learned_failures};
pub use lessons::{CLASSIC_LESSONS, ClassicLessons, read_classic_lessons};
pub(crate) use readable::refuse_unreadable;
use record::{Out, Unknown, unknown_note};
pub(crate) use records::{bytes_of as bytes_of_records, read as read_records};
use seeds::recognised;

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
    /// Readable records in file order, notes under dates by date, with links after all bullets.
    pub records: Vec<ImportRecord>,
    /// Unreadable records in file order.
    pub bad: Vec<BadLine>,
    /// Readable parts that become no bullet, with the reason.
    pub left_out: Vec<BadLine>,
    /// Number of records, good, bad, and left out, without links.
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
    /// Errors that the file reports, with the remedies.
    pub(crate) failures: Vec<Failure>,
    /// Fields that no bullet has.
    pub(crate) unknown: Unknown,
}

impl Import {
    fn add(&mut self, line: u64, read: Result<Operation, String>) {
        self.read += 1;
        match read {
            Ok(operation) => self.records.push(ImportRecord { line, operation }),
            Err(reason) => self.bad.push(BadLine { line, reason }),
        }
    }

    /// Adds a record that becomes a bullet, or that is left out.
    fn put(&mut self, line: u64, read: Result<NewBullet, Out>) {
        match read {
            Ok(new) => self.add(line, Ok(Operation::Add(Box::new(new)))),
            Err(Out::Bad(reason)) => self.add(line, Err(reason)),
            Err(Out::Left(reason)) => self.leave_out(line, reason),
        }
    }

    /// Adds the leftover of another file.
    fn add_bad(&mut self, bad: Option<BadLine>) {
        if let Some(BadLine { line, reason }) = bad {
            self.add(line, Err(reason));
        }
    }

    fn leave_out(&mut self, line: u64, reason: String) {
        self.read += 1;
        self.left_out.push(BadLine { line, reason });
    }

    fn leave_out_all(&mut self, lines: Vec<BadLine>) {
        for BadLine { line, reason } in lines {
            self.leave_out(line, reason);
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
/// `not_text` with the byte offset, and those of the format.
pub fn parse(
    format: Format,
    bytes: &[u8],
    key: &MemoryKey,
    delta: &DeltaId,
) -> Result<Import, Problem> {
    let (text, notes) = decode(bytes)?;
    let import = parse_text(format, &text, key, delta)?;
    Ok(Import {
        notes: [notes, import.notes].concat(),
        ..import
    })
}

/// Parses a text for the memory `key`; ids of new bullets are derived from the id of the delta.
///
/// # Errors
///
/// `invalid_json` with line and column, `wrong_format`; for our own exports also `newer_export`,
/// `export_incomplete`, `export_damaged`.
pub(crate) fn parse_text(
    format: Format,
    text: &str,
    key: &MemoryKey,
    delta: &DeltaId,
) -> Result<Import, Problem> {
    let text = strip_bom(text);
    // In a text a backslash is just a backslash, not an escape.
    let whole = if is_text(format) {
        Cow::Borrowed(text)
    } else {
        replace_halves(text)
    };
    let inner = if is_text(format) {
        Cow::Borrowed(whole.as_ref())
    } else {
        unwrapped(&whole)
    };
    let mut import = match format {
        Format::Markdown => markdown::read(&inner),
        Format::Learnings => learnings::read(&inner),
        Format::AcePlaybook => ace_playbook::read(&inner),
        Format::Kayba => kayba::read(&inner),
        Format::SessionPlaybook => session_playbook::read(&inner),
        Format::List => list::read(&inner),
        Format::Classic => classic::read(&inner, key, delta),
        Format::AceState => ace_state::read(&inner, key, delta),
        Format::McpMemory => mcp_memory::read(&inner),
        Format::Letta => letta::read(&inner),
        Format::Cheatsheet => cheatsheet::read(&inner),
        Format::BasicMemory => basic_memory::read(&inner),
        Format::Mem0 => mem0::read(&inner),
        Format::Langgraph => langgraph::read(&inner),
        Format::Hindlore => lossless::read(&inner, key),
    }?;
    if !matches!(
        format,
        Format::Classic | Format::AceState | Format::Hindlore
    ) {
        import = recognised(newer::dated(import, key, delta), key, delta);
    }
    if let Cow::Owned(_) = whole {
        import.notes.push(HALVES_REPLACED.to_owned());
    }
    import.notes.extend(unknown_note(&import.unknown));
    Ok(import)
}

/// True for a format whose files are no JSON.
fn is_text(format: Format) -> bool {
    matches!(
        format,
        Format::Markdown | Format::Learnings | Format::AcePlaybook | Format::BasicMemory
    )
}

/// The document in a JSON text that holds a document as a text.
fn unwrapped(text: &str) -> Cow<'_, str> {
    if !text.trim_start().starts_with('"') {
        return Cow::Borrowed(text);
    }
    match serde_json::from_str::<String>(text) {
        Ok(inner) if inner.trim_start().starts_with(['{', '[']) => Cow::Owned(inner),
        _ => Cow::Borrowed(text),
    }
}

/// The refusal of a file of another kind than stated.
fn wrong_format(format: Format, why: &str) -> Problem {
    let known = Format::ALL.map(Format::word).join(", ");
    Problem::new(
        "wrong_format",
        format!("this does not look like {}: {why}", format.about().name),
    )
    .with_hint(format!("choose the format that the file has: {known}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delta_input::parse_delta;
    use crate::export::samples;

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
    fn an_empty_text_is_refused_or_has_no_records() {
        let key = MemoryKey::new("t", "l", "s").unwrap();
        let delta = DeltaId::parse("d").unwrap();
        for format in Format::ALL {
            match parse_text(format, "", &key, &delta) {
                Ok(import) => assert_eq!(import.read, 0, "{format}"),
                Err(problem) => assert!(
                    matches!(problem.code, "wrong_format" | "invalid_json"),
                    "{problem}"
                ),
            }
        }
    }

    /// A small file of a format, to be broken by the tests.
    fn whole(format: Format) -> String {
        let more = match format {
            Format::AcePlaybook => {
                "\n[abc-00001] helpful=1 harmful=2 :: x\n```py\n## z\n```\ny\n[b-002] z\n# t"
            }
            Format::Markdown => {
                "\n> a:\n> - b\n\n| a | b |\n| --- | --- |\n| c | `d` |\n\n```sh\nx\n```\n<b>\n"
            }
            Format::Hindlore => {
                r#"{"new_bullets": [{"content": "x"}], "update_bullets": {"a": {"helpful": 1}}}"#
            }
            _ => "",
        };
        format!("{}{more}", format.about().example)
    }

    #[test]
    fn a_broken_file_is_read_or_refused_and_every_record_is_counted() {
        let (key, delta) = (samples::key(), DeltaId::parse("d").unwrap());
        let junk: Vec<char> = "{}[]\",:\\0-1.e`#= \n\u{e9}\u{2028}\0ut".chars().collect();
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..4_000 {
            let of = Format::ALL[random.usize(..Format::ALL.len())];
            let mut text: Vec<char> = whole(of).chars().collect();
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
                if let Ok(import) = parse_text(format, &text, &key, &delta) {
                    let seen = import.records.len() + import.bad.len() + import.left_out.len();
                    assert_eq!(usize::try_from(import.read), Ok(seen), "{text}");
                }
            }
        }
    }
}
