//! The index against a comparison of all pairs, and the cost of a search.

use std::collections::BTreeMap;

use super::*;
use crate::jaccard;

fn set(words: &[u32]) -> Vec<String> {
    let mut set: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
    set.sort_unstable();
    set.dedup();
    set
}

fn all_pairs(sets: &BTreeMap<u32, Vec<String>>, query: &[String], bound: Bound) -> Vec<Similar> {
    let compared = sets.iter().map(|(&doc, set)| (doc, jaccard(query, set)));
    compared
        .filter(|(_, similarity)| *similarity > 0.0 && bound.holds(*similarity))
        .map(|(doc, similarity)| Similar { doc, similarity })
        .collect()
}

/// A set a few words away from a known one, or an unrelated one.
fn variant(rng: &mut fastrand::Rng, sets: &BTreeMap<u32, Vec<String>>) -> Vec<String> {
    let vocabulary = rng.u32(3..40);
    let mut words: Vec<String> = match sets.values().nth(rng.usize(0..sets.len() + 2)) {
        Some(known) => known.clone(),
        None => set(&(0..rng.u32(0..30))
            .map(|_| rng.u32(0..vocabulary))
            .collect::<Vec<_>>()),
    };
    for _ in 0..rng.usize(0..4) {
        if rng.bool() && !words.is_empty() {
            words.remove(rng.usize(0..words.len()));
        } else {
            words.push(format!("w{}", rng.u32(0..vocabulary)));
        }
    }
    words.sort_unstable();
    words.dedup();
    words
}

#[test]
fn agrees_with_all_pairs_under_inserts_and_removes() {
    let thresholds = [
        0.9,
        0.85,
        0.9,
        0.85,
        0.5,
        1.0 / 3.0,
        0.1,
        1.0,
        1e-300,
        0.0,
        9.0 / 11.0,
    ];
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut found, mut ties) = (0, 0);
    for case in 0..10_000 {
        if case % 500 == 0 {
            rng = fastrand::Rng::with_seed(case);
        }
        let mut index = SimilarityIndex::new();
        let mut sets: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for _ in 0..rng.usize(1..25) {
            let doc = rng.u32(0..12);
            if let Some(old) = sets.remove(&doc) {
                index.remove(doc, &old);
            }
            if rng.u8(0..4) == 0 {
                index.remove(doc, &[]);
                continue;
            }
            let words = variant(&mut rng, &sets);
            index.insert(doc, &words);
            sets.insert(doc, words);
        }
        assert_eq!(index.len(), sets.len());
        let query = variant(&mut rng, &sets);
        let threshold = thresholds[rng.usize(0..thresholds.len())];
        for bound in [Bound::AtLeast(threshold), Bound::Above(threshold)] {
            let expected = all_pairs(&sets, &query, bound);
            assert_eq!(
                index.find(&query, bound),
                expected,
                "case {case}, {bound:?}"
            );
            found += expected.len();
            ties += expected
                .iter()
                .filter(|s| s.similarity == threshold)
                .count();
        }
    }
    assert!(
        found > 10_000 && ties > 500,
        "{found} found, {ties} at the threshold"
    );
}

#[test]
fn exact_ties_are_decided_by_the_bound() {
    for (shared, all, threshold) in [(9, 10, 0.9), (17, 20, 0.85), (1, 3, 1.0 / 3.0)] {
        let mut index = SimilarityIndex::new();
        index.insert(3, &set(&(0..all).collect::<Vec<_>>()));
        let query = set(&(0..shared).collect::<Vec<_>>());
        assert_eq!(index.find(&query, Bound::AtLeast(threshold)).len(), 1);
        assert!(index.find(&query, Bound::Above(threshold)).is_empty());
    }
}

#[test]
fn empty_sets_and_odd_thresholds_find_nothing() {
    let mut index = SimilarityIndex::new();
    index.insert(0, &[]);
    index.insert(1, &set(&[1]));
    index.remove(9, &[]);
    assert_eq!((index.len(), index.is_empty()), (2, false));
    assert!(index.find(&[], Bound::AtLeast(0.5)).is_empty());
    assert!(index.find(&set(&[1]), Bound::Above(1.0)).is_empty());
    assert!(index.find(&set(&[1]), Bound::AtLeast(f64::NAN)).is_empty());
    assert_eq!(index.find(&set(&[1]), Bound::AtLeast(1.0)).len(), 1);
}

#[test]
fn unused_terms_are_forgotten() {
    let mut index = SimilarityIndex::new();
    for round in 0..2_000 {
        let words = set(&[round, round + 1, round + 2]);
        index.insert(0, &words);
        assert_eq!(index.find(&words, Bound::AtLeast(1.0)).len(), 1);
        index.remove(0, &words);
    }
    assert!(index.ids.len() < 2 * UNUSED_KEPT + 8 && index.holders.len() < 600);
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

#[test]
fn few_sets_are_looked_at() {
    let texts = texts(2_000);
    let mut index = SimilarityIndex::new();
    let mut looks = 0;
    for (doc, words) in (0_u32..).zip(&texts) {
        let ids = words.iter().filter_map(|word| index.ids.get(word));
        let mut lists: Vec<usize> = ids.map(|id| index.holders[id as usize].len()).collect();
        lists.sort_unstable();
        let needed = Bound::AtLeast(0.9).least_overlap_with_any(words.len());
        let probes = (lists.len() + 1).saturating_sub(needed);
        looks += lists[..probes].iter().sum::<usize>();
        index.insert(doc, words);
    }
    assert!(looks < 20 * texts.len(), "{looks} looks");
}

#[test]
fn a_prepared_text_is_found_and_inserted_like_its_set() {
    let mut rng = fastrand::Rng::with_seed(5);
    let (mut prepared_in, mut inserted) = (SimilarityIndex::new(), SimilarityIndex::new());
    for doc in 0..600 {
        let words: Vec<String> = (0..rng.usize(0..9))
            .map(|_| format!("w{}", rng.u32(0..30)))
            .collect();
        let prepared = prepared_in.prepare(words.iter().map(String::as_str));
        let mut set = words.clone();
        set.sort_unstable();
        set.dedup();
        let bound = Bound::AtLeast(0.6);
        let found = prepared_in.find_prepared(&prepared, bound);
        assert_eq!(found, inserted.find(&set, bound));
        assert!(prepared_in.insert_prepared(doc, prepared));
        inserted.insert(doc, &set);
        if doc % 3 == 0 {
            prepared_in.remove(doc, &set);
            inserted.remove(doc, &set);
        }
    }
    assert_eq!(prepared_in.len(), inserted.len());
}

#[test]
fn a_prepared_text_is_not_inserted_once_terms_were_forgotten() {
    let mut index = SimilarityIndex::new();
    index.insert(0, &set(&[1, 2, 3]));
    let prepared = index.prepare(["w1", "w2", "w4"].into_iter());
    for round in 10..2_000 {
        let words = set(&[round]);
        index.insert(1, &words);
        index.remove(1, &words);
    }
    assert!(!index.insert_prepared(2, prepared));
    assert_eq!(index.len(), 1);
}
