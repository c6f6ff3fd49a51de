//! The literals of a text: code, names, numbers, quotes and symbols.

pub mod code;
pub mod identifiers;
pub mod mentions;
pub mod numbers;
pub mod quotes;
pub mod symbols;
