//! Recording retrievals that were ranked on a known position: one request, one commit.

use std::collections::BTreeSet;

use neo4rs::Row;

use super::Neo4jStore;
use super::bullets::{self, BulletProperties};
use super::error::{Failure, Work};
use super::events::{Place, bullet_part, mark_properties, retrieval_key, retrieval_properties};
use super::state::HeadProperties;
use super::statements::TOUCH;
use super::values::{Map, memory_key, signed};
use super::work::{send, token};
use crate::domain::memory::key::MemoryKey;
use crate::store::{CatchUp, Position, RetrievalRecord, TouchBatch, TouchOutcome};

impl Neo4jStore {
    /// Records a batch, unless the memory moved on.
    pub(super) async fn record(&self, key: &MemoryKey, batch: TouchBatch) -> Work<TouchOutcome> {
        let Some(first) = batch.retrievals.first() else {
            return self.record_nothing(key, &batch).await;
        };
        if self.read_only {
            return Err(Failure::ReadOnly);
        }
        let memory = memory_key(key);
        let request = token();
        let place = Place {
            key,
            memory: &memory,
            request: &request,
        };
        let parameters = parameters(place, &batch, first)?;
        let rows = send(&self.executor, TOUCH, parameters).await?;
        let Some(row) = rows.first() else {
            return Ok(TouchOutcome::Missing);
        };
        if let Some(outcome) = recorded(row, &batch)? {
            return Ok(outcome);
        }
        self.moved(key, &batch.known).await
    }

    /// An empty batch asks only what others did.
    async fn record_nothing(&self, key: &MemoryKey, batch: &TouchBatch) -> Work<TouchOutcome> {
        let Some(others) = self.look(key, batch.known.clock).await? else {
            return Ok(TouchOutcome::Missing);
        };
        if has_moved(&others.head.position, batch) {
            return Ok(TouchOutcome::Moved(Box::new(others)));
        }
        Ok(TouchOutcome::Recorded {
            first_tick: others.head.position.clock + 1,
            others: Box::new(others),
        })
    }

    /// What changed since the known position; of another incarnation the head alone, since the caller
    /// has to load anew.
    async fn moved(&self, key: &MemoryKey, known: &Position) -> Work<TouchOutcome> {
        let Some(mut others) = self.look(key, known.clock).await? else {
            return Ok(TouchOutcome::Missing);
        };
        if others.head.position.incarnation != known.incarnation {
            others.bullets.clear();
            others.links.clear();
        }
        Ok(TouchOutcome::Moved(Box::new(others)))
    }
}

/// A clock behind the known one is a memory that was put back to an earlier day.
fn has_moved(position: &Position, batch: &TouchBatch) -> bool {
    let known = &batch.known;
    position.incarnation != known.incarnation
        || position.revision != known.revision
        || position.clock < known.clock
        || (batch.strict && position.clock != known.clock)
}

fn parameters(place: Place<'_>, batch: &TouchBatch, first: &RetrievalRecord) -> Work<Map> {
    let mut seen = BTreeSet::new();
    let (mut rows, mut returned) = (Vec::new(), 0);
    for (place_after, retrieval) in (1_i64..).zip(&batch.retrievals) {
        if !seen.insert(retrieval.id.as_str()) {
            let id = &retrieval.id;
            return Err(Failure::Refused(format!(
                "retrieval `{id}` stands in the batch twice; record each once"
            )));
        }
        let marks = (0..).zip(&retrieval.returned).map(|(rank, one)| {
            Map::new()
                .with("id", bullet_part(one.bullet))
                .with("mark", mark_properties(rank, one))
        });
        returned += retrieval.returned.len() as u64;
        rows.push(
            Map::new()
                .with("retrieval", retrieval_properties(place, retrieval)?)
                .with("place", place_after)
                .list("returned", marks.collect()),
        );
    }
    Map::new()
        .with("memory", place.memory)
        .with("request", place.request)
        .with("incarnation", batch.known.incarnation.as_str())
        .with("strict", batch.strict)
        .with("first", retrieval_key(place.memory, &first.id))
        .with("ticks", signed(rows.len() as u64)?)
        .with("returned", signed(returned)?)
        .list("retrievals", rows)
        .whole("revision", batch.known.revision)?
        .whole("clock", batch.known.clock)
}

/// Reads the answer; nothing means that the memory moved on.
fn recorded(row: &Row, batch: &TouchBatch) -> Work<Option<TouchOutcome>> {
    let written: Option<u64> = row.get("written")?;
    let fits: bool = row.get("fits")?;
    if written.is_none() && !fits {
        return Ok(None);
    }
    let expected: usize = batch.retrievals.iter().map(|one| one.returned.len()).sum();
    let there: usize = row.get("there")?;
    if written.is_none() && there != expected {
        return Err(Failure::Refused(format!(
            "{there} of {expected} returned bullets are in this memory; record what the memory returned"
        )));
    }
    let before: u64 = row.get("before")?;
    let first_tick = written.unwrap_or(before + 1);
    let mut head = row.get::<HeadProperties>("head")?.head()?;
    // Sent again after a lost answer, the memory may have moved on meanwhile; what came later is not
    // part of this answer and will be part of the next one.
    head.position.clock = first_tick - 1;
    head.position.revision = batch.known.revision;
    let others = CatchUp {
        head,
        bullets: bullets::in_order(row.get::<Vec<BulletProperties>>("others")?)?,
        links: Vec::new(),
        receipts: Vec::new(),
    };
    Ok(Some(TouchOutcome::Recorded {
        first_tick,
        others: Box::new(others),
    }))
}
