//! The set against a model, over every form and the conversions between them.

use std::collections::BTreeSet;

use super::*;

#[test]
fn it_is_the_set_of_what_was_inserted_and_not_removed() {
    let mut rng = fastrand::Rng::with_seed(3);
    for case in 0..60 {
        let span = [8, 400, 70_000, 300_000][case % 4];
        let (mut set, mut model) = (DocSet::default(), BTreeSet::new());
        for _ in 0..rng.usize(1..6_000) {
            let doc = rng.u32(..span);
            if rng.u8(..3) == 0 {
                assert_eq!(set.remove(doc), model.remove(&doc));
            } else {
                assert_eq!(set.insert(doc), model.insert(doc));
            }
        }
        if rng.bool() {
            set.shrink_to_fit();
        }
        assert_eq!(set.len(), model.len());
        let all: Vec<u32> = model.iter().copied().collect();
        assert_eq!(set.to_vec(), all);
        assert_eq!(set.first(), all.first().copied());
        for _ in 0..200 {
            let doc = rng.u32(..span);
            assert_eq!(set.contains(doc), model.contains(&doc));
        }
        all.iter().for_each(|doc| assert!(set.remove(*doc)));
        assert!(set.is_empty() && set.to_vec().is_empty());
    }
}

#[test]
fn a_visit_can_stop_early() {
    let mut set = DocSet::default();
    (0..100_000).for_each(|doc| {
        set.insert(doc * 3);
    });
    let mut seen = 0;
    set.visit_while(|_| {
        seen += 1;
        seen < 10
    });
    assert_eq!(seen, 10);
}

#[test]
fn sums_hold_what_each_set_adds_and_saturate() {
    let mut rng = fastrand::Rng::with_seed(4);
    for span in [3, 400, 70_000, 300_000] {
        let mut set = |number: u32| {
            let mut set = DocSet::default();
            (0..span / 8 + 5 * number).for_each(|_| {
                set.insert(rng.u32(..span));
            });
            set
        };
        let sets: Vec<DocSet> = (0..4).map(&mut set).collect();
        for (number, from) in (0..span).step_by(BLOCK).enumerate() {
            let mut sums = [7; BLOCK];
            for (set, amount) in sets.iter().zip([1, 30, 100, 140]) {
                set.add_to_block(number, &mut sums, amount);
            }
            for (doc, sum) in (from..).zip(sums).take(BLOCK) {
                let holding = sets.iter().zip([1, 30, 100, 140]);
                let holding = holding.filter(|(set, _)| set.contains(doc));
                let expected: u32 = 7 + holding.map(|(_, amount)| amount).sum::<u32>();
                assert_eq!(u32::from(sum), expected.min(255), "document {doc}");
            }
        }
    }
}
