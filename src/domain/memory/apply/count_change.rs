//! Changes of a bullet's counts, within the range that counts never leave.
//!
//! Histories store changes rather than counts, so that an undo takes back its own votes and no others.

use serde::{Deserialize, Serialize};

use crate::memory::bullet::{COUNT_MAX, Counts};

/// A change of counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(missing_docs, reason = "the fields are those of Counts")]
pub struct CountChange {
    pub helpful: i64,
    pub harmful: i64,
    pub neutral: i64,
}

impl CountChange {
    /// Returns the change from `before` to `after`.
    pub fn between(before: Counts, after: Counts) -> Self {
        let step = |b: u64, a: u64| {
            let signed = |v: u64| i64::try_from(v).unwrap_or(i64::MAX);
            signed(a) - signed(b)
        };
        Self {
            helpful: step(before.helpful, after.helpful),
            harmful: step(before.harmful, after.harmful),
            neutral: step(before.neutral, after.neutral),
        }
    }

    /// Returns the change that adds counts.
    pub fn from_counts(counts: Counts) -> Self {
        Self::between(Counts::default(), counts)
    }

    /// Returns the sum of two changes, clamped to the range of `i64`.
    pub fn and(self, other: Self) -> Self {
        Self {
            helpful: self.helpful.saturating_add(other.helpful),
            harmful: self.harmful.saturating_add(other.harmful),
            neutral: self.neutral.saturating_add(other.neutral),
        }
    }

    /// Returns the opposite change.
    pub fn negated(self) -> Self {
        Self {
            helpful: -self.helpful,
            harmful: -self.harmful,
            neutral: -self.neutral,
        }
    }

    /// Returns true if nothing changes.
    pub fn is_zero(self) -> bool {
        self == Self::default()
    }

    /// Applies the change; `Err` names the first count that would leave 0..=[`COUNT_MAX`].
    pub fn apply(self, counts: Counts) -> Result<Counts, String> {
        let step = |name: &str, count: u64, change: i64| {
            // Neither operand fits into the other's type.
            let sum = i128::from(count) + i128::from(change);
            u64::try_from(sum)
                .ok()
                .filter(|sum| *sum <= COUNT_MAX)
                .ok_or_else(|| format!("the {name} count would become {sum}"))
        };
        Ok(Counts {
            helpful: step("helpful", counts.helpful, self.helpful)?,
            harmful: step("harmful", counts.harmful, self.harmful)?,
            neutral: step("neutral", counts.neutral, self.neutral)?,
        })
    }

    /// Applies the change and clamps each count to its range.
    pub fn apply_clamped(self, counts: Counts) -> Counts {
        let step = |count: u64, change: i64| count.saturating_add_signed(change).min(COUNT_MAX);
        Counts {
            helpful: step(counts.helpful, self.helpful),
            harmful: step(counts.harmful, self.harmful),
            neutral: step(counts.neutral, self.neutral),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_never_leaves_its_range() {
        let counts = Counts {
            helpful: 1,
            ..Counts::default()
        };
        let change = CountChange {
            helpful: -9,
            ..CountChange::default()
        };
        assert_eq!(
            change.apply(counts).unwrap_err(),
            "the helpful count would become -8"
        );
        assert_eq!(change.apply_clamped(counts).helpful, 0);
    }
}
