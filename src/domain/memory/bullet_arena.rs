//! All bullets of a memory by doc, packed, a few to a page.
//!
//! One allocation for each bullet would cost more than its numbers take. A page holds few enough that
//! writing one anew, which is what a change of a bullet comes to, costs little more than the bullet.

use mnemograph_topk::DocId;

use super::bullet::{Bullet, BulletId};
use super::content::ContentHash;
use super::header::BulletHeader;
use super::packed::{Labels, Packed, pack};
use super::string_interner::StringInterner;
use crate::timestamp::Timestamp;

/// Bullets of a page.
const PAGE: usize = 16;
/// Bytes of an end within a page.
const END: usize = 4;
/// Where the first bullet of a page begins, behind the ends of all.
const HEAD: usize = PAGE * END;

/// Packed bullets; docs are given in order and never reused.
#[derive(Clone, Default, Debug)]
pub(super) struct BulletArena {
    ids: Vec<BulletId>,
    /// The first bytes of each content hash.
    hash_prefixes: Vec<u32>,
    /// Full pages: where each bullet ends, then the bullets.
    pages: Vec<Box<[u8]>>,
    /// The page that is being filled; as long as a head when it has no bullet.
    open: Vec<u8>,
    strings: StringInterner,
}

impl BulletArena {
    /// Number of bullets.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// All docs.
    pub(super) fn docs(&self) -> impl Iterator<Item = DocId> + use<> {
        // More than 2^32 bullets do not fit into the memory of a machine.
        0..DocId::try_from(self.len()).unwrap_or(DocId::MAX)
    }

    /// The id of the bullet in a doc.
    #[inline]
    pub(super) fn id(&self, doc: DocId) -> BulletId {
        self.ids[doc as usize]
    }

    /// Tells nearly all content hashes apart.
    #[inline]
    pub(super) fn hash_prefix(&self, doc: DocId) -> u32 {
        self.hash_prefixes[doc as usize]
    }

    /// What ranking reads of a bullet.
    #[inline]
    pub(super) fn header(&self, doc: DocId) -> BulletHeader {
        self.packed(doc).header()
    }

    /// The text of a bullet.
    pub(super) fn text(&self, doc: DocId) -> &str {
        self.packed(doc).text()
    }

    /// Tags and topic of a bullet.
    pub(super) fn labels(&self, doc: DocId) -> Labels<'_> {
        self.packed(doc).labels()
    }

    /// The content hash of a bullet.
    pub(super) fn content_hash(&self, doc: DocId) -> ContentHash {
        self.packed(doc).content_hash()
    }

    /// A whole bullet.
    pub(super) fn bullet(&self, doc: DocId) -> Bullet {
        self.packed(doc).bullet(self.id(doc))
    }

    /// Makes room for so many more bullets.
    pub(super) fn make_room(&mut self, count: usize) {
        self.ids.reserve_exact(count);
        self.hash_prefixes.reserve_exact(count);
        self.pages.reserve_exact(count.div_ceil(PAGE));
    }

    /// Puts a bullet behind all others; gives its doc.
    pub(super) fn push(&mut self, bullet: &Bullet) -> DocId {
        let packed = pack(bullet, &mut self.strings);
        let at = self.len() % PAGE;
        if at == 0 {
            self.open.clear();
            self.open.resize(HEAD, 0);
        }
        self.open.extend_from_slice(&packed);
        let end = self.open.len();
        set_end(&mut self.open, at, end);
        if at + 1 == PAGE {
            reserve(&mut self.pages);
            // A copy in its own size: an allocator may leave a block that shrinks as large as it was.
            self.pages.push(Box::from(self.open.as_slice()));
        }
        reserve(&mut self.ids);
        reserve(&mut self.hash_prefixes);
        self.ids.push(bullet.id);
        self.hash_prefixes.push(hash_prefix(bullet.content_hash()));
        DocId::try_from(self.len() - 1).unwrap_or(DocId::MAX)
    }

    /// Puts a bullet in place of the one in a doc.
    pub(super) fn set(&mut self, doc: DocId, bullet: &Bullet) {
        let packed = pack(bullet, &mut self.strings);
        self.replace(doc, &packed);
        self.ids[doc as usize] = bullet.id;
        self.hash_prefixes[doc as usize] = hash_prefix(bullet.content_hash());
    }

    /// Touches the bullet in a doc.
    pub(super) fn touch(&mut self, doc: DocId, tick: u64, at: Timestamp) {
        let packed = self.packed(doc).touched(tick, at);
        self.replace(doc, &packed);
    }

    fn replace(&mut self, doc: DocId, packed: &[u8]) {
        let (number, at) = (doc as usize / PAGE, doc as usize % PAGE);
        let last = self.last_in(number);
        let page = self.page(number);
        let (start, end) = span(page, at);
        if packed.len() == end - start {
            let page = match self.pages.get_mut(number) {
                Some(page) => page,
                None => self.open.as_mut_slice(),
            };
            return page[start..end].copy_from_slice(packed);
        }
        let mut fresh = Vec::with_capacity(page.len() + packed.len() - (end - start));
        fresh.extend_from_slice(&page[..start]);
        fresh.extend_from_slice(packed);
        fresh.extend_from_slice(&page[end..]);
        for other in at..=last {
            let end_before = span(page, other).1;
            set_end(&mut fresh, other, end_before + packed.len() - (end - start));
        }
        match self.pages.get_mut(number) {
            Some(page) => *page = fresh.into_boxed_slice(),
            None => self.open = fresh,
        }
    }

    /// Takes out the last bullet.
    pub(super) fn pop(&mut self) {
        let Some(last) = self.len().checked_sub(1) else {
            return;
        };
        let ends_page = (last + 1).is_multiple_of(PAGE);
        if let Some(page) = ends_page.then(|| self.pages.pop()).flatten() {
            self.open = page.into_vec();
        }
        let start = span(&self.open, last % PAGE).0;
        self.open.truncate(start);
        self.ids.pop();
        self.hash_prefixes.pop();
    }

    #[inline]
    fn packed(&self, doc: DocId) -> Packed<'_> {
        let page = self.page(doc as usize / PAGE);
        let (start, end) = span(page, doc as usize % PAGE);
        Packed::new(&page[start..end], &self.strings)
    }

    #[inline]
    fn page(&self, number: usize) -> &[u8] {
        match self.pages.get(number) {
            Some(page) => page,
            None => &self.open,
        }
    }

    /// Place of the last bullet in a page.
    fn last_in(&self, page: usize) -> usize {
        (self.len() - page * PAGE).min(PAGE) - 1
    }
}

/// The first bytes of a content hash.
pub(super) fn hash_prefix(hash: ContentHash) -> u32 {
    let [a, b, c, d, ..] = hash.0;
    u32::from_le_bytes([a, b, c, d])
}

/// Makes room for one more in steps of an eighth: doubling would leave a third of a large memory empty.
pub(super) fn reserve<T>(all: &mut Vec<T>) {
    if all.len() == all.capacity() {
        all.reserve_exact(all.len() / 8 + 8);
    }
}

#[inline]
fn span(page: &[u8], at: usize) -> (usize, usize) {
    let end = |at: usize| {
        let mut end = [0; END];
        end.copy_from_slice(&page[at * END..(at + 1) * END]);
        u32::from_le_bytes(end) as usize
    };
    let start = if at == 0 { HEAD } else { end(at - 1) };
    (start, end(at))
}

fn set_end(page: &mut [u8], at: usize, end: usize) {
    // A page of the longest texts is far below this limit.
    let end = u32::try_from(end).unwrap_or(u32::MAX);
    page[at * END..(at + 1) * END].copy_from_slice(&end.to_le_bytes());
}

#[cfg(test)]
mod tests;
