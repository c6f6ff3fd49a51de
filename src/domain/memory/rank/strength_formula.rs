//! The formulas of the strength part of a score, and the tie rule.
//!
//! Each formula is a factor that decays with the access clock, so bullets can be kept in its order while
//! time passes.

use hindlore_topk::{DecayRates, DocId, Prior, Tie};

use crate::memory::bullet::bullet_kind::MemoryType;
use crate::memory::bullet::header::BulletHeader;
use crate::memory::decay::{helpful_ratio, helpfulness};
use crate::memory::policy::{Policy, Profile};

/// A formula of the strength part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StrengthFormula {
    /// Decayed score / B, 0 or more.
    Decayed,
    /// Share of helpful votes, 0..=1; does not decay.
    HelpfulRatio,
    /// Retention · helpfulness, 0..=1.
    Retained,
}

impl StrengthFormula {
    /// All formulas, in the order of their discriminants.
    pub(crate) const ALL: [Self; 3] = [Self::Decayed, Self::HelpfulRatio, Self::Retained];

    /// Returns the formula of a profile.
    pub(crate) fn for_profile(profile: Profile) -> Self {
        match profile {
            Profile::Original | Profile::ClBench => Self::Decayed,
            Profile::Baseline => Self::HelpfulRatio,
            Profile::Engine => Self::Retained,
        }
    }

    /// Returns the decay rates of factors, by memory type.
    pub(crate) fn decay(self, policy: &Policy) -> DecayRates {
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

    /// Returns true if a bullet is ranked. The engine profile lists seed bullets apart.
    pub(crate) fn ranks(self, bullet: &BulletHeader) -> bool {
        bullet.is_active() && !(self == Self::Retained && bullet.is_seed())
    }

    /// Returns the prior of a bullet: its strength part before weighting, and its tie rule.
    pub(crate) fn prior(self, bullet: &BulletHeader, doc: DocId, is_classic: bool) -> Prior {
        Prior {
            class: bullet.memory_type as u8,
            factor: self.factor(bullet),
            accessed: bullet.access_index,
            tie: tie(bullet, doc, is_classic),
        }
    }

    /// Returns the part of the strength that decays; 0 for a bullet without strength.
    fn factor(self, bullet: &BulletHeader) -> f64 {
        match self {
            Self::Decayed => bullet.strength.max(0.0),
            Self::HelpfulRatio => helpful_ratio(bullet.counts),
            Self::Retained if bullet.strength <= 0.0 => 0.0,
            Self::Retained => helpfulness(bullet.counts),
        }
    }
}

/// Returns the rule for equal scores, the larger first: balance of votes, then the newer; in classic mode the
/// earlier in insertion order.
pub(crate) fn tie(bullet: &BulletHeader, doc: DocId, is_classic: bool) -> Tie {
    if is_classic {
        return (0, 0, u64::from(DocId::MAX - doc));
    }
    let balance = bullet.counts.balance();
    (balance, bullet.created_tick, bullet.position)
}
