//! What the ADDs of a delta say, read before the delta is applied.
//!
//! Reading a text depends on the operation and the word tables alone, so that it needs neither the memory nor
//! its lock: a large delta is read by many at once, and what is decided one after the other is only what has
//! to be.

use std::ops::Range;
use std::sync::OnceLock;

use super::bullet::{Kind, MemoryType, normal_tags};
use super::classify::RuleWords;
use super::content::{Content, ContentError};
use super::delta::{Delta, NewBullet, Operation};
use super::tables::Tables;
use crate::domain::text::lower_words::LowerWords;

/// What one ADD says.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) content: Content,
    pub(super) tags: Vec<String>,
    pub(super) memory_type: MemoryType,
    /// What the rules find in the text.
    pub(super) topic: Option<String>,
    pub(super) concept: Option<String>,
    /// Worked out when they are first asked for: an equal text needs none.
    words: OnceLock<LowerWords>,
}

impl Reading {
    /// Reads an ADD; the limit of a content's length is the memory's to check.
    pub(super) fn of(new: &NewBullet, tables: &Tables) -> Result<Self, ContentError> {
        let content = Content::parse(&new.content, u32::MAX)?;
        let rules = &tables.rules;
        let words = RuleWords::of(content.as_str());
        let tags = normal_tags(&new.tags);
        let by_kind = new.kind.map(Kind::default_type);
        let given = new.memory_type.or(by_kind);
        Ok(Self {
            memory_type: given.unwrap_or_else(|| rules.memory_type(&words, &tags)),
            topic: rules.topic(&words).map(str::to_owned),
            concept: rules.concept(&words).map(str::to_owned),
            tags,
            words: OnceLock::new(),
            content,
        })
    }

    /// The standard words of the text.
    pub(super) fn words(&self) -> &LowerWords {
        self.words
            .get_or_init(|| LowerWords::of(self.content.as_str()))
    }
}

/// What some operations of a delta say, by their numbers; nothing is known of the others.
#[derive(Default, Debug)]
pub struct Readings {
    /// Of each piece where it begins, and what each of its operations says; ascending.
    pieces: Vec<(usize, Vec<Option<Reading>>)>,
}

impl Readings {
    /// Reads some operations of a delta, with all that will be asked of them.
    pub fn of(delta: &Delta, numbers: Range<usize>, tables: &Tables) -> Self {
        let operations = delta.operations.get(numbers.clone()).unwrap_or_default();
        let read = |operation: &Operation| match operation {
            Operation::Add(new) => {
                // What cannot be read is refused where the delta is applied.
                let reading = Reading::of(new, tables).ok()?;
                reading.content.hash();
                reading.words();
                Some(reading)
            }
            _ => None,
        };
        let piece = operations.iter().map(read).collect();
        Self {
            pieces: vec![(numbers.start, piece)],
        }
    }

    /// These readings and those of other operations.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.pieces.extend(others.pieces);
        self.pieces.sort_unstable_by_key(|(first, _)| *first);
        self
    }

    /// What an operation says, where it was read.
    pub(super) fn get(&self, number: usize) -> Option<&Reading> {
        let after = self.pieces.partition_point(|(first, _)| *first <= number);
        let (first, piece) = self.pieces.get(after.checked_sub(1)?)?;
        piece.get(number - first)?.as_ref()
    }
}
