//! Why a delta was not applied.
//!
//! Each message says what is wrong in terms of the delta; surfaces add what to do about it.

use std::fmt;

use super::delta::OPERATIONS_MAX;
use super::receipt::Refused;

/// Why a delta was not applied. The memory is unchanged.
#[derive(Clone, PartialEq, Debug)]
pub enum Refusal {
    /// The delta expects another revision.
    Revision {
        /// The revision that the delta expects.
        expected: u64,
        /// The revision of the memory.
        actual: u64,
    },
    /// Some operations cannot be applied; lists all of them.
    Operations(Vec<Refused>),
    /// An import would exceed the limit of the memory.
    Overflow {
        /// Active bullets after the import.
        active: u64,
        /// Maximum active bullets.
        limit: u64,
    },
    /// The delta has too many operations: their number.
    TooMany(usize),
    /// The memory was created with other word tables.
    Tables,
    /// The memory follows older rules and must be upgraded first.
    OlderRules,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Revision { expected, actual } => {
                write!(
                    f,
                    "the delta expects revision {expected}, but the memory is at revision {actual}"
                )
            }
            Self::Operations(refused) => {
                let noun = if refused.len() == 1 {
                    "operation"
                } else {
                    "operations"
                };
                write!(f, "{} {noun} cannot be applied", refused.len())?;
                for (at, one) in refused.iter().take(20).enumerate() {
                    let mark = if at == 0 { ":" } else { ";" };
                    write!(f, "{mark} operation {}: {}", one.operation, one.reason)?;
                }
                if refused.len() > 20 {
                    write!(f, "; and {} more", refused.len() - 20)?;
                }
                Ok(())
            }
            Self::Overflow { active, limit } => write!(
                f,
                "the import would leave {active} active bullets, but the memory's limit is {limit}"
            ),
            Self::TooMany(count) => {
                write!(
                    f,
                    "the delta has {count} operations; the limit is {OPERATIONS_MAX}"
                )
            }
            Self::OlderRules => write!(
                f,
                "the memory follows older rules of identity and merging, with word tables of its own"
            ),
            Self::Tables => {
                write!(
                    f,
                    "the memory was created with word tables other than this engine's"
                )
            }
        }
    }
}
