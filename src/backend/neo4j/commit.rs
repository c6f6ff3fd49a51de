//! Writing decided events: the check of their numbers, then one statement for each sort of thing.
//!
//! What the caller decided is taken as it is, except for the numbers of the events: a gap would be
//! found by nobody until a replay fails, so it is refused here. Large lists go in few large requests.

use std::collections::HashSet;
use std::sync::Arc;

use neo4rs::Row;

use super::bullets::{has_labels, hashes, labels, properties};
use super::deltas::{self, Written};
use super::error::{Failure, Work};
use super::events::{Place, change_row, delta_key, retrieval_key, retrieval_row};
use super::executor::{Statement, Unit};
use super::statements::{
    ADVANCE, CREATE_BULLETS, CREATE_DELTAS, CREATE_RETRIEVALS, EXTEND_DELTA, LINK, MARK,
    PUT_BULLETS, RELABEL, RELEASE_HASHES,
};
use super::values::{Map, bullet_key};
use super::{large, links};
use mnemograph_domain::memory::bullet::{Bullet, BulletId};
use mnemograph_domain::memory::link::Link;
use mnemograph_store::{Commit, DeltaRecord, EventRecord, Head, Mark, Position, RetrievalRecord};

/// Rows of one request. Many enough to make requests few, few enough for the server's memory.
pub(super) const ROWS: usize = 5_000;
/// New bullets that go in the request of their delta.
pub(super) const ROWS_ALONG: usize = 500;

/// Writes a commit to a memory that is held.
pub(super) async fn apply(
    unit: &mut Unit,
    place: Place<'_>,
    before: &Head,
    commit: &Commit,
) -> Work<()> {
    let Parts {
        head,
        new,
        old,
        relabelled,
    } = Parts::of(&before.position, commit)?;
    put_bullets(unit, place, &old).await?;
    let step = Step {
        events: &commit.events,
        new: &new,
        head,
    };
    write_events(unit, place, step).await?;
    relabel(unit, place, relabelled.into_iter()).await?;
    put_links(unit, place, &commit.links).await?;
    set_marks(unit, place, &commit.marks).await
}

/// What a commit writes beside its events, links and marks.
pub(super) struct Parts<'a> {
    /// The properties of the memory that change.
    pub(super) head: Map,
    /// Bullets that were not there before.
    pub(super) new: Vec<&'a Bullet>,
    /// The others.
    pub(super) old: Vec<&'a Bullet>,
    /// Those of the others that can have other tags than before.
    pub(super) relabelled: Vec<&'a Bullet>,
}

impl<'a> Parts<'a> {
    pub(super) fn of(before: &Position, commit: &'a Commit) -> Work<Self> {
        let after = commit.position_after(before).map_err(Failure::Refused)?;
        let start = commit.origin_clock.unwrap_or(before.clock);
        let bullets = commit.bullets.iter().map(Arc::as_ref);
        let (new, old): (Vec<&Bullet>, Vec<&Bullet>) =
            bullets.partition(|bullet| bullet.created_tick > start);
        let changed = changed_fields(commit);
        let relabelled = old.iter().filter(|bullet| changed.contains(&bullet.id));
        Ok(Self {
            head: head_after(&after, commit)?,
            relabelled: relabelled.copied().collect(),
            new,
            old,
        })
    }
}

/// The properties of a memory that a commit changes.
fn head_after(after: &Position, commit: &Commit) -> Work<Map> {
    if commit.events.is_empty() {
        return Ok(Map::new());
    }
    let policy = commit.policy.as_ref().map(serde_json::to_string);
    let mut head = Map::new()
        .whole("access_clock", after.clock)?
        .whole("revision", after.revision)?
        .with("policy", policy.transpose()?);
    if let Some(origin) = commit.origin_clock {
        head = head.whole("origin_clock", origin)?;
    }
    if !commit.links.is_empty() {
        head = head.whole("linked_tick", after.clock)?;
    }
    Ok(head)
}

/// The bullets of which more than counts changed; only these can have other tags than before.
fn changed_fields(commit: &Commit) -> HashSet<BulletId> {
    let deltas = commit.events.iter().filter_map(|event| match event {
        EventRecord::Delta(delta) => Some(delta),
        EventRecord::Retrieval(_) => None,
    });
    let changes = deltas.flat_map(|delta| &delta.changes);
    changes.filter(|c| c.fields).map(|c| c.bullet).collect()
}

/// Puts bullets in place of what is there. What goes in several requests gives up its old hashes before the first.
async fn put_bullets(unit: &mut Unit, place: Place<'_>, bullets: &[&Bullet]) -> Work<()> {
    if bullets.len() > ROWS {
        for some in bullets.chunks(ROWS) {
            let rows = some.iter().map(|bullet| hashes(place.memory, bullet));
            let released = Map::new().list("bullets", rows.collect());
            unit.tell(RELEASE_HASHES, released).await?;
        }
    }
    write_bullets(unit, place, PUT_BULLETS, bullets).await
}

pub(super) async fn write_bullets(
    unit: &mut Unit,
    place: Place<'_>,
    statement: Statement,
    bullets: &[&Bullet],
) -> Work<()> {
    for some in bullets.chunks(ROWS) {
        let rows = some.iter().map(|b| properties(place.key, place.memory, b));
        let rows = rows.collect::<Work<Vec<_>>>()?;
        let written = Map::new()
            .with("memory", place.memory)
            .list("bullets", rows);
        unit.tell(statement, written).await?;
    }
    Ok(())
}

/// Ties bullets to their tags, topics and concepts.
pub(super) async fn relabel<'b>(
    unit: &mut Unit,
    place: Place<'_>,
    bullets: impl Iterator<Item = &'b Bullet> + Send,
) -> Work<()> {
    let rows: Vec<Map> = bullets
        .map(|b| labels(place.key, place.memory, b))
        .collect();
    for some in rows.chunks(ROWS) {
        unit.tell(RELABEL, Map::new().list("bullets", some.to_vec()))
            .await?;
    }
    Ok(())
}

/// Makes links, or puts them in place of what is there.
pub(super) async fn put_links(unit: &mut Unit, place: Place<'_>, all: &[Link]) -> Work<()> {
    for some in all.chunks(ROWS) {
        let rows = some.iter().map(|link| links::row(place.memory, link));
        let rows = Map::new().list("links", rows.collect::<Work<_>>()?);
        let linked = unit.ask(LINK, rows).await?;
        expect(&linked, "linked", some.len())?;
    }
    Ok(())
}

/// Events with what goes along with them.
pub(super) struct Step<'a> {
    pub(super) events: &'a [EventRecord],
    /// Bullets that were not there before.
    pub(super) new: &'a [&'a Bullet],
    /// The properties of the memory that change.
    pub(super) head: Map,
}

/// Writes events with what they made, changed or returned.
pub(super) async fn write_events(unit: &mut Unit, place: Place<'_>, step: Step<'_>) -> Work<()> {
    let (mut deltas, mut retrievals) = (Vec::new(), Vec::new());
    for event in step.events {
        match event {
            EventRecord::Delta(delta) => deltas.push(&**delta),
            EventRecord::Retrieval(retrieval) => retrievals.push(retrieval),
        }
    }
    match deltas[..] {
        [delta] if step.new.len() > ROWS_ALONG => {
            large::write(unit, place, (step.new, step.head.clone(), delta)).await?;
        }
        _ => write_small(unit, place, (step.new, step.head.clone(), &deltas)).await?,
    }
    if deltas.is_empty() && !retrievals.is_empty() {
        let moved = Map::new()
            .with("memory", place.memory)
            .with("head", step.head);
        unit.tell(ADVANCE, moved).await?;
    }
    for some in groups(&retrievals, |retrieval| 1 + retrieval.returned.len()) {
        write_retrievals(unit, place, some).await?;
    }
    Ok(())
}

/// Rows that a delta takes.
fn size_of(delta: &&DeltaRecord) -> usize {
    1 + delta.changes.len()
}

/// Writes deltas of which none makes many bullets alone; the few that they make go with the first.
async fn write_small<'d>(
    unit: &mut Unit,
    place: Place<'_>,
    (new, head, deltas): (&[&'d Bullet], Map, &[&'d DeltaRecord]),
) -> Work<()> {
    let along = if deltas.is_empty() || new.len() > ROWS_ALONG {
        &[]
    } else {
        new
    };
    if along.is_empty() {
        write_bullets(unit, place, CREATE_BULLETS, new).await?;
    }
    for (at, some) in groups(deltas, size_of).into_iter().enumerate() {
        let with_changes = |delta: &&'d DeltaRecord| (*delta, delta.changes.iter().collect());
        let written = Written {
            head: head.clone(),
            new: if at == 0 { along } else { &[] },
            deltas: some.iter().map(with_changes).collect(),
            ..Written::default()
        };
        write_deltas(unit, place, written).await?;
    }
    let is_left = |bullet: &&&Bullet| along.is_empty() && has_labels(bullet);
    relabel(unit, place, new.iter().filter(is_left).copied()).await
}

/// Cuts a list so that each piece has one item, or at most the rows of one request.
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

/// Writes deltas with some of their changes, and what goes along with the first request.
pub(super) async fn write_deltas(
    unit: &mut Unit,
    place: Place<'_>,
    written: Written<'_>,
) -> Work<()> {
    let (asked, expected) = deltas::request(place, &written)?;
    let rows = unit.ask(CREATE_DELTAS, asked).await;
    expect(&rows.map_err(Failure::of_deltas)?, "changed", expected)?;
    for (delta, changes) in &written.deltas {
        for some in changes.chunks(ROWS).skip(1) {
            let rows = some.iter().map(|change| change_row(place.memory, change));
            let more = Map::new()
                .with("delta", delta_key(place.memory, &delta.id))
                .list("changes", rows.collect::<Work<_>>()?);
            expect(&unit.ask(EXTEND_DELTA, more).await?, "changed", some.len())?;
        }
    }
    Ok(())
}

async fn write_retrievals(
    unit: &mut Unit,
    place: Place<'_>,
    retrievals: &[&RetrievalRecord],
) -> Work<()> {
    let rows = retrievals.iter().map(|one| retrieval_row(place, one));
    let written = Map::new()
        .with("memory", place.memory)
        .list("retrievals", rows.collect::<Work<_>>()?);
    let expected = retrievals.iter().map(|one| one.returned.len()).sum();
    expect(
        &unit.ask(CREATE_RETRIEVALS, written).await?,
        "returned",
        expected,
    )
}

/// A pattern that finds no bullet writes nothing and says nothing, so what was written is counted.
pub(super) fn expect(rows: &[Row], column: &str, expected: usize) -> Work<()> {
    let written: u64 = rows.first().map_or(Ok(0), |row| row.get(column))?;
    if usize::try_from(written) == Ok(expected) {
        Ok(())
    } else {
        Err(Failure::Refused(format!(
            "{written} of {expected} were {column}, since the memory lacks a bullet that was named; decide on what the memory holds"
        )))
    }
}

async fn set_marks(unit: &mut Unit, place: Place<'_>, marks: &[Mark]) -> Work<()> {
    for some in marks.chunks(ROWS) {
        let rows = some.iter().map(|mark| {
            Map::new()
                .with("retrieval", retrieval_key(place.memory, &mark.retrieval))
                .with("bullet", bullet_key(place.memory, mark.bullet))
                .flag("injected", mark.injected)
                .flag("used", mark.used)
                .flag("helped", mark.helped)
                .flag("harmed", mark.harmed)
                .flag("ignored", mark.ignored)
        });
        unit.tell(MARK, Map::new().list("marks", rows.collect()))
            .await?;
    }
    Ok(())
}
