//! The set against a model, over every form and the changes between them.

use std::collections::BTreeSet;

use super::*;

#[test]
fn it_is_the_set_of_what_was_put_in_and_not_taken_out() {
    let mut rng = fastrand::Rng::with_seed(3);
    for case in 0..60 {
        let span = [8, 400, 70_000, 300_000][case % 4];
        let (mut set, mut model) = (SlotSet::default(), BTreeSet::new());
        for _ in 0..rng.usize(1..6_000) {
            let slot = rng.u32(..span);
            if rng.u8(..3) == 0 {
                assert_eq!(set.remove(slot), model.remove(&slot));
            } else {
                assert_eq!(set.insert(slot), model.insert(slot));
            }
        }
        if rng.bool() {
            set.shrink();
        }
        assert_eq!(set.len(), model.len());
        assert_eq!(set.to_vec(), model.iter().copied().collect::<Vec<_>>());
        for _ in 0..200 {
            let slot = rng.u32(..span);
            assert_eq!(set.contains(slot), model.contains(&slot));
        }
        let left: Vec<u32> = model.iter().copied().collect();
        left.iter().for_each(|slot| assert!(set.remove(*slot)));
        assert!(set.is_empty() && set.to_vec().is_empty());
    }
}

#[test]
fn a_walk_ends_when_told() {
    let mut set = SlotSet::default();
    (0..100_000).for_each(|slot| {
        set.insert(slot * 3);
    });
    let mut seen = 0;
    set.walk(|_| {
        seen += 1;
        seen < 10
    });
    assert_eq!(seen, 10);
}
