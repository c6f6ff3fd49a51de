//! Why a proposed lesson was turned away.

use hindlore_primitives::ids::FingerprintId;

/// Lessons that one run may leave.
pub const CANDIDATES_MAX: usize = 6;

/// Why a proposal was turned away.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Rejection {
    /// It names no fingerprint.
    #[error("it names no fingerprint")]
    NoTrigger,
    /// A fingerprint that the run does not hold.
    #[error("the run holds no fingerprint {0}")]
    ForeignTrigger(FingerprintId),
    /// It names no step.
    #[error("it names no step as evidence")]
    NoEvidence,
    /// A step that the run does not hold.
    #[error("the run has no step {0}")]
    ForeignStep(u32),
    /// It contains no action.
    #[error("it names nothing that could be done in another way")]
    Unspecific,
    /// It is a commonplace: this phrase and little else.
    #[error("it adds little to `{0}`")]
    Platitude(String),
    /// An equal rule occurs earlier in the list.
    #[error("the same rule was proposed before it")]
    Repeated,
    /// There are [`CANDIDATES_MAX`] already.
    #[error("a run leaves at most {} lessons", CANDIDATES_MAX)]
    TooMany,
}
