//! The lock on the migrations of a database: it expires by the server's clock, even if its instance has crashed.

use neo4rs::Row;

use super::migrations::TARGET;
use crate::bolt::executor::Executor;
use crate::bolt::values::Map;
use crate::bolt::work::send_anew;
use crate::error::{Failure, Result};
use crate::statements::{Statement, TAKE_LOCK};
use hindlore_store::{ErrorKind, StoreError};

/// Lifetime of the lock: how long a crashed instance keeps others waiting.
const LEASE_MS: i64 = 30_000;

/// Sends a statement that can be repeated.
pub(super) async fn write(
    executor: &Executor,
    statement: Statement,
    parameters: Map,
) -> Result<Vec<Row>> {
    let sent = send_anew(executor, statement, parameters).await;
    sent.map(|(rows, _)| rows)
}

/// Takes or renews the lock; false while another instance holds it.
pub(super) async fn take_lock(executor: &Executor, holder: &str) -> Result<bool> {
    let asked = Map::new()
        .with("target", TARGET)
        .with("holder", holder)
        .with("lease_ms", LEASE_MS)
        .with("never", 0_i64);
    let rows = write(executor, TAKE_LOCK, asked).await?;
    // A missing holder compares as null, so the row does not count as ours.
    let mine: Option<bool> = rows.first().map_or(Ok(None), |row| row.get("is_mine"))?;
    Ok(mine == Some(true))
}

/// Renews the lock, or refuses to continue without it.
pub(super) async fn keep_lock(executor: &Executor, holder: &str) -> Result<()> {
    if take_lock(executor, holder).await? {
        Ok(())
    } else {
        Err(Failure::Store(StoreError::new(
            ErrorKind::Busy,
            "migrate",
            "the lock on migrations expired and another instance took it; try again",
        )))
    }
}
