//! Digests of a memory that change with each event at the cost of the changed bullets only.
//!
//! Each bullet has a leaf hash over its fields in a canonical form; the leaves hang in a radix tree
//! over the ids whose nodes are hashes of their children. The shape of the tree follows from the set
//! of ids alone, never from the order of insertion, so that any instance comes to the same root.

use sha2::{Digest, Sha256};

use super::bullet::{Bullet, BulletId, Status};
use super::key::hex;
use super::policy::Policy;

type Hash = [u8; 32];

/// Leaves up to this number stay together in one node.
const LEAF_ENTRIES: usize = 16;
/// Branches of a node: one per hex digit of the id.
const FAN_OUT: usize = 16;

/// A set of (id, hash) pairs with a root hash, ordered by id.
#[derive(Clone, Debug)]
pub struct DigestTree {
    root: Node,
}

#[derive(Clone, Debug)]
enum Node {
    /// At most [`LEAF_ENTRIES`] pairs in ascending order of id.
    Leaf(Vec<(BulletId, Hash)>),
    /// More pairs than that, by the next digit of the id, with their number and the cached hash.
    Branch(Box<Branch>),
}

#[derive(Clone, Debug)]
struct Branch {
    children: [Node; FAN_OUT],
    entries: usize,
    /// Absent after a change below, until the root is asked for again.
    hash: Option<Hash>,
}

impl Default for DigestTree {
    fn default() -> Self {
        Self {
            root: Node::Leaf(Vec::new()),
        }
    }
}

impl DigestTree {
    /// Puts the hash of one id in place of an earlier one.
    pub fn put(&mut self, id: BulletId, hash: Hash) {
        self.root.put(id, hash, 0);
    }

    /// Takes an id out; unknown ids change nothing.
    pub fn remove(&mut self, id: BulletId) {
        self.root.remove(id, 0);
    }

    /// Number of ids.
    pub fn len(&self) -> usize {
        self.root.entries()
    }

    /// True without any id.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The hash over all pairs; only nodes above changed ids are hashed again.
    pub fn root(&mut self) -> Hash {
        self.root.hash()
    }
}

impl Node {
    fn entries(&self) -> usize {
        match self {
            Self::Leaf(pairs) => pairs.len(),
            Self::Branch(branch) => branch.entries,
        }
    }

    fn put(&mut self, id: BulletId, hash: Hash, depth: usize) {
        match self {
            Self::Leaf(pairs) => {
                match pairs.binary_search_by_key(&id, |pair| pair.0) {
                    Ok(at) => pairs[at].1 = hash,
                    Err(at) => pairs.insert(at, (id, hash)),
                }
                if pairs.len() > LEAF_ENTRIES {
                    *self = Self::split(std::mem::take(pairs), depth);
                }
            }
            Self::Branch(branch) => {
                let child = &mut branch.children[digit(id, depth)];
                let before = child.entries();
                child.put(id, hash, depth + 1);
                branch.entries = branch.entries - before + child.entries();
                branch.hash = None;
            }
        }
    }

    fn split(pairs: Vec<(BulletId, Hash)>, depth: usize) -> Self {
        let mut branch = Branch {
            children: std::array::from_fn(|_| Self::Leaf(Vec::new())),
            entries: pairs.len(),
            hash: None,
        };
        for (id, hash) in pairs {
            branch.children[digit(id, depth)].put(id, hash, depth + 1);
        }
        Self::Branch(Box::new(branch))
    }

    fn remove(&mut self, id: BulletId, depth: usize) {
        match self {
            Self::Leaf(pairs) => pairs.retain(|pair| pair.0 != id),
            Self::Branch(branch) => {
                let child = &mut branch.children[digit(id, depth)];
                let before = child.entries();
                child.remove(id, depth + 1);
                branch.entries = branch.entries - before + child.entries();
                branch.hash = None;
                if branch.entries <= LEAF_ENTRIES {
                    let mut pairs = Vec::with_capacity(branch.entries);
                    branch
                        .children
                        .iter()
                        .for_each(|child| child.collect(&mut pairs));
                    *self = Self::Leaf(pairs);
                }
            }
        }
    }

    fn collect(&self, into: &mut Vec<(BulletId, Hash)>) {
        match self {
            Self::Leaf(pairs) => into.extend_from_slice(pairs),
            Self::Branch(branch) => branch.children.iter().for_each(|child| child.collect(into)),
        }
    }

    fn hash(&mut self) -> Hash {
        match self {
            Self::Leaf(pairs) => {
                let mut hasher = Sha256::new_with_prefix(b"leaf");
                for (id, hash) in pairs {
                    hasher.update(id.0);
                    hasher.update(hash);
                }
                hasher.finalize().into()
            }
            Self::Branch(branch) => {
                if let Some(hash) = branch.hash {
                    return hash;
                }
                let mut hasher = Sha256::new_with_prefix(b"branch");
                for child in &mut branch.children {
                    hasher.update(child.hash());
                }
                let hash = hasher.finalize().into();
                branch.hash = Some(hash);
                hash
            }
        }
    }
}

/// The hex digit of an id that decides at `depth`; ids have 20 of them and differ in one at least.
fn digit(id: BulletId, depth: usize) -> usize {
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

/// The leaf of the content digest; absent for archived bullets, which it leaves out.
pub fn content_leaf(bullet: &Bullet) -> Option<Hash> {
    if bullet.status == Status::Archived {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u64) -> BulletId {
        let mut bytes = [0; 10];
        bytes[..8].copy_from_slice(&n.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes());
        BulletId(bytes)
    }

    fn hash(n: u64) -> Hash {
        Sha256::digest(n.to_be_bytes()).into()
    }

    #[test]
    fn the_root_depends_on_the_set_and_not_on_its_history() {
        let mut forward = DigestTree::default();
        (0..500).for_each(|n| forward.put(id(n), hash(n)));
        let mut other = DigestTree::default();
        (0..900).rev().for_each(|n| other.put(id(n), hash(n + 7)));
        (500..900).for_each(|n| other.remove(id(n)));
        (0..500).for_each(|n| other.put(id(n), hash(n)));
        assert_eq!(other.len(), 500);
        assert_eq!(forward.root(), other.root());
        other.put(id(3), hash(4));
        assert_ne!(forward.root(), other.root());
    }

    #[test]
    fn a_cached_root_follows_every_change() {
        let mut tree = DigestTree::default();
        let mut fresh_roots = Vec::new();
        for n in 0..100 {
            tree.put(id(n), hash(n));
            let mut fresh = DigestTree::default();
            (0..=n).for_each(|m| fresh.put(id(m), hash(m)));
            assert_eq!(tree.root(), fresh.root());
            fresh_roots.push(tree.root());
        }
        for n in (1..100).rev() {
            tree.remove(id(n));
            assert_eq!(tree.root(), fresh_roots[usize::try_from(n).unwrap() - 1]);
        }
    }
}
