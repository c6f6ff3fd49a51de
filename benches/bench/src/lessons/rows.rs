//! The bare read of a file: SQLite itself, the lessons of a fingerprint by their index.

use std::path::Path;

use async_trait::async_trait;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params};

use super::{BareRead, failed};
use crate::EvalError;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_primitives::ids::FingerprintId;

/// As many lessons as an exact look-up reads.
const LIMIT: i64 = 16;

const LESSONS: &str = "SELECT lessons.* FROM postings
    JOIN lessons ON lessons.learner = postings.learner AND lessons.id = postings.lesson
    WHERE postings.learner = ?1 AND kind = 'trigger' AND name = ?2 AND live = 1
    ORDER BY postings.evidence_at DESC, postings.lesson LIMIT ?3";

/// A connection without an engine.
pub(super) struct Rows {
    connection: Connection,
    learner: i64,
}

impl Rows {
    pub(super) fn open(path: &Path, owner: &LearnerId) -> Result<Self, EvalError> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
        let connection = connection.map_err(failed)?;
        let learner = connection.query_row(
            "SELECT learner FROM learners WHERE tenant = ?1 AND name = ?2",
            params![owner.tenant(), owner.learner()],
            |row| row.get(0),
        );
        Ok(Self {
            learner: learner.map_err(failed)?,
            connection,
        })
    }

    fn rows(&self, fingerprint: FingerprintId) -> rusqlite::Result<usize> {
        let mut statement = self.connection.prepare_cached(LESSONS)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params![self.learner, &fingerprint.0[..], LIMIT])?;
        let mut read = 0;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                std::hint::black_box(row.get::<_, Value>(column)?);
            }
            read += 1;
        }
        Ok(read)
    }
}

#[async_trait]
impl BareRead for Rows {
    async fn read(&mut self, fingerprint: FingerprintId) -> Result<usize, EvalError> {
        self.rows(fingerprint).map_err(failed)
    }
}
