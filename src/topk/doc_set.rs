//! A compressed set of documents, such as the postings of a term or the documents with a tag.
//!
//! The layout is that of Roaring bitmaps (Chambi, Lemire, Kaser and Godin 2016): document numbers are
//! split by their upper 16 bits into blocks, and a block stores the lower halves as a sorted array or as a
//! bitmap, whichever is smaller. Up to five documents are stored inline, since most terms of a language are
//! rare.
//!
//! The crate `roaring` was measured instead: without access to its containers, block sums go posting by
//! posting, and a search takes 1.3 times as long at 20,000 documents and 2 to 3 times as long at
//! 1,000,000.

mod block_sums;
mod container;
mod image;

pub(crate) use block_sums::BLOCK;

use container::Container;

use crate::DocId;

/// Documents that fit inline, in the space of the enum.
const INLINE: usize = 5;
const WORD_BITS: usize = 64;

/// A set of document numbers, visited in ascending order.
#[derive(Clone, Debug)]
pub struct DocSet(Form);

#[derive(Clone, Debug)]
enum Form {
    /// At most [`INLINE`] documents, ascending.
    Inline(u8, [DocId; INLINE]),
    Blocks(Box<Blocks>),
}

#[derive(Clone, Default, Debug)]
struct Blocks {
    len: usize,
    /// Ascending by upper half; none is empty.
    blocks: Vec<Block>,
}

#[derive(Clone, Debug)]
struct Block {
    high: u16,
    container: Container,
}

impl Default for DocSet {
    fn default() -> Self {
        Self(Form::Inline(0, [0; INLINE]))
    }
}

impl DocSet {
    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        match &self.0 {
            Form::Inline(len, _) => usize::from(*len),
            Form::Blocks(blocks) => blocks.len,
        }
    }

    /// Returns true if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns true if a document is in the set.
    #[inline]
    pub fn contains(&self, doc: DocId) -> bool {
        match &self.0 {
            Form::Inline(len, docs) => docs[..usize::from(*len)].contains(&doc),
            Form::Blocks(blocks) => blocks
                .block(high(doc))
                .is_some_and(|block| block.container.contains(low(doc))),
        }
    }

    /// Inserts a document. Returns false if it was in the set.
    pub fn insert(&mut self, doc: DocId) -> bool {
        match &mut self.0 {
            Form::Inline(len, docs) => {
                let count = usize::from(*len);
                let at = docs[..count].partition_point(|other| *other < doc);
                if at < count && docs[at] == doc {
                    return false;
                }
                if count < INLINE {
                    docs.copy_within(at..count, at + 1);
                    docs[at] = doc;
                    *len += 1;
                    return true;
                }
                let mut blocks = Blocks::default();
                docs.iter().for_each(|doc| {
                    blocks.insert(*doc);
                });
                blocks.insert(doc);
                self.0 = Form::Blocks(Box::new(blocks));
                true
            }
            Form::Blocks(blocks) => blocks.insert(doc),
        }
    }

    /// Removes a document. Returns false if it was not in the set.
    pub fn remove(&mut self, doc: DocId) -> bool {
        match &mut self.0 {
            Form::Inline(len, docs) => {
                let count = usize::from(*len);
                let Some(at) = docs[..count].iter().position(|other| *other == doc) else {
                    return false;
                };
                docs.copy_within(at + 1..count, at);
                *len -= 1;
                true
            }
            Form::Blocks(blocks) => {
                let removed = blocks.remove(doc);
                if blocks.len == 0 {
                    *self = Self::default();
                }
                removed
            }
        }
    }

    /// Visits every document, ascending, until `visit` returns false.
    #[inline]
    pub fn visit_while(&self, mut visit: impl FnMut(DocId) -> bool) {
        match &self.0 {
            Form::Inline(len, docs) => {
                for doc in &docs[..usize::from(*len)] {
                    if !visit(*doc) {
                        return;
                    }
                }
            }
            Form::Blocks(blocks) => {
                for block in &blocks.blocks {
                    let base = u32::from(block.high) << 16;
                    if !block.container.visit_while(|low| visit(base | low)) {
                        return;
                    }
                }
            }
        }
    }

    /// Visits every document, ascending.
    #[inline]
    pub fn for_each(&self, mut visit: impl FnMut(DocId)) {
        self.visit_while(|doc| {
            visit(doc);
            true
        });
    }

    /// Returns the lowest document.
    pub fn first(&self) -> Option<DocId> {
        let mut first = None;
        self.visit_while(|doc| {
            first = Some(doc);
            false
        });
        first
    }

    /// Returns all documents, ascending.
    pub fn to_vec(&self) -> Vec<DocId> {
        let mut docs = Vec::with_capacity(self.len());
        self.for_each(|doc| docs.push(doc));
        docs
    }

    /// Releases spare capacity.
    pub fn shrink_to_fit(&mut self) {
        if let Form::Blocks(blocks) = &mut self.0 {
            blocks.blocks.shrink_to_fit();
            let blocks = blocks.blocks.iter_mut();
            blocks.for_each(|block| block.container.shrink_to_fit());
        }
    }
}

impl Blocks {
    #[inline]
    fn position(&self, high: u16) -> Result<usize, usize> {
        // Most sets have one block, and most insertions go to the last one.
        match self.blocks.last() {
            Some(last) if last.high == high => Ok(self.blocks.len() - 1),
            _ => self.blocks.binary_search_by_key(&high, |block| block.high),
        }
    }

    #[inline]
    fn block(&self, high: u16) -> Option<&Block> {
        self.position(high).ok().map(|at| &self.blocks[at])
    }

    fn insert(&mut self, doc: DocId) -> bool {
        let at = match self.position(high(doc)) {
            Ok(at) => at,
            Err(at) => {
                // Documents mostly arrive in ascending order, so the block before a new one is complete.
                if let Some(before) = at.checked_sub(1) {
                    self.blocks[before].container.shrink_to_fit();
                }
                let (high, container) = (high(doc), Container::default());
                self.blocks.insert(at, Block { high, container });
                at
            }
        };
        let added = self.blocks[at].container.insert(low(doc));
        self.len += usize::from(added);
        added
    }

    fn remove(&mut self, doc: DocId) -> bool {
        let Ok(at) = self.position(high(doc)) else {
            return false;
        };
        let removed = self.blocks[at].container.remove(low(doc));
        self.len -= usize::from(removed);
        if self.blocks[at].container.is_empty() {
            self.blocks.remove(at);
        }
        removed
    }
}

#[inline]
fn high(doc: DocId) -> u16 {
    (doc >> 16) as u16
}

#[inline]
fn low(doc: DocId) -> u16 {
    (doc & 0xFFFF) as u16
}

#[cfg(test)]
mod tests;
