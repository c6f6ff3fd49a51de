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
        let all: Vec<u32> = model.iter().copied().collect();
        assert_eq!(set.to_vec(), all);
        let some: Vec<u32> = (0..span).filter(|_| rng.u8(..4) == 0).collect();
        let numbered = Numbered::of_ascending(some.iter().copied());
        let numbers = some.iter().enumerate();
        let numbers = numbers.filter(|(_, slot)| model.contains(slot));
        let numbers: Vec<u32> = numbers.map(|(number, _)| number as u32).collect();
        let mut met = Vec::new();
        set.for_each_numbered(&numbered, |number| met.push(number));
        assert_eq!(met, numbers);
        for slot in (0..200).map(|_| rng.u32(..span)) {
            let number = some.binary_search(&slot).ok().map(|at| at as u32);
            assert_eq!(numbered.number(slot), number);
        }
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

#[test]
fn sums_hold_what_each_set_adds_and_stay_within_a_byte() {
    let mut rng = fastrand::Rng::with_seed(4);
    for span in [3, 400, 70_000, 300_000] {
        let sets: Vec<SlotSet> = (0..4)
            .map(|number| {
                let mut set = SlotSet::default();
                (0..span / 8 + 5 * number).for_each(|_| {
                    set.insert(rng.u32(..span));
                });
                set
            })
            .collect();
        for (number, from) in (0..span).step_by(WINDOW).enumerate() {
            let mut sums = [7; WINDOW];
            for (set, amount) in sets.iter().zip([1, 30, 100, 140]) {
                set.add_to(number, &mut sums, amount);
            }
            for (slot, sum) in (from..).zip(sums).take(WINDOW) {
                let has = sets.iter().zip([1, 30, 100, 140]);
                let has = has.filter(|(set, _)| set.contains(slot));
                let expected: u32 = 7 + has.map(|(_, amount)| amount).sum::<u32>();
                assert_eq!(u32::from(sum), expected.min(255), "slot {slot}");
            }
        }
    }
}
