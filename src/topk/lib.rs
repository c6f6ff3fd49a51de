//! Exact top-k search and near duplicates over texts that change, in process.
//!
//! The crate knows documents: numbers with terms, a prior that decays, and what a score needs. It knows
//! nothing of what a document is about, who may see it, or how it is stored; the caller owns the texts.
//!
//! # What it is made of
//!
//! - [`InvertedIndex`]: the documents of each term in a compressed [`DocSet`] (the layout of Roaring
//!   bitmaps: Chambi, Lemire, Kaser and Godin 2016), with bounds of the term's impact.
//! - [`PriorOrder`]: documents by the static part of their score. A prior decays with a clock; within a
//!   class all priors shrink by the same factor, so time never moves a document.
//! - [`search`]: the exact top k of relevance, prior and bonuses. Impact upper bounds (MaxScore: Turtle
//!   and Flood 1995) are summed in bytes, 65,536 documents at a time; a document is scored only if its
//!   sum reaches the threshold. Documents without any term follow by prior (threshold algorithm: Fagin,
//!   Lotem and Naor 2001).
//! - [`SimilarityIndex`]: all near duplicates of a text by Jaccard similarity, by the prefix filter
//!   (Chaudhuri, Ganti and Kaushik 2006) and the positional filter (Xiao, Wang, Lin and Yu 2008).
//!
//! # Its face
//!
//! `insert` and `remove` keep each index in step with the texts; to touch a document is to remove it from
//! the order of priors and insert it again. [`search`] and the `find` methods of the similarity index ask;
//! `len` says how much is indexed.
//!
//! # Why answers are exact
//!
//! The caller's [`Scorer`] computes every score that an answer shows. The indexes hold upper bounds only:
//! they may be too generous after a removal, never too strict, and each leaves room for rounding. So an
//! answer equals that of a scan over all documents to the last bit, ties included; the tests compare the
//! two over random collections.
//!
//! # What it costs
//!
//! About two bytes a posting, five to eleven bytes a document for each order of priors, and twelve for
//! near duplicates. Documents are numbered densely by the caller; vectors grow with the highest number.

mod doc_set;
mod inverted_index;
mod jaccard;
mod prior_order;
mod search;
mod similarity_index;
mod term_interner;
mod text_query;
mod top_k;

pub use doc_set::DocSet;
pub use inverted_index::{Analyzer, InvertedIndex};
pub use jaccard::{jaccard, jaccard_of};
pub use prior_order::{CLASSES, DecayRates, Prior, PriorOrder, Tie, Weights};
pub use search::{Bonus, Scorer, SearchRequest, search};
pub use similarity_index::{Bound, Key, KeysOfTerm, Near, Prepared, Similar, SimilarityIndex};
pub use text_query::{QueryWord, Similarity, TextQuery, TextScore};
pub use top_k::{NearMisses, Outcome, Scored, TopK};

/// The number of a document, given by the caller.
pub type DocId = u32;
