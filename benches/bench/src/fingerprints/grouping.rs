//! How well one grouping of lines agrees with the labelled one.

use std::collections::{HashMap, HashSet};

/// The figures of one grouping; each is 1 when the two groupings are one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Grouping {
    /// Share of lines in a group of exactly the labelled lines (GA, Zhu et al. 2019).
    pub accuracy: f64,
    /// F1 of whole groups: those that are exact, among ours and among the labelled (FGA, Jiang et al.
    /// 2024). It counts a rare group as much as a common one.
    pub group_f1: f64,
    /// Of the pairs of lines that we put together, the share that belongs together.
    pub pair_precision: f64,
    /// Of the pairs of lines that belong together, the share that we put together.
    pub pair_recall: f64,
    /// Of the lines whose error has occurred before, the share that finds the row kept for it then.
    pub stream_recall: f64,
    /// Of the lines that find something kept under their group, the share for which it is of their error.
    pub stream_precision: f64,
}

/// How many lines have both a group and a label.
type Table = HashMap<(usize, usize), usize>;

impl Grouping {
    /// Compares groups with labels, line by line; both are numbers whose size means nothing.
    pub fn of(groups: &[usize], labels: &[usize]) -> Self {
        let mut both = Table::new();
        for (group, label) in groups.iter().zip(labels) {
            *both.entry((*group, *label)).or_default() += 1;
        }
        let (ours, theirs) = (sizes(groups), sizes(labels));
        let (accuracy, group_f1) = exact(&both, &ours, &theirs, labels.len());
        let shared = pairs(both.values());
        let (recall, precision) = stream(groups, labels);
        Self {
            accuracy,
            group_f1,
            pair_precision: share(shared, pairs(ours.values())),
            pair_recall: share(shared, pairs(theirs.values())),
            stream_recall: recall,
            stream_precision: precision,
        }
    }

    /// The harmonic mean of precision and recall over pairs.
    pub fn pair_f1(&self) -> f64 {
        harmonic(self.pair_precision, self.pair_recall)
    }
}

fn sizes(groups: &[usize]) -> HashMap<usize, usize> {
    let mut sizes = HashMap::new();
    for group in groups {
        *sizes.entry(*group).or_default() += 1;
    }
    sizes
}

/// The share of lines in exact groups, and the F1 of groups.
fn exact(
    both: &Table,
    ours: &HashMap<usize, usize>,
    theirs: &HashMap<usize, usize>,
    lines: usize,
) -> (f64, f64) {
    // A group is exact when all of its lines have the label, and all lines with the label are in it.
    let is_exact = |((group, label), count): &(&(usize, usize), &usize)| {
        ours[group] == **count && theirs[label] == **count
    };
    let exact: Vec<usize> = both.iter().filter(is_exact).map(|it| *it.1).collect();
    let within: usize = exact.iter().sum();
    let precision = share(exact.len() as f64, ours.len() as f64);
    let recall = share(exact.len() as f64, theirs.len() as f64);
    (
        share(within as f64, lines as f64),
        harmonic(precision, recall),
    )
}

/// The pairs within groups of these sizes.
fn pairs<'a>(sizes: impl Iterator<Item = &'a usize>) -> f64 {
    let of = |size: &usize| *size as f64 * (*size as f64 - 1.0) / 2.0;
    sizes.map(of).sum()
}

/// Keeps something for an error under its group when the group is new, and looks it up ever after.
fn stream(groups: &[usize], labels: &[usize]) -> (f64, f64) {
    let (mut kept, mut known) = (HashMap::new(), HashSet::new());
    let (mut due, mut found, mut right) = (0_u64, 0_u64, 0_u64);
    for (group, label) in groups.iter().zip(labels) {
        due += u64::from(!known.insert(*label));
        match kept.get(group) {
            Some(of) => {
                found += 1;
                right += u64::from(of == label);
            }
            None => {
                kept.insert(*group, *label);
            }
        }
    }
    let right = right as f64;
    (share(right, due as f64), share(right, found as f64))
}

/// A part of a whole; of nothing nothing is missed.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 1.0 }
}

fn harmonic(a: f64, b: f64) -> f64 {
    if a + b > 0.0 {
        2.0 * a * b / (a + b)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_groupings_under_other_names_agree_in_everything() {
        let of = Grouping::of(&[7, 7, 3, 9], &[0, 0, 1, 2]);
        assert_eq!((of.accuracy, of.group_f1, of.pair_f1()), (1.0, 1.0, 1.0));
        assert_eq!((of.stream_recall, of.stream_precision), (1.0, 1.0));
    }

    #[test]
    fn a_split_group_costs_recall_and_a_joined_one_precision() {
        // Label 0 has four lines in groups of three and one; labels 1 and 2 share a group.
        let groups = [0, 0, 1, 0, 2, 2, 3];
        let labels = [0, 0, 0, 0, 1, 2, 3];
        let of = Grouping::of(&groups, &labels);
        // Only the last line is in an exact group.
        assert_eq!(of.accuracy, 1.0 / 7.0);
        // One exact group of four on either side.
        assert_eq!(of.group_f1, 0.25);
        assert_eq!((of.pair_precision, of.pair_recall), (3.0 / 4.0, 3.0 / 6.0));
        // Three lines of label 0 are due, two find it; label 2 finds the row of label 1.
        assert_eq!(
            (of.stream_recall, of.stream_precision),
            (2.0 / 3.0, 2.0 / 3.0)
        );
    }

    #[test]
    fn one_group_for_all_is_precise_in_nothing() {
        let of = Grouping::of(&[0, 0, 0], &[0, 1, 2]);
        assert_eq!(
            (of.accuracy, of.pair_precision, of.stream_precision),
            (0.0, 0.0, 0.0)
        );
        assert_eq!((of.pair_recall, of.stream_recall), (1.0, 1.0));
    }
}
