//! An index of the active statements by frame, to find the values that an attribute was given before.

use std::collections::HashMap;

use hindlore_topk::{DocId, ImageReader, ImageWriter};

use super::named::{read_names, write_names};
use hindlore_text::statement::Statement;

/// Statements by frame.
#[derive(Debug, Default)]
pub(crate) struct Statements {
    by_frame: HashMap<String, Vec<DocId>>,
}

impl Statements {
    /// Builds the index of these texts, which come ascending by document.
    pub(crate) fn build<'t>(texts: impl Iterator<Item = (DocId, &'t str)>) -> Self {
        let mut index = Self::default();
        texts.for_each(|(doc, text)| index.insert(doc, text));
        index
    }

    /// Writes the index.
    pub(super) fn write(&self, image: &mut ImageWriter) {
        write_names(image, &self.by_frame);
    }

    /// Reads the index; `None` if the bytes are of something else.
    pub(super) fn read(image: &mut ImageReader<'_>) -> Option<Self> {
        Some(Self {
            by_frame: read_names(image)?,
        })
    }

    /// Inserts a text; one that is no statement is left out.
    pub(crate) fn insert(&mut self, doc: DocId, text: &str) {
        if let Some(statement) = Statement::read(text) {
            let docs = self.by_frame.entry(statement.into_frame()).or_default();
            docs.push(doc);
        }
    }

    /// Removes a text that was inserted.
    pub(crate) fn remove(&mut self, doc: DocId, text: &str) {
        let Some(statement) = Statement::read(text) else {
            return;
        };
        if let Some(docs) = self.by_frame.get_mut(statement.frame()) {
            docs.retain(|other| *other != doc);
            if docs.is_empty() {
                self.by_frame.remove(statement.frame());
            }
        }
    }

    /// Returns the statements with a frame.
    pub(crate) fn find(&self, statement: &Statement) -> &[DocId] {
        let docs = self.by_frame.get(statement.frame());
        docs.map_or(&[], Vec::as_slice)
    }
}
