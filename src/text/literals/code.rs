//! The code in a text, recognised by its signs: paths, ranges, patterns, operators, and text in backticks.
//!
//! Similarity counts words, so `./dist` and `/dist`, `build/cache` and `build-cache`, `[abc]` and `[^abc]` are
//! equal to it. Here each piece with a sign of code must occur in the other text exactly as written. Case is
//! compared by `spelling.rs`, amounts by `numbers.rs`.
//!
//! Equivalent signs have one canonical form: dashes, arrows, ≥ and >=, list marks, and a slash between two words
//! of prose, which "and" or "or" may replace.

mod pieces;

use std::collections::BTreeSet;

use super::mentions::{Difference, shown};
use super::quotes::spans;
use crate::words::fold;
use pieces::{Kind, Piece, bare, parts, pieces_of, same_signs};

/// Signs that also occur alone in prose. Texts differ by them only if both have some.
const SOFT: &[&str] = &[
    ":", "!", "?", "/", "&", "|", "*", "**", "***", "__", "+", ">", "#", "~", "=", "...", "%",
    "\"", ".", ",", ";",
];

/// Words that may replace the slash between two words.
const JOINING: &[&str] = &[
    "and", "or", "und", "oder", "et", "ou", "y", "e", "o", "/", "&",
];

/// The pieces of a text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Code {
    /// All pieces in order, in lower case.
    pieces: Vec<Piece>,
    /// The pieces in their bare form, for look-ups.
    known: BTreeSet<String>,
}

impl Code {
    /// Splits a text into pieces.
    pub fn from_text(text: &str) -> Self {
        let text = same_signs(&fold(text)).to_lowercase();
        let mut pieces: Vec<Piece> = Vec::new();
        let quoted = spans(&text);
        for part in parts(&text, &quoted) {
            for piece in pieces_of(&part) {
                pieces.push(piece);
            }
        }
        let known = pieces.iter().map(|piece| bare(&piece.text).to_owned());
        Self {
            known: known.collect(),
            pieces,
        }
    }

    /// Returns the first pieces of code that only one of the texts has.
    pub fn differ(&self, other: &Self) -> Option<Difference> {
        let alone = |own: &Self, theirs: &Self| {
            let mut all = own.pieces.iter();
            all.find(|piece| !theirs.has(piece))
                .map(|piece| piece.text.clone())
        };
        let (left, right) = (alone(self, other), alone(other, self));
        if left.is_some() || right.is_some() {
            return Some(Difference {
                left: shown(left.as_deref()),
                right: shown(right.as_deref()),
            });
        }
        // Soft signs are compared as a whole, since moving one in prose changes nothing.
        let (own, theirs) = (self.soft_signs(), other.soft_signs());
        let is_other = !own.is_empty() && !theirs.is_empty() && own != theirs;
        is_other.then(|| Difference {
            left: shown(Some(&own.join(" "))),
            right: shown(Some(&theirs.join(" "))),
        })
    }

    /// Returns true if the text has a literal as pieces of its own, without marks around it.
    pub fn says(&self, literal: &str) -> bool {
        let wanted = Self::from_text(literal);
        let is_there = |own: &[String], wanted: &[String]| {
            !wanted.is_empty() && own.windows(wanted.len()).any(|some| some == wanted)
        };
        is_there(&self.whole(), &wanted.whole()) || is_there(&self.split(), &wanted.split())
    }

    /// Returns the pieces in their bare form.
    fn whole(&self) -> Vec<String> {
        let pieces = self.pieces.iter();
        pieces.map(|piece| bare(&piece.text).to_owned()).collect()
    }

    /// Returns the pieces in their bare form, with hyphenated words split.
    fn split(&self) -> Vec<String> {
        let mut words = Vec::new();
        for piece in &self.pieces {
            match piece.kind {
                Kind::Word => words.extend(piece.text.split('-').map(str::to_owned)),
                _ => words.push(bare(&piece.text).to_owned()),
            }
        }
        words
    }

    /// Returns true if the text has a piece, or its equivalent in words.
    fn has(&self, piece: &Piece) -> bool {
        match piece.kind {
            Kind::Word => true,
            Kind::Sign if SOFT.contains(&&*piece.text) => true,
            Kind::Literal | Kind::Sign => self.known.contains(bare(&piece.text)),
            Kind::Joined => self.known.contains(bare(&piece.text)) || self.lists(&piece.text),
        }
    }

    /// Returns true if the text lists the words of a slash in order, with at least one "and" or the like between.
    fn lists(&self, joined: &str) -> bool {
        let words: Vec<&str> = joined.split('/').collect();
        let is_joint = |piece: &Piece| JOINING.contains(&&*piece.text);
        let found = |start: usize| {
            let (mut at, mut joints) = (start, 0);
            let mut all = words.iter().enumerate();
            let is_there = all.all(|(number, word)| {
                if number > 0 && self.pieces.get(at).is_some_and(is_joint) {
                    (at, joints) = (at + 1, joints + 1);
                }
                at += 1;
                self.pieces
                    .get(at - 1)
                    .is_some_and(|piece| piece.text == *word)
            });
            is_there && joints > 0
        };
        (0..self.pieces.len()).any(found)
    }

    /// Returns the signs that are alone and may be decoration, sorted.
    fn soft_signs(&self) -> Vec<&str> {
        let is_soft = |piece: &&Piece| piece.kind == Kind::Sign && SOFT.contains(&&*piece.text);
        let mut signs: Vec<&str> = self
            .pieces
            .iter()
            .filter(is_soft)
            .map(|piece| piece.text.as_str())
            .collect();
        signs.sort_unstable();
        signs
    }
}

/// Returns the words and signs that this rule knows, for the digest of the rules.
pub(crate) fn vocabulary() -> impl Iterator<Item = &'static str> {
    let lists = [SOFT, JOINING];
    pieces::vocabulary().chain(lists.into_iter().flatten().copied())
}

#[cfg(test)]
mod tests;
