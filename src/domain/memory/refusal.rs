//! Why a delta was not applied.

use std::fmt;

use super::delta::OPERATIONS_MAX;
use super::receipt::Refused;

/// Why a delta was not applied; the memory is as it was.
#[derive(Clone, PartialEq, Debug)]
pub enum Refusal {
    /// The delta was meant for another revision.
    Revision {
        /// The one that it named.
        expected: u64,
        /// The one that the memory has.
        actual: u64,
    },
    /// Operations that cannot be applied, all of them.
    Operations(Vec<Refused>),
    /// An import that does not fit.
    Overflow {
        /// Active bullets that there would be.
        active: u64,
        /// The limit.
        limit: u64,
    },
    /// More operations than a delta may hold.
    TooMany(usize),
    /// The memory was made with other word tables.
    Tables,
    /// The memory was decided by older rules and has to be brought to those of today first.
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
                    "the memory was made with other word tables than this engine has"
                )
            }
        }
    }
}
