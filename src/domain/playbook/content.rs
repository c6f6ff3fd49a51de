//! The header of a playbook: name, scope, visibility, and the digest of its content.

use sha2::{Digest, Sha256};

use super::strategy::Strategy;
use hindlore_primitives::identity::{KeyError, derived_hash, hex, length_prefixed, parse_name};
use hindlore_primitives::word_enum;

/// Strategies of one playbook.
pub const STRATEGIES_MAX: usize = 500;
/// The default name of a playbook.
pub const DEFAULT_NAME: &str = "default";
/// Bytes of a playbook id's hash.
const ID_BYTES: usize = 10;

word_enum! {
    /// For whom a playbook is meant.
    Scope {
        /// One agent.
        Agent = "agent",
        /// One user.
        User = "user",
        /// All of a tenant.
        Tenant = "tenant",
        /// Everybody.
        Global = "global",
    }
}

word_enum! {
    /// The visibility of a playbook.
    Visibility {
        /// Its owner, and who has a grant.
        Private = "private",
        /// The members of its scope.
        Shared = "shared",
        /// Everyone of the tenant.
        Public = "public",
    }
}

/// Checks the name of a playbook and returns it normalised: 1 to 256 characters without control characters.
pub fn parse_playbook_name(raw: &str) -> Result<String, KeyError> {
    parse_name("playbook", raw)
}

/// The id of the playbook of a name: a learner has one playbook of each name.
pub fn playbook_id(name: &str) -> String {
    format!("pb_{}", hex(&derived_hash(&["playbook", name])[..ID_BYTES]))
}

/// SHA-256 over the strategies in their order, in hex. Times and confidence are no part of it, so that a restored
/// version has the digest of the one it restores.
pub fn content_digest(strategies: &[Strategy]) -> String {
    let texts: Vec<String> = strategies.iter().map(Strategy::canonical).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    hex(&Sha256::digest(length_prefixed(&texts)))
}
