//! The arena against a plain list of bullets.

use super::*;
use crate::memory::key::MemoryKey;
use crate::memory::policy::Policy;
use crate::memory::seed::create;
use hindlore_primitives::timestamp::Timestamp;

fn bullet(rng: &mut fastrand::Rng) -> Bullet {
    let key = MemoryKey::new("t", "l", "s").unwrap();
    let created = create(key, Policy::default(), true, Timestamp::default());
    let seed = created.memory.bullets().swap_remove(rng.usize(..3));
    Bullet {
        id: BulletId([rng.u8(..); 10]),
        position: rng.u64(..1 << 40),
        section: rng.bool().then(|| "x".repeat(rng.usize(..90))),
        ..seed
    }
}

#[test]
fn bullets_stay_where_they_were_put_however_the_others_change() {
    let mut rng = fastrand::Rng::with_seed(4);
    let (mut arena, mut model) = (BulletArena::default(), Vec::new());
    for round in 0..3_000 {
        match rng.u8(..10) {
            0..=3 => {
                let fresh = bullet(&mut rng);
                assert_eq!(arena.push(&fresh) as usize, model.len());
                model.push(fresh);
            }
            4..=6 if !model.is_empty() => {
                let (doc, fresh) = (rng.usize(..model.len()), bullet(&mut rng));
                arena.set(doc as DocId, &fresh);
                model[doc] = fresh;
            }
            7 => {
                arena.pop();
                model.pop();
            }
            _ => {}
        }
        assert_eq!(arena.len(), model.len());
        if round % 50 == 0 {
            let all: Vec<Bullet> = arena.docs().map(|doc| arena.bullet(doc)).collect();
            assert_eq!(all, model);
        }
    }
    assert!(arena.len() > 4 * PAGE);
}
