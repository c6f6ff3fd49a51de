//! Whose memory it is: the (tenant, learner, scope) that every read and write is bound to.
//!
//! A key is never partly absent, so no query can forget a part; derived keys are length-prefixed, so
//! that ("a", "bc") and ("ab", "c") can never meet.

use std::fmt;

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

/// The longest name of a tenant, learner or scope, in characters.
pub const NAME_MAX_CHARS: usize = 256;

/// The tenant and the scope that are meant when none is named.
pub const DEFAULT_NAME: &str = "default";

/// The scope of a learner whose bullets can be seen from all of the learner's scopes.
pub const SHARED_SCOPE: &str = "shared";

/// A name that is not fit to be part of a key: which part, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyError {
    part: &'static str,
    reason: String,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} name {}", self.part, self.reason)
    }
}

impl std::error::Error for KeyError {}

/// The identity of one memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemoryKey {
    tenant: String,
    learner: String,
    scope: String,
}

impl MemoryKey {
    /// Checks and normalises (NFC, trimmed) the three names.
    pub fn new(tenant: &str, learner: &str, scope: &str) -> Result<Self, KeyError> {
        Ok(Self {
            tenant: parse_name("tenant", tenant)?,
            learner: parse_name("learner", learner)?,
            scope: parse_name("scope", scope)?,
        })
    }

    /// The organisation that owns the memory.
    pub fn tenant(&self) -> &str {
        &self.tenant
    }

    /// The agent or person whose memory it is.
    pub fn learner(&self) -> &str {
        &self.learner
    }

    /// The isolated memory inside the learner.
    pub fn scope(&self) -> &str {
        &self.scope
    }

    /// The learner's shared memory, which all of the learner's scopes may read.
    pub fn shared(&self) -> Self {
        Self {
            scope: SHARED_SCOPE.to_owned(),
            ..self.clone()
        }
    }

    /// One string that holds all three names, each with its length in bytes before it.
    pub fn derived(&self) -> String {
        length_prefixed(&[&self.tenant, &self.learner, &self.scope])
    }
}

impl fmt::Display for MemoryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.tenant, self.learner, self.scope)
    }
}

/// Joins parts so that no two different lists give the same string.
pub fn length_prefixed(parts: &[&str]) -> String {
    let mut joined = String::with_capacity(parts.iter().map(|part| part.len() + 4).sum());
    for part in parts {
        joined.push_str(&part.len().to_string());
        joined.push(':');
        joined.push_str(part);
    }
    joined
}

/// The SHA-256 of length-prefixed parts: the source of every derived id.
pub fn derived_hash(parts: &[&str]) -> [u8; 32] {
    Sha256::digest(length_prefixed(parts)).into()
}

/// A name that follows from a content: a prefix and 20 hexadecimal digits.
pub fn content_name(prefix: &str, content: &[u8]) -> String {
    format!("{prefix}{}", hex(&Sha256::digest(content)[..10]))
}

/// Lower-case hexadecimal digits of `bytes`.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// Checks one name on its own, for listings that are bound to a tenant or a learner only.
pub fn parse_name(part: &'static str, raw: &str) -> Result<String, KeyError> {
    let name: String = raw.trim().nfc().collect();
    let wrong = |reason: String| Err(KeyError { part, reason });
    if name.is_empty() {
        return wrong("is empty; give it at least one visible character".to_owned());
    }
    let length = name.chars().count();
    if length > NAME_MAX_CHARS {
        return wrong(format!(
            "has {length} characters; the limit is {NAME_MAX_CHARS}"
        ));
    }
    if let Some(control) = name.chars().find(|c| c.is_control()) {
        return wrong(format!(
            "holds the control character U+{:04X}; remove it",
            u32::from(control)
        ));
    }
    Ok(name)
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
