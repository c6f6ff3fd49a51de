//! The formulas of the strength part that have an order of their own, and how equals are told apart.

use super::decay::{helpful_ratio, helpfulness};
use super::header::BulletHeader;
use super::policy::Profile;

/// Which formula the strength part has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    /// Decayed score / B.
    Decayed,
    /// Share of helpful votes; does not decay.
    Ratio,
    /// Retention · helpfulness.
    Retained,
}

impl Family {
    /// All families, in the order of their numbers.
    pub(super) const ALL: [Self; 3] = [Self::Decayed, Self::Ratio, Self::Retained];

    /// The family of a profile.
    pub(super) fn of(profile: Profile) -> Self {
        match profile {
            Profile::Original | Profile::ClBench => Self::Decayed,
            Profile::Baseline => Self::Ratio,
            Profile::Engine => Self::Retained,
        }
    }

    /// The most that the strength part can be before it is divided by its unit.
    pub(super) fn most(self) -> f64 {
        match self {
            Self::Decayed => f64::MAX,
            Self::Ratio | Self::Retained => 1.0,
        }
    }

    /// What decays; 0 for a bullet without strength.
    pub(super) fn factor(self, bullet: &BulletHeader) -> f64 {
        match self {
            Self::Decayed => bullet.strength.max(0.0),
            Self::Ratio => helpful_ratio(bullet.counts),
            Self::Retained if bullet.strength <= 0.0 => 0.0,
            Self::Retained => helpfulness(bullet.counts),
        }
    }
}

/// What tells bullets of equal score apart, the larger first: balance of votes, then newer; in classic
/// mode insertion order.
pub(super) fn tie_rank(bullet: &BulletHeader, slot: u32, classic: bool) -> (i64, u64, u64) {
    if classic {
        (0, 0, u64::from(u32::MAX - slot))
    } else {
        (
            bullet.counts.balance(),
            bullet.created_tick,
            bullet.position,
        )
    }
}
