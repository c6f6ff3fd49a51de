//! `hindlore-bench stream`: whether solved cases help with the next ones, without a model.
//!
//! Cases arrive in sets: the sentence, the value in question, and its label. For each value of a set a label is
//! predicted from the cases learned so far; then the whole set is learned, with its labels. The label of the nearest
//! case by plain BM25 is compared, which learns the same cases at the same moments. Nothing is known at the beginning,
//! so the quarters of the stream are its learning curve.
//!
//! The window of four tokens, the ten neighbours and the power of their votes were chosen on the first half
//! of the FiNER part that this project was given.

mod case;
mod engine;
mod nearest;

use std::path::Path;

pub use case::{Case, Named, read_sets};

use super::Progress;
use super::curve::Curve;
use super::error::EvalError;
use super::interval::{Estimate, mean};
use super::report::{Goal, Ratio, Report, Row};
use engine::Engine;
use nearest::Nearest;

/// Accuracy of the nearest case on the full published set, overall and in its last quarter.
const FULL_SET: [f64; 2] = [0.474, 0.583];
/// Points of the learning curve.
const POINTS: usize = 20;

/// A predictor of labels from solved cases.
trait Predictor {
    /// The label, where anything is near.
    fn predict(&mut self, case: &Case) -> Option<String>;

    /// Learns solved cases, labels included.
    fn learn(&mut self, cases: &[Case]) -> Result<(), EvalError>;
}

/// Measures on the sets of cases under a folder.
pub fn stream(folder: &Path, progress: Progress<'_>) -> Result<Report, EvalError> {
    let sets = read_sets(folder)?;
    let mut report = Report::new("stream");
    for (name, sets) in &sets {
        let cases: usize = sets.iter().map(Vec::len).sum();
        progress(&format!("{name}: {cases} cases, engine"));
        let ours = run(&mut Engine::new()?, sets)?;
        progress(&format!("{name}: {cases} cases, nearest case"));
        let theirs = run(&mut Nearest::default(), sets)?;
        rows(name, &ours, &theirs, &mut report);
        report.curves.push(curve(name, &ours, &theirs));
    }
    Ok(report)
}

/// Goes through a stream: 1 for each label that was predicted right, 0 for every other.
fn run(predictor: &mut dyn Predictor, sets: &[Vec<Case>]) -> Result<Vec<f64>, EvalError> {
    let mut right = Vec::new();
    for cases in sets {
        for case in cases {
            // The predictor is handed no label.
            let asked = case.without_label();
            let is_right = predictor.predict(&asked).is_some_and(|it| it == case.label);
            right.push(f64::from(u8::from(is_right)));
        }
        predictor.learn(cases)?;
    }
    Ok(right)
}

fn rows(set: &str, ours: &[f64], theirs: &[f64], report: &mut Report) {
    let count = ours.len();
    let quarter = |at: usize| at * count / 4..(at + 1) * count / 4;
    let mut parts = vec![(format!("{set} accuracy"), 0..count)];
    parts.extend((0..4).map(|at| (format!("{set} accuracy, quarter {}", at + 1), quarter(at))));
    for (name, part) in parts {
        if part.is_empty() {
            continue;
        }
        let (ours, theirs) = (&ours[part.clone()], &theirs[part]);
        let (ours_of, theirs_of) = (Estimate::of(ours), Estimate::of(theirs));
        let size = ours.len() as u64;
        report.push(
            Row::measured(format!("{name}, engine"), ours_of.mean, "share")
                .of_size(size)
                .within(ours_of.low, ours_of.high)
                .beside("nearest case, bm25", theirs_of.mean, Ratio::OursToTheirs)
                .with_goal(Goal::RatioAtLeast(1.0)),
        );
        let name = format!("{name}, nearest case, bm25");
        report.push(
            Row::measured(name, theirs_of.mean, "share")
                .of_size(size)
                .within(theirs_of.low, theirs_of.high),
        );
    }
    let more: Vec<f64> = ours
        .iter()
        .zip(theirs)
        .map(|pair| pair.0 - pair.1)
        .collect();
    let gain = Estimate::of(&more);
    report.push(
        Row::measured(format!("{set} accuracy, engine - bm25"), gain.mean, "share")
            .of_size(count as u64)
            .within(gain.low, gain.high)
            .with_note("paired by case"),
    );
    let last = mean(&ours[quarter(3)]);
    for (name, ours, full) in [
        ("accuracy", mean(ours), FULL_SET[0]),
        ("last quarter", last, FULL_SET[1]),
    ] {
        let name = format!("{set} {name}, beside bm25 on the full set");
        report.push(
            Row::measured(name, ours, "share")
                .of_size(count as u64)
                .beside("published", full, Ratio::OursToTheirs)
                .with_note("the full set is longer, so this stream has less to learn from")
                .with_goal(Goal::RatioAtLeast(1.0)),
        );
    }
}

fn curve(set: &str, ours: &[f64], theirs: &[f64]) -> Curve {
    let title = "Labels predicted right from solved cases";
    let mut curve = Curve::new(
        &format!("stream-{set}"),
        title,
        "cases seen before",
        "accuracy",
    );
    let length = ours.len().div_ceil(POINTS).max(1);
    for (name, right) in [("engine", ours), ("nearest case, bm25", theirs)] {
        for (at, part) in right.chunks(length).enumerate() {
            curve.add(name, (at * length) as f64, mean(part));
        }
    }
    curve
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers with the label that it saw last.
    #[derive(Default)]
    struct Last(Option<String>, Vec<String>);

    impl Predictor for Last {
        fn predict(&mut self, case: &Case) -> Option<String> {
            self.1.push(case.label.clone());
            self.0.clone()
        }

        fn learn(&mut self, cases: &[Case]) -> Result<(), EvalError> {
            self.0 = cases.last().map(|case| case.label.clone());
            Ok(())
        }
    }

    fn case(label: &str) -> Case {
        Case {
            value: "7".into(),
            sentence: "Rent was 7 .".into(),
            label: label.into(),
        }
    }

    #[test]
    fn a_set_is_learned_after_all_of_it_was_asked_and_labels_are_not_shown() {
        let sets = [vec![case("a"), case("a")], vec![case("a"), case("b")]];
        let mut last = Last::default();
        assert_eq!(run(&mut last, &sets).unwrap(), [0.0, 0.0, 1.0, 0.0]);
        assert!(last.1.iter().all(String::is_empty));
    }
}
