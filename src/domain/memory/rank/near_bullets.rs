//! The active bullets whose meaning is near that of the question.
//!
//! The bounds of a search know words only. So these bullets are scored one by one before it, and for every other bullet
//! the bounds hold as they are.

use hindlore_topk::{DocId, DocSet};

use crate::memory::aggregate::Memory;
use crate::memory::content::vectors::NearTexts;

/// Cosines by document, ascending.
#[derive(Debug)]
pub(crate) struct NearBullets(Vec<(DocId, f64)>);

impl NearBullets {
    /// Finds the active bullets with these texts.
    pub(crate) fn of(memory: &Memory, near: Option<&NearTexts>) -> Self {
        let texts = near.into_iter().flat_map(|texts| texts.iter());
        let found = texts.filter_map(|(text, cosine)| {
            let doc = memory.holder_doc(*text)?;
            memory
                .arena
                .header(doc)
                .is_active()
                .then_some((doc, *cosine))
        });
        let mut found: Vec<(DocId, f64)> = found.collect();
        found.sort_unstable_by_key(|(doc, _)| *doc);
        Self(found)
    }

    /// Returns the cosine of a bullet, if it is near.
    pub(crate) fn cosine(&self, doc: DocId) -> Option<f64> {
        let at = self.0.binary_search_by_key(&doc, |(doc, _)| *doc).ok()?;
        Some(self.0[at].1)
    }

    /// Returns the numbers of all of them.
    pub(crate) fn docs(&self) -> DocSet {
        let mut docs = DocSet::default();
        self.0.iter().for_each(|(doc, _)| {
            docs.insert(*doc);
        });
        docs
    }
}
