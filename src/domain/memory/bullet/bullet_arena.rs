//! All bullets of a memory by document number, packed, sixteen to a page.
//!
//! An allocation per bullet would cost more than the bullet's numbers take. A page is small, so rewriting it
//! when a bullet changes its length costs little more than the bullet.

mod image;

use hindlore_topk::{DocId, Text};

use super::header::BulletHeader;
use super::packed::{Labels, Packed, pack};
use super::string_interner::StringInterner;
use super::{Bullet, BulletId};
use crate::memory::content::ContentHash;
use hindlore_primitives::timestamp::Timestamp;

/// Bullets per page.
const PAGE: usize = 16;
/// Bytes of an end offset.
const END: usize = 4;
/// Offset of the first bullet of a page, after the end offsets of all.
const HEAD: usize = PAGE * END;

/// Packed bullets. Document numbers are assigned in order and never reused, except after [`pop`](Self::pop).
#[derive(Clone, Default, Debug)]
pub(crate) struct BulletArena {
    ids: Vec<BulletId>,
    /// First four bytes of each content hash, to look up hashes without unpacking.
    hash_prefixes: Vec<u32>,
    /// Full pages: the end offset of each bullet, then the bullets.
    pages: Vec<Box<[u8]>>,
    /// The page being filled, in the same layout; stale while the number of bullets is a multiple of [`PAGE`].
    open: Vec<u8>,
    strings: StringInterner,
}

impl BulletArena {
    /// Returns the number of bullets.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns all document numbers, ascending.
    pub(crate) fn docs(&self) -> impl Iterator<Item = DocId> + use<> {
        // More than 2^32 bullets do not fit into the memory of a machine.
        0..DocId::try_from(self.len()).unwrap_or(DocId::MAX)
    }

    /// Returns the id of a bullet.
    #[inline]
    pub(crate) fn id(&self, doc: DocId) -> BulletId {
        self.ids[doc as usize]
    }

    /// Returns the first four bytes of a bullet's content hash, which distinguish nearly all hashes.
    #[inline]
    pub(crate) fn hash_prefix(&self, doc: DocId) -> u32 {
        self.hash_prefixes[doc as usize]
    }

    /// Returns the header of a bullet, without unpacking the rest.
    #[inline]
    pub(crate) fn header(&self, doc: DocId) -> BulletHeader {
        self.packed(doc).header()
    }

    /// Returns the text of a bullet.
    pub(crate) fn text(&self, doc: DocId) -> &str {
        self.packed(doc).text()
    }

    /// Returns the heading and the text of a bullet.
    pub(crate) fn titled_text(&self, doc: DocId) -> Text<'_> {
        self.packed(doc).titled_text()
    }

    /// Returns the tags, the topic, the section and the concept of a bullet.
    pub(crate) fn labels(&self, doc: DocId) -> Labels<'_> {
        self.packed(doc).labels()
    }

    /// Returns the content hash of a bullet; computes it, since it is seldom stored.
    pub(crate) fn content_hash(&self, doc: DocId) -> ContentHash {
        self.packed(doc).content_hash()
    }

    /// Unpacks a bullet.
    pub(crate) fn bullet(&self, doc: DocId) -> Bullet {
        self.packed(doc).bullet(self.id(doc))
    }

    /// Reserves space for `count` more bullets.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.ids.reserve_exact(count);
        self.hash_prefixes.reserve_exact(count);
        self.pages.reserve_exact(count.div_ceil(PAGE));
    }

    /// Appends a bullet and returns its document number.
    pub(crate) fn push(&mut self, bullet: &Bullet) -> DocId {
        let packed = pack(bullet, &mut self.strings);
        let at = self.len() % PAGE;
        // The open page was copied when it filled up, and its buffer is reused.
        if at == 0 {
            self.open.clear();
            self.open.resize(HEAD, 0);
        }
        self.open.extend_from_slice(&packed);
        let end = self.open.len();
        set_end(&mut self.open, at, end);
        if at + 1 == PAGE {
            reserve_one(&mut self.pages);
            // Copied to its exact size: an allocator may keep a block that shrinks at its old size.
            self.pages.push(Box::from(self.open.as_slice()));
        }
        reserve_one(&mut self.ids);
        reserve_one(&mut self.hash_prefixes);
        self.ids.push(bullet.id);
        self.hash_prefixes.push(hash_prefix(bullet.content_hash()));
        DocId::try_from(self.len() - 1).unwrap_or(DocId::MAX)
    }

    /// Replaces a bullet.
    pub(crate) fn set(&mut self, doc: DocId, bullet: &Bullet) {
        let packed = pack(bullet, &mut self.strings);
        self.replace(doc, &packed);
        self.ids[doc as usize] = bullet.id;
        self.hash_prefixes[doc as usize] = hash_prefix(bullet.content_hash());
    }

    /// Touches a bullet: sets its last access and use, and the ticks of both.
    pub(crate) fn touch(&mut self, doc: DocId, tick: u64, at: Timestamp) {
        let packed = self.packed(doc).touched(tick, at);
        self.replace(doc, &packed);
    }

    fn replace(&mut self, doc: DocId, packed: &[u8]) {
        let (number, at) = (doc as usize / PAGE, doc as usize % PAGE);
        let last = self.last_in(number);
        let page = self.page(number);
        let (start, end) = span(page, at);
        // Most changes keep the length, and are written in place.
        if packed.len() == end - start {
            let page = match self.pages.get_mut(number) {
                Some(page) => page,
                None => self.open.as_mut_slice(),
            };
            return page[start..end].copy_from_slice(packed);
        }
        // The ends of this bullet and of all after it in the page shift by the difference.
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

    /// Removes the last bullet.
    pub(crate) fn pop(&mut self) {
        let Some(last) = self.len().checked_sub(1) else {
            return;
        };
        // The last bullet of a full page: the page is open again.
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

    /// Returns the index of the last bullet within a page.
    fn last_in(&self, page: usize) -> usize {
        (self.len() - page * PAGE).min(PAGE) - 1
    }
}

/// Returns the first four bytes of a content hash.
pub(crate) fn hash_prefix(hash: ContentHash) -> u32 {
    let [a, b, c, d, ..] = hash.0;
    u32::from_le_bytes([a, b, c, d])
}

/// Reserves space for one more item, growing by an eighth: doubling would leave a third of a large memory
/// empty on average.
pub(crate) fn reserve_one<T>(all: &mut Vec<T>) {
    if all.len() == all.capacity() {
        all.reserve_exact(all.len() / 8 + 8);
    }
}

/// Returns the offsets of a bullet within its page.
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
    // A page of sixteen texts of the greatest length is far below 4 GiB.
    let end = u32::try_from(end).unwrap_or(u32::MAX);
    page[at * END..(at + 1) * END].copy_from_slice(&end.to_le_bytes());
}

#[cfg(test)]
mod tests;
