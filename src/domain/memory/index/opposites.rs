//! An index of short active texts by subject, to find those that may contradict a text.
//!
//! Opposites share too few words to be near duplicates, but they share a subject; so only texts about the same
//! subject are compared.

use std::collections::HashMap;

use hindlore_topk::{DocId, ImageReader, ImageWriter};

use super::named::{read_names, write_names};
use hindlore_text::guard::MergeGuard;
use hindlore_text::subject::SubjectReader;

/// Short texts by subject.
#[derive(Debug)]
pub(crate) struct Opposites {
    reader: SubjectReader,
    by_subject: HashMap<String, Vec<DocId>>,
}

impl Opposites {
    /// Builds the index of these texts, which come ascending by document.
    pub(crate) fn build<'t>(
        guard: &MergeGuard,
        texts: impl Iterator<Item = (DocId, &'t str)>,
    ) -> Self {
        let mut index = Self {
            reader: guard.subjects(),
            by_subject: HashMap::new(),
        };
        texts.for_each(|(doc, text)| index.insert(doc, text));
        index
    }

    /// Writes the index.
    pub(super) fn write(&self, image: &mut ImageWriter) {
        write_names(image, &self.by_subject);
    }

    /// Reads the index; `None` if the bytes are of something else.
    pub(super) fn read(guard: &MergeGuard, image: &mut ImageReader<'_>) -> Option<Self> {
        Some(Self {
            reader: guard.subjects(),
            by_subject: read_names(image)?,
        })
    }

    /// Inserts a text; one that has no subject, or is not short, is left out.
    pub(crate) fn insert(&mut self, doc: DocId, text: &str) {
        if let Some(subject) = self.reader.learn(text) {
            self.by_subject.entry(subject).or_default().push(doc);
        }
    }

    /// Removes a text that was inserted.
    pub(crate) fn remove(&mut self, doc: DocId, text: &str) {
        let Some(subject) = self.reader.read(text) else {
            return;
        };
        if let Some(docs) = self.by_subject.get_mut(&subject) {
            docs.retain(|other| *other != doc);
            if docs.is_empty() {
                self.by_subject.remove(&subject);
            }
        }
    }

    /// Returns the texts about the same subject, in the order of insertion.
    pub(crate) fn find(&self, text: &str) -> &[DocId] {
        let subject = self.reader.read(text);
        let docs = subject.and_then(|subject| self.by_subject.get(&subject));
        docs.map_or(&[], Vec::as_slice)
    }
}
