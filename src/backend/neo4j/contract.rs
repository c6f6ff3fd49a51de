//! The contracting migration: renaming what older engines wrote under plain names.
//!
//! It ends the sharing with older engines, so it runs only when somebody asks for it, or when one was cut off. Engines of
//! this version may go on: they wait while the names change. An older engine that still runs finds none of its learners and
//! memories any more, and an older one that starts is refused by the ledger.

use std::time::Duration;

use tokio::time::sleep;

use super::error::{Failure, Result};
use super::executor::Executor;
use super::items;
use super::migration_lock::{keep_lock, write};
use super::migrations::{Does, MIGRATIONS, Migration};
use super::naming::{CHANGING, LOOKED_MS, Naming, PREFIXED, TARGET};
use super::statements::{CHANGE_NAMING, DROP_CONSTRAINT, DROP_INDEX};
use super::tell::Tell;
use super::values::Map;

/// Nodes or relationships that are renamed in one transaction.
const BATCH: i64 = 2_000;
/// Time that engines which looked before the change began may still take to send a statement.
const GRACE: Duration = Duration::from_millis(500);

/// Renames everything, and drops the constraints and indexes of plain names. Everybody waits until [`end`].
pub(super) async fn contract(
    executor: &Executor,
    holder: &str,
    migration: &'static Migration,
    tell: &Tell,
) -> Result<()> {
    change(executor, holder, CHANGING).await?;
    // No engine relies on an older look when the first name changes.
    sleep(Duration::from_millis(LOOKED_MS) + GRACE).await;
    let mut renamed = 0_u64;
    for statement in migration.statements() {
        loop {
            keep_lock(executor, holder).await?;
            let rows = write(executor, statement, Map::new().with("limit", BATCH)).await?;
            let some: u64 = rows.first().map_or(Ok(0), |row| row.get("renamed"))?;
            if some == 0 {
                break;
            }
            renamed += some;
            tell.say(&format!(
                "{renamed} nodes and relationships have their new names"
            ));
        }
    }
    drop_plain(executor, holder, tell).await?;
    Ok(())
}

/// Lets everybody go on, under the new names.
pub(super) async fn end(executor: &Executor, holder: &str) -> Result<()> {
    change(executor, holder, PREFIXED).await?;
    executor.naming.set(Naming::Prefixed, executor.naming.now());
    Ok(())
}

async fn change(executor: &Executor, holder: &str, naming: &str) -> Result<()> {
    keep_lock(executor, holder).await?;
    let asked = Map::new()
        .with("target", TARGET)
        .with("holder", holder)
        .with("naming", naming);
    if write(executor, CHANGE_NAMING, asked).await?.is_empty() {
        Err(Failure::being_renamed())
    } else {
        Ok(())
    }
}

/// Drops what the migrations of plain names made: by our names, and only where it is on what ours is on.
async fn drop_plain(executor: &Executor, holder: &str, tell: &Tell) -> Result<()> {
    let kept: Vec<items::Wanted> = made_by(|does| matches!(does, Does::Schema)).collect();
    let plain = made_by(|does| matches!(does, Does::PlainSchema | Does::Nothing));
    let plain: Vec<items::Wanted> = plain
        .filter(|one| !kept.iter().any(|k| k.is_same(one)))
        .collect();
    for (name, is_constraint) in items::under_our_names(executor, &plain).await? {
        keep_lock(executor, holder).await?;
        let statement = if is_constraint {
            DROP_CONSTRAINT
        } else {
            DROP_INDEX
        };
        tell.say(&format!("dropping `{name}`"));
        write(executor, statement, Map::new().with("name", name.as_str())).await?;
    }
    Ok(())
}

fn made_by(kind: impl Fn(Does) -> bool) -> impl Iterator<Item = items::Wanted> {
    let all = MIGRATIONS.iter().filter(move |one| kind(one.work));
    let statements = all.flat_map(Migration::statements);
    statements.filter_map(items::Wanted::from_statement)
}
