//! A digest over all bullets of a memory that follows each change at the cost of what changed.
//!
//! The hash is that of `digest.rs`: a radix tree over the ids. Here only what saves work is kept, not
//! the tree: slots in the order of their ids, in buckets, and the hashes of a bucket and of its
//! sixteen parts. Bullets bring their own hashes when these are asked for; how many have to be asked
//! again after a change is bounded by the size of a part.

use super::bullet::BulletId;
use super::bullet_arena::{BulletArena, reserve};
use super::digest::{FAN_OUT, Hash, branch_hash, digit, range_hash};

/// Slots of a bucket at most; a fuller one becomes sixteen.
const BUCKET: usize = 256;
/// Sixteen buckets with fewer slots become one again.
const MERGED: usize = BUCKET / 2;
/// A bucket with fewer slots keeps no hashes of its parts.
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
    slots: Vec<u32>,
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

    /// Notes that a bullet came or changed; the arena holds it at its slot.
    pub(super) fn insert(&mut self, slot: u32, arena: &BulletArena) {
        if let Some(root) = &mut self.root {
            root.insert(slot, arena, 0);
        }
    }

    /// Notes that a bullet no longer counts; unknown ones change nothing.
    pub(super) fn remove(&mut self, slot: u32, arena: &BulletArena) {
        if let Some(root) = &mut self.root {
            root.remove(slot, arena, 0);
        }
    }

    /// The hash over all bullets; only those near a change are asked for their own. `all` gives the slots
    /// that count, and is asked for these once.
    pub(super) fn root(
        &mut self,
        arena: &BulletArena,
        all: impl FnOnce() -> Vec<u32>,
        leaf: &mut impl FnMut(u32) -> Hash,
    ) -> Hash {
        let root = self
            .root
            .get_or_insert_with(|| Node::from_docs(all(), arena));
        root.hash(arena, leaf, 0)
    }
}

impl Node {
    fn from_docs(slots: Vec<u32>, arena: &BulletArena) -> Self {
        let ids = slots.into_iter().map(|slot| (arena.id(slot), slot));
        let mut ids: Vec<(BulletId, u32)> = ids.collect();
        ids.sort_unstable();
        let slots: Vec<u32> = ids.into_iter().map(|(_, slot)| slot).collect();
        Self::from_sorted(&slots, arena, 0)
    }

    /// The same for slots in the order of their ids, which are the same before a depth.
    fn from_sorted(slots: &[u32], arena: &BulletArena, depth: usize) -> Self {
        if slots.len() > BUCKET {
            return Self::split(slots, arena, depth);
        }
        Self::Bucket(Bucket {
            slots: slots.to_vec(),
            ..Bucket::default()
        })
    }

    fn len(&self) -> usize {
        match self {
            Self::Bucket(bucket) => bucket.slots.len(),
            Self::Branch(branch) => branch.len,
        }
    }

    fn insert(&mut self, slot: u32, arena: &BulletArena, depth: usize) {
        let id = arena.id(slot);
        match self {
            Self::Bucket(bucket) => {
                bucket.forget(id, depth);
                if let Err(at) = bucket.find(id, arena) {
                    reserve(&mut bucket.slots);
                    bucket.slots.insert(at, slot);
                }
                if bucket.slots.len() > BUCKET {
                    *self = Self::split(&bucket.slots, arena, depth);
                }
            }
            Self::Branch(branch) => {
                let child = &mut branch.children[digit(id, depth)];
                let before = child.len();
                child.insert(slot, arena, depth + 1);
                branch.len = branch.len - before + child.len();
                branch.hash = None;
            }
        }
    }

    fn split(slots: &[u32], arena: &BulletArena, depth: usize) -> Self {
        let part = |digit: usize| {
            let slots = part_of(slots, arena, depth, digit);
            Self::from_sorted(slots, arena, depth + 1)
        };
        Self::Branch(Box::new(Branch {
            children: std::array::from_fn(part),
            len: slots.len(),
            hash: None,
        }))
    }

    fn remove(&mut self, slot: u32, arena: &BulletArena, depth: usize) {
        let id = arena.id(slot);
        match self {
            Self::Bucket(bucket) => {
                if let Ok(at) = bucket.find(id, arena) {
                    bucket.forget(id, depth);
                    bucket.slots.remove(at);
                }
            }
            Self::Branch(branch) => {
                let child = &mut branch.children[digit(id, depth)];
                let before = child.len();
                child.remove(slot, arena, depth + 1);
                branch.len = branch.len - before + child.len();
                branch.hash = None;
                if branch.len < MERGED {
                    let mut slots = Vec::with_capacity(branch.len);
                    branch.children.iter().for_each(|it| it.collect(&mut slots));
                    *self = Self::Bucket(Bucket {
                        slots,
                        ..Bucket::default()
                    });
                }
            }
        }
    }

    fn collect(&self, into: &mut Vec<u32>) {
        match self {
            Self::Bucket(bucket) => into.extend_from_slice(&bucket.slots),
            Self::Branch(branch) => branch.children.iter().for_each(|it| it.collect(into)),
        }
    }

    fn hash(
        &mut self,
        arena: &BulletArena,
        leaf: &mut impl FnMut(u32) -> Hash,
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
        self.slots.binary_search_by_key(&id, |slot| arena.id(*slot))
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
        leaf: &mut impl FnMut(u32) -> Hash,
        depth: usize,
    ) -> Hash {
        if let Some(hash) = self.hash {
            return hash;
        }
        let hash = if self.slots.len() >= PARTED {
            self.hash_parts(arena, leaf, depth)
        } else {
            self.parts = Box::default();
            range_hash(&self.slots, depth, &|slot| arena.id(*slot), &mut |slot| {
                leaf(*slot)
            })
        };
        self.hash = Some(hash);
        hash
    }

    fn hash_parts(
        &mut self,
        arena: &BulletArena,
        leaf: &mut impl FnMut(u32) -> Hash,
        depth: usize,
    ) -> Hash {
        if self.parts.is_empty() {
            self.parts = vec![None; FAN_OUT].into_boxed_slice();
        }
        let Self { slots, parts, .. } = self;
        branch_hash(parts.iter_mut().enumerate().map(|(digit, known)| {
            *known.get_or_insert_with(|| {
                let part = part_of(slots, arena, depth, digit);
                range_hash(part, depth + 1, &|slot| arena.id(*slot), &mut |slot| {
                    leaf(*slot)
                })
            })
        }))
    }
}

/// The slots, given in the order of their ids, whose ids have a digit at a depth.
fn part_of<'s>(slots: &'s [u32], arena: &BulletArena, depth: usize, wanted: usize) -> &'s [u32] {
    let start = slots.partition_point(|slot| digit(arena.id(*slot), depth) < wanted);
    let end = slots.partition_point(|slot| digit(arena.id(*slot), depth) <= wanted);
    &slots[start..end]
}

#[cfg(test)]
mod tests;
