//! What the ADDs of a delta say, read ahead of whoever applies the delta.
//!
//! Reading a text depends on the operation and the word tables alone, so that it needs neither the memory nor
//! its lock: others read ahead of whoever applies a large delta, and what is done one after the other is only
//! what has to be.

use std::sync::{Arc, OnceLock};

use super::bullet::{Kind, MemoryType, normal_tags};
use super::classify::RuleWords;
use super::content::{CONTENT_MAX_CHARS_OF_ANY, Content, ContentError, check_length};
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

/// What the operations of a delta say, piece by piece. Whoever needs a piece first reads it; who comes meanwhile
/// waits for that.
#[derive(Debug)]
pub struct Readings {
    delta: Arc<Delta>,
    tables: Arc<Tables>,
    /// Operations of a piece, at least one.
    size: usize,
    /// What each operation of a piece says; absent for what is no ADD, or cannot be read.
    pieces: Vec<OnceLock<Vec<Option<Reading>>>>,
}

impl Readings {
    /// Nothing is read yet of a delta that will be read with these tables, in pieces of so many operations,
    /// one at least.
    pub fn new(delta: Arc<Delta>, tables: Arc<Tables>, size: usize) -> Self {
        let size = size.max(1);
        let pieces = delta.operations.len().div_ceil(size);
        Self {
            pieces: (0..pieces).map(|_| OnceLock::new()).collect(),
            delta,
            tables,
            size,
        }
    }

    /// Number of pieces.
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Reads a piece, with all that will be asked of it, unless it is read already.
    pub fn read(&self, piece: usize) {
        self.piece(piece);
    }

    fn piece(&self, number: usize) -> Option<&[Option<Reading>]> {
        let piece = self.pieces.get(number)?;
        let read = || {
            let operations = self.delta.operations.chunks(self.size).nth(number);
            let operations = operations.unwrap_or_default().iter();
            operations.map(|one| self.reading(one)).collect()
        };
        Some(piece.get_or_init(read))
    }

    fn reading(&self, operation: &Operation) -> Option<Reading> {
        let Operation::Add(new) = operation else {
            return None;
        };
        // What is longer than any policy admits is refused where the delta is applied, without being read.
        check_length(&new.content, CONTENT_MAX_CHARS_OF_ANY).ok()?;
        // So is what cannot be read.
        let reading = Reading::of(new, &self.tables).ok()?;
        reading.content.hash();
        reading.words();
        Some(reading)
    }

    /// What an operation says.
    pub(super) fn get(&self, number: usize) -> Option<&Reading> {
        let piece = self.piece(number / self.size)?;
        piece.get(number % self.size)?.as_ref()
    }
}
