//! A similarity index as bytes.

use std::sync::OnceLock;

use super::{SimilarityIndex, StoredSet};
use crate::DocSet;
use crate::image::{ImageReader, ImageWriter};
use crate::term_interner::TermInterner;

impl SimilarityIndex {
    /// Writes the index.
    pub fn write(&self, image: &mut ImageWriter) {
        self.ids.write(image);
        self.holders.iter().for_each(|docs| docs.write(image));
        image.number(self.unused as u64);
        image.number(self.sets.len() as u64);
        for set in &self.sets {
            image.number(u64::from(set.size));
            if set.size > 0 {
                image.words(&set.signature);
            }
        }
    }

    /// Reads an index; `None` if the bytes are of something else.
    pub fn read(image: &mut ImageReader<'_>) -> Option<Self> {
        let ids = TermInterner::read(image)?;
        let holders = (0..ids.numbers()).map(|_| DocSet::read(image));
        let holders: Vec<DocSet> = holders.collect::<Option<_>>()?;
        let count = |docs: &DocSet| u32::try_from(docs.len()).unwrap_or(u32::MAX);
        let counts = holders.iter().map(count).collect();
        let unused = usize::try_from(image.number()?).ok()?;
        let count = image.count()?;
        let sets = (0..count).map(|_| StoredSet::read(image));
        let sets: Vec<StoredSet> = sets.collect::<Option<_>>()?;
        Some(Self {
            ids,
            holders,
            counts,
            unused,
            forgotten: 0,
            len: sets.iter().filter(|set| set.size > 0).count(),
            sets,
            keys: OnceLock::new(),
        })
    }
}

impl StoredSet {
    fn read(image: &mut ImageReader<'_>) -> Option<Self> {
        let size = image.word()?;
        if size == 0 {
            return Some(Self::default());
        }
        let signature = image.words()?.try_into().ok()?;
        Some(Self { size, signature })
    }
}
