//! The memories that the original programs left in a Neo4j: one `AceMemoryState` node for each user.
//!
//! They are read from the database as it is, which needs no schema of this engine and gets none.

use crate::bolt::values::{Map, count};
use crate::bolt::work::send;
use crate::error::Result;
use crate::options::Neo4jOptions;
use crate::statements::ACE_STATES;
use crate::store::Neo4jStore;
use hindlore_store::{ErrorKind, StoreError, StoreResult};

/// Maximum memories read at once; each may have many megabytes.
const STATES_MAX: usize = 10_000;

/// A memory of the original programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AceState {
    /// Id of the user that owns it.
    pub user: Option<String>,
    /// The text of its memory file.
    pub memory: String,
    /// Its access clock, if the node has one.
    pub clock: Option<u64>,
}

impl Neo4jStore {
    /// Reads the memories of the original programs in a database, by user.
    ///
    /// # Errors
    /// As `connect` for a server that cannot be reached; `Invalid` for more than 10,000 memories.
    pub async fn ace_states(options: Neo4jOptions) -> StoreResult<Vec<AceState>> {
        let store = Self::reach(options).await?;
        let most = Map::new().with("limit", count(STATES_MAX + 1));
        let rows = send(&store.executor, ACE_STATES, most).await;
        let states = rows.and_then(|rows| {
            let states = rows.iter().map(|row| {
                let clock: Option<i64> = row.get("clock")?;
                Ok(AceState {
                    user: row.get("user")?,
                    memory: row.get("memory")?,
                    clock: clock.and_then(|clock| u64::try_from(clock).ok()),
                })
            });
            states.collect::<Result<Vec<_>>>()
        });
        let states = states.map_err(|failure| store.store_error("read the memories", failure))?;
        if states.len() > STATES_MAX {
            let context = format!("the database has more than {STATES_MAX} AceMemoryState nodes");
            return Err(StoreError::new(
                ErrorKind::Invalid,
                "read the memories",
                context,
            ));
        }
        Ok(states)
    }
}
