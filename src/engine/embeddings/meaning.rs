//! Whether the meaning of texts counted in an answer.

use std::fmt;

/// How an answer was ranked, where a model is configured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// By words and by meaning.
    Counted,
    /// By words alone, and why.
    ByWords(String),
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counted => f.write_str("by meaning"),
            Self::ByWords(why) => write!(f, "by words: {why}"),
        }
    }
}
