//! Notes under headings that are dates: a later value of the same thing supersedes the earlier one.
//!
//! A file may have its newest notes first or last, so its dates decide and not its lines. A note under no date is older
//! than those under one: people keep the first value below a topic and note the changes by day.

mod day;
mod value;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::seeds::inserted;
use super::{Import, ImportRecord};
use day::day_of;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{
    BulletRef, DeltaId, Insertion, LinkChange, NewBullet, Operation,
};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::LinkKind;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_text::layout::dated::is_date;
use value::Note;

/// The separator of the headings of a section.
const PATH: &str = " > ";

/// Maximum earlier notes that a note is compared with, the latest first.
const COMPARED_MAX: usize = 64;

/// A value that replaces another: the places of the two records, and how it changed.
struct Change {
    newer: usize,
    older: usize,
    reason: String,
}

/// A record as the comparison needs it.
struct Dated {
    at: Option<Timestamp>,
    place: Vec<String>,
    text: String,
    note: Option<Note>,
}

/// Orders the notes of a file by the dates of their headings, and links each with the one whose value it replaces.
pub(super) fn dated(mut import: Import, key: &MemoryKey, delta: &DeltaId) -> Import {
    if import.records.iter().all(|record| day_in(record).is_none()) {
        return import;
    }
    import.records.sort_by_key(day_in);
    let read: Vec<Dated> = import.records.iter().map(Dated::read).collect();
    let changes = changes(&read);
    let linked: BTreeMap<usize, Option<Timestamp>> = written(&read, &changes);
    for (at, (record, dated)) in import.records.iter_mut().zip(&read).enumerate() {
        let Operation::Add(new) = &mut record.operation else {
            continue;
        };
        new.created_at = new.created_at.or(dated.at);
        if let Some(by) = linked.get(&at) {
            new.created_at = new.created_at.or(*by);
            // The engine links an added note by its words alone, and keeps the links of an inserted one.
            let ordinal = u64::try_from(at).unwrap_or(u64::MAX);
            let bullet = inserted(new, BulletId::derive(key, delta.as_str(), ordinal));
            record.operation = Operation::Insert(Box::new(Insertion { bullet, clock: 0 }));
        }
    }
    for change in changes {
        let line = import.records.get(change.newer).map_or(0, |one| one.line);
        let operation = Operation::Link(LinkChange {
            kind: LinkKind::Supersedes,
            from: BulletRef(format!("#{}", change.newer)),
            to: BulletRef(format!("#{}", change.older)),
            reason: Some(change.reason),
            similarity: None,
            removed: false,
        });
        import.records.push(ImportRecord { line, operation });
    }
    import
}

fn added(record: &ImportRecord) -> Option<&NewBullet> {
    match &record.operation {
        Operation::Add(new) => Some(new),
        _ => None,
    }
}

fn headings(record: &ImportRecord) -> Vec<&str> {
    let section = added(record).and_then(|new| new.section.as_deref());
    section.map_or(Vec::new(), |section| section.split(PATH).collect())
}

/// The day of the headings of a record.
fn day_in(record: &ImportRecord) -> Option<Timestamp> {
    day_of(&headings(record))
}

impl Dated {
    fn read(record: &ImportRecord) -> Self {
        let text = added(record).map_or("", |new| &new.content);
        let place = headings(record).into_iter().filter(|one| !is_date(one));
        Self {
            at: day_in(record),
            place: place.map(str::to_owned).collect(),
            text: text.to_owned(),
            note: Note::read(text),
        }
    }

    /// True if two notes may be about one place: "Staging" is not "Production", but a part of the whole.
    fn is_near(&self, other: &Self) -> bool {
        self.place.starts_with(&other.place) || other.place.starts_with(&self.place)
    }
}

/// The changes of values, each from the latest earlier note.
fn changes(read: &[Dated]) -> Vec<Change> {
    let mut ends: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut changes: Vec<Change> = Vec::new();
    for (newer, dated) in read.iter().enumerate() {
        let Some(note) = &dated.note else {
            continue;
        };
        let near = note.ends().filter_map(|end| ends.get(end));
        let near = near.flat_map(|places| places.iter().rev().take(COMPARED_MAX).copied());
        let near: BTreeSet<usize> = near.collect();
        if let Some((older, reason)) = replaced(read, dated, &near) {
            // A value that comes back is the current one again.
            let is_back = |change: &Change| {
                read.get(change.older)
                    .is_some_and(|one| one.text == dated.text)
            };
            changes.retain(|change| !is_back(change));
            changes.push(Change {
                newer,
                older,
                reason,
            });
        }
        for end in note.ends() {
            ends.entry(end).or_default().push(newer);
        }
    }
    changes
}

/// The note among earlier ones whose value a note replaces: the latest of its own place, else of another that is the
/// only one.
fn replaced(read: &[Dated], dated: &Dated, near: &BTreeSet<usize>) -> Option<(usize, String)> {
    let note = dated.note.as_ref()?;
    let mut elsewhere: Vec<(usize, &Dated, String)> = Vec::new();
    for at in near.iter().rev().copied() {
        let Some(older) = read
            .get(at)
            .filter(|older| older.at < dated.at && older.is_near(dated))
        else {
            continue;
        };
        let reason = older.note.as_ref().and_then(|older| note.changes(older));
        match reason {
            Some(reason) if older.place == dated.place => return Some((at, reason)),
            Some(reason) => elsewhere.push((at, older, reason)),
            None => {}
        }
    }
    let is_one = elsewhere
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if a.1.place == b.1.place));
    let (at, _, reason) = elsewhere.into_iter().next().filter(|_| is_one)?;
    Some((at, reason))
}

/// The notes with a link, and the day by which each was written.
fn written(read: &[Dated], changes: &[Change]) -> BTreeMap<usize, Option<Timestamp>> {
    let day = |at: usize| read.get(at).and_then(|one| one.at);
    let mut written = BTreeMap::new();
    for change in changes {
        written.insert(change.newer, day(change.newer));
        written
            .entry(change.older)
            .or_insert(day(change.older).or(day(change.newer)));
    }
    written
}

#[cfg(test)]
mod tests;
