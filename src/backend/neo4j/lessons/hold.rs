//! Locking a learner while its lessons are read or written.

use neo4rs::Row;

use super::keys::Keys;
use crate::bolt::transaction::Transaction;
use crate::error::{Failure, Result};
use crate::memory::state::Access;
use crate::statements::LOCK_LEARNER;

/// Locks a learner, so that several reads see one state; a read-only database needs no lock. Returns the rows of the
/// locking statement.
pub(super) async fn hold(tx: &mut Transaction, keys: &Keys, access: Access) -> Result<Vec<Row>> {
    match access {
        Access::Locked => tx.query(LOCK_LEARNER, keys.owned()).await,
        Access::ReadOnly => Ok(Vec::new()),
    }
}

/// Refuses a learner with an unfinished copy into its lessons.
pub(super) fn refuse_half_copied(locked: &[Row], keys: &Keys) -> Result<()> {
    let copying: Option<String> = locked.first().map_or(Ok(None), |row| row.get("copying"))?;
    match copying {
        None => Ok(()),
        Some(_) => {
            let (tenant, learner) = (keys.owner.tenant(), keys.owner.learner());
            let lessons = format!("the lessons of `{tenant}/{learner}`");
            Err(Failure::half_copied(lessons))
        }
    }
}
