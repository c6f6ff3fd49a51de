//! Digests of a memory, defined so that an event costs only the bullets that it changed.
//!
//! Each bullet has a leaf hash over its fields in a canonical form. The leaves form a Merkle tree over the ids, as
//! a radix tree with one hex digit per level. Its shape depends only on the set of ids, never on the order of
//! insertion, so that any instance computes the same root.

pub(super) mod merkle_tree;

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::bullet::{Bullet, BulletId, Status};
use super::policy::Policy;
use hindlore_primitives::identity::hex;

/// SHA-256.
pub type Hash = [u8; 32];

/// Up to this many leaves form one node.
const LEAF_ENTRIES: usize = 16;
/// Children of a branch: one per hex digit of the id.
pub(super) const FAN_OUT: usize = 16;

/// A set of (id, hash) pairs with a root hash: for files, which are no memory yet. A memory keeps a `MerkleTree`,
/// which has the same root.
#[derive(Clone, Default, Debug)]
pub struct DigestTree {
    pairs: BTreeMap<BulletId, Hash>,
}

impl DigestTree {
    /// Sets the hash of an id.
    pub fn put(&mut self, id: BulletId, hash: Hash) {
        self.pairs.insert(id, hash);
    }

    /// Computes the root hash over all pairs; costs O(pairs).
    pub fn root(&self) -> Hash {
        let pairs: Vec<(BulletId, Hash)> =
            self.pairs.iter().map(|(id, hash)| (*id, *hash)).collect();
        range_hash(&pairs, 0, &|pair| pair.0, &mut |pair| pair.1)
    }
}

/// Computes the hash of the node at `depth` over a range of leaves, which are ascending by id and agree in their
/// first `depth` digits.
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
        // Ids agree before `depth`, so those with one digit form a run.
        let end = rest.partition_point(|one| digit(id(one), depth) <= wanted);
        let (part, behind) = rest.split_at(end);
        rest = behind;
        range_hash(part, depth + 1, id, &mut *leaf)
    }))
}

/// Computes the hash of a branch from those of its children. The prefix keeps it apart from any leaf node.
pub(super) fn branch_hash(children: impl Iterator<Item = Hash>) -> Hash {
    let mut hasher = Sha256::new_with_prefix(b"branch");
    children.for_each(|child| hasher.update(child));
    hasher.finalize().into()
}

/// Returns the hex digit of an id at `depth`, 0..20. Distinct ids differ in at least one digit, so recursion
/// ends.
pub(super) fn digit(id: BulletId, depth: usize) -> usize {
    let byte = id.0[depth / 2];
    usize::from(if depth.is_multiple_of(2) {
        byte >> 4
    } else {
        byte & 15
    })
}

/// Hashes fields in a form that no other list of fields has: lengths precede texts, numbers have eight bytes.
struct Canonical(Sha256);

impl Canonical {
    fn text(&mut self, text: &str) -> &mut Self {
        self.0.update((text.len() as u64).to_be_bytes());
        self.0.update(text);
        self
    }

    fn optional(&mut self, text: Option<&str>) -> &mut Self {
        // A byte distinguishes `None` from an empty text.
        self.0.update([u8::from(text.is_some())]);
        self.text(text.unwrap_or_default())
    }

    fn number(&mut self, number: u64) -> &mut Self {
        self.0.update(number.to_be_bytes());
        self
    }

    fn real(&mut self, real: f64) -> &mut Self {
        // Bits rather than digits: two floats are equal only if they are the same float.
        self.number(real.to_bits())
    }
}

/// Returns true if the content digest includes bullets with a status.
pub(super) fn has_content_leaf(status: Status) -> bool {
    status != Status::Archived
}

/// Returns the leaf of the content digest; `None` for archived bullets, which it excludes.
pub fn content_leaf(bullet: &Bullet) -> Option<Hash> {
    if !has_content_leaf(bullet.status) {
        return None;
    }
    let mut form = Canonical(Sha256::new_with_prefix(b"content"));
    write_content(&mut form, bullet);
    Some(form.0.finalize().into())
}

/// Returns the leaf of the state digest. Wall-clock times are not part of it.
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

/// Returns the state digest: SHA-256 hex over clock, revision, policy and the root of all bullets.
pub fn state_digest(clock: u64, revision: u64, policy: &Policy, root: Hash) -> String {
    let mut form = Canonical(Sha256::new_with_prefix(b"memory"));
    form.number(clock).number(revision);
    // JSON is canonical here: fields in the order of the struct, numbers as the shortest text that reads back.
    form.text(&serde_json::to_string(policy).unwrap_or_default());
    form.0.update(root);
    hex(&form.0.finalize())
}

/// Returns the content digest: SHA-256 hex over the root of active and rejected bullets.
pub fn content_digest(root: Hash) -> String {
    hex(&Sha256::new_with_prefix(b"contents")
        .chain_update(root)
        .finalize())
}
