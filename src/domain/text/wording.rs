//! The plain words of a text and the place of each, and whether another text has the same words in the
//! same places.
//!
//! In a long text one word may stand for another ("the visa rules", "the baggage rules") or two may change
//! places ("from savings to checking") without the share of common words telling. So every word that
//! carries meaning must have its counterpart in the other text: the same stem, an inflection, a slip of the
//! pen or a word of the same sense. Words that only hold a text together may come and go. Numbers, negations
//! and literals are left to their own rules.
//!
//! A place is told by the words before it and behind it, as "from" and "from account" tell that of
//! "savings". Sentences may be turned around, but no two words may exchange what stands beside them.

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
use super::mentions::{Difference, shown};
use super::words::fold;

/// Shortest word in which a slip of the pen is told from another word, in characters.
const SLIP_MIN: usize = 6;
/// Shortest part that two forms of a word share, in characters.
const SHARED_MIN: usize = 5;

/// The words that carry the meaning of a text, and what stands beside each.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Wording {
    /// What stands beside each word, by stem.
    places: BTreeMap<String, BTreeSet<Place>>,
    /// The words in lower case, in order with repeats.
    words: Vec<Word>,
    /// The words that the text has of a row of a family, with repeats.
    families: BTreeMap<(usize, usize), Vec<&'static str>>,
    /// The words that follow "only", by stem.
    only: BTreeSet<String>,
}

/// Where a word stands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    /// Behind so many words.
    Behind(String),
    /// Before so many words.
    Before(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Word {
    stem: String,
    form: String,
    /// Its group of synonyms.
    group: Option<usize>,
}

impl Wording {
    /// Reads a text.
    pub fn from_text(text: &str) -> Self {
        let text = fold(text).to_lowercase();
        let mut reader = Reader::new();
        for token in text.split_word_bounds() {
            reader.read(token);
        }
        reader.wording
    }

    /// Returns a word that has no counterpart in the other text, of either side.
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

    /// The words of a row of a family.
    fn family_words(&self, place: (usize, usize)) -> &[&'static str] {
        self.families.get(&place).map_or(&[], Vec::as_slice)
    }

    /// Words of a family of which one stands for the other, such as "must" and "may".
    fn opposed(&self, other: &Self) -> Option<(String, String)> {
        FAMILIES.iter().enumerate().find_map(|(family, rows)| {
            let more = |of: &Self, than: &Self| {
                (0..rows.len()).find_map(|row| {
                    let place = (family, row);
                    let (own, theirs) = (of.family_words(place), than.family_words(place));
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

    /// Returns two words that have exchanged their places, or of which each stands after "only".
    pub fn exchanged(&self, other: &Self) -> Option<(String, String)> {
        if let (Some(here), Some(there)) = (self.only.first(), other.only.first())
            && self.only.is_disjoint(&other.only)
            && other.places.contains_key(here)
            && self.places.contains_key(there)
        {
            return Some((here.clone(), there.clone()));
        }
        let moved = self.moved_in(other);
        let (one, other) = first_trade(&moved)?;
        Some((one.word.to_owned(), other.word.to_owned()))
    }

    /// The words that stand elsewhere in another text, in order.
    fn moved_in<'w>(&'w self, other: &'w Self) -> Vec<Moved<'w>> {
        let places = self.places.iter();
        let moved = places.filter_map(|(word, here)| {
            let there = other.places.get(word)?;
            Moved::between(word, here, there)
        });
        moved.collect()
    }

    fn has_counterpart(&self, word: &Word) -> bool {
        self.places.contains_key(&word.stem) || self.words.iter().any(|own| own.is_form_of(word))
    }

    /// True when one text writes as one word what the other writes as two.
    fn has_parts(&self, of: &Self, word: &Word) -> bool {
        let joins = |pair: &[Word]| format!("{}{}", pair[0].form, pair[1].form);
        let is_joined = self.words.windows(2).any(|pair| joins(pair) == word.form);
        let mut own = of.words.windows(2).filter(|pair| pair.contains(word));
        is_joined || own.any(|pair| self.words.iter().any(|one| one.form == joins(pair)))
    }
}

/// The first word that trades its place with a later one, and the first such. Looked up by places, since of two long
/// texts in another order every word has moved.
fn first_trade<'m, 'w>(moved: &'m [Moved<'w>]) -> Option<(&'m Moved<'w>, &'m Moved<'w>)> {
    let mut entered_by: BTreeMap<&Place, Vec<usize>> = BTreeMap::new();
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

/// A word that stands elsewhere in the other text: what is beside it only here, and only there, in order.
struct Moved<'w> {
    word: &'w str,
    left: Vec<&'w Place>,
    entered: Vec<&'w Place>,
}

impl<'w> Moved<'w> {
    fn between(
        word: &'w str,
        here: &'w BTreeSet<Place>,
        there: &'w BTreeSet<Place>,
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

    /// True when each enters what the other leaves, both behind the words of the other or both before them:
    /// of two that stand side by side one has only neighbours before it, the other only behind it.
    fn trades_with(&self, other: &Self) -> bool {
        let gives = |from: &Self, to: &Self, side: fn(&Place) -> bool| {
            let mut left = from.left.iter().filter(|place| side(place));
            left.any(|place| to.entered.binary_search(place).is_ok())
        };
        let sides: [fn(&Place) -> bool; 2] = [
            |place| matches!(place, Place::Behind(_)),
            |place| matches!(place, Place::Before(_)),
        ];
        let both =
            |side: &fn(&Place) -> bool| gives(self, other, *side) && gives(other, self, *side);
        sides.iter().any(both)
    }
}

impl Word {
    /// True for an inflection, a slip of the pen, and a word of the same sense.
    fn is_form_of(&self, other: &Self) -> bool {
        let is_synonym = self.group.is_some() && self.group == other.group;
        is_synonym || is_inflection(&self.form, &other.form) || is_slip(&self.form, &other.form)
    }
}

/// True when one word is the other with an ending, or both have endings of their own.
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
    // Languages that the stemmer does not know change the ending.
    let rest = |word: &str| word.chars().count() - shared;
    !short.is_ascii() && shared >= SHARED_MIN && rest(short) <= 2 && rest(long) <= 2
}

/// True when one word lacks a letter of the other, has two in another order or is spelt with s for z behind i or y,
/// neither at the beginning nor at the end. Another letter in the place of one makes another word more
/// often (adopt, adapt).
fn is_slip(a: &str, b: &str) -> bool {
    let is_long = |word: &str| word.chars().count() >= SLIP_MIN;
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
        && osa_distance(a, b) == 1
        && !is_other_letter()
}

/// The letters with s for z where both are usual: organize, analyze; a name keeps its z.
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
