//! The analyzed text of an ADD: content, tags, type, topic and words.
//!
//! It depends only on the operation, the word tables and the policy, never on the bullets, so any order of operations
//! analyzes a text alike.

use std::cell::OnceCell;

use crate::memory::bullet::classify::RuleWords;
use crate::memory::bullet::{Kind, MemoryType, normal_tags};
use crate::memory::content::{Content, ContentError};
use crate::memory::delta::NewBullet;
use crate::memory::policy::Policy;
use crate::memory::tables::Tables;
use hindlore_text::words::lower_words::LowerWords;

/// The analyzed text of one ADD.
#[derive(Debug)]
pub(crate) struct AnalyzedText {
    pub(crate) content: Content,
    pub(crate) tags: Vec<String>,
    pub(crate) memory_type: MemoryType,
    /// The topic that the rules find in the text.
    pub(crate) topic: Option<String>,
    /// The concept that the rules find in the text.
    pub(crate) concept: Option<String>,
    /// Computed on first use: a text that the memory already has needs none.
    words: OnceCell<LowerWords>,
}

impl AnalyzedText {
    /// Analyzes an ADD. The caller checks the length of the content, whose limit is the memory's.
    pub(crate) fn analyze(
        new: &NewBullet,
        tables: &Tables,
        policy: &Policy,
    ) -> Result<Self, ContentError> {
        let content = Content::parse(&new.content, u32::MAX)?;
        let rules = &tables.rules;
        let words = RuleWords::from_text(content.as_str());
        let tags = normal_tags(&new.tags);
        let given = new.memory_type.or_else(|| new.kind.map(Kind::default_type));
        Ok(Self {
            memory_type: given
                .unwrap_or_else(|| rules.memory_type(&words, &tags, policy.is_classic())),
            topic: rules.topic(&words).map(str::to_owned),
            concept: rules.concept(&words).map(str::to_owned),
            tags,
            words: OnceCell::new(),
            content,
        })
    }

    /// Returns the standard words of the text.
    pub(crate) fn words(&self) -> &LowerWords {
        self.words
            .get_or_init(|| LowerWords::from_text(self.content.as_str()))
    }
}
