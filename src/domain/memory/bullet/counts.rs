//! The votes on a bullet: how often it helped, harmed or made no difference.

use serde::{Deserialize, Serialize};

/// The greatest count, 2^53: every count up to it is exact in JSON and in 64-bit floats.
pub const COUNT_MAX: u64 = 1 << 53;

/// Votes, each in 0..=[`COUNT_MAX`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Times it helped.
    #[serde(default)]
    pub helpful: u64,
    /// Times it did harm.
    #[serde(default)]
    pub harmful: u64,
    /// Times it made no difference.
    #[serde(default)]
    pub neutral: u64,
}

impl Counts {
    /// Adds counts, each clamped to [`COUNT_MAX`].
    pub fn plus(self, other: Self) -> Self {
        let add = |a: u64, b: u64| a.saturating_add(b).min(COUNT_MAX);
        Self {
            helpful: add(self.helpful, other.helpful),
            harmful: add(self.harmful, other.harmful),
            neutral: add(self.neutral, other.neutral),
        }
    }

    /// Returns the larger of each count.
    pub fn larger(self, other: Self) -> Self {
        Self {
            helpful: self.helpful.max(other.helpful),
            harmful: self.harmful.max(other.harmful),
            neutral: self.neutral.max(other.neutral),
        }
    }

    /// Returns helpful − harmful.
    pub fn balance(self) -> i64 {
        let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        signed(self.helpful) - signed(self.harmful)
    }
}
