//! The circumstances of active bullets that a ranking reads in addition to their words: the day, the writer, and whether
//! they are standing instructions.

use hindlore_topk::{DocId, DocSet, ImageReader, ImageWriter, LabelIndex};

use crate::memory::bullet::bullet_arena::BulletArena;
use crate::memory::bullet::{Bullet, Source};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_text::dates::labels_of;
use hindlore_text::standing::is_standing;

/// In a talk, one of this number of bullets at least comes from either side.
const SIDE_MIN: u64 = 5;

/// The number of active bullets that a person and an agent wrote.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Speakers {
    person: u64,
    agent: u64,
}

impl Speakers {
    /// Counts the active bullets.
    pub(crate) fn build(arena: &BulletArena) -> Self {
        let mut speakers = Self::default();
        for header in arena.docs().map(|doc| arena.header(doc)) {
            if let Some(count) = speakers.of(header.source, header.is_active()) {
                *count += 1;
            }
        }
        speakers
    }

    /// Counts a bullet, if it is active.
    pub(crate) fn insert(&mut self, bullet: &Bullet) {
        if let Some(count) = self.of(bullet.source, bullet.is_active()) {
            *count += 1;
        }
    }

    /// Takes a bullet out of the count.
    pub(crate) fn remove(&mut self, bullet: &Bullet) {
        if let Some(count) = self.of(bullet.source, bullet.is_active()) {
            *count -= 1;
        }
    }

    /// Writes the counts.
    pub(crate) fn write(&self, image: &mut ImageWriter) {
        image.number(self.person);
        image.number(self.agent);
    }

    /// Reads the counts.
    pub(crate) fn read(image: &mut ImageReader<'_>) -> Option<Self> {
        let (person, agent) = (image.number()?, image.number()?);
        Some(Self { person, agent })
    }

    /// Returns true if both sides wrote a fair part.
    pub(crate) fn both_speak(self) -> bool {
        self.person.min(self.agent) * SIDE_MIN >= self.person + self.agent && self.agent > 0
    }

    fn of(&mut self, source: Source, is_active: bool) -> Option<&mut u64> {
        match source {
            Source::Person if is_active => Some(&mut self.person),
            Source::Agent if is_active => Some(&mut self.agent),
            _ => None,
        }
    }
}

/// Labels the day of each active bullet.
pub(crate) fn days(arena: &BulletArena) -> LabelIndex {
    let mut days = LabelIndex::default();
    for doc in arena.docs() {
        let header = arena.header(doc);
        if header.is_active() {
            insert_day(&mut days, doc, header.created_at);
        }
    }
    days
}

/// Labels the day of a bullet.
pub(crate) fn insert_day(days: &mut LabelIndex, doc: DocId, at: Timestamp) {
    for label in labels_of(at.day()) {
        days.insert(doc, label);
    }
}

/// Takes the labels of a bullet's day away.
pub(crate) fn remove_day(days: &mut LabelIndex, doc: DocId, at: Timestamp) {
    for label in labels_of(at.day()) {
        days.remove(doc, label);
    }
}

/// Returns the active bullets that are standing instructions of a person.
pub(crate) fn standing(arena: &BulletArena) -> DocSet {
    let mut standing = DocSet::default();
    for doc in arena.docs() {
        let header = arena.header(doc);
        let is_persons = header.is_active() && header.source == Source::Person;
        if is_persons && is_standing(arena.text(doc)) {
            standing.insert(doc);
        }
    }
    standing
}

/// Returns true if a bullet is a standing instruction of a person.
pub(crate) fn is_persons_standing(bullet: &Bullet) -> bool {
    let is_persons = bullet.is_active() && bullet.source == Source::Person;
    is_persons && is_standing(bullet.content.as_str())
}
