//! The image of a memory: all that a process holds of it, as bytes, so that the next process need not analyse its texts.
//!
//! An image is a cache. It has the state at one clock; the changes since then are put in as those of another process
//! would be. It holds no digests and no orders by strength, which cost less to compute than to read.
//!
//! It has two parts: the one that questions need, and the one that only a new text needs, which a process reads when it
//! has one.
//!
//! ```text
//! asking
//! stamp       of the code that wrote it; another build's image is not read
//! numbers     clock, revision, clock of an import, limited bullets, bullets of each status
//! policy      JSON, the policy in force at that clock
//! bullets     interned strings, ids, prefixes of content hashes, pages of packed bullets
//! sets        bullets that hold a hash, seeds, those with a lifetime, those to be refined
//! names       ids of another program
//! links       kind, ends, reason, similarity, tick, removed
//! indexes     words, labels, standing instructions and speakers: each after a 1 if it was built, else a 0
//! second      1 if the second part holds an index
//!
//! learning
//! stamp       as before
//! indexes     near duplicates with their kind of words, opposites with the digest of their tables, statements
//! ```

use hindlore_topk::{DocId, DocSet, ImageReader, ImageWriter};

use super::hash_index::HashIndex;
use super::named::{read_docs, read_names, write_docs, write_names};
use super::search_indexes::SearchIndexes;
use crate::memory::aggregate::{Memory, StatusCounts};
use crate::memory::bullet::BulletId;
use crate::memory::bullet::bullet_arena::BulletArena;
use crate::memory::key::MemoryKey;
use crate::memory::link::{Link, LinkId, LinkKind};
use crate::memory::policy::Policy;
use hindlore_text::guard::MergeGuard;

impl Memory {
    /// Returns the image of this memory: the part for questions, and the part for new texts. `stamp` names the build,
    /// since another one may analyse texts and read the bytes in another way.
    pub fn image(&self, stamp: &str, guard: &MergeGuard) -> [Vec<u8>; 2] {
        let mut learning = ImageWriter::default();
        learning.bytes(stamp.as_bytes());
        self.search_indexes.write_learning(&mut learning, guard);
        [self.asking(stamp), learning.into_bytes()]
    }

    fn asking(&self, stamp: &str) -> Vec<u8> {
        let mut image = ImageWriter::default();
        image.bytes(stamp.as_bytes());
        for number in [self.clock, self.revision, self.origin_clock, self.limited] {
            image.number(number);
        }
        let StatusCounts {
            active,
            archived,
            rejected,
        } = self.status_counts;
        for count in [active, archived, rejected] {
            image.number(count);
        }
        // A policy always has a JSON form; without one the image is not read.
        image.bytes(&serde_json::to_vec(&self.policy).unwrap_or_default());
        self.arena.write(&mut image);
        let seeds = self.seeds.iter().copied();
        let expiring = self.expiring.iter().map(|(_, doc)| *doc);
        write_docs(&mut image, self.by_hash.docs().into_iter());
        write_docs(&mut image, seeds);
        write_docs(&mut image, expiring);
        self.unrefined.write(&mut image);
        write_names(&mut image, &self.by_legacy);
        image.number(self.links.len() as u64);
        for link in self.links.values() {
            write_link(&mut image, link);
        }
        self.search_indexes.write_asking(&mut image);
        image.into_bytes()
    }

    /// Returns the memory of an image, without the part for new texts; `None` if another build wrote it.
    pub fn from_image(key: MemoryKey, stamp: &str, bytes: &[u8]) -> Option<Self> {
        let mut image = ImageReader::new(bytes);
        if image.bytes()? != stamp.as_bytes() {
            return None;
        }
        let mut number = || image.number();
        let [clock, revision, origin_clock, limited] = [number()?, number()?, number()?, number()?];
        let status_counts = StatusCounts {
            active: number()?,
            archived: number()?,
            rejected: number()?,
        };
        let policy: Policy = serde_json::from_slice(image.bytes()?).ok()?;
        let arena = BulletArena::read(&mut image)?;
        let docs: Vec<DocId> = arena.docs().collect();
        let holders = read_docs(&mut image)?;
        let mut memory = Self {
            by_id: HashIndex::of(&docs, |doc| arena.id(doc)),
            by_hash: HashIndex::of(&holders, |doc| arena.hash_prefix(doc)),
            seeds: read_docs(&mut image)?.into_iter().collect(),
            clock,
            revision,
            origin_clock,
            limited,
            status_counts,
            ..Self::new(key, policy)
        };
        for doc in read_docs(&mut image)? {
            let header = arena.header(doc);
            let end = header.created_at.plus_days(header.ttl_days?);
            memory.expiring.insert((end, doc));
        }
        memory.arena = arena;
        memory.unrefined = DocSet::read(&mut image)?;
        memory.by_legacy = read_names(&mut image)?;
        for _ in 0..image.count()? {
            memory.put_link(read_link(&mut image)?);
        }
        memory.search_indexes = SearchIndexes::read_asking(&mut image)?;
        image.is_at_end().then_some(memory)
    }

    /// Returns true if the part of its image for new texts is still to be read.
    pub fn lacks_learning(&self) -> bool {
        self.search_indexes.is_detached()
    }

    /// Adds the part of its image for new texts, brought up to date. Without one, or with that of another build, those
    /// indexes are built when they are needed.
    pub fn add_learning(&mut self, stamp: &str, bytes: Option<&[u8]>, guard: &MergeGuard) {
        let mut image = ImageReader::new(bytes.unwrap_or_default());
        let is_own = image.bytes() == Some(stamp.as_bytes());
        self.search_indexes.attach(is_own.then_some(image), guard);
    }

    /// Returns true if an index was built that no image held, so that a new image spares the next process work.
    pub fn has_built_indexes(&self) -> bool {
        self.search_indexes.has_built()
    }

    /// Notes that an image holds all indexes that are built.
    pub fn note_imaged(&mut self) {
        self.search_indexes.note_imaged();
    }
}

fn write_link(image: &mut ImageWriter, link: &Link) {
    image.number(link.id.kind as u64);
    image.bytes(&link.id.from.0);
    image.bytes(&link.id.to.0);
    image.number(u64::from(link.reason.is_some()));
    image.bytes(link.reason.as_deref().unwrap_or_default().as_bytes());
    image.number(u64::from(link.similarity.is_some()));
    image.number(link.similarity.unwrap_or_default().to_bits());
    image.number(link.changed_tick);
    image.number(u64::from(link.removed));
}

fn read_link(image: &mut ImageReader<'_>) -> Option<Link> {
    let kind = usize::try_from(image.number()?).ok()?;
    let kind = *LinkKind::ALL.get(kind)?;
    let mut end = || image.bytes()?.try_into().ok().map(BulletId);
    let (from, to) = (end()?, end()?);
    let has_reason = image.number()? != 0;
    let reason = image.text()?.to_owned();
    let has_similarity = image.number()? != 0;
    let similarity = f64::from_bits(image.number()?);
    Some(Link {
        id: LinkId { kind, from, to },
        reason: has_reason.then_some(reason),
        similarity: has_similarity.then_some(similarity),
        changed_tick: image.number()?,
        removed: image.number()? != 0,
    })
}
