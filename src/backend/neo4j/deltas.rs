//! The request that writes deltas with what they made and changed: in a transaction that holds the memory, or
//! on its own where nothing else has to be written.

use std::collections::BTreeSet;

use super::bullets::{Ties, by_place, properties};
use super::commit_parts::Parts;
use super::error::Result;
use super::events::{Place, change_row, delta_row};
use super::pieces::{ROWS, ROWS_ALONG};
use super::values::{Map, bullet_key, list_of, memory_names};
use mnemograph_domain::memory::bullet::{Bullet, BulletId};
use mnemograph_domain::memory::receipt::ChangeRecord;
use mnemograph_store::{Commit, DeltaRecord, EventRecord, Position};

/// What one request writes.
#[derive(Default)]
pub(super) struct Written<'a> {
    /// Properties that the memory must still have.
    pub(super) at: Map,
    /// The properties of the memory that change.
    pub(super) head: Map,
    /// Bullets that were not there before.
    pub(super) new: &'a [&'a Bullet],
    /// Bullets that were there, and are tied to what they were tied to.
    pub(super) old: &'a [&'a Bullet],
    /// Deltas, with all of their changes that are to be written. Those that are too many for a request are
    /// left to others.
    pub(super) deltas: Vec<(&'a DeltaRecord, Vec<&'a ChangeRecord>)>,
}

/// The parameters, and how many changes they write.
pub(super) fn request(place: Place<'_>, written: &Written<'_>) -> Result<(Map, usize)> {
    let ties = Ties::new(written.new);
    let new = written.new.iter().map(|bullet| {
        let [tags, topics, concepts] = ties.places(bullet);
        let own = by_place(place.memory, bullet)?;
        Ok(list_of([own, tags, topics, concepts]))
    });
    let old = written.old.iter();
    let old = old.map(|bullet| properties(place.key, place.memory, bullet));
    let made: BTreeSet<BulletId> = written.new.iter().map(|bullet| bullet.id).collect();
    let (mut rows, mut changes, mut named) = (Vec::new(), 0, BTreeSet::new());
    for (delta, all) in &written.deltas {
        let first = &all[..all.len().min(ROWS)];
        named.extend(first.iter().map(|change| change.bullet));
        let first = first.iter().map(|change| change_row(place.memory, change));
        let first = first.collect::<Result<Vec<_>>>()?;
        changes += first.len();
        rows.push(delta_row(place, delta, first)?);
    }
    let named = named
        .difference(&made)
        .map(|id| bullet_key(place.memory, *id));
    let map = Map::new()
        .with("memory", place.memory)
        .with("at", written.at.clone())
        .texts("named", named)
        .with("head", written.head.clone())
        .with("place", memory_names(place.key))
        .with("bullets", list_of(new.collect::<Result<Vec<_>>>()?))
        .list("old", old.collect::<Result<_>>()?)
        .list("deltas", rows);
    Ok((ties.named(map, place.key), changes))
}

/// The parameters of the one request that writes a whole commit to a memory which still stands at `before`.
/// Absent where it takes more than that.
pub(super) fn in_one(place: Place<'_>, before: &Position, commit: &Commit) -> Result<Option<Map>> {
    let deltas = commit.events.iter().map(|event| match event {
        EventRecord::Delta(delta) => Some((&**delta, delta.changes.iter().collect())),
        EventRecord::Retrieval(_) => None,
    });
    let deltas: Option<Vec<(&DeltaRecord, Vec<&ChangeRecord>)>> = deltas.collect();
    let Some(deltas) = deltas.filter(|deltas| !deltas.is_empty()) else {
        return Ok(None);
    };
    let changes: usize = deltas.iter().map(|(_, changes)| changes.len()).sum();
    let is_more = !commit.links.is_empty() || !commit.marks.is_empty();
    if is_more || commit.bullets.len().max(changes) > ROWS_ALONG {
        return Ok(None);
    }
    let parts = Parts::new(before, commit)?;
    if !parts.relabelled.is_empty() {
        return Ok(None);
    }
    let at = Map::new()
        .with("incarnation", before.incarnation.as_str())
        .whole("revision", before.revision)?
        .whole("access_clock", before.clock)?;
    let written = Written {
        at,
        head: parts.head,
        new: &parts.new,
        old: &parts.old,
        deltas,
    };
    request(place, &written).map(|(map, _)| Some(map))
}
