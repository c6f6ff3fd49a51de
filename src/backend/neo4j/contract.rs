//! The contracting migrations: giving what older engines wrote its names and dates of today.
//!
//! They end the sharing with older engines, so they run only when somebody asks for them, or when they were cut off. Engines
//! of this version may go on: they wait meanwhile. An engine that knows no prefixed names finds none of its learners and
//! memories any more; an older one that starts is refused by the ledger.

use std::time::Duration;

use tokio::time::sleep;

use super::error::{Failure, Result};
use super::executor::Executor;
use super::items;
use super::migration_lock::{keep_lock, write};
use super::migrations::{Does, MIGRATIONS, Migration};
use super::naming::{CHANGING, DATED, LOOKED_MS, Naming, TARGET};
use super::statements::{CHANGE_NAMING, DROP_CONSTRAINT, DROP_INDEX};
use super::tell::Tell;
use super::values::Map;

/// Nodes or relationships that are changed in one transaction.
const BATCH: i64 = 2_000;
/// Time that engines which looked before the change began may still take to send a statement.
const GRACE: Duration = Duration::from_millis(500);

/// Keeps everybody waiting until [`end`].
pub(super) async fn begin(executor: &Executor, holder: &str) -> Result<()> {
    change(executor, holder, CHANGING).await?;
    // No engine relies on an older look when the first name or value changes.
    sleep(Duration::from_millis(LOOKED_MS) + GRACE).await;
    Ok(())
}

/// Renames everything, and drops the constraints and indexes of plain names.
pub(super) async fn rename(
    executor: &Executor,
    holder: &str,
    migration: &'static Migration,
    tell: &Tell,
) -> Result<()> {
    let said = |done| {
        tell.say(&format!(
            "{done} nodes and relationships have their new names"
        ))
    };
    repeat(executor, holder, migration, ("renamed", &said)).await?;
    drop_plain(executor, holder, tell).await
}

/// Turns times into dates.
pub(super) async fn date(
    executor: &Executor,
    holder: &str,
    migration: &'static Migration,
    tell: &Tell,
) -> Result<()> {
    let said = |done| tell.say(&format!("{done} nodes and relationships have dates"));
    repeat(executor, holder, migration, ("changed", &said)).await
}

/// Sends each statement of a migration until the column says that nothing is left for it.
async fn repeat(
    executor: &Executor,
    holder: &str,
    migration: &'static Migration,
    (column, tell): (&str, &(dyn Fn(u64) + Sync)),
) -> Result<()> {
    let mut done = 0;
    for statement in migration.statements() {
        loop {
            keep_lock(executor, holder).await?;
            let rows = write(executor, statement, Map::new().with("limit", BATCH)).await?;
            let some: u64 = rows.first().map_or(Ok(0), |row| row.get(column))?;
            if some == 0 {
                break;
            }
            done += some;
            tell(done);
        }
    }
    Ok(())
}

/// Lets everybody go on, with the names and dates of today.
pub(super) async fn end(executor: &Executor, holder: &str) -> Result<()> {
    change(executor, holder, DATED).await?;
    executor.naming.set(Naming::Dated, executor.naming.now());
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
