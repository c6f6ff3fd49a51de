//! The analyzed text of an ADD: content, tags, type, topic and words.
//!
//! It depends only on the operation and the word tables, never on the memory, so any order of operations
//! analyzes a text alike.

use std::cell::OnceCell;

use super::bullet::{Kind, MemoryType, normal_tags};
use super::classify::RuleWords;
use super::content::{Content, ContentError};
use super::delta::NewBullet;
use super::tables::Tables;
use hindlore_text::lower_words::LowerWords;

/// The analyzed text of one ADD.
#[derive(Debug)]
pub(super) struct AnalyzedText {
    pub(super) content: Content,
    pub(super) tags: Vec<String>,
    pub(super) memory_type: MemoryType,
    /// The topic that the rules find in the text.
    pub(super) topic: Option<String>,
    /// The concept that the rules find in the text.
    pub(super) concept: Option<String>,
    /// Computed on first use: a text that the memory already has needs none.
    words: OnceCell<LowerWords>,
}

impl AnalyzedText {
    /// Analyzes an ADD. The caller checks the length of the content, whose limit is the memory's.
    pub(super) fn analyze(new: &NewBullet, tables: &Tables) -> Result<Self, ContentError> {
        let content = Content::parse(&new.content, u32::MAX)?;
        let rules = &tables.rules;
        let words = RuleWords::from_text(content.as_str());
        let tags = normal_tags(&new.tags);
        let given = new.memory_type.or_else(|| new.kind.map(Kind::default_type));
        Ok(Self {
            memory_type: given.unwrap_or_else(|| rules.memory_type(&words, &tags)),
            topic: rules.topic(&words).map(str::to_owned),
            concept: rules.concept(&words).map(str::to_owned),
            tags,
            words: OnceCell::new(),
            content,
        })
    }

    /// Returns the standard words of the text.
    pub(super) fn words(&self) -> &LowerWords {
        self.words
            .get_or_init(|| LowerWords::from_text(self.content.as_str()))
    }
}
