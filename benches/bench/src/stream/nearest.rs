//! The plain way: the label of the nearest solved case, by BM25 over the words of the sentence and the value.

use super::Predictor;
use super::case::Case;
use crate::error::EvalError;
use crate::retrieval::Bm25;

/// Solved cases in the order of learning.
#[derive(Default)]
pub(super) struct Nearest {
    index: Bm25,
    labels: Vec<String>,
}

impl Predictor for Nearest {
    fn predict(&mut self, case: &Case) -> Option<String> {
        let ranking = self.index.ranking(&words(case));
        let nearest = ranking.first()?.first()?;
        self.labels.get(*nearest).cloned()
    }

    fn learn(&mut self, cases: &[Case]) -> Result<(), EvalError> {
        for case in cases {
            self.index.add(&words(case));
            self.labels.push(case.label.clone());
        }
        Ok(())
    }
}

fn words(case: &Case) -> String {
    format!("{} {}", case.value, case.sentence)
}
