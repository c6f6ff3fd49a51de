//! The plain words of a text with their neighbours, and whether another text has the same words in the same
//! roles.
//!
//! In a long text, one word may replace another ("the visa rules", "the baggage rules") or two may change
//! places ("from savings to checking") while the share of common words stays high. So every word that carries
//! meaning must have a counterpart in the other text: the same stem, an inflection, a typo or a synonym.
//! Function words may come and go. Numbers, negations and literals have rules of their own.
//!
//! The neighbours of a word show its role, as "from" and "from account" show that of "savings". Sentences
//! may be reordered, but no two words may exchange their neighbours.

mod counterparts;
mod reader;
mod tables;

use std::collections::{BTreeMap, BTreeSet};

use strsim::osa_distance;
use unicode_segmentation::UnicodeSegmentation;

pub use self::counterparts::{form_key, offer_keys};
use self::reader::Reader;
pub use self::tables::vocabulary;
use self::tables::{ENDINGS, FAMILIES};
use super::fold;
use crate::literals::mentions::{Difference, shown};

/// Minimum length of a word in which a typo can be distinguished from another word, in characters.
const TYPO_MIN: usize = 6;
/// Minimum length of the part that two forms of a word share, in characters.
const SHARED_MIN: usize = 5;

/// The words that carry the meaning of a text, with their neighbours.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Wording {
    /// The neighbours of each word, by stem.
    neighbours: BTreeMap<String, BTreeSet<Neighbours>>,
    /// The words in lower case, in order with repeats.
    words: Vec<Word>,
    /// The words of each row of a family that the text has, with repeats.
    families: BTreeMap<FamilyRow, Vec<&'static str>>,
    /// The words that follow "only", by stem.
    only: BTreeSet<String>,
}

/// The words on one side of a word, joined by blanks. The empty text is the start of a clause.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Neighbours {
    Left(String),
    Right(String),
}

/// A row of a family of function words, by their indices in the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct FamilyRow {
    family: usize,
    row: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Word {
    stem: String,
    form: String,
    /// Its group of synonyms.
    group: Option<usize>,
}

impl Wording {
    /// Reads the wording of a text.
    pub fn from_text(text: &str) -> Self {
        let text = fold(text).to_lowercase();
        let mut reader = Reader::new();
        for token in text.split_word_bounds() {
            reader.read(token);
        }
        reader.wording
    }

    /// Returns the first words without a counterpart in the other text.
    pub fn replaced(&self, other: &Self) -> Option<Difference> {
        let alone = |of: &Self, beside: &Self| {
            let mut words = of.words.iter();
            words
                .find(|word| !beside.has_counterpart(word) && !beside.has_parts(of, word))
                .map(|word| word.form.clone())
        };
        let (left, right) = match self.opposed(other) {
            Some((left, right)) => (Some(left), Some(right)),
            None => (alone(self, other), alone(other, self)),
        };
        (left.is_some() || right.is_some()).then(|| Difference {
            left: shown(left.as_deref()),
            right: shown(right.as_deref()),
        })
    }

    /// Returns the words of a row of a family that the text has.
    fn family_words(&self, row: FamilyRow) -> &[&'static str] {
        self.families.get(&row).map_or(&[], Vec::as_slice)
    }

    /// Returns two words of different rows of a family of which one replaces the other, such as "must" and "may".
    fn opposed(&self, other: &Self) -> Option<(String, String)> {
        FAMILIES.iter().enumerate().find_map(|(family, rows)| {
            let more = |of: &Self, than: &Self| {
                (0..rows.len()).find_map(|row| {
                    let row = FamilyRow { family, row };
                    let (own, theirs) = (of.family_words(row), than.family_words(row));
                    let word = own
                        .iter()
                        .find(|word| !theirs.contains(word))
                        .or(own.first())?;
                    (own.len() > theirs.len()).then(|| (*word).to_owned())
                })
            };
            more(self, other).zip(more(other, self))
        })
    }

    /// Returns two words that exchanged their roles, or of which each follows "only" in one text.
    pub fn exchanged(&self, other: &Self) -> Option<(String, String)> {
        // "Only" restricts one word here and another there, and both texts have both words.
        if let (Some(here), Some(there)) = (self.only.first(), other.only.first())
            && self.only.is_disjoint(&other.only)
            && other.neighbours.contains_key(here)
            && self.neighbours.contains_key(there)
        {
            return Some((here.clone(), there.clone()));
        }
        let moved = self.moved_in(other);
        let (one, other) = first_trade(&moved)?;
        Some((one.word.to_owned(), other.word.to_owned()))
    }

    /// Returns the words that have other neighbours in another text, ascending by stem.
    fn moved_in<'w>(&'w self, other: &'w Self) -> Vec<Moved<'w>> {
        self.neighbours
            .iter()
            .filter_map(|(word, here)| {
                let there = other.neighbours.get(word)?;
                Moved::between(word, here, there)
            })
            .collect()
    }

    fn has_counterpart(&self, word: &Word) -> bool {
        self.neighbours.contains_key(&word.stem)
            || self.words.iter().any(|own| own.is_form_of(word))
    }

    /// Returns true if one text writes one word where the other writes two.
    fn has_parts(&self, of: &Self, word: &Word) -> bool {
        let joins = |pair: &[Word]| format!("{}{}", pair[0].form, pair[1].form);
        let is_joined = self.words.windows(2).any(|pair| joins(pair) == word.form);
        let mut own = of.words.windows(2).filter(|pair| pair.contains(word));
        is_joined || own.any(|pair| self.words.iter().any(|one| one.form == joins(pair)))
    }
}

/// Returns the first word that trades its role with a later one, and the first such. Looks pairs up by neighbours,
/// since in two long texts of different order every word has moved.
fn first_trade<'m, 'w>(moved: &'m [Moved<'w>]) -> Option<(&'m Moved<'w>, &'m Moved<'w>)> {
    let mut entered_by: BTreeMap<&Neighbours, Vec<usize>> = BTreeMap::new();
    for (at, one) in moved.iter().enumerate() {
        for place in &one.entered {
            entered_by.entry(*place).or_default().push(at);
        }
    }
    moved.iter().enumerate().find_map(|(at, one)| {
        let left = one.left.iter().filter_map(|place| entered_by.get(*place));
        let later: BTreeSet<usize> = left
            .flatten()
            .copied()
            .filter(|other| *other > at)
            .collect();
        let mut others = later.into_iter().map(|other| &moved[other]);
        Some((one, others.find(|other| one.trades_with(other))?))
    })
}

/// A word with other neighbours in the other text: those that it has only here (`left`) and only there (`entered`),
/// both sorted.
struct Moved<'w> {
    word: &'w str,
    left: Vec<&'w Neighbours>,
    entered: Vec<&'w Neighbours>,
}

impl<'w> Moved<'w> {
    fn between(
        word: &'w str,
        here: &'w BTreeSet<Neighbours>,
        there: &'w BTreeSet<Neighbours>,
    ) -> Option<Self> {
        let left: Vec<_> = here.difference(there).collect();
        let entered: Vec<_> = there.difference(here).collect();
        let has_moved = !left.is_empty() && !entered.is_empty();
        has_moved.then_some(Self {
            word,
            left,
            entered,
        })
    }

    /// Returns true if each word enters the neighbours that the other leaves, on the same side. One side is enough: of
    /// two adjacent words, each is the other's neighbour on the second side.
    fn trades_with(&self, other: &Self) -> bool {
        let gives = |from: &Self, to: &Self, side: fn(&Neighbours) -> bool| {
            let mut left = from.left.iter().filter(|place| side(place));
            left.any(|place| to.entered.binary_search(place).is_ok())
        };
        let sides: [fn(&Neighbours) -> bool; 2] = [
            |words| matches!(words, Neighbours::Left(_)),
            |words| matches!(words, Neighbours::Right(_)),
        ];
        let both =
            |side: &fn(&Neighbours) -> bool| gives(self, other, *side) && gives(other, self, *side);
        sides.iter().any(both)
    }
}

impl Word {
    /// Returns true if one word is an inflection, a typo or a synonym of the other.
    fn is_form_of(&self, other: &Self) -> bool {
        let is_synonym = self.group.is_some() && self.group == other.group;
        is_synonym || is_inflection(&self.form, &other.form) || is_typo(&self.form, &other.form)
    }
}

/// Returns true if one word is the other with an ending, or both have one stem with different endings.
fn is_inflection(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let shared = short
        .chars()
        .zip(long.chars())
        .take_while(|(x, y)| x == y)
        .count();
    if let Some(ending) = long.strip_prefix(short) {
        return shared >= SHARED_MIN && ENDINGS.contains(&ending);
    }
    // Languages without a stemmer here change the ending.
    let rest = |word: &str| word.chars().count() - shared;
    !short.is_ascii() && shared >= SHARED_MIN && rest(short) <= 2 && rest(long) <= 2
}

/// Returns true if one word lacks a letter of the other, has two in another order, or has s for z after i or y, in
/// neither case at the start or the end. A replaced letter is no typo: it makes another word more often (adopt,
/// adapt).
fn is_typo(a: &str, b: &str) -> bool {
    let is_long = |word: &str| word.chars().count() >= TYPO_MIN;
    let letters = |word: &str| {
        let mut letters: Vec<char> = spelt_with_s(word).collect();
        letters.sort_unstable();
        letters
    };
    let is_other_letter = || a.chars().count() == b.chars().count() && letters(a) != letters(b);
    is_long(a)
        && is_long(b)
        && a.chars().take(2).eq(b.chars().take(2))
        && a.chars().next_back() == b.chars().next_back()
        // The cheap tests run first, since the distance costs O(length²).
        && osa_distance(a, b) == 1
        && !is_other_letter()
}

/// Returns the letters with s for z where both are usual (organize, analyze); names keep their z.
fn spelt_with_s(word: &str) -> impl Iterator<Item = char> {
    let before = std::iter::once(' ').chain(word.chars());
    let pairs = before.zip(word.chars());
    pairs.map(|pair| match pair {
        ('i' | 'y', 'z') => 's',
        (_, letter) => letter,
    })
}

#[cfg(test)]
mod tests;
