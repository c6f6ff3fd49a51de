//! Short active texts by their subject: where a text finds those that may contradict it.

use std::collections::HashMap;

use mnemograph_topk::DocId;

use crate::text::guard::MergeGuard;
use crate::text::subject::SubjectReader;

/// Slots of short texts by what they are about.
#[derive(Debug)]
pub(super) struct Opposites {
    reader: SubjectReader,
    by_subject: HashMap<String, Vec<DocId>>,
}

impl Opposites {
    /// The index of these texts.
    pub(super) fn build<'t>(
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

    /// Puts a text in.
    pub(super) fn insert(&mut self, doc: DocId, text: &str) {
        if let Some(subject) = self.reader.learn(text) {
            self.by_subject.entry(subject).or_default().push(doc);
        }
    }

    /// Takes a text out.
    pub(super) fn remove(&mut self, doc: DocId, text: &str) {
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

    /// The docs of the texts about the subject of this one, the newest last.
    pub(super) fn find(&self, text: &str) -> &[DocId] {
        let subject = self.reader.read(text);
        let docs = subject.and_then(|subject| self.by_subject.get(&subject));
        docs.map_or(&[], Vec::as_slice)
    }
}
