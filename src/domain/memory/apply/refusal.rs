//! Why a delta was not applied.
//!
//! Each message names the fault in terms of the delta; surfaces add the remedy.

use crate::memory::delta::OPERATIONS_MAX;
use crate::memory::receipt::Refused;

/// Operations that a message names.
const NAMED_MAX: usize = 20;

/// Why a delta was not applied. The memory is unchanged.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The delta expects another revision.
    #[error("the delta expects revision {expected}, but the memory is at revision {actual}")]
    Revision {
        /// The revision that the delta expects.
        expected: u64,
        /// The revision of the memory.
        actual: u64,
    },
    /// Some operations cannot be applied; lists all of them.
    #[error("{}", list(.0))]
    Operations(Vec<Refused>),
    /// An import would exceed the limit of the memory.
    #[error("the import would leave {active} active bullets, but the memory's limit is {limit}")]
    Overflow {
        /// Active bullets after the import.
        active: u64,
        /// Maximum active bullets.
        limit: u64,
    },
    /// The delta has too many operations: their number.
    #[error("the delta has {0} operations; the limit is {limit}", limit = OPERATIONS_MAX)]
    TooMany(usize),
    /// The memory was created with other word tables, or by an engine with other rules.
    #[error("the memory was created with word tables or rules other than this engine's")]
    Tables,
}

fn list(refused: &[Refused]) -> String {
    let noun = if refused.len() == 1 {
        "operation"
    } else {
        "operations"
    };
    let named = refused.iter().take(NAMED_MAX);
    let named = named.map(|one| format!("operation {}: {}", one.operation, one.reason));
    let named = named.collect::<Vec<_>>().join("; ");
    let mut text = format!("{} {noun} cannot be applied: {named}", refused.len());
    if refused.len() > NAMED_MAX {
        text += &format!("; and {} more", refused.len() - NAMED_MAX);
    }
    text
}
