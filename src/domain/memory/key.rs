//! The key of a memory: the (tenant, learner, scope) that every read and write is bound to.
//!
//! A key is never partly absent, so no query can forget a part; derived keys are length-prefixed, so
//! that ("a", "bc") and ("ab", "c") never collide.

use std::fmt;

use hindlore_primitives::identity::{KeyError, length_prefixed, parse_name};

/// The default tenant and scope.
pub const DEFAULT_NAME: &str = "default";

/// The scope of a learner whose bullets hold everywhere. Those of the default scope, the one of a person outside any
/// repository, do so too.
pub const SHARED_SCOPE: &str = "shared";

/// The identity of one memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemoryKey {
    tenant: String,
    learner: String,
    scope: String,
}

impl MemoryKey {
    /// Checks and normalises (NFC, trimmed) the three names; `Err` names the faulty one and the reason.
    pub fn new(tenant: &str, learner: &str, scope: &str) -> Result<Self, KeyError> {
        Ok(Self {
            tenant: parse_name("tenant", tenant)?,
            learner: parse_name("learner", learner)?,
            scope: parse_name("scope", scope)?,
        })
    }

    /// Returns the organisation that owns the memory.
    pub fn tenant(&self) -> &str {
        &self.tenant
    }

    /// Returns the agent or person whose memory it is.
    pub fn learner(&self) -> &str {
        &self.learner
    }

    /// Returns the scope, one of the learner's isolated memories.
    pub fn scope(&self) -> &str {
        &self.scope
    }

    /// Returns the key of the learner's shared memory, which all of the learner's scopes may read.
    pub fn shared(&self) -> Self {
        Self {
            scope: SHARED_SCOPE.to_owned(),
            ..self.clone()
        }
    }

    /// Returns the keys of the memories that a question about this one is answered from: this one, then those of the
    /// learner that hold everywhere, each once.
    pub fn recalled(&self) -> Vec<Self> {
        let mut keys = vec![self.clone()];
        for scope in [SHARED_SCOPE, DEFAULT_NAME] {
            if self.scope != scope {
                keys.push(Self {
                    scope: scope.to_owned(),
                    ..self.clone()
                });
            }
        }
        keys
    }

    /// Returns the three names as one string, each preceded by its length in bytes.
    pub fn derived(&self) -> String {
        length_prefixed(&[&self.tenant, &self.learner, &self.scope])
    }
}

impl fmt::Display for MemoryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.tenant, self.learner, self.scope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_composed() {
        let key = MemoryKey::new(" t ", "Cafe\u{301}", "s").unwrap();
        assert_eq!((key.tenant(), key.learner()), ("t", "Caf\u{e9}"));
    }

    #[test]
    fn bad_names_are_refused_with_the_part_and_the_reason() {
        let long = "x".repeat(257);
        for (name, word) in [
            ("", "empty"),
            ("  ", "empty"),
            ("a\u{7}b", "U+0007"),
            (&long, "257"),
        ] {
            let error = MemoryKey::new("t", name, "s").unwrap_err().to_string();
            assert!(error.contains("learner") && error.contains(word), "{error}");
        }
        assert!(MemoryKey::new("t", &"é".repeat(256), "s").is_ok());
    }

    #[test]
    fn shifted_parts_never_meet_in_a_derived_key() {
        let one = MemoryKey::new("a", "bc", "s").unwrap();
        let two = MemoryKey::new("ab", "c", "s").unwrap();
        assert_ne!(one.derived(), two.derived());
    }
}
