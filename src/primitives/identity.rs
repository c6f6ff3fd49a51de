//! The parts of identities: checked names, and hashes over length-prefixed parts.
//!
//! Names are trimmed and composed (NFC) before they are compared or hashed. Parts are length-prefixed, so that
//! ("a", "bc") and ("ab", "c") never have the same id.

use std::io::{self, BufRead, BufReader, Read};

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

/// Maximum length of the name of a tenant, learner or scope, in characters.
pub const NAME_MAX_CHARS: usize = 256;

/// Bytes of a source that are read at once.
const PIECE: usize = 1 << 16;

/// A name that cannot be part of a key: the part and its fault.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the {part} name {reason}")]
pub struct KeyError {
    part: &'static str,
    reason: String,
}

/// Joins parts into one string, each preceded by its length in bytes and a colon; different lists differ.
pub fn length_prefixed(parts: &[&str]) -> String {
    let mut joined = String::with_capacity(parts.iter().map(|part| part.len() + 4).sum());
    for part in parts {
        joined.push_str(&part.len().to_string());
        joined.push(':');
        joined.push_str(part);
    }
    joined
}

/// Returns the SHA-256 of length-prefixed parts, from which every derived id is taken.
pub fn derived_hash(parts: &[&str]) -> [u8; 32] {
    Sha256::digest(length_prefixed(parts)).into()
}

/// Returns a name derived from a content: a prefix and 20 hex digits of its SHA-256.
pub fn content_name(prefix: &str, content: &[u8]) -> String {
    format!("{prefix}{}", hex(&Sha256::digest(content)[..10]))
}

/// As [`content_name`], of a content that need not fit into memory; also returns its length in bytes.
///
/// # Errors
///
/// Those of the source.
pub fn name_of_source(prefix: &str, source: impl Read) -> io::Result<(String, u64)> {
    let mut source = BufReader::with_capacity(PIECE, source);
    let (mut digest, mut length) = (Sha256::new(), 0_u64);
    loop {
        let piece = source.fill_buf()?;
        let read = piece.len();
        if read == 0 {
            break;
        }
        digest.update(piece);
        length += read as u64;
        source.consume(read);
    }
    let name = format!("{prefix}{}", hex(&digest.finalize()[..10]));
    Ok((name, length))
}

/// Returns `bytes` as lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// Reads the digits of [`hex`]; `None` for any other text.
pub fn unhex(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| {
        let [high, low] = *pair else { return None };
        let digit = |one: u8| {
            char::from(one)
                .to_digit(16)
                .and_then(|d| u8::try_from(d).ok())
        };
        Some(digit(high)? << 4 | digit(low)?)
    };
    pairs.map(byte).collect()
}

/// Checks one name alone and returns it normalised; `part` names it in errors.
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
