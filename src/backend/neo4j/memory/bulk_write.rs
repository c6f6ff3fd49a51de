//! Writing a delta that adds many bullets: first the delta with its changes of existing bullets, then the new bullets,
//! each with its change and its labels in one pass.
//!
//! The rows of each request are encoded while the server works on the one before.

use std::collections::HashMap;

use tokio::task::yield_now;

use super::bullets::{Ties, by_place, has_labels};
use super::deltas::Written;
use super::events::{Place, change_by_place, delta_key};
use crate::bolt::pieces::ROWS;
use crate::bolt::row_writes::{check_count, relabel, write_bullets, write_deltas};
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, list_of, memory_names};
use crate::error::Result;
use crate::statements::{ADD_BULLETS, CREATE_BULLETS, NAME};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::receipt::{ChangeKind, ChangeRecord};
use hindlore_store::DeltaRecord;

/// Rows to encode before the task yields, so that the answer to the request under way is read in time.
const ROWS_AT_ONCE: usize = 64;

/// A new bullet with its change.
type Made<'a> = (&'a Bullet, &'a ChangeRecord);

/// Writes a delta, its new bullets, and the changed properties of the memory.
pub(super) async fn write(
    tx: &mut Transaction,
    place: Place<'_>,
    new: &[&Bullet],
    head: Map,
    delta: &DeltaRecord,
) -> Result<()> {
    let mut changes: HashMap<BulletId, &ChangeRecord> = HashMap::with_capacity(new.len());
    let added = |one: &&ChangeRecord| one.kind == ChangeKind::Added;
    changes.extend(
        delta
            .changes
            .iter()
            .filter(added)
            .map(|one| (one.bullet, one)),
    );
    let (mut made, mut other): (Vec<Made<'_>>, Vec<&Bullet>) = (Vec::new(), Vec::new());
    for bullet in new {
        match changes.remove(&bullet.id) {
            Some(change) => made.push((bullet, change)),
            None => other.push(bullet),
        }
    }
    // Additions left in `changes` name bullets that this commit does not write; they go with the delta, which then
    // refuses the missing ones.
    let rest = delta.changes.iter();
    let rest = rest.filter(|one| !added(one) || changes.contains_key(&one.bullet));
    let written = Written {
        head,
        deltas: vec![(delta, rest.collect())],
        ..Written::default()
    };
    let key = delta_key(place.memory, &delta.id);
    let mut requests = made.chunks(ROWS).map(|some| request(place, &key, some));
    let beginning = async {
        write_bullets(tx, place, CREATE_BULLETS, &other).await?;
        write_deltas(tx, place, written).await?;
        let bullets: Vec<&Bullet> = made.iter().map(|(bullet, _)| *bullet).collect();
        let named = Ties::new(&bullets).named(Map::new(), place.key);
        tx.execute(NAME, named).await
    };
    let (begun, mut next) = tokio::join!(beginning, made_of(requests.next()));
    begun?;
    while let Some((sent, count)) = next? {
        let (rows, following) = tokio::join!(tx.query(ADD_BULLETS, sent), made_of(requests.next()));
        check_count(&rows?, "added", count)?;
        next = following;
    }
    let labelled = other.into_iter().filter(|bullet| has_labels(bullet));
    relabel(tx, place, labelled).await
}

/// Encodes the next request, if any.
async fn made_of(
    request: Option<impl Future<Output = Result<(Map, usize)>>>,
) -> Result<Option<(Map, usize)>> {
    match request {
        Some(request) => request.await.map(Some),
        None => Ok(None),
    }
}

/// Encodes the request that adds some bullets, yielding in between; returns its parameters and the number of bullets.
async fn request(place: Place<'_>, delta: &str, some: &[Made<'_>]) -> Result<(Map, usize)> {
    let bullets: Vec<&Bullet> = some.iter().map(|(bullet, _)| *bullet).collect();
    let ties = Ties::new(&bullets);
    let mut rows = Vec::with_capacity(some.len());
    for few in some.chunks(ROWS_AT_ONCE) {
        for (bullet, change) in few {
            let [tags, topics, concepts] = ties.places(bullet);
            let own = by_place(place.memory, bullet)?;
            rows.push(list_of([
                own,
                change_by_place(change)?,
                tags,
                topics,
                concepts,
            ]));
        }
        yield_now().await;
    }
    let map = Map::new()
        .with("memory", place.memory)
        .with("delta", delta)
        .with("place", memory_names(place.key))
        .with("bullets", list_of(rows));
    Ok((ties.keys(map, place.key), some.len()))
}
