//! Making constraints and indexes, which may take long where many nodes have the label.

use std::pin::pin;
use std::time::Duration;

use tokio::time::sleep;

use super::migration_lock::{keep_lock, write};
use super::migrations::Migration;
use super::progress::Tell;
use super::schema_objects::{self, Standing, Wanted};
use crate::bolt::codes::is_of_schema;
use crate::bolt::executor::Executor;
use crate::bolt::values::Map;
use crate::error::{Failure, Result};
use hindlore_store::{ErrorKind, StoreError};

/// Pause between two looks at something that takes long.
const PAUSE: Duration = Duration::from_millis(500);

/// Creates everything that a migration creates, and waits until the indexes can be used.
pub(super) async fn make_all(
    executor: &Executor,
    holder: &str,
    migration: &Migration,
    tell: &Tell,
) -> Result<()> {
    let wanted: Vec<Wanted> = schema_objects::wanted(migration).collect();
    for (number, one) in (1..).zip(&wanted) {
        keep_lock(executor, holder).await?;
        tell.say(&format!(
            "`{}`: {number} of {} constraints and indexes",
            migration.name,
            wanted.len()
        ));
        let mut made = pin!(make(executor, one));
        // A constraint is made only when its index is: the lock is renewed meanwhile.
        loop {
            tokio::select! {
                done = &mut made => break done?,
                () = sleep(PAUSE) => {}
            }
            keep_lock(executor, holder).await?;
            let share = schema_objects::share_of(executor, one).await?;
            tell.say(&format!("the {} is {share} % made", one.shown()));
        }
    }
    // The server answers before a plain index is filled, so the rest is awaited here.
    loop {
        let Some((name, share)) = schema_objects::populating(executor, &wanted).await? else {
            return Ok(());
        };
        tell.say(&format!("the index `{name}` is {share} % made"));
        keep_lock(executor, holder).await?;
        sleep(PAUSE).await;
    }
}

/// Creates a constraint or an index unless an equivalent one exists, and checks that it exists afterwards.
pub(super) async fn make(executor: &Executor, wanted: &Wanted) -> Result<()> {
    let barred = |why: String| {
        let what = wanted.shown();
        let context = format!(
            "the {what} cannot be made: {why}; then `hindlore migrate apply` goes on, or use a database of its own"
        );
        Failure::Store(StoreError::new(ErrorKind::Foreign, "migrate", context))
    };
    let said = match write(executor, wanted.statement, Map::new()).await {
        Ok(_) => None,
        // The refusal may mean that an equivalent item exists; the look below decides.
        Err(Failure::Server { code, message }) if is_of_schema(&code) => Some(message),
        Err(failure) => return Err(failure),
    };
    match (schema_objects::standing(executor, wanted).await?, said) {
        (Standing::There { .. }, _) => Ok(()),
        (Standing::Barred { by, remedy }, _) => Err(barred(format!(
            "{by} stands in its way; `{remedy}` takes it away"
        ))),
        (Standing::Missing, Some(said)) => {
            Err(barred(format!("{said}; change or remove what is there")))
        }
        (Standing::Missing, None) => Err(barred("the server did not make it".to_owned())),
    }
}
