//! Export lines of a learner's lessons: one row per line, under the name of its kind, ordered by identity.
//!
//! The manifest holds their number and digest. Rows are written as stored, numbers bit for bit, so that an
//! import restores them exactly.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::write_line;
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_domain::lesson::promotion::Decision;
use hindlore_primitives::identity::hex;
use hindlore_store::lessons::reading::LessonsCopy;
use hindlore_store::lessons::rows::{
    ActivationRow, Conflict, FingerprintRow, LessonSource, OperationReceipt, Review, RunRow,
    StepRow,
};

/// The manifest's part about lesson lines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LearnedManifest {
    /// Number of lines.
    pub rows: u64,
    /// SHA-256 hex of the lines, line ends included.
    pub digest: String,
}

/// One line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum LearnedLine {
    Fingerprint(Box<FingerprintRow>),
    Run(Box<RunRow>),
    Step(Box<StepRow>),
    Error(Box<ErrorEvent>),
    Lesson(Box<Lesson>),
    Source(Box<LessonSource>),
    LessonConflict(Box<Conflict>),
    Activation(Box<ActivationRow>),
    Decision(Box<Decision>),
    Review(Box<Review>),
    Receipt(Box<OperationReceipt>),
}

impl LearnedLine {
    /// Names of the kinds of lines.
    pub(crate) const KINDS: [&'static str; 11] = [
        "fingerprint",
        "run",
        "step",
        "error",
        "lesson",
        "source",
        "lesson_conflict",
        "activation",
        "decision",
        "review",
        "receipt",
    ];

    /// Adds the row to its list.
    pub(crate) fn put_into(self, copy: &mut LessonsCopy) {
        match self {
            Self::Fingerprint(row) => copy.fingerprints.push(*row),
            Self::Run(row) => copy.runs.push(*row),
            Self::Step(row) => copy.steps.push(*row),
            Self::Error(row) => copy.errors.push(*row),
            Self::Lesson(row) => copy.lessons.push(*row),
            Self::Source(row) => copy.sources.push(*row),
            Self::LessonConflict(row) => copy.conflicts.push(*row),
            Self::Activation(row) => copy.activations.push(*row),
            Self::Decision(row) => copy.decisions.push(*row),
            Self::Review(row) => copy.reviews.push(*row),
            Self::Receipt(row) => copy.receipts.push(*row),
        }
    }
}

/// Lines of a learner's lessons, ready to be written after the manifest.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LearnedLines {
    text: Vec<u8>,
    rows: u64,
}

impl LearnedLines {
    /// Turns a copy into lines.
    ///
    /// # Errors
    ///
    /// A row without JSON form; none of these lacks one.
    pub fn from_copy(copy: LessonsCopy) -> io::Result<Self> {
        let mut lines = Self::default();
        lines.put(copy.fingerprints, LearnedLine::Fingerprint)?;
        lines.put(copy.runs, LearnedLine::Run)?;
        lines.put(copy.steps, LearnedLine::Step)?;
        lines.put(copy.errors, LearnedLine::Error)?;
        lines.put(copy.lessons, LearnedLine::Lesson)?;
        lines.put(copy.sources, LearnedLine::Source)?;
        lines.put(copy.conflicts, LearnedLine::LessonConflict)?;
        lines.put(copy.activations, LearnedLine::Activation)?;
        lines.put(copy.decisions, LearnedLine::Decision)?;
        lines.put(copy.reviews, LearnedLine::Review)?;
        lines.put(copy.receipts, LearnedLine::Receipt)?;
        Ok(lines)
    }

    fn put<T>(&mut self, rows: Vec<T>, line: impl Fn(Box<T>) -> LearnedLine) -> io::Result<()> {
        for row in rows {
            write_line(&mut self.text, &line(Box::new(row)))?;
            self.rows += 1;
        }
        Ok(())
    }

    /// The manifest's part for these lines; absent if there are none.
    pub fn manifest(&self) -> Option<LearnedManifest> {
        (self.rows > 0).then(|| LearnedManifest {
            rows: self.rows,
            digest: hex(&Sha256::digest(&self.text)),
        })
    }

    /// Writes the lines.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.text)
    }
}

/// A copy without rows.
pub(crate) fn nothing(owner: LearnerId) -> LessonsCopy {
    LessonsCopy {
        owner,
        fingerprints: Vec::new(),
        runs: Vec::new(),
        steps: Vec::new(),
        errors: Vec::new(),
        lessons: Vec::new(),
        sources: Vec::new(),
        conflicts: Vec::new(),
        activations: Vec::new(),
        decisions: Vec::new(),
        reviews: Vec::new(),
        receipts: Vec::new(),
    }
}
