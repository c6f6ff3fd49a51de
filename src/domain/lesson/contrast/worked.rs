//! What worked in a run is evidence against every rule that calls it wrong.

use super::{TraceStep, text_of};
use crate::domain::lesson::pattern::Reading;

/// What worked in a run: no rule may call it wrong.
pub(super) struct Worked(Vec<Reading>);

impl Worked {
    pub(super) fn of(trace: &[TraceStep]) -> Self {
        let worked = trace.iter().filter(|step| step.failure.is_none());
        let mut texts: Vec<String> = Vec::new();
        for text in worked.map(text_of) {
            // Of an action of several lines each may be what a rule is about.
            if text.lines().nth(1).is_some() {
                texts.extend(text.lines().map(|line| line.trim().to_owned()));
            }
            texts.push(text);
        }
        texts.sort_unstable();
        texts.dedup();
        Self(texts.iter().map(|text| Reading::of(text)).collect())
    }

    pub(super) fn refutes(&self, wrong: &Reading) -> bool {
        self.0.iter().any(|action| wrong.fits(action))
    }
}
