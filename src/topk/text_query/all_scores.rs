//! The scores of all documents for a query of many terms, need by need instead of document by document.
//!
//! Each sum adds the same values in the same order as the score of one document does, so it rounds alike.

use super::bm25::{length_norm, saturated};
use super::{Formula, Node, Part, TextQuery};
use crate::{DocId, DocSet, jaccard_of};

/// Scores of all documents.
#[derive(Debug)]
pub(crate) struct AllScores {
    /// By document.
    scores: Vec<f64>,
    /// The documents with any term.
    pub(crate) matched: Vec<DocId>,
}

/// The sums of one part, by document.
struct Sums {
    sums: Vec<f64>,
    touched: Vec<DocId>,
}

impl AllScores {
    /// Returns the score of a document.
    pub(crate) fn score(&self, doc: DocId) -> f64 {
        self.scores.get(doc as usize).copied().unwrap_or_default()
    }
}

impl Sums {
    fn add(&mut self, doc: DocId, value: f64, is_helper: bool) {
        let sum = &mut self.sums[doc as usize];
        if *sum <= 0.0 && value > 0.0 {
            if is_helper {
                return;
            }
            self.touched.push(doc);
        }
        *sum += value;
    }
}

impl TextQuery<'_> {
    pub(super) fn score_all(&self) -> AllScores {
        let mut found = DocSet::default();
        let mut scores = vec![0.0; self.doc_end()];
        match &self.formula {
            Formula::Jaccard { query } => {
                let mut shared = vec![0_usize; self.doc_end()];
                for docs in self.lists() {
                    docs.for_each(|doc| {
                        shared[doc as usize] += 1;
                        found.insert(doc);
                    });
                }
                found.for_each(|doc| {
                    let at = doc as usize;
                    scores[at] = jaccard_of(shared[at], *query, self.length(doc) as usize);
                });
            }
            Formula::Bm25 { parts, mean } => {
                let sums = vec![0.0; self.doc_end()];
                let touched = Vec::new();
                let mut sums = Sums { sums, touched };
                for part in parts {
                    self.sum_part(part, *mean, &mut sums);
                    for doc in sums.touched.drain(..) {
                        let sum = std::mem::take(&mut sums.sums[doc as usize]);
                        let score = &mut scores[doc as usize];
                        *score = f64::max(*score, sum / part.ideal);
                        found.insert(doc);
                    }
                }
                for doc in self.postings.long() {
                    let has = |term: usize| self.terms[term].list.docs().contains(doc);
                    if found.contains(doc) {
                        scores[doc as usize] = self.bm25_score(doc, parts, *mean, &has);
                    }
                }
            }
        }
        let matched = found.to_vec();
        AllScores { scores, matched }
    }

    /// Adds the needs of a part up, as if every document were one passage.
    fn sum_part(&self, part: &Part, mean: f64, sums: &mut Sums) {
        let nodes = part.nodes.iter().map(|node| (node, false));
        let helpers = part.helpers.iter().map(|node| (node, true));
        for (node, is_helper) in nodes.chain(helpers) {
            let score = |term: usize, doc: DocId| {
                let list = self.terms[term].list;
                let norm = length_norm(self.postings.length(doc), mean);
                saturated(list.occurrences(doc), norm)
            };
            match node {
                Node::Any { terms, weight } if terms.len() == 1 => {
                    let docs = self.terms[terms[0]].list.docs();
                    docs.for_each(|doc| sums.add(doc, weight * score(terms[0], doc), is_helper));
                }
                node => self.union(node).for_each(|doc| {
                    let of_term = |term: usize| {
                        let has = self.terms[term].list.docs().contains(doc);
                        if has { score(term, doc) } else { 0.0 }
                    };
                    sums.add(doc, node.value(&of_term), is_helper);
                }),
            }
        }
    }

    /// Returns the documents with any term of a node.
    fn union(&self, node: &Node) -> DocSet {
        let mut union = DocSet::default();
        node.for_each_term(&mut |term, _| {
            let docs = self.terms[term].list.docs();
            docs.for_each(|doc| {
                union.insert(doc);
            });
        });
        union
    }
}
