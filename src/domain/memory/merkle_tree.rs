//! A digest over all bullets of a memory that follows each change at the cost of what changed.
//!
//! The hash is that of `digest.rs`: a radix tree over the ids. Here only what saves work is kept, not
//! the tree: docs in the order of their ids, in buckets, and the hashes of a bucket and of its
//! sixteen parts. Bullets bring their own hashes when these are asked for; how many have to be asked
//! again after a change is bounded by the size of a part.

use mnemograph_topk::DocId;

use super::bullet::BulletId;
use super::bullet_arena::{BulletArena, reserve};
use super::digest::{FAN_OUT, Hash, branch_hash, digit, range_hash};

/// Slots of a bucket at most; a fuller one becomes sixteen.
const BUCKET: usize = 256;
/// Sixteen buckets with fewer docs become one again.
const MERGED: usize = BUCKET / 2;
/// A bucket with fewer docs keeps no hashes of its parts.
const PARTED: usize = 48;

/// Slots by id, with the hashes of what did not change.
#[derive(Clone, Default, Debug)]
pub(super) struct MerkleTree {
    /// Absent until a hash is first asked for: who only reads a memory needs none.
    root: Option<Node>,
}

#[derive(Clone, Debug)]
enum Node {
    Bucket(Bucket),
    Branch(Box<Branch>),
}

#[derive(Clone, Default, Debug)]
struct Bucket {
    /// In the order of their ids.
    docs: Vec<DocId>,
    hash: Option<Hash>,
    /// Hashes of the parts by the next digit of the id; empty where none are kept.
    parts: Box<[Option<Hash>]>,
}

#[derive(Clone, Debug)]
struct Branch {
    children: [Node; FAN_OUT],
    len: usize,
    hash: Option<Hash>,
}

impl MerkleTree {
    /// True once a hash was asked for; until then changes need not be noted.
    pub(super) fn is_kept(&self) -> bool {
        self.root.is_some()
    }

    /// Notes that a bullet came or changed; the arena holds it at its doc.
    pub(super) fn insert(&mut self, doc: DocId, arena: &BulletArena) {
        if let Some(root) = &mut self.root {
            root.insert(doc, arena, 0);
        }
    }

    /// Notes that a bullet no longer counts; unknown ones change nothing.
    pub(super) fn remove(&mut self, doc: DocId, arena: &BulletArena) {
        if let Some(root) = &mut self.root {
            root.remove(doc, arena, 0);
        }
    }

    /// The hash over all bullets; only those near a change are asked for their own. `all` gives the docs
    /// that count, and is asked for these once.
    pub(super) fn root(
        &mut self,
        arena: &BulletArena,
        all: impl FnOnce() -> Vec<DocId>,
        leaf: &mut impl FnMut(DocId) -> Hash,
    ) -> Hash {
        let root = self
            .root
            .get_or_insert_with(|| Node::from_docs(all(), arena));
        root.hash(arena, leaf, 0)
    }
}

impl Node {
    fn from_docs(docs: Vec<DocId>, arena: &BulletArena) -> Self {
        let ids = docs.into_iter().map(|doc| (arena.id(doc), doc));
        let mut ids: Vec<(BulletId, DocId)> = ids.collect();
        ids.sort_unstable();
        let docs: Vec<DocId> = ids.into_iter().map(|(_, doc)| doc).collect();
        Self::from_sorted(&docs, arena, 0)
    }

    /// The same for docs in the order of their ids, which are the same before a depth.
    fn from_sorted(docs: &[DocId], arena: &BulletArena, depth: usize) -> Self {
        if docs.len() > BUCKET {
            return Self::split(docs, arena, depth);
        }
        Self::Bucket(Bucket {
            docs: docs.to_vec(),
            ..Bucket::default()
        })
    }

    fn len(&self) -> usize {
        match self {
            Self::Bucket(bucket) => bucket.docs.len(),
            Self::Branch(branch) => branch.len,
        }
    }

    fn insert(&mut self, doc: DocId, arena: &BulletArena, depth: usize) {
        let id = arena.id(doc);
        match self {
            Self::Bucket(bucket) => {
                bucket.forget(id, depth);
                if let Err(at) = bucket.find(id, arena) {
                    reserve(&mut bucket.docs);
                    bucket.docs.insert(at, doc);
                }
                if bucket.docs.len() > BUCKET {
                    *self = Self::split(&bucket.docs, arena, depth);
                }
            }
            Self::Branch(branch) => {
                let child = &mut branch.children[digit(id, depth)];
                let before = child.len();
                child.insert(doc, arena, depth + 1);
                branch.len = branch.len - before + child.len();
                branch.hash = None;
            }
        }
    }

    fn split(docs: &[DocId], arena: &BulletArena, depth: usize) -> Self {
        let part = |digit: usize| {
            let docs = part_of(docs, arena, depth, digit);
            Self::from_sorted(docs, arena, depth + 1)
        };
        Self::Branch(Box::new(Branch {
            children: std::array::from_fn(part),
            len: docs.len(),
            hash: None,
        }))
    }

    fn remove(&mut self, doc: DocId, arena: &BulletArena, depth: usize) {
        let id = arena.id(doc);
        match self {
            Self::Bucket(bucket) => {
                if let Ok(at) = bucket.find(id, arena) {
                    bucket.forget(id, depth);
                    bucket.docs.remove(at);
                }
            }
            Self::Branch(branch) => {
                let child = &mut branch.children[digit(id, depth)];
                let before = child.len();
                child.remove(doc, arena, depth + 1);
                branch.len = branch.len - before + child.len();
                branch.hash = None;
                if branch.len < MERGED {
                    let mut docs = Vec::with_capacity(branch.len);
                    branch.children.iter().for_each(|it| it.collect(&mut docs));
                    *self = Self::Bucket(Bucket {
                        docs,
                        ..Bucket::default()
                    });
                }
            }
        }
    }

    fn collect(&self, into: &mut Vec<DocId>) {
        match self {
            Self::Bucket(bucket) => into.extend_from_slice(&bucket.docs),
            Self::Branch(branch) => branch.children.iter().for_each(|it| it.collect(into)),
        }
    }

    fn hash(
        &mut self,
        arena: &BulletArena,
        leaf: &mut impl FnMut(DocId) -> Hash,
        depth: usize,
    ) -> Hash {
        match self {
            Self::Bucket(bucket) => bucket.hash(arena, leaf, depth),
            Self::Branch(branch) => {
                if let Some(hash) = branch.hash {
                    return hash;
                }
                let children = branch.children.iter_mut();
                let hash = branch_hash(children.map(|child| child.hash(arena, leaf, depth + 1)));
                branch.hash = Some(hash);
                hash
            }
        }
    }
}

impl Bucket {
    fn find(&self, id: BulletId, arena: &BulletArena) -> Result<usize, usize> {
        self.docs.binary_search_by_key(&id, |doc| arena.id(*doc))
    }

    /// Drops the hashes that an id takes part in.
    fn forget(&mut self, id: BulletId, depth: usize) {
        self.hash = None;
        if let Some(part) = self.parts.get_mut(digit(id, depth)) {
            *part = None;
        }
    }

    fn hash(
        &mut self,
        arena: &BulletArena,
        leaf: &mut impl FnMut(DocId) -> Hash,
        depth: usize,
    ) -> Hash {
        if let Some(hash) = self.hash {
            return hash;
        }
        let hash = if self.docs.len() >= PARTED {
            self.hash_parts(arena, leaf, depth)
        } else {
            self.parts = Box::default();
            range_hash(&self.docs, depth, &|doc| arena.id(*doc), &mut |doc| {
                leaf(*doc)
            })
        };
        self.hash = Some(hash);
        hash
    }

    fn hash_parts(
        &mut self,
        arena: &BulletArena,
        leaf: &mut impl FnMut(DocId) -> Hash,
        depth: usize,
    ) -> Hash {
        if self.parts.is_empty() {
            self.parts = vec![None; FAN_OUT].into_boxed_slice();
        }
        let Self { docs, parts, .. } = self;
        branch_hash(parts.iter_mut().enumerate().map(|(digit, known)| {
            *known.get_or_insert_with(|| {
                let part = part_of(docs, arena, depth, digit);
                range_hash(part, depth + 1, &|doc| arena.id(*doc), &mut |doc| {
                    leaf(*doc)
                })
            })
        }))
    }
}

/// The docs, given in the order of their ids, whose ids have a digit at a depth.
fn part_of<'s>(docs: &'s [DocId], arena: &BulletArena, depth: usize, wanted: usize) -> &'s [DocId] {
    let start = docs.partition_point(|doc| digit(arena.id(*doc), depth) < wanted);
    let end = docs.partition_point(|doc| digit(arena.id(*doc), depth) <= wanted);
    &docs[start..end]
}

#[cfg(test)]
mod tests;
