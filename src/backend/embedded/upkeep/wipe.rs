//! Wiping: afterwards neither the file nor its log holds a byte of erased data.
//!
//! Every connection overwrites deleted content with zeros (`secure_delete`). That is not enough: a split page keeps old
//! cells in its gaps. So an erase rebuilds the whole file (VACUUM)
//! and then truncates the log. An older reader in another process keeps the log alive, and a full disk has no room for
//! the rebuild; the receipts then stay unwiped, and the next erase or wipe tries again. The price is one copy of the file.

use rusqlite::{Connection, Row, Transaction, TransactionBehavior, params};

use crate::error::{Failure, Result, advice, kind_of};
use crate::rows::{Json, Moment};
use hindlore_store::{EraseReceipt, Erased, ErrorKind, Extent, NotWiped};

/// Files up to this size, in bytes, are rebuilt in memory; larger ones through an unnamed temporary file.
const IN_PROCESS_MAX: i64 = 256 * 1024 * 1024;

/// The advice when another program is in the way.
const AGAIN: &str = "close other programs that use the file, then wipe it (`erase --wipe`)";

/// Writes a receipt; a wipe is due from then on.
pub(super) fn owe(tx: &Transaction<'_>, receipt: &EraseReceipt) -> Result<()> {
    let counts = receipt.erased.counts().map(|(_, count)| count);
    tx.prepare_cached(
        "INSERT INTO erasures (id, tenant_hash, learner_hash, subject_hash, extent, at, author, counts)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        receipt.id,
        receipt.tenant_hash,
        receipt.learner_hash,
        receipt.subject_hash,
        receipt.extent.word(),
        Moment(receipt.at),
        receipt.author,
        Json(&counts),
    ])?;
    Ok(())
}

/// True when the file may hold bytes of erased data: a wipe is due, or the file was never wiped at all.
pub(super) fn is_owed(connection: &Connection) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM erasures WHERE wiped_at IS NULL)
             OR NOT EXISTS (SELECT 1 FROM erasures)";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
}

/// Wipes the file and its log; returns the reason when it cannot.
pub(super) fn wipe(connection: &mut Connection) -> Result<Option<NotWiped>> {
    let rebuilt = rebuild(connection);
    // Worth doing even after a failed rebuild: deleted cells are zeros in the file by now, but not in the log.
    let emptied = empty_log(connection);
    let refusal = match (rebuilt, emptied) {
        (Err(error), _) => Some(not_rebuilt(&error)),
        (_, Err(error)) => Some(NotWiped {
            reason: format!("the log beside the file could not be emptied ({error})"),
            advice: AGAIN.to_owned(),
        }),
        (Ok(()), Ok(false)) => Some(NotWiped {
            reason: "another program reads the file and keeps its log alive, which still holds what was erased"
                .to_owned(),
            advice: AGAIN.to_owned(),
        }),
        (Ok(()), Ok(true)) => None,
    };
    // Only after both parts, so that a crash in between leaves the wipe due.
    if refusal.is_none() {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let sql = "UPDATE erasures SET wiped_at = unixepoch() * 1000 WHERE wiped_at IS NULL";
        tx.execute(sql, [])?;
        tx.commit().map_err(Failure::from_commit)?;
    }
    Ok(refusal)
}

fn not_rebuilt(error: &rusqlite::Error) -> NotWiped {
    let (reason, todo) = match kind_of(error) {
        ErrorKind::Full => (
            "the disk has no room for a second copy of the file".to_owned(),
            "free as much space as the file takes, then wipe it (`erase --wipe`)",
        ),
        ErrorKind::Busy => ("another program writes to the file".to_owned(), AGAIN),
        kind => (
            format!("the file {} ({error})", advice(kind)),
            "mend that, then wipe it (`erase --wipe`)",
        ),
    };
    NotWiped {
        reason: format!("{reason}; free pages of the file may still hold what was erased"),
        advice: todo.to_owned(),
    }
}

/// Rebuilds the file. VACUUM copies through `temp_store`, which must not be memory for a large file.
fn rebuild(connection: &Connection) -> rusqlite::Result<()> {
    let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0));
    let bytes = number("PRAGMA page_count")?.saturating_mul(number("PRAGMA page_size")?);
    let is_large = bytes > IN_PROCESS_MAX;
    if is_large {
        connection.pragma_update(None, "temp_store", "FILE")?;
    }
    let rebuilt = connection.execute_batch("VACUUM");
    // Also after a failure, because this connection serves all later writes.
    if is_large {
        connection.pragma_update(None, "temp_store", "MEMORY")?;
    }
    rebuilt
}

/// Writes the log back and truncates it; false when another connection still reads it.
pub(crate) fn empty_log(connection: &Connection) -> rusqlite::Result<bool> {
    let is_busy = |row: &Row<'_>| row.get::<_, bool>(0);
    connection
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], is_busy)
        .map(|is_busy| !is_busy)
}

/// Reads the receipts of a tenant, or of one learner of it, newest first.
pub(super) fn receipts(
    tx: &Transaction<'_>,
    tenant_hash: &str,
    learner_hash: Option<&str>,
    limit: usize,
) -> Result<Vec<EraseReceipt>> {
    let mut statement = tx.prepare_cached(
        "SELECT id, tenant_hash, learner_hash, subject_hash, extent, at, author, counts,
             wiped_at IS NOT NULL
         FROM erasures WHERE tenant_hash = ?1 AND (?2 IS NULL OR learner_hash = ?2)
         ORDER BY at DESC, id LIMIT ?3",
    )?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rows = statement.query_map(params![tenant_hash, learner_hash, limit], receipt)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn receipt(row: &Row<'_>) -> rusqlite::Result<EraseReceipt> {
    let word: String = row.get(4)?;
    let counts: Vec<u64> = row.get::<_, Json<_>>(7)?.0;
    Ok(EraseReceipt {
        id: row.get(0)?,
        tenant_hash: row.get(1)?,
        learner_hash: row.get(2)?,
        subject_hash: row.get(3)?,
        extent: Extent::from_word(&word).ok_or_else(|| {
            let what = format!("`{word}` is no extent of an erase").into();
            rusqlite::Error::FromSqlConversionFailure(4, rusqlite::types::Type::Text, what)
        })?,
        at: row.get::<_, Moment>(5)?.0,
        author: row.get(6)?,
        erased: Erased::from_counts(&counts),
        is_wiped: row.get(8)?,
    })
}
