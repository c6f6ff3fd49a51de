//! The text of a bullet and the two hashes that identify it.
//!
//! A `Content` is proof that the text may be stored: not blank, within the limit, and without control
//! characters other than newline and tab. Texts that differ only in white space, or in the case of prose, have
//! the same content hash. Case in code distinguishes texts, except in memories that fold it everywhere.

pub mod vectors;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use md5::Md5;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use hindlore_primitives::identity::{hex, unhex};
use hindlore_text::layout::invisible::without;
use hindlore_text::words::spelling::folded_prose;

/// The longest content by default, in characters.
pub const CONTENT_MAX_CHARS: u32 = 16_384;

/// The longest content that any policy admits, in characters.
pub const CONTENT_MAX_CHARS_OF_ANY: u32 = 1_048_576;

/// A bullet's text, checked once. Cheap to clone.
#[derive(Clone)]
pub struct Content {
    text: Arc<str>,
    /// Computed on first use: most bullets of an answer are read without it.
    hash: OnceLock<ContentHash>,
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Content {}

impl PartialOrd for Content {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Content {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for Content {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Content").field(&self.text).finish()
    }
}

/// A text that cannot be a bullet's content.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ContentError {
    /// The text is only white space.
    #[error("the content is empty")]
    Blank,
    /// The text has more characters (the first number) than the limit (the second).
    #[error("the content has {0} characters; the limit is {1}")]
    TooLong(usize, u32),
    /// A control character other than newline and tab.
    #[error("the content holds the control character U+{:04X}; remove it", u32::from(*.0))]
    Control(char),
}

impl Content {
    /// Checks a text of at most `max_chars` Unicode characters. Drops carriage returns before newlines, which come
    /// from the file rather than its author.
    pub fn parse(text: &str, max_chars: u32) -> Result<Self, ContentError> {
        check_length(text, max_chars)?;
        if text.trim().is_empty() {
            return Err(ContentError::Blank);
        }
        let text = if text.contains("\r\n") {
            text.replace("\r\n", "\n")
        } else {
            text.to_owned()
        };
        if let Some(c) = text
            .chars()
            .find(|c| c.is_control() && !matches!(c, '\n' | '\t'))
        {
            return Err(ContentError::Control(c));
        }
        Ok(Self::from_checked(Arc::from(text)))
    }

    /// Wraps a text that was checked before.
    pub(super) fn from_checked(text: Arc<str>) -> Self {
        let hash = OnceLock::new();
        Self { text, hash }
    }

    /// Returns the text as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the hash by which an equal text is found.
    pub fn hash(&self) -> ContentHash {
        *self.hash.get_or_init(|| ContentHash::from_text(&self.text))
    }

    /// Returns the hash in a memory with this identity.
    pub fn hash_in(&self, identity: Identity) -> ContentHash {
        self.hash_by(identity).unwrap_or_else(|| self.hash())
    }

    /// Returns the hash in a memory with this identity, if it is not [`hash`](Self::hash).
    pub fn hash_by(&self, identity: Identity) -> Option<ContentHash> {
        match identity {
            Identity::Cased => None,
            Identity::Folded => self.other_hash(ContentHash::folded(&self.text)),
        }
    }

    /// Returns a stored hash, if it is not [`hash`](Self::hash).
    pub fn other_hash(&self, kept: ContentHash) -> Option<ContentHash> {
        (kept != self.hash()).then_some(kept)
    }

    /// Returns the id of the original programs: 12 hex digits of MD5 over the text, lower-cased, then stripped.
    pub fn legacy_id(&self) -> String {
        let lower = self.text.to_lowercase();
        let digest = Md5::digest(lower.trim());
        hex(&digest[..6])
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Which texts count as equal in a memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identity {
    /// Case never distinguishes texts: classic memories.
    Folded,
    /// Case distinguishes texts where it means something.
    Cased,
}

/// SHA-256 over the content in NFC, stripped, with each run of white space as one blank, in lower case except
/// where case means something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 32]);

impl ContentHash {
    /// Hashes a text, with the case of code.
    pub(super) fn from_text(text: &str) -> Self {
        // Without a capital there is no case to keep.
        if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Self(Sha256::digest(ascii_normal(text)).into());
        }
        let normal = if text.is_ascii() {
            folded_prose(text)
        } else {
            folded_prose(&without(text).nfc().collect::<String>())
        };
        Self(Sha256::digest(normal).into())
    }

    /// Hashes a text without its case.
    pub(super) fn folded(text: &str) -> Self {
        // ASCII is in NFC already, and folds byte by byte.
        if text.is_ascii() {
            return Self(Sha256::digest(ascii_normal(text)).into());
        }
        let mut normal = String::with_capacity(text.len());
        let lower = text.nfc().collect::<String>().to_lowercase();
        for word in lower.split_whitespace() {
            if !normal.is_empty() {
                normal.push(' ');
            }
            normal.push_str(word);
        }
        Self(Sha256::digest(normal).into())
    }

    /// Reads the digits of [`to_hex`](Self::to_hex).
    pub fn from_hex(digits: &str) -> Option<Self> {
        unhex(digits)?.try_into().ok().map(Self)
    }

    /// Returns the 64 hex digits.
    pub fn to_hex(self) -> String {
        hex(&self.0)
    }
}

/// Returns true if all white space is single blanks between words. Reads every byte without a branch, so that the
/// compiler vectorises it.
fn is_spaced(text: &[u8]) -> bool {
    let is_blank = |byte: Option<&u8>| byte == Some(&b' ');
    if is_blank(text.first()) || is_blank(text.last()) {
        return false;
    }
    // `|` and `&` instead of `||` and `&&`, which would branch.
    let has_others = text
        .iter()
        .fold(false, |any, byte| any | matches!(byte, b'\t'..=b'\r'));
    let next = text.iter().skip(1);
    let has_runs = text.iter().zip(next).fold(false, |any, (one, next)| {
        any | ((*one == b' ') & (*next == b' '))
    });
    !has_others && !has_runs
}

/// Normalises an ASCII text: stripped, in lower case, each run of white space one blank.
fn ascii_normal(text: &str) -> Vec<u8> {
    if is_spaced(text.as_bytes()) {
        return text.to_ascii_lowercase().into_bytes();
    }
    let mut normal = Vec::with_capacity(text.len());
    let mut is_after_blank = false;
    for byte in text.bytes() {
        if matches!(byte, b'\t'..=b'\r' | b' ') {
            is_after_blank = !normal.is_empty();
            continue;
        }
        if std::mem::take(&mut is_after_blank) {
            normal.push(b' ');
        }
        normal.push(byte.to_ascii_lowercase());
    }
    normal
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0[..6]))
    }
}

/// Checks the length of a text against a limit in Unicode characters.
pub(super) fn check_length(text: &str, max_chars: u32) -> Result<(), ContentError> {
    // A text has at most as many characters as bytes, so most need not be decoded.
    let limit = usize::try_from(max_chars).unwrap_or(usize::MAX);
    if text.len() <= limit {
        return Ok(());
    }
    match text.chars().count() {
        length if length > limit => Err(ContentError::TooLong(length, max_chars)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> Content {
        Content::parse(text, CONTENT_MAX_CHARS).unwrap()
    }

    #[test]
    fn white_space_and_the_case_of_prose_do_not_change_the_hash() {
        let hash = content("Hello World").hash();
        assert_eq!(content(" hello\n\tWORLD ").hash(), hash);
        assert_eq!(content("Caf\u{e9}").hash(), content("cafe\u{301}").hash());
        for spaced in [
            "Hello  World",
            " Hello World",
            "Hello World ",
            "Hello\tWorld",
        ] {
            assert_eq!(ContentHash::from_text(spaced), hash, "{spaced:?}");
        }
        assert_eq!(ContentHash::from_text("\x0bhello\x0c\r world"), hash);
        assert_eq!(
            ContentHash::from_text("hello\u{2003}\u{a0}world\u{85}"),
            hash
        );
        assert_ne!(content("hello, world").hash(), hash);
        assert_eq!(content("Hello World").legacy_id(), "5eb63bbbe01e");
    }

    #[test]
    fn the_case_of_code_is_part_of_the_text_unless_the_memory_folds_it() {
        let (small, large) = (
            content("Run git branch -d now"),
            content("run git branch -D Now"),
        );
        assert_ne!(small.hash(), large.hash());
        let folded = |text: &Content| text.hash_in(Identity::Folded);
        assert_eq!(folded(&small), folded(&large));
        assert_eq!(small.hash_by(Identity::Cased), None);
        // Where nothing is kept the two ways agree.
        assert_eq!(content("Check  the Logs").hash_by(Identity::Folded), None);
    }

    #[test]
    fn what_cannot_be_stored_is_named() {
        assert_eq!(Content::parse(" \n", 10), Err(ContentError::Blank));
        assert_eq!(Content::parse("aaaa", 3), Err(ContentError::TooLong(4, 3)));
        assert!(Content::parse("ééé", 3).is_ok());
        assert_eq!(Content::parse("a\0b", 10), Err(ContentError::Control('\0')));
        assert_eq!(content("a\r\nb\tc").as_str(), "a\nb\tc");
    }
}
