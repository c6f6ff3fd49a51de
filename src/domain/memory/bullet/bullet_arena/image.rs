//! Packed bullets as bytes, in the form that they have in process.

use hindlore_topk::{ImageReader, ImageWriter};

use super::{BulletArena, PAGE};
use crate::memory::bullet::BulletId;
use crate::memory::bullet::string_interner::StringInterner;

/// Bytes of an id.
const ID: usize = size_of::<BulletId>();

impl BulletArena {
    /// Writes all bullets.
    pub(crate) fn write(&self, image: &mut ImageWriter) {
        self.strings.write(image);
        let ids: Vec<u8> = self.ids.iter().flat_map(|id| id.0).collect();
        image.bytes(&ids);
        image.words(&self.hash_prefixes);
        self.pages.iter().for_each(|page| image.bytes(page));
        image.bytes(&self.open);
    }

    /// Reads all bullets; `None` if the bytes are of something else.
    pub(crate) fn read(image: &mut ImageReader<'_>) -> Option<Self> {
        let strings = StringInterner::read(image)?;
        let (ids, rest) = image.bytes()?.as_chunks::<ID>();
        let ids: Vec<BulletId> = ids.iter().map(|id| BulletId(*id)).collect();
        let hash_prefixes = image.words()?;
        if !rest.is_empty() || hash_prefixes.len() != ids.len() {
            return None;
        }
        let pages = (0..ids.len() / PAGE).map(|_| image.bytes().map(Box::from));
        let pages = pages.collect::<Option<_>>()?;
        Some(Self {
            ids,
            hash_prefixes,
            pages,
            open: image.bytes()?.to_vec(),
            strings,
        })
    }
}
