//! The text of a bullet and the two hashes that identify it.
//!
//! A `Content` is proof that the text may be stored: not blank, no control characters but newline and
//! tab, and within the limit. Two texts that differ only in white space, or in the case of prose, share a
//! content hash. In code another case is another text, except in memories that fold it everywhere.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use md5::Md5;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use crate::identity::hex;
use crate::text::spelling::folded_prose;

/// The longest content by default, in characters.
pub const CONTENT_MAX_CHARS: u32 = 16_384;

/// The longest content that any policy admits, in characters.
pub const CONTENT_MAX_CHARS_OF_ANY: u32 = 1_048_576;

/// A bullet's text, checked once. Cheap to clone.
#[derive(Clone)]
pub struct Content {
    text: Arc<str>,
    /// Worked out when it is first asked for: most answers are read by nobody who wants it.
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ContentError {
    /// Nothing but white space.
    Blank,
    /// More characters than the limit: how many, and the limit.
    TooLong(usize, u32),
    /// A control character other than newline and tab.
    Control(char),
}

impl fmt::Display for ContentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blank => write!(f, "the content is empty"),
            Self::TooLong(length, limit) => {
                write!(
                    f,
                    "the content has {length} characters; the limit is {limit}"
                )
            }
            Self::Control(c) => {
                write!(
                    f,
                    "the content holds the control character U+{:04X}; remove it",
                    u32::from(*c)
                )
            }
        }
    }
}

impl std::error::Error for ContentError {}

impl Content {
    /// Checks a text; `max_chars` counts Unicode characters. Carriage returns before newlines are
    /// dropped, since they come from the file and not from its author.
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

    /// A text that was checked before.
    pub(super) fn from_checked(text: Arc<str>) -> Self {
        let hash = OnceLock::new();
        Self { text, hash }
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The hash under which equal advice is found again.
    pub fn hash(&self) -> ContentHash {
        *self.hash.get_or_init(|| ContentHash::from_text(&self.text))
    }

    /// The hash in a memory of this identity.
    pub fn hash_in(&self, identity: Identity) -> ContentHash {
        self.hash_by(identity).unwrap_or_else(|| self.hash())
    }

    /// The same, where it is not the text's own.
    pub fn hash_by(&self, identity: Identity) -> Option<ContentHash> {
        match identity {
            Identity::Cased => None,
            Identity::Folded => self.other_hash(ContentHash::folded(&self.text)),
        }
    }

    /// A hash that was kept with the text, where it is not the text's own.
    pub fn other_hash(&self, kept: ContentHash) -> Option<ContentHash> {
        (kept != self.hash()).then_some(kept)
    }

    /// The id of the original programs: 12 hex digits of MD5 over the lower-cased, then stripped text.
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

/// Which texts are one text to a memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identity {
    /// Case never matters: classic memories, and those under the first rules.
    Folded,
    /// Case matters where it means something.
    Cased,
}

/// SHA-256 over the content in NFC, stripped, in lower case except where case means something, each run of
/// white space one blank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 32]);

impl ContentHash {
    /// The hash of a text.
    pub(super) fn from_text(text: &str) -> Self {
        // Without a capital there is nothing to keep.
        if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Self(Sha256::digest(ascii_normal(text)).into());
        }
        let normal = if text.is_ascii() {
            folded_prose(text)
        } else {
            folded_prose(&text.nfc().collect::<String>())
        };
        Self(Sha256::digest(normal).into())
    }

    /// The hash of a text whose case says nothing.
    pub(super) fn folded(text: &str) -> Self {
        // What is ASCII is composed, and its lower case is found letter by letter.
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

    /// The 64 hex digits.
    pub fn to_hex(self) -> String {
        hex(&self.0)
    }
}

/// True for a text whose white space is single blanks between words. Looks at every byte without a branch,
/// which is many at once.
fn is_spaced(text: &[u8]) -> bool {
    let is_blank = |byte: Option<&u8>| byte == Some(&b' ');
    if is_blank(text.first()) || is_blank(text.last()) {
        return false;
    }
    let has_others = text
        .iter()
        .fold(false, |any, byte| any | matches!(byte, b'\t'..=b'\r'));
    let next = text.iter().skip(1);
    let has_runs = text.iter().zip(next).fold(false, |any, (one, next)| {
        any | ((*one == b' ') & (*next == b' '))
    });
    !has_others && !has_runs
}

/// An ASCII text stripped, in lower case, each run of white space one blank.
fn ascii_normal(text: &str) -> Vec<u8> {
    if is_spaced(text.as_bytes()) {
        return text.to_ascii_lowercase().into_bytes();
    }
    let mut normal = Vec::with_capacity(text.len());
    let mut is_apart = false;
    for byte in text.bytes() {
        if matches!(byte, b'\t'..=b'\r' | b' ') {
            is_apart = !normal.is_empty();
            continue;
        }
        if std::mem::take(&mut is_apart) {
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

/// Checks the length of a text that is to be a content; `max_chars` counts Unicode characters.
pub(super) fn check_length(text: &str, max_chars: u32) -> Result<(), ContentError> {
    // A byte count below the limit proves the character count below it without decoding.
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
