//! The code in a text, told by its signs: paths, ranges, patterns, operators, and what stands in backticks.
//!
//! Words are what likeness counts, so `./dist` and `/dist`, `build/cache` and `build-cache`, `[abc]` and
//! `[^abc]` are one text to it. Here every piece of a text that holds a sign of code is kept as it is written,
//! and another text must have the same piece. Case is left to the spelling, amounts to the numbers.
//!
//! Signs that mean the same are brought into one form: dashes, arrows, ≥ and >=, a list mark, and a slash
//! between two words of prose, for which "and" or "or" may stand.

mod pieces;

use std::collections::BTreeSet;

use super::mentions::{Difference, shown};
use super::quotes::spans;
use super::words::fold;
use pieces::{Kind, Piece, bare, parts, pieces_of, same_signs};

/// Signs that stand alone in prose as well: they differ only where both texts have some.
const SOFT: &[&str] = &[
    ":", "!", "?", "/", "&", "|", "*", "**", "***", "__", "+", ">", "#", "~", "=", "...", "%",
    "\"", ".", ",", ";",
];

/// Words that may stand for the slash between two others.
const JOINING: &[&str] = &[
    "and", "or", "und", "oder", "et", "ou", "y", "e", "o", "/", "&",
];

/// The pieces of a text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Code {
    /// All pieces in order, in lower case.
    pieces: Vec<Piece>,
    /// The same, in their bare form, to be looked up.
    known: BTreeSet<String>,
}

impl Code {
    /// Takes a text apart.
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

    /// Returns a piece of code that the other text has not.
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
        let (own, theirs) = (self.soft_signs(), other.soft_signs());
        let is_other = !own.is_empty() && !theirs.is_empty() && own != theirs;
        is_other.then(|| Difference {
            left: shown(Some(&own.join(" "))),
            right: shown(Some(&theirs.join(" "))),
        })
    }

    /// Tells whether the text has a literal without marks around it, as pieces of its own.
    pub fn says(&self, literal: &str) -> bool {
        let wanted = Self::from_text(literal);
        let is_there = |own: &[String], wanted: &[String]| {
            !wanted.is_empty() && own.windows(wanted.len()).any(|some| some == wanted)
        };
        is_there(&self.whole(), &wanted.whole()) || is_there(&self.split(), &wanted.split())
    }

    /// The pieces in their bare form.
    fn whole(&self) -> Vec<String> {
        let pieces = self.pieces.iter();
        pieces.map(|piece| bare(&piece.text).to_owned()).collect()
    }

    /// The same with the words on both sides of a hyphen apart.
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

    /// True when the text has a piece, or says the same in words.
    fn has(&self, piece: &Piece) -> bool {
        match piece.kind {
            Kind::Word => true,
            Kind::Sign if SOFT.contains(&&*piece.text) => true,
            Kind::Literal | Kind::Sign => self.known.contains(bare(&piece.text)),
            Kind::Joined => self.known.contains(bare(&piece.text)) || self.lists(&piece.text),
        }
    }

    /// True when the words that a slash joins stand one after the other, with "and" or the like before the
    /// last of them.
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

    /// The signs that stand alone and may be decoration.
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

/// All words and signs that this rule looks for by name, for a digest of the rules.
pub(super) fn vocabulary() -> impl Iterator<Item = &'static str> {
    let lists = [SOFT, JOINING];
    pieces::vocabulary().chain(lists.into_iter().flatten().copied())
}

#[cfg(test)]
mod tests;
