//! What identities are made of: checked names, and hashes over parts that cannot be confused.
//!
//! Names are trimmed and composed (NFC) before they are compared or hashed. Parts are length-prefixed, so
//! that ("a", "bc") and ("ab", "c") never give the same id.

use std::fmt;

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

/// The longest name of a tenant, learner or scope, in characters.
pub const NAME_MAX_CHARS: usize = 256;

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
