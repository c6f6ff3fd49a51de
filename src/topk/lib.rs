//! Exact top-k and near-duplicate search over short texts that change, in process.
//!
//! The caller owns the texts, numbers them densely ([`DocId`]) and computes every score ([`Scorer`]). The crate holds
//! upper bounds only, which may be loose but never too low; so an answer equals that of a scan over all documents to
//! the last bit, ties included. The README of this crate explains the method in a page.
//!
//! - [`InvertedIndex`]: documents by term, as [`DocSet`]s, with bounds of each term's impact.
//! - [`PriorOrder`]: documents by the static part of their score, which decays with a clock.
//! - [`search()`]: the top k by relevance, prior and bonuses.
//! - [`SimilarityIndex`]: near duplicates by Jaccard similarity.
//!
//! # Example
//!
//! ```
//! use hindlore_topk::{Bound, SimilarityIndex};
//!
//! let terms = |text: &str| {
//!     let terms: std::collections::BTreeSet<String> = text.split(' ').map(str::to_owned).collect();
//!     Vec::from_iter(terms)
//! };
//! let mut index = SimilarityIndex::new();
//! index.insert(0, &terms("retry a 429 with jitter"));
//! index.insert(1, &terms("close the valve"));
//!
//! let near = index.find(&terms("retry a 429 with backoff"), Bound::AtLeast(0.5));
//! assert_eq!(near.iter().map(|one| one.doc).collect::<Vec<_>>(), [0]);
//! ```

mod doc_set;
mod image;
mod inverted_index;
mod jaccard;
mod label_index;
mod prior_order;
mod search;
mod similarity_index;
mod term_interner;
mod text_query;
mod top_k;

pub use doc_set::DocSet;
pub use image::{ImageReader, ImageWriter};
pub use inverted_index::{Analyzer, InvertedIndex, Text};
pub use jaccard::{jaccard, jaccard_of};
pub use label_index::LabelIndex;
pub use prior_order::{CLASSES, DecayRates, Prior, PriorOrder, Tie, Weights};
pub use search::{Bonus, Scorer, SearchRequest, search};
pub use similarity_index::{Bound, Key, KeysOfTerm, Near, Prepared, Similar, SimilarityIndex};
pub use text_query::{Need, QueryWord, Question, Sentence, Telling, TextQuery, TextScore};
pub use top_k::{NearMisses, Outcome, Scored, TopK};

/// The number of a document, given by the caller. Vectors grow with the highest number, so keep them dense.
pub type DocId = u32;
