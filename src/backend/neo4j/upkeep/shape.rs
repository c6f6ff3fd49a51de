//! The form of a memory in the graph: contradictions to its bullets and events, and its repair.
//!
//! The engine decides by properties; analysts walk along relationships. Both are written in one transaction, so only a hand
//! or a fault makes them differ.

use std::time::Duration;

use async_trait::async_trait;
use tokio::time::sleep;

use super::wrong_types;
use crate::bolt::executor::Executor;
use crate::bolt::random::token;
use crate::bolt::row_writes::{relabel, write_bullets};
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, bullet_key, count, memory_key, memory_names};
use crate::bolt::work::{Task, send};
use crate::error::Result;
use crate::memory::bullets::Ties;
use crate::memory::events::Place;
use crate::memory::links;
use crate::memory::origins;
use crate::memory::policies;
use crate::memory::state;
use crate::memory::state::Access;
use crate::statements::{LINK, PUT_BULLETS, RENAME_LABELS, REPAIR, SHAPE, UNLINK};
use crate::store::Neo4jStore;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::{Repairs, ShapeFault, ShapeRemedy, StoreResult};

/// Faults of one memory at most; more would add nothing.
const FAULTS_MAX: usize = 500;
/// Pause before the second look: a reader may meet half of a commit.
const PAUSE: Duration = Duration::from_millis(100);

/// Finds the faults of a memory. A fault that a second look does not find was a commit under way.
pub(super) async fn faults(store: &Neo4jStore, key: &MemoryKey) -> StoreResult<Vec<ShapeFault>> {
    let first = look(store, key).await?;
    if first.is_empty() {
        return Ok(first);
    }
    sleep(PAUSE).await;
    let again = look(store, key).await?;
    Ok(first
        .into_iter()
        .filter(|one| again.contains(one))
        .collect())
}

/// A fault of the origin that a delta records.
fn ascribed(delta: String) -> ShapeFault {
    ShapeFault {
        message: format!(
            "the author, the time or the engine of the delta {delta} is not what was written; only a backup has it"
        ),
        remedy: ShapeRemedy::Rebase,
        value: None,
    }
}

async fn look(store: &Neo4jStore, key: &MemoryKey) -> StoreResult<Vec<ShapeFault>> {
    let asked = Map::new()
        .with("memory", memory_key(key))
        .with("place", memory_names(key))
        .with("limit", count(FAULTS_MAX));
    let rows = send(&store.executor, SHAPE, asked).await;
    let found = rows.and_then(|rows| {
        let faults = rows.iter().map(|row| {
            let (fault, id): (String, String) = (row.get("fault")?, row.get("id")?);
            Ok(told(&fault, &id, &row.get::<String>("detail")?))
        });
        faults.collect::<Result<Vec<_>>>()
    });
    let found = match found {
        Ok(faults) => repeated(&store.executor, key, faults).await,
        Err(failure) => Err(failure),
    };
    let mut found = found.map_err(|failure| store.store_error("shape", failure))?;
    found.extend(wrong_types::faults(store, key, None).await?);
    Ok(found)
}

/// Adds the faults of data that is written twice.
async fn repeated(
    executor: &Executor,
    key: &MemoryKey,
    mut faults: Vec<ShapeFault>,
) -> Result<Vec<ShapeFault>> {
    let shown = policies::differences(executor, key).await?;
    faults.extend(shown.into_iter().map(mirrored));
    let unsealed = origins::broken(executor, key).await?;
    faults.extend(unsealed.into_iter().map(ascribed));
    Ok(faults)
}

/// A fault of a node that only repeats.
fn mirrored(difference: String) -> ShapeFault {
    ShapeFault {
        message: format!("{difference}; `hindlore policy set` changes a policy"),
        remedy: ShapeRemedy::Repair,
        value: None,
    }
}

/// A fault in words.
fn told(fault: &str, id: &str, detail: &str) -> ShapeFault {
    let (message, remedy) = match fault {
        "unheld" => (
            format!("the relationship HOLDS to {id} is gone"),
            ShapeRemedy::Repair,
        ),
        "misnamed" => (
            format!("{id} bears the names {detail} of another tenant, learner or scope"),
            ShapeRemedy::Repair,
        ),
        "miskeyed" => (
            format!("the key of {id} was changed or taken away"),
            ShapeRemedy::Repair,
        ),
        "copy" => (
            format!("a node is a copy of a bullet: {id} {detail:?}"),
            ShapeRemedy::Repair,
        ),
        "by_hand" => (
            format!(
                "a node was made by hand and is no bullet: {id} {detail:?}; `hindlore add` makes one of its text, and \
                 after that `doctor repair` deletes the node"
            ),
            ShapeRemedy::Hand,
        ),
        "mislabelled" => (
            format!(
                "the tags, topic or concept that {id} is related to are not those of its properties ({detail}); to \
                 change them, change the properties and adopt that"
            ),
            ShapeRemedy::Repair,
        ),
        "twin" => (
            format!(
                "a second node bears the names of the memory {id}, and {detail} relationships; it was made by hand"
            ),
            ShapeRemedy::Repair,
        ),
        "twin learner" => (
            format!(
                "a second node bears the names of the learner {id}, and {detail} relationships; it was made by hand"
            ),
            ShapeRemedy::Repair,
        ),
        "drawn" => (
            format!("a link was drawn by hand: {id} {detail}"),
            ShapeRemedy::Repair,
        ),
        "unchained" => (
            format!(
                "the delta {id} of revision {detail} is not the next of the one before it alone"
            ),
            ShapeRemedy::Repair,
        ),
        _ => told_of_retrieval(fault, id, detail),
    };
    ShapeFault {
        message,
        remedy,
        value: None,
    }
}

/// A fault of a retrieval in words, and its remedy.
fn told_of_retrieval(fault: &str, id: &str, detail: &str) -> (String, ShapeRemedy) {
    match fault {
        "unlisted" => (
            format!("the retrieval {id} does not hang on its memory"),
            ShapeRemedy::Repair,
        ),
        "marked" => (
            format!(
                "what became of a bullet that the retrieval {id} returned is not what feedback said: {detail}; \
                 `hindlore feedback` says more"
            ),
            ShapeRemedy::Repair,
        ),
        "injected" => (
            format!(
                "the retrieval {id} says that {detail} went into a prompt, and something before it did not; take \
                 `injected` away from the relationship, or give it back to those before it"
            ),
            ShapeRemedy::Hand,
        ),
        _ => (
            format!(
                "the retrieval {id} at tick {detail} has lost what it returned; only a backup has it"
            ),
            ShapeRemedy::Rebase,
        ),
    }
}

/// Makes all possible repairs, in one transaction under the lock of the memory.
pub(super) async fn repair(
    store: &Neo4jStore,
    key: &MemoryKey,
    repairs: &Repairs,
) -> StoreResult<()> {
    let repair = Repair {
        key: key.clone(),
        repairs: repairs.clone(),
    };
    store.write("repair", repair).await
}

struct Repair {
    key: MemoryKey,
    repairs: Repairs,
}

#[async_trait]
impl Task for Repair {
    type Output = ();

    async fn attempt(&mut self, tx: &mut Transaction, _was_lost: bool) -> Result<()> {
        let memory = memory_key(&self.key);
        let shape = Map::new()
            .with("memory", memory.as_str())
            .with("place", memory_names(&self.key));
        tx.query(REPAIR, shape).await?;
        // With the keys given back, all bullets are found.
        let Some(head) = state::hold(tx, Access::Locked, &memory).await? else {
            return Ok(());
        };
        let request = token();
        let place = Place {
            key: &self.key,
            memory: &memory,
            request: &request,
        };
        let bullets: Vec<&Bullet> = self.repairs.bullets.iter().collect();
        write_bullets(tx, place, PUT_BULLETS, &bullets).await?;
        policies::show(tx, place, &head.policy).await?;
        // Read after the bullets are put back, because their labels follow from them.
        let loaded = state::load(tx, &memory, head).await?;
        relabel(tx, place, loaded.bullets.iter()).await?;
        let bullets: Vec<&Bullet> = loaded.bullets.iter().collect();
        let labels = Ties::new(&bullets).rows(&self.key);
        tx.execute(RENAME_LABELS, Map::new().list("labels", labels))
            .await?;
        let gone = self.repairs.links.gone.iter().map(|id| {
            Map::new()
                .with("from", bullet_key(&memory, id.from))
                .with("to", bullet_key(&memory, id.to))
                .with("kind", id.kind.word())
        });
        tx.execute(UNLINK, Map::new().list("links", gone.collect()))
            .await?;
        let put = self
            .repairs
            .links
            .put
            .iter()
            .map(|link| links::row(&memory, link));
        let put = put.collect::<Result<Vec<_>>>()?;
        tx.execute(LINK, Map::new().list("links", put)).await
    }
}
