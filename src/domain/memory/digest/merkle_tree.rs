//! The Merkle tree of a memory's bullets: its root follows each change at the cost of the change.
//!
//! The root is the one that `digest.rs` defines over a radix tree of ids. This tree is coarser and stores only the
//! hashes that save work: documents in the order of their ids, in buckets of up to 256, with the hashes of a bucket and
//! of its sixteen parts. Leaf hashes are not stored; a change recomputes at most those of one part.

use hindlore_topk::DocId;

use super::{FAN_OUT, Hash, branch_hash, digit, range_hash};
use crate::memory::bullet::BulletId;
use crate::memory::bullet::bullet_arena::{BulletArena, reserve_one};

/// Maximum documents of a bucket; a fuller one splits into sixteen.
const BUCKET: usize = 256;
/// Sixteen buckets with fewer documents merge into one. Half of [`BUCKET`], so that one document more or less
/// does not split and merge in turn.
const MERGED: usize = BUCKET / 2;
/// A bucket with fewer documents stores no hashes of its parts: rehashing it all is as cheap.
const PARTED: usize = 48;

/// Documents by id, with the hashes of all that is unchanged.
#[derive(Clone, Default, Debug)]
pub(crate) struct MerkleTree {
    /// `None` until a root is first requested: a memory that is only read needs none.
    root: Option<Node>,
}

#[derive(Clone, Debug)]
enum Node {
    Bucket(Bucket),
    Branch(Box<Branch>),
}

#[derive(Clone, Default, Debug)]
struct Bucket {
    /// Ascending by id.
    docs: Vec<DocId>,
    hash: Option<Hash>,
    /// Hashes of the parts by the next digit of the id; empty if none are stored.
    parts: Box<[Option<Hash>]>,
}

#[derive(Clone, Debug)]
struct Branch {
    children: [Node; FAN_OUT],
    len: usize,
    hash: Option<Hash>,
}

impl MerkleTree {
    /// Returns true if the tree is built; until then it ignores changes.
    pub(crate) fn is_built(&self) -> bool {
        self.root.is_some()
    }

    /// Inserts a bullet, or marks it as changed. The arena must hold it already.
    pub(crate) fn insert(&mut self, doc: DocId, arena: &BulletArena) {
        if let Some(root) = &mut self.root {
            root.insert(doc, arena, 0);
        }
    }

    /// Removes a bullet; an unknown one changes nothing. The arena must still hold it.
    pub(crate) fn remove(&mut self, doc: DocId, arena: &BulletArena) {
        if let Some(root) = &mut self.root {
            root.remove(doc, arena, 0);
        }
    }

    /// Returns the root hash. Calls `leaf` only for the bullets in the parts that changed, and `all`, which lists
    /// the documents, only if the tree is not built yet.
    pub(crate) fn root(
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
        let mut ids: Vec<(BulletId, DocId)> =
            docs.into_iter().map(|doc| (arena.id(doc), doc)).collect();
        ids.sort_unstable();
        let docs: Vec<DocId> = ids.into_iter().map(|(_, doc)| doc).collect();
        Self::from_sorted(&docs, arena, 0)
    }

    /// Builds a node of documents ascending by id, whose ids agree in their first `depth` digits.
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
                // A known id changed its leaf only, so its bucket keeps the document and loses the hash.
                bucket.invalidate(id, depth);
                if let Err(at) = bucket.find(id, arena) {
                    reserve_one(&mut bucket.docs);
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
                    bucket.invalidate(id, depth);
                    bucket.docs.remove(at);
                }
            }
            Self::Branch(branch) => {
                let child = &mut branch.children[digit(id, depth)];
                let before = child.len();
                child.remove(doc, arena, depth + 1);
                branch.len = branch.len - before + child.len();
                branch.hash = None;
                // Documents are collected in the order of their digits, so they come out sorted by id.
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

    /// Drops the hashes that cover an id.
    fn invalidate(&mut self, id: BulletId, depth: usize) {
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

/// Returns the documents whose ids have the digit `wanted` at a depth. They are ascending by id and agree
/// before that depth, so they form a run.
fn part_of<'s>(docs: &'s [DocId], arena: &BulletArena, depth: usize, wanted: usize) -> &'s [DocId] {
    let start = docs.partition_point(|doc| digit(arena.id(*doc), depth) < wanted);
    let end = docs.partition_point(|doc| digit(arena.id(*doc), depth) <= wanted);
    &docs[start..end]
}

#[cfg(test)]
mod tests;
