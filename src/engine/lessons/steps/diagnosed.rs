//! The diagnostics of one output: the log of a failed build reports many faults, and each is an error of its own, with
//! a fingerprint that it shares with other builds.
//!
//! Repeated diagnostics of an output are one error with a note of the count. More than [`DIAGNOSTICS_MAX`] are counted
//! and left out: the next build reports them again.

use serde_json::Value;

use hindlore_domain::lesson::event::StepReport;
use hindlore_errors::fingerprint::{Fingerprinter, diagnostics};
use hindlore_primitives::ids::FingerprintId;

/// Diagnostics of one output that become errors.
pub(crate) const DIAGNOSTICS_MAX: usize = 20;

/// A report about one diagnostic, with its notes.
pub(super) struct Diagnosed {
    pub(super) report: StepReport,
    pub(super) notes: Vec<String>,
}

/// Splits a report by the diagnostics of its error; a report with one or none stays whole.
pub(super) fn diagnosed(report: StepReport) -> Vec<Diagnosed> {
    let texts = match &report.evidence.error {
        Value::String(text) => diagnostics(text),
        _ => Vec::new(),
    };
    if texts.is_empty() {
        let notes = Vec::new();
        return vec![Diagnosed { report, notes }];
    }
    let (kinds, left_out) = kinds_of(&report, texts);
    // Not empty: the first diagnostic always becomes a kind.
    let last = kinds.len() - 1;
    let said = |(at, (_, text, times)): (usize, (FingerprintId, String, usize))| {
        let mut notes = Vec::new();
        if times > 1 {
            notes.push(format!("the output says this {times} times"));
        }
        if at == last && left_out > 0 {
            notes.push(format!(
                "the output has {left_out} more diagnostics, which were left out"
            ));
        }
        let mut part = report.clone();
        part.evidence.error = Value::from(text);
        Diagnosed {
            report: part,
            notes,
        }
    };
    kinds.into_iter().enumerate().map(said).collect()
}

/// A kind of diagnostic: its fingerprint, the text of the first of it, and how often it came.
type Kind = (FingerprintId, String, usize);

/// The kinds of some diagnostics, in the order in which they came, and how many diagnostics are of none of them.
fn kinds_of(report: &StepReport, texts: Vec<String>) -> (Vec<Kind>, usize) {
    let mut fingerprinter = Fingerprinter::default();
    let mut kinds: Vec<Kind> = Vec::new();
    let mut left_out = 0;
    for text in texts {
        let mut evidence = report.evidence.clone();
        evidence.error = Value::from(text.as_str());
        let fine = fingerprinter.of(&evidence).fine.id;
        let known = kinds.iter_mut().find(|(known, ..)| *known == fine);
        if let Some((_, _, times)) = known {
            *times += 1;
        } else if kinds.len() < DIAGNOSTICS_MAX {
            kinds.push((fine, text, 1));
        } else {
            left_out += 1;
        }
    }
    (kinds, left_out)
}
