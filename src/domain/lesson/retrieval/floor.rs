//! The floor on an error: a lesson is offered when it is about this error, and silence is a valid answer.
//!
//! A hint that does not fit costs the reader's trust in the next one. Reliability, recency and common tags rank lessons
//! and admit none: a lesson is about an error when a fingerprint of the error triggers it, or when it was learned with
//! the same tool from an error with nearly the same message.

use crate::lesson::lesson::{Lesson, Place};
use hindlore_errors::fingerprint::{Evidence, Fingerprinter, pieces};
use hindlore_text::similarity::jaccard;
use serde_json::Value;

/// Returns true if a lesson was learned with the tool that failed. A tool that is named on one side only is no
/// agreement.
pub(crate) fn is_same_tool(asked: &Place, lesson: &Place) -> bool {
    asked.tool == lesson.tool
}

/// The similarity of two errors, 0..=1: the common pieces of their normalised texts over all.
///
/// `asked` holds the pieces of the error. The lesson's error is `sibling`, the text of the fingerprint that led to it,
/// or the quotation of the rule after its dash.
pub(crate) fn error_similarity(asked: &[String], lesson: &Lesson, sibling: Option<&str>) -> f64 {
    let by_sibling = sibling.map_or(0.0, |text| jaccard(asked, &pieces(text)));
    let by_message = lesson.rule.message().map_or(0.0, |message| {
        let evidence = Evidence {
            error: Value::from(message),
            ..Evidence::default()
        };
        jaccard(asked, &Fingerprinter::default().of(&evidence).fine.pieces())
    });
    by_sibling.max(by_message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::lesson_policy::RetrievalNumbers;

    const PAIRS: &str = include_str!("floor_pairs.tsv");

    struct Pair {
        fits: bool,
        similarity: f64,
        is_exact: bool,
    }

    fn pairs() -> Vec<Pair> {
        let print = |error: &str, tool: &str| {
            Fingerprinter::default().of(&Evidence {
                error: Value::from(error),
                action: Value::from(tool),
                ..Evidence::default()
            })
        };
        let rows = PAIRS.lines().filter(|line| !line.starts_with('#'));
        rows.map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [label, tool, first, second] = fields[..] else {
                panic!("{line}")
            };
            let (first, second) = (print(first, tool), print(second, tool));
            Pair {
                fits: label == "yes",
                similarity: jaccard(&first.fine.pieces(), &second.fine.pieces()),
                is_exact: first.coarse.id == second.coarse.id,
            }
        })
        .collect()
    }

    /// Precision and recall of "offered" at a threshold; exact hits are offered at any.
    fn measured(pairs: &[Pair], at_least: f64) -> (f64, f64) {
        let offered = |pair: &&Pair| pair.is_exact || pair.similarity >= at_least;
        let right = pairs
            .iter()
            .filter(offered)
            .filter(|pair| pair.fits)
            .count() as f64;
        let all = pairs.iter().filter(offered).count().max(1) as f64;
        let fitting = pairs.iter().filter(|pair| pair.fits).count() as f64;
        (right / all, right / fitting)
    }

    #[test]
    fn the_floor_keeps_foreign_errors_of_the_same_tool_out() {
        let pairs = pairs();
        for step in 1..20 {
            let at = f64::from(step) / 20.0;
            let (precision, recall) = measured(&pairs, at);
            println!("{at:.2}: precision {precision:.2}, recall {recall:.2}");
        }
        let floor = RetrievalNumbers::default().error_similarity_min;
        let (precision, recall) = measured(&pairs, floor);
        assert!(precision >= 0.95 && recall >= 0.7, "{precision} {recall}");
        // Without the floor nearly half of the offered lessons are junk; a higher one loses help for nothing.
        let (without, _) = measured(&pairs, 0.0);
        assert!(without < 0.5, "{without}");
        let (_, higher) = measured(&pairs, floor + 0.2);
        assert!(higher < recall, "{higher}");
    }
}
