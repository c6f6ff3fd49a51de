//! The analysed text of an ADD: content, tags, type, topic and words.
//!
//! It depends on the operation and the word tables alone, never on the memory.

use std::cell::OnceCell;

use super::bullet::{Kind, MemoryType, normal_tags};
use super::classify::RuleWords;
use super::content::{Content, ContentError};
use super::delta::NewBullet;
use super::tables::Tables;
use crate::text::lower_words::LowerWords;

/// What one ADD says.
#[derive(Debug)]
pub(super) struct AnalyzedText {
    pub(super) content: Content,
    pub(super) tags: Vec<String>,
    pub(super) memory_type: MemoryType,
    /// What the rules find in the text.
    pub(super) topic: Option<String>,
    pub(super) concept: Option<String>,
    /// Worked out when they are first asked for: an equal text needs none.
    words: OnceCell<LowerWords>,
}

impl AnalyzedText {
    /// Reads an ADD; the limit of a content's length is the memory's to check.
    pub(super) fn analyze(new: &NewBullet, tables: &Tables) -> Result<Self, ContentError> {
        let content = Content::parse(&new.content, u32::MAX)?;
        let rules = &tables.rules;
        let words = RuleWords::from_text(content.as_str());
        let tags = normal_tags(&new.tags);
        let by_kind = new.kind.map(Kind::default_type);
        let given = new.memory_type.or(by_kind);
        Ok(Self {
            memory_type: given.unwrap_or_else(|| rules.memory_type(&words, &tags)),
            topic: rules.topic(&words).map(str::to_owned),
            concept: rules.concept(&words).map(str::to_owned),
            tags,
            words: OnceCell::new(),
            content,
        })
    }

    /// The standard words of the text.
    pub(super) fn words(&self) -> &LowerWords {
        self.words
            .get_or_init(|| LowerWords::from_text(self.content.as_str()))
    }
}
