//! The rules that group lines, ours and the plain ones.

use std::collections::HashMap;
use std::hash::Hash;

use super::grouping::Grouping;
use super::labelled::LabelledSet;
use hindlore_errors::fingerprint::Fingerprinter;

/// The level that keeps quoted text.
pub(super) const FINE: &str = "fine";
/// The level that masks it.
pub(super) const COARSE: &str = "coarse";
/// A log parser that learns templates in order of arrival (He et al. 2017), in Python.
pub(super) const DRAIN: &str = "drain3";

/// A rule, and how well it groups each set.
pub(super) struct Method {
    pub(super) name: &'static str,
    pub(super) groupings: Vec<Grouping>,
}

impl Method {
    /// The rules that need no peer.
    pub(super) fn ours(sets: &[LabelledSet]) -> Vec<Self> {
        let mut printer = Fingerprinter::default();
        vec![
            Self::of_keys("exact", sets, |text| text.to_owned()),
            Self::of_keys("naive", sets, naive),
            Self::of_keys(FINE, sets, |text| printer.of_text(text).0),
            Self::of_keys(COARSE, sets, |text| printer.of_text(text).1),
        ]
    }

    /// A rule that has given every line of every set a group.
    pub(super) fn of_groups(
        name: &'static str,
        sets: &[LabelledSet],
        groups: &[Vec<usize>],
    ) -> Self {
        let pairs = sets.iter().zip(groups);
        Self {
            name,
            groupings: pairs
                .map(|(set, groups)| Grouping::of(groups, &set.labels))
                .collect(),
        }
    }

    fn of_keys<K: Hash + Eq>(
        name: &'static str,
        sets: &[LabelledSet],
        mut key: impl FnMut(&str) -> K,
    ) -> Self {
        let mut group = |set: &LabelledSet| {
            let mut numbers: HashMap<K, usize> = HashMap::new();
            let texts = set.texts.iter();
            let groups = texts.map(|text| {
                let next = numbers.len();
                *numbers.entry(key(text)).or_insert(next)
            });
            groups.collect()
        };
        let groups: Vec<Vec<usize>> = sets.iter().map(&mut group).collect();
        Self::of_groups(name, sets, &groups)
    }
}

/// Lower case, letters only: a first attempt at a normaliser.
fn naive(text: &str) -> String {
    let plain = |c: char| if c.is_alphabetic() { c } else { ' ' };
    let digits_gone = text.chars().filter(|c| !c.is_ascii_digit());
    let letters: String = digits_gone
        .flat_map(char::to_lowercase)
        .map(plain)
        .collect();
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_naive_rule_drops_digits_and_signs_and_keeps_every_letter() {
        assert_eq!(naive("Open /var/Log7: 12% DONE"), "open var log done");
        assert_ne!(naive("blk_7f"), naive("blk_8a"));
    }
}
