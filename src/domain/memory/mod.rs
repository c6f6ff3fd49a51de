//! The memory of one (tenant, learner, scope): bullets, clock, revision, policy, and every rule that changes
//! them.
//!
//! A memory changes by deltas and by touches only, each a function of the memory and its arguments, so that a
//! replay of the history leads to the same digest on every machine.

mod add;
pub mod aggregate;
mod analyzed_text;
mod application;
pub mod apply;
pub mod bullet;
mod bullet_arena;
pub mod bullet_kind;
pub mod classify;
pub mod consolidation;
pub mod content;
mod count_change;
mod counts;
pub mod decay;
pub mod delta;
pub mod digest;
pub mod draft;
mod edit;
mod facet_index;
mod fields;
mod hash_index;
mod header;
mod index;
pub mod key;
pub mod link;
mod merkle_tree;
mod near;
mod nearby;
mod operation;
mod opposites;
mod packed;
pub mod policy;
mod precedence;
mod prune;
pub mod query;
pub mod rank;
pub mod ranking;
pub mod receipt;
pub mod record;
mod refine;
mod refusal;
mod rehash;
mod relevance;
mod restore;
mod score;
mod search;
mod search_indexes;
pub mod seed;
mod separation;
mod statements;
mod strength_formula;
mod string_interner;
mod tables;
pub mod touch;
pub mod undo;
