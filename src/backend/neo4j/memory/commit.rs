//! Writing decided events: check their numbers, then send one statement for each kind of row.
//!
//! The decision is written as it is, except that ticks and revisions must continue without a gap: a gap would go unnoticed
//! until a replay fails. Large lists go in few large requests.

use super::bullets::{has_labels, hashes};
use super::commit_parts::Parts;
use super::deltas::Written;
use super::events::{self, Place, retrieval_key, retrieval_row};
use super::{bulk_write, links, policies};
use crate::bolt::pieces::{ROWS, ROWS_ALONG};
use crate::bolt::row_writes::{check_count, relabel, write_bullets, write_deltas};
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, bullet_key};
use crate::error::Result;
use crate::statements::{
    ADVANCE, CREATE_BULLETS, CREATE_RETRIEVALS, LINK, MARK, PUT_BULLETS, RELEASE_HASHES,
};
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::link::Link;
use hindlore_store::{Commit, DeltaRecord, EventRecord, Head, Mark, RetrievalRecord};

/// Writes a commit to a memory whose lock is held.
pub(super) async fn apply(
    tx: &mut Transaction,
    place: Place<'_>,
    before: &Head,
    commit: &Commit,
) -> Result<()> {
    let Parts {
        head,
        new,
        old,
        relabelled,
    } = Parts::new(&before.position, commit)?;
    // Changed bullets first: a new one may take a content hash that they give up.
    put_bullets(tx, place, &old).await?;
    let step = Step {
        events: &commit.events,
        new: &new,
        head,
    };
    write_events(tx, place, step).await?;
    if let Some(policy) = &commit.policy {
        policies::show(tx, place, policy).await?;
    }
    relabel(tx, place, relabelled.into_iter()).await?;
    put_links(tx, place, &commit.links).await?;
    set_marks(tx, place, &commit.marks).await
}

/// Replaces bullets. Several requests would collide on unique content hashes that move between them, so all old hashes
/// are released before the first.
async fn put_bullets(tx: &mut Transaction, place: Place<'_>, bullets: &[&Bullet]) -> Result<()> {
    // A single request changes all hashes at once, so nothing can collide.
    if bullets.len() > ROWS {
        for some in bullets.chunks(ROWS) {
            let rows = some.iter().map(|bullet| hashes(place.memory, bullet));
            let released = Map::new().list("bullets", rows.collect());
            tx.execute(RELEASE_HASHES, released).await?;
        }
    }
    write_bullets(tx, place, PUT_BULLETS, bullets).await
}

/// Inserts or replaces links.
pub(crate) async fn put_links(tx: &mut Transaction, place: Place<'_>, all: &[Link]) -> Result<()> {
    for some in all.chunks(ROWS) {
        let rows = some.iter().map(|link| links::row(place.memory, link));
        let rows = Map::new().list("links", rows.collect::<Result<_>>()?);
        let linked = tx.query(LINK, rows).await?;
        check_count(&linked, "linked", some.len())?;
    }
    Ok(())
}

/// Events with their new bullets and the memory's changes.
pub(crate) struct Step<'a> {
    pub(crate) events: &'a [EventRecord],
    /// New bullets.
    pub(crate) new: &'a [&'a Bullet],
    /// Changed properties of the memory.
    pub(crate) head: Map,
}

/// Writes events with the bullets that they added, changed or returned.
pub(crate) async fn write_events(
    tx: &mut Transaction,
    place: Place<'_>,
    step: Step<'_>,
) -> Result<()> {
    let (mut deltas, mut retrievals) = (Vec::new(), Vec::new());
    for event in step.events {
        match event {
            EventRecord::Delta(delta) => deltas.push(&**delta),
            EventRecord::Retrieval(retrieval) => retrievals.push(retrieval),
        }
    }
    // A single large delta has a way of its own, on which new bullets and changes go in one pass.
    match deltas[..] {
        [delta] if step.new.len() > ROWS_ALONG => {
            bulk_write::write(tx, place, step.new, step.head.clone(), delta).await?;
        }
        _ => write_small(tx, place, step.new, step.head.clone(), &deltas).await?,
    }
    // Without a delta, no other statement advances the memory.
    if deltas.is_empty() && !retrievals.is_empty() {
        let moved = Map::new()
            .with("memory", place.memory)
            .with("head", step.head);
        tx.execute(ADVANCE, moved).await?;
    }
    for some in groups(&retrievals, |retrieval| 1 + retrieval.returned.len()) {
        write_retrievals(tx, place, some).await?;
    }
    Ok(())
}

/// Rows of a delta: itself and its changes.
fn size_of(delta: &&DeltaRecord) -> usize {
    1 + delta.changes.len()
}

/// Writes deltas with few new bullets, which all go with the first delta.
async fn write_small<'d>(
    tx: &mut Transaction,
    place: Place<'_>,
    new: &[&'d Bullet],
    head: Map,
    deltas: &[&'d DeltaRecord],
) -> Result<()> {
    let along = if deltas.is_empty() || new.len() > ROWS_ALONG {
        &[]
    } else {
        new
    };
    if along.is_empty() {
        write_bullets(tx, place, CREATE_BULLETS, new).await?;
    }
    for (at, some) in groups(deltas, size_of).into_iter().enumerate() {
        let with_changes = |delta: &&'d DeltaRecord| (*delta, delta.changes.iter().collect());
        let written = Written {
            head: head.clone(),
            new: if at == 0 { along } else { &[] },
            deltas: some.iter().map(with_changes).collect(),
            ..Written::default()
        };
        write_deltas(tx, place, written).await?;
    }
    let is_left = |bullet: &&&Bullet| along.is_empty() && has_labels(bullet);
    relabel(tx, place, new.iter().filter(is_left).copied()).await
}

/// Cuts a list into groups that fit into one request each; an item that is too large forms a group of its own.
fn groups<T>(items: &[T], size: impl Fn(&T) -> usize) -> Vec<&[T]> {
    let mut groups = Vec::new();
    let (mut start, mut rows) = (0, 0);
    for (at, item) in items.iter().enumerate() {
        let more = size(item);
        if at > start && rows + more > ROWS {
            groups.push(&items[start..at]);
            (start, rows) = (at, 0);
        }
        rows += more;
    }
    if start < items.len() {
        groups.push(&items[start..]);
    }
    groups
}

async fn write_retrievals(
    tx: &mut Transaction,
    place: Place<'_>,
    retrievals: &[&RetrievalRecord],
) -> Result<()> {
    let rows = retrievals.iter().map(|one| retrieval_row(place, one));
    let written = Map::new()
        .with("memory", place.memory)
        .list("retrievals", rows.collect::<Result<_>>()?);
    let expected = retrievals.iter().map(|one| one.returned.len()).sum();
    check_count(
        &tx.query(CREATE_RETRIEVALS, written).await?,
        "returned",
        expected,
    )
}

async fn set_marks(tx: &mut Transaction, place: Place<'_>, marks: &[Mark]) -> Result<()> {
    for some in marks.chunks(ROWS) {
        let rows = some.iter().map(|mark| {
            let feedback = [mark.used, mark.helped, mark.harmed, mark.ignored];
            events::marks(mark.injected, feedback)
                .with("retrieval", retrieval_key(place.memory, &mark.retrieval))
                .with("bullet", bullet_key(place.memory, mark.bullet))
        });
        tx.execute(MARK, Map::new().list("marks", rows.collect()))
            .await?;
    }
    Ok(())
}
