//! The documents of each label: a number for a property of the whole text that no word of it names, such as its day.
//!
//! Labels are stored apart from words, so that a text is no longer for them and a memory that is never asked for one
//! pays nothing.

use std::collections::HashMap;

use crate::DocId;
use crate::inverted_index::PostingList;

/// Documents by label.
#[derive(Default, Debug)]
pub struct LabelIndex {
    lists: HashMap<u32, PostingList, foldhash::fast::RandomState>,
}

impl LabelIndex {
    /// Gives a document a label.
    pub fn insert(&mut self, doc: DocId, label: u32) {
        // A label is in every passage, however short.
        self.lists.entry(label).or_default().insert(doc, 1, 0);
    }

    /// Takes a label from a document.
    pub fn remove(&mut self, doc: DocId, label: u32) {
        if let Some(list) = self.lists.get_mut(&label) {
            list.remove(doc);
            if list.docs().is_empty() {
                self.lists.remove(&label);
            }
        }
    }

    /// Returns the documents with a label, if there are any.
    pub(crate) fn list(&self, label: u32) -> Option<&PostingList> {
        self.lists.get(&label)
    }
}
