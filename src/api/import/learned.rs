//! Reads the lesson lines of an export.
//!
//! All or none are imported: rows refer to each other, and a learner with only some of them would be a
//! different one.

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::export::learned::{LearnedLine, LearnedManifest, nothing};
use crate::problem::Problem;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::identity::hex;
use hindlore_store::lessons::reading::LessonsCopy;

/// Lines read so far.
pub(super) struct Learned {
    manifest: LearnedManifest,
    copy: LessonsCopy,
    rows: u64,
    digest: Sha256,
}

impl Learned {
    /// Starts from the manifest; rows will belong to the learner of `key`.
    pub(super) fn announced(manifest: LearnedManifest, key: &MemoryKey) -> Result<Self, Problem> {
        let owner = LearnerId::new(key.tenant(), key.learner())?;
        Ok(Self {
            manifest,
            copy: nothing(owner),
            rows: 0,
            digest: Sha256::new(),
        })
    }

    /// Reads a line, with its text as in the file.
    pub(super) fn line(&mut self, number: u64, text: &str, value: Value) -> Result<(), Problem> {
        let line: LearnedLine = serde_json::from_value(value)
            .map_err(|error| damaged(&format!("line {number} cannot be read: {error}")))
            .map_err(|problem| problem.at_line(number))?;
        self.digest.update(text.as_bytes());
        self.digest.update(b"\n");
        self.rows += 1;
        line.put_into(&mut self.copy);
        Ok(())
    }

    /// Returns all rows, once number and digest match the manifest.
    pub(super) fn finish(self) -> Result<LessonsCopy, Problem> {
        let (rows, announced) = (self.rows, self.manifest.rows);
        if rows != announced {
            return Err(damaged(&format!(
                "the manifest announces {announced} rows of lessons, the file has {rows}"
            )));
        }
        if hex(&self.digest.finalize()) != self.manifest.digest {
            return Err(damaged(
                "the rows of lessons do not give the digest of the manifest",
            ));
        }
        let mut copy = self.copy;
        let owner = copy.owner.clone();
        copy.errors
            .iter_mut()
            .for_each(|row| row.owner = owner.clone());
        copy.lessons
            .iter_mut()
            .for_each(|row| row.owner = owner.clone());
        Ok(copy)
    }
}

fn damaged(what: &str) -> Problem {
    Problem::new("export_damaged", what)
        .with_hint("the file was cut or changed after the export; export again")
}
