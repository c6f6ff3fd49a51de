//! The index of near-duplicates against a comparison of every pair, on as many texts as a memory holds.

use std::collections::BTreeMap;
use std::time::Instant;

use hindlore_text::similar::{Bound, Similar, SimilarityIndex};
use hindlore_text::similarity::jaccard;

fn set(words: &[u32]) -> Vec<String> {
    let mut set: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
    set.sort_unstable();
    set.dedup();
    set
}

/// Texts of about 30 words, some everywhere and most rare, as in language.
fn texts(count: u32) -> Vec<Vec<String>> {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut word = || {
        if rng.bool() {
            rng.u32(0..80)
        } else {
            rng.u32(0..20_000)
        }
    };
    (0..count)
        .map(|_| set(&(0..32).map(|_| word()).collect::<Vec<_>>()))
        .collect()
}

/// Texts and, in every third place, one a few words away from an earlier text.
fn texts_and_variants(count: u32) -> Vec<Vec<String>> {
    let mut texts = texts(count);
    let mut rng = fastrand::Rng::with_seed(2);
    for at in (3..texts.len()).step_by(3) {
        let mut near = texts[rng.usize(..at)].clone();
        for _ in 0..rng.usize(..4) {
            near.remove(rng.usize(..near.len()));
        }
        near.extend((0..rng.u32(..3)).map(|word| format!("x{word}")));
        near.sort_unstable();
        near.dedup();
        texts[at] = near;
    }
    texts
}

/// Compares `probes` searches with a comparison of every pair; gives the number of pairs found.
fn compare_all(texts: &[Vec<String>], probes: usize) -> usize {
    let mut index = SimilarityIndex::new();
    // Numbers in place of words make the comparison of all pairs bearable.
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let mut sets: Vec<Vec<u32>> = Vec::new();
    for (slot, words) in (0_u32..).zip(texts) {
        index.insert(slot, words);
        let mut set = Vec::new();
        for word in words {
            let next = u32::try_from(numbers.len()).unwrap();
            set.push(*numbers.entry(word).or_insert(next));
        }
        set.sort_unstable();
        sets.push(set);
    }
    let mut found = 0;
    for probe in (0..texts.len()).step_by((texts.len() / probes).max(1)) {
        let (wider, narrower) = (Bound::Above(0.85), Bound::AtLeast(0.9));
        let compared = (0_u32..).zip(&sets);
        let compared = compared.map(|(slot, set)| Similar {
            doc: slot,
            similarity: jaccard(&sets[probe], set),
        });
        let close: Vec<Similar> = compared
            .filter(|similar| wider.holds(similar.similarity))
            .collect();
        for bound in [wider, narrower] {
            let expected = close.iter().copied();
            let expected: Vec<Similar> = expected
                .filter(|similar| bound.holds(similar.similarity))
                .collect();
            assert_eq!(index.find(&texts[probe], bound), expected, "probe {probe}");
            found += expected.len() - 1;
        }
    }
    found
}

#[test]
fn no_near_duplicate_of_a_thousand_is_missed() {
    assert!(compare_all(&texts_and_variants(1_000), 1_000) > 400);
}

#[test]
fn no_near_duplicate_of_ten_thousand_is_missed() {
    assert!(compare_all(&texts_and_variants(10_000), 10_000) > 4_000);
}

#[test]
fn no_near_duplicate_of_a_thousand_among_a_hundred_thousand_is_missed() {
    assert!(compare_all(&texts_and_variants(100_000), 1_000) > 400);
}

/// Times the index against a scan over sets of numbers, which is the fastest that a scan can be here.
#[test]
#[ignore = "measures; run by hand with --release --nocapture"]
fn what_a_search_costs() {
    for count in [1_000, 10_000, 100_000] {
        let texts = texts_and_variants(count);
        let mut index = SimilarityIndex::new();
        let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for (slot, words) in (0_u32..).zip(&texts) {
            index.insert(slot, words);
            let ids = words.iter().map(|word| {
                let next = u32::try_from(numbers.len()).unwrap();
                *numbers.entry(word).or_insert(next)
            });
            let mut set: Vec<u32> = ids.collect();
            set.sort_unstable();
            sets.push(set);
        }
        let (mut by_index, mut by_scan) = (Vec::new(), Vec::new());
        for probe in (0..texts.len()).step_by(texts.len() / 50) {
            let begin = Instant::now();
            let found = index.find(&texts[probe], Bound::Above(0.85)).len();
            by_index.push(begin.elapsed());
            let begin = Instant::now();
            let query = &sets[probe];
            let longest = query.len() * 20 / 17 + 1;
            let fits = |set: &&Vec<u32>| set.len() * 20 >= query.len() * 17 && set.len() <= longest;
            let alike = sets.iter().filter(fits);
            let scanned = alike.filter(|set| jaccard(query, set) > 0.85).count();
            by_scan.push(begin.elapsed());
            assert_eq!(found, scanned);
        }
        by_index.sort_unstable();
        by_scan.sort_unstable();
        println!(
            "{count} sets: index {:?}, scan {:?}",
            by_index[25], by_scan[25]
        );
    }
}
