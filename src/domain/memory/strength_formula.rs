//! The formulas of the strength part of a score, and the tie rule.
//!
//! Each formula is a factor that decays by the access clock, so bullets can be kept in its order.

use mnemograph_topk::{DecayRates, DocId, Prior, Tie};

use super::bullet_kind::MemoryType;
use super::decay::{helpful_ratio, helpfulness};
use super::header::BulletHeader;
use super::policy::{Policy, Profile};

/// How the strength part is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StrengthFormula {
    /// Decayed score / B.
    Decayed,
    /// Share of helpful votes; does not decay.
    HelpfulRatio,
    /// Retention · helpfulness.
    Retained,
}

impl StrengthFormula {
    /// All formulas, in the order of their numbers.
    pub(super) const ALL: [Self; 3] = [Self::Decayed, Self::HelpfulRatio, Self::Retained];

    /// Returns the formula of a profile.
    pub(super) fn for_profile(profile: Profile) -> Self {
        match profile {
            Profile::Original | Profile::ClBench => Self::Decayed,
            Profile::Baseline => Self::HelpfulRatio,
            Profile::Engine => Self::Retained,
        }
    }

    /// Returns how factors decay, by memory type.
    pub(super) fn decay(self, policy: &Policy) -> DecayRates {
        let rate = |at: usize| policy.rates.rate(MemoryType::ALL[at]);
        match self {
            Self::Decayed => DecayRates {
                rates: std::array::from_fn(rate),
                factor_max: f64::MAX,
            },
            Self::HelpfulRatio => DecayRates {
                rates: Default::default(),
                factor_max: 1.0,
            },
            Self::Retained => DecayRates {
                rates: std::array::from_fn(rate),
                factor_max: 1.0,
            },
        }
    }

    /// True for a bullet that is ranked. Seeded advice has places of its own in the engine profile.
    pub(super) fn ranks(self, bullet: &BulletHeader) -> bool {
        bullet.is_active() && !(self == Self::Retained && bullet.is_seed())
    }

    /// Returns what the strength part of a bullet is made of.
    pub(super) fn prior(self, bullet: &BulletHeader, doc: DocId, is_classic: bool) -> Prior {
        Prior {
            class: bullet.memory_type as u8,
            factor: self.factor(bullet),
            accessed: bullet.access_index,
            tie: tie(bullet, doc, is_classic),
        }
    }

    /// Returns what decays; 0 for a bullet without strength.
    fn factor(self, bullet: &BulletHeader) -> f64 {
        match self {
            Self::Decayed => bullet.strength.max(0.0),
            Self::HelpfulRatio => helpful_ratio(bullet.counts),
            Self::Retained if bullet.strength <= 0.0 => 0.0,
            Self::Retained => helpfulness(bullet.counts),
        }
    }
}

/// Returns what decides between equal scores, the larger first: balance of votes, then newer; in classic
/// mode insertion order.
pub(super) fn tie(bullet: &BulletHeader, doc: DocId, is_classic: bool) -> Tie {
    if is_classic {
        return (0, 0, u64::from(DocId::MAX - doc));
    }
    let balance = bullet.counts.balance();
    (balance, bullet.created_tick, bullet.position)
}
