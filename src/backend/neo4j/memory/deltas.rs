//! The request that writes deltas with their new bullets and changes: in a transaction that holds the memory's lock, or
//! on its own when it is the whole commit.

use std::collections::BTreeSet;

use super::bullets::{Ties, by_place, properties};
use super::commit_parts::Parts;
use super::events::{Place, change_row, delta_row, folded_place};
use crate::bolt::pieces::{ROWS, ROWS_ALONG};
use crate::bolt::values::{Map, bullet_key, list_of, memory_names};
use crate::error::Result;
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::receipt::ChangeRecord;
use hindlore_store::{Commit, DeltaRecord, EventRecord, Position};

/// The contents of one request.
#[derive(Default)]
pub(crate) struct Written<'a> {
    /// Properties that the memory must still have; empty under its lock.
    pub(super) at: Map,
    /// Places of deltas that must not be folded; empty under its lock.
    pub(super) folded: Vec<Map>,
    /// Changed properties of the memory.
    pub(super) head: Map,
    /// New bullets.
    pub(super) new: &'a [&'a Bullet],
    /// Existing bullets whose relationships stay.
    pub(super) old: &'a [&'a Bullet],
    /// Deltas with the changes to write. Changes beyond the rows of one request go in later ones.
    pub(crate) deltas: Vec<(&'a DeltaRecord, Vec<&'a ChangeRecord>)>,
}

/// The parameters of the request, and the number of changes that it writes.
pub(crate) fn request(place: Place<'_>, written: &Written<'_>) -> Result<(Map, usize)> {
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
    // The other bullets are made by this very request.
    let named = named
        .difference(&made)
        .map(|id| bullet_key(place.memory, *id));
    let map = Map::new()
        .with("memory", place.memory)
        .with("at", written.at.clone())
        .list("folded", written.folded.clone())
        .texts("named", named)
        .with("head", written.head.clone())
        .with("place", memory_names(place.key))
        .with("bullets", list_of(new.collect::<Result<Vec<_>>>()?))
        .list("old", old.collect::<Result<_>>()?)
        .list("deltas", rows);
    Ok((ties.named(map, place.key), changes))
}

/// The parameters of a single request that writes a whole commit to a memory still at `before`; `None` when the commit
/// needs more than one request.
pub(super) fn in_one(place: Place<'_>, before: &Position, commit: &Commit) -> Result<Option<Map>> {
    let deltas = commit.events.iter().map(|event| match event {
        EventRecord::Delta(delta) => Some((&**delta, delta.changes.iter().collect())),
        EventRecord::Retrieval(_) => None,
    });
    let deltas: Option<Vec<(&DeltaRecord, Vec<&ChangeRecord>)>> = deltas.collect();
    // The statement writes deltas alone.
    let Some(deltas) = deltas.filter(|deltas| !deltas.is_empty()) else {
        return Ok(None);
    };
    let changes: usize = deltas.iter().map(|(_, changes)| changes.len()).sum();
    let is_more = !commit.links.is_empty() || !commit.marks.is_empty() || commit.policy.is_some();
    if is_more || commit.bullets.len().max(changes) > ROWS_ALONG {
        return Ok(None);
    }
    let parts = Parts::new(before, commit)?;
    // New relationships of existing bullets take a request of their own.
    if !parts.relabelled.is_empty() {
        return Ok(None);
    }
    let at = Map::new()
        .with("incarnation", before.incarnation.as_str())
        .whole("revision", before.revision)?
        .whole("access_clock", before.clock)?;
    let folded = deltas
        .iter()
        .map(|(delta, _)| folded_place(place.memory, &delta.id));
    let written = Written {
        at,
        folded: folded.collect(),
        head: parts.head,
        new: &parts.new,
        old: &parts.old,
        deltas,
    };
    request(place, &written).map(|(map, _)| Some(map))
}
