//! The tree against a digest of the whole set, through random changes.

use sha2::{Digest, Sha256};

use super::*;
use crate::memory::bullet::Bullet;
use crate::memory::digest::DigestTree;
use crate::memory::key::MemoryKey;
use crate::memory::policy::Policy;
use crate::memory::seed::create;
use hindlore_primitives::timestamp::Timestamp;

/// An arena of bullets with ids spread like hashes, except the last few, which share a prefix.
fn arena(count: u32) -> BulletArena {
    let key = MemoryKey::new("t", "l", "s").unwrap();
    let created = create(key, Policy::default(), true, Timestamp::default());
    let seed = created.memory.bullets().swap_remove(0);
    let mut arena = BulletArena::default();
    for number in 0..count {
        let mut id = [0; 10];
        id.copy_from_slice(&Sha256::digest(number.to_be_bytes())[..10]);
        if number + 60 >= count {
            id[..8].fill(0x77);
        }
        arena.push(&Bullet {
            id: BulletId(id),
            ..seed.clone()
        });
    }
    arena
}

fn hash(doc: DocId, version: u32) -> Hash {
    Sha256::digest([doc.to_be_bytes(), version.to_be_bytes()].concat()).into()
}

#[test]
fn the_root_is_that_of_the_set_after_every_change() {
    const COUNT: u32 = 3_000;
    let arena = arena(COUNT);
    let mut rng = fastrand::Rng::with_seed(3);
    let mut tree = MerkleTree::default();
    // Nothing counts yet; from here on it follows the changes.
    tree.root(&arena, Vec::new, &mut |_| unreachable!());
    let mut versions: Vec<Option<u32>> = vec![None; COUNT as usize];
    for round in 0..400_u32 {
        // Tides, so that buckets part and become one again.
        let rises = round % 100 < 60;
        for _ in 0..rng.u32(..60) {
            let doc = rng.u32(..COUNT);
            if rng.u8(..10) < if rises { 9 } else { 1 } {
                versions[doc as usize] = Some(round);
                tree.insert(doc, &arena);
            } else {
                versions[doc as usize] = None;
                tree.remove(doc, &arena);
            }
        }
        let mut model = DigestTree::default();
        for doc in 0..COUNT {
            if let Some(version) = versions[doc as usize] {
                model.put(arena.id(doc), hash(doc, version));
            }
        }
        let mut leaf = |doc: DocId| hash(doc, versions[doc as usize].unwrap());
        let all = || {
            let mut all: Vec<DocId> = (0..COUNT).collect();
            all.retain(|doc| versions[*doc as usize].is_some());
            all
        };
        let root = tree.root(&arena, || panic!("asked twice"), &mut leaf);
        assert_eq!(root, model.root(), "round {round}");
        let made_at_once = MerkleTree::default().root(&arena, all, &mut leaf);
        assert_eq!(made_at_once, root, "round {round}");
    }
}

#[test]
fn a_change_asks_few_bullets_again() {
    for count in [40, 300, 3_000, 20_000] {
        let arena = arena(count);
        let mut tree = MerkleTree::default();
        tree.root(&arena, || (0..count).collect(), &mut |doc| hash(doc, 0));
        let mut asked = 0;
        tree.insert(5, &arena);
        tree.root(&arena, || panic!("asked twice"), &mut |doc| {
            asked += 1;
            hash(doc, u32::from(doc == 5))
        });
        assert!((1..=PARTED).contains(&asked), "{asked} of {count}");
    }
}
