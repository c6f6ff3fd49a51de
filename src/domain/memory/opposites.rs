//! Short active texts by their subject: where a text finds those that may contradict it.

use std::collections::HashMap;

use crate::text::guard::MergeGuard;
use crate::text::subject::SubjectReader;

/// Slots of short texts by what they are about.
#[derive(Debug)]
pub(super) struct Opposites {
    reader: SubjectReader,
    by_subject: HashMap<String, Vec<u32>>,
}

impl Opposites {
    /// The index of these texts.
    pub(super) fn build<'t>(
        guard: &MergeGuard,
        texts: impl Iterator<Item = (u32, &'t str)>,
    ) -> Self {
        let mut index = Self {
            reader: guard.subjects(),
            by_subject: HashMap::new(),
        };
        texts.for_each(|(slot, text)| index.insert(slot, text));
        index
    }

    /// Puts a text in.
    pub(super) fn insert(&mut self, slot: u32, text: &str) {
        if let Some(subject) = self.reader.learn(text) {
            self.by_subject.entry(subject).or_default().push(slot);
        }
    }

    /// Takes a text out.
    pub(super) fn remove(&mut self, slot: u32, text: &str) {
        let Some(subject) = self.reader.read(text) else {
            return;
        };
        if let Some(slots) = self.by_subject.get_mut(&subject) {
            slots.retain(|other| *other != slot);
            if slots.is_empty() {
                self.by_subject.remove(&subject);
            }
        }
    }

    /// The slots of the texts about the subject of this one, the newest last.
    pub(super) fn find(&self, text: &str) -> &[u32] {
        let subject = self.reader.read(text);
        let slots = subject.and_then(|subject| self.by_subject.get(&subject));
        slots.map_or(&[], Vec::as_slice)
    }
}
