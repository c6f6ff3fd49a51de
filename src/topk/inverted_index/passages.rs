//! Passages: the parts of a long text, each as long as the texts that the ranking was made for.
//!
//! A text of one and a half passages or more is cut into parts of equal length, so that no short rest is left that
//! would rank by its shortness. The title goes with each.

use crate::term_interner::TermId;
use crate::{Analyzer, Text};

/// A passage of a long document.
#[derive(Debug)]
pub(crate) struct Passage {
    /// Number of terms, with repeats if these count.
    pub(crate) length: u32,
    /// Each term once, ascending, with the number of its occurrences.
    pub(super) terms: Box<[(TermId, u32)]>,
}

/// The terms of a text, before they are counted; reused from text to text.
#[derive(Default, Debug)]
pub(super) struct Passages {
    title: Vec<TermId>,
    body: Vec<TermId>,
    /// Where the terms of each token of the body end.
    ends: Vec<usize>,
    /// Tokens of the body that make a passage.
    size: Option<usize>,
    counts_repeats: bool,
}

impl Passage {
    /// Returns how often a term occurs; 0 if it does not.
    #[inline]
    pub(crate) fn occurrences(&self, term: TermId) -> u32 {
        let at = self.terms.binary_search_by_key(&term, |pair| pair.0);
        at.map_or(0, |at| self.terms[at].1)
    }

    fn count(mut terms: Vec<TermId>, counts_repeats: bool) -> Self {
        terms.sort_unstable();
        if !counts_repeats {
            terms.dedup();
        }
        let number = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let runs = terms.chunk_by(|a, b| a == b);
        Self {
            length: number(terms.len()),
            terms: runs.map(|run| (run[0], number(run.len()))).collect(),
        }
    }
}

impl Passages {
    pub(super) fn clear(&mut self) {
        self.title.clear();
        self.body.clear();
        self.ends.clear();
    }

    /// Counts the terms of each passage; there is always one.
    pub(super) fn counted(&self) -> Vec<Passage> {
        let count = |body: &[TermId]| {
            let terms = [self.title.as_slice(), body].concat();
            Passage::count(terms, self.counts_repeats)
        };
        let tokens = self.ends.len();
        // Rounded to the nearest number of passages.
        let passages = self
            .size
            .map_or(1, |size| (tokens + size / 2) / size.max(1));
        if passages < 2 {
            return vec![count(&self.body)];
        }
        let mut start = 0;
        let ends = self.ends.chunks(tokens.div_ceil(passages));
        let ends = ends.filter_map(|chunk| chunk.last().copied());
        ends.map(|end| count(&self.body[std::mem::replace(&mut start, end)..end]))
            .collect()
    }
}

/// Collects the terms of a text; `push` appends those of a token.
pub(super) fn cut<A: Analyzer>(
    analyzer: &A,
    text: Text<'_>,
    passages: &mut Passages,
    mut push: impl FnMut(&str, &mut Vec<TermId>),
) {
    passages.size = analyzer.passage_tokens();
    passages.counts_repeats = analyzer.counts_repeats();
    if !text.title.is_empty() {
        analyzer.for_each_token(text.title, |token| push(token, &mut passages.title));
    }
    let (body, ends) = (&mut passages.body, &mut passages.ends);
    analyzer.for_each_token(text.body, |token| {
        push(token, body);
        ends.push(body.len());
    });
}
