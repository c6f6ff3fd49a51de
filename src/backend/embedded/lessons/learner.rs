//! The row of a learner, to which all of its lessons belong.

use rusqlite::{OptionalExtension, Transaction, params};

use crate::error::Result;
use hindlore_domain::lesson::lesson::LearnerId;

/// The number of a learner; `None` for an unknown one.
pub(super) fn find(tx: &Transaction<'_>, owner: &LearnerId) -> Result<Option<i64>> {
    let mut statement =
        tx.prepare_cached("SELECT learner FROM learners WHERE tenant = ?1 AND name = ?2")?;
    let number = statement.query_row(params![owner.tenant(), owner.learner()], |row| row.get(0));
    Ok(number.optional()?)
}

/// Inserts the row of a learner; returns its number.
pub(super) fn make(tx: &Transaction<'_>, owner: &LearnerId) -> Result<i64> {
    tx.prepare_cached("INSERT INTO learners (tenant, name) VALUES (?1, ?2)")?
        .execute(params![owner.tenant(), owner.learner()])?;
    Ok(tx.last_insert_rowid())
}
