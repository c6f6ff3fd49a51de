//! The digest that follows changes, beside that of the whole set.

use sha2::{Digest, Sha256};

use super::*;
use crate::memory::bullet::Bullet;
use crate::memory::digest::DigestTree;
use crate::memory::key::MemoryKey;
use crate::memory::plant::create;
use crate::memory::policy::Policy;
use crate::timestamp::Timestamp;

/// A arena of bullets whose ids are spread as hashes are, but for the last few, which share beginnings.
fn arena(count: u32) -> BulletArena {
    let key = MemoryKey::new("t", "l", "s").unwrap();
    let created = create(key, Policy::default(), true, Timestamp::default());
    let planted = created.memory.bullets().swap_remove(0);
    let mut arena = BulletArena::default();
    for number in 0..count {
        let mut id = [0; 10];
        id.copy_from_slice(&Sha256::digest(number.to_be_bytes())[..10]);
        if number + 60 >= count {
            id[..8].fill(0x77);
        }
        arena.push(&Bullet {
            id: BulletId(id),
            ..planted.clone()
        });
    }
    arena
}

fn hash(slot: u32, version: u32) -> Hash {
    Sha256::digest([slot.to_be_bytes(), version.to_be_bytes()].concat()).into()
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
            let slot = rng.u32(..COUNT);
            if rng.u8(..10) < if rises { 9 } else { 1 } {
                versions[slot as usize] = Some(round);
                tree.insert(slot, &arena);
            } else {
                versions[slot as usize] = None;
                tree.remove(slot, &arena);
            }
        }
        let mut model = DigestTree::default();
        for slot in 0..COUNT {
            if let Some(version) = versions[slot as usize] {
                model.put(arena.id(slot), hash(slot, version));
            }
        }
        let mut leaf = |slot: u32| hash(slot, versions[slot as usize].unwrap());
        let all = || {
            let mut all: Vec<u32> = (0..COUNT).collect();
            all.retain(|slot| versions[*slot as usize].is_some());
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
        tree.root(&arena, || (0..count).collect(), &mut |slot| hash(slot, 0));
        let mut asked = 0;
        tree.insert(5, &arena);
        tree.root(&arena, || panic!("asked twice"), &mut |slot| {
            asked += 1;
            hash(slot, u32::from(slot == 5))
        });
        assert!((1..=PARTED).contains(&asked), "{asked} of {count}");
    }
}
