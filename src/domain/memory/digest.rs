//! Digests of a memory that change with each event at the cost of the changed bullets only.
//!
//! Each bullet has a leaf hash over its fields in a canonical form; the leaves hang in a radix tree
//! over the ids whose nodes are hashes of their children. The shape of the tree follows from the set
//! of ids alone, never from the order of insertion, so that any instance comes to the same root.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::bullet::{Bullet, BulletId, Status};
use super::policy::Policy;
use crate::identity::hex;

/// SHA-256.
pub type Hash = [u8; 32];

/// Leaves up to this number stay together in one node.
const LEAF_ENTRIES: usize = 16;
/// Branches of a node: one per hex digit of the id.
pub(super) const FAN_OUT: usize = 16;

/// A set of (id, hash) pairs with a root hash, ordered by id: for files, which have no memory yet.
/// A memory follows its changes by a tree of its own to the same root.
#[derive(Clone, Default, Debug)]
pub struct DigestTree {
    pairs: BTreeMap<BulletId, Hash>,
}

impl DigestTree {
    /// Puts the hash of one id in place of an earlier one.
    pub fn put(&mut self, id: BulletId, hash: Hash) {
        self.pairs.insert(id, hash);
    }

    /// The hash over all pairs.
    pub fn root(&self) -> Hash {
        let pairs: Vec<(BulletId, Hash)> =
            self.pairs.iter().map(|(id, hash)| (*id, *hash)).collect();
        range_hash(&pairs, 0, &|pair| pair.0, &mut |pair| pair.1)
    }
}

/// The hash of a node at `depth` over all that lies below it, in ascending order of id.
pub(super) fn range_hash<T>(
    range: &[T],
    depth: usize,
    id: &impl Fn(&T) -> BulletId,
    leaf: &mut impl FnMut(&T) -> Hash,
) -> Hash {
    if range.len() <= LEAF_ENTRIES {
        let mut hasher = Sha256::new_with_prefix(b"leaf");
        for one in range {
            hasher.update(id(one).0);
            hasher.update(leaf(one));
        }
        return hasher.finalize().into();
    }
    let mut rest = range;
    branch_hash((0..FAN_OUT).map(|wanted| {
        let end = rest.partition_point(|one| digit(id(one), depth) <= wanted);
        let (part, behind) = rest.split_at(end);
        rest = behind;
        range_hash(part, depth + 1, id, &mut *leaf)
    }))
}

/// The hash of a node over those of its children.
pub(super) fn branch_hash(children: impl Iterator<Item = Hash>) -> Hash {
    let mut hasher = Sha256::new_with_prefix(b"branch");
    children.for_each(|child| hasher.update(child));
    hasher.finalize().into()
}

/// The hex digit of an id that decides at `depth`; ids have 20 of them and differ in one at least.
pub(super) fn digit(id: BulletId, depth: usize) -> usize {
    let byte = id.0[depth / 2];
    usize::from(if depth.is_multiple_of(2) {
        byte >> 4
    } else {
        byte & 15
    })
}

/// Writes fields so that no two different lists give the same bytes.
struct Canonical(Sha256);

impl Canonical {
    fn text(&mut self, text: &str) -> &mut Self {
        self.0.update((text.len() as u64).to_be_bytes());
        self.0.update(text);
        self
    }

    fn optional(&mut self, text: Option<&str>) -> &mut Self {
        self.0.update([u8::from(text.is_some())]);
        self.text(text.unwrap_or_default())
    }

    fn number(&mut self, number: u64) -> &mut Self {
        self.0.update(number.to_be_bytes());
        self
    }

    fn real(&mut self, real: f64) -> &mut Self {
        self.number(real.to_bits())
    }
}

/// True for the status of a bullet that the content digest counts.
pub(super) fn has_content_leaf(status: Status) -> bool {
    status != Status::Archived
}

/// The leaf of the content digest; absent for archived bullets, which it leaves out.
pub fn content_leaf(bullet: &Bullet) -> Option<Hash> {
    if !has_content_leaf(bullet.status) {
        return None;
    }
    let mut form = Canonical(Sha256::new_with_prefix(b"content"));
    write_content(&mut form, bullet);
    Some(form.0.finalize().into())
}

/// The leaf of the state digest.
pub fn state_leaf(bullet: &Bullet) -> Hash {
    let mut form = Canonical(Sha256::new_with_prefix(b"state"));
    write_content(&mut form, bullet);
    form.real(bullet.strength);
    form.number(u64::from(bullet.access_index.is_some()));
    form.number(bullet.access_index.unwrap_or_default());
    form.number(bullet.created_tick).number(bullet.changed_tick);
    form.0.finalize().into()
}

fn write_content(form: &mut Canonical, bullet: &Bullet) {
    form.text(&bullet.id.to_string())
        .text(bullet.content.as_str());
    form.number(bullet.counts.helpful)
        .number(bullet.counts.harmful)
        .number(bullet.counts.neutral);
    form.text(bullet.memory_type.word())
        .number(bullet.tags.len() as u64);
    for tag in &bullet.tags {
        form.text(tag);
    }
    form.optional(bullet.topic.as_deref())
        .optional(bullet.concept.as_deref());
    form.optional(bullet.section.as_deref())
        .text(bullet.kind.word())
        .real(bullet.importance);
    form.number(u64::from(bullet.pinned))
        .text(bullet.status.word());
}

/// The state digest: SHA-256 hex over clock, revision, policy and the tree of all bullets.
pub fn state_digest(clock: u64, revision: u64, policy: &Policy, root: Hash) -> String {
    let mut form = Canonical(Sha256::new_with_prefix(b"memory"));
    form.number(clock).number(revision);
    // Fields are written in the order of the struct; numbers as the shortest text that reads back.
    form.text(&serde_json::to_string(policy).unwrap_or_default());
    form.0.update(root);
    hex(&form.0.finalize())
}

/// The content digest: SHA-256 hex over the tree of active and rejected bullets.
pub fn content_digest(root: Hash) -> String {
    hex(&Sha256::new_with_prefix(b"contents")
        .chain_update(root)
        .finalize())
}
