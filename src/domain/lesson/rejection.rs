//! Why a proposed lesson was turned away.

use std::fmt;

use super::ids::FingerprintId;

/// Lessons that one run may leave.
pub const CANDIDATES_MAX: usize = 6;

/// Why a proposal was turned away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// It names no fingerprint.
    NoTrigger,
    /// A fingerprint that the run does not hold.
    ForeignTrigger(FingerprintId),
    /// It names no step.
    NoEvidence,
    /// A step that the run does not hold.
    ForeignStep(u32),
    /// It says nothing that could be done.
    Unspecific,
    /// It is a commonplace: this phrase and little else.
    Platitude(String),
    /// The same rule stands earlier in the list.
    Repeated,
    /// There are [`CANDIDATES_MAX`] already.
    TooMany,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTrigger => f.write_str("it names no fingerprint"),
            Self::ForeignTrigger(id) => write!(f, "the run holds no fingerprint {id}"),
            Self::NoEvidence => f.write_str("it names no step as evidence"),
            Self::ForeignStep(step) => write!(f, "the run has no step {step}"),
            Self::Unspecific => f.write_str("it names nothing that could be done in another way"),
            Self::Platitude(phrase) => write!(f, "it says little more than `{phrase}`"),
            Self::Repeated => f.write_str("the same rule was proposed before it"),
            Self::TooMany => write!(f, "a run leaves at most {CANDIDATES_MAX} lessons"),
        }
    }
}
