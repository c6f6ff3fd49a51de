//! Pairs of opposites: two texts with opposite words may be similar and still contradict each other.
//!
//! Words are compared by stem, so a pair covers its inflections. The shipped table is mostly English; a
//! configured one may be in any language and have phrases as well as words.

mod pairs;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};

use self::pairs::{
    ACTIONS, AFTER_ACTIONS, BEFORE_ACTIONS, BEFORE_NOUNS, COMMON, COUNTERPARTS, IRREGULAR, PAIRS,
    VERBS,
};
use super::words::{is_unspaced, standard_words, stem};

/// A table of opposites, to be looked up in texts.
#[derive(Clone, Debug)]
pub struct Antonyms {
    pairs: Arc<[[Side; 2]]>,
    /// The pairs of which a side begins with a stem: a text has few stems, and the table many pairs.
    by_stem: Arc<HashMap<String, Vec<usize>>>,
}

/// When the two sides of a pair contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Always,
    AsActions,
    AsVerbs,
    Never,
}

impl Kind {
    fn of(left: &str, right: &str) -> Self {
        let has = |list: &[(&str, &str)]| list.contains(&(left, right));
        if has(COUNTERPARTS) {
            Self::Never
        } else if has(ACTIONS) {
            Self::AsActions
        } else if has(VERBS) {
            Self::AsVerbs
        } else {
            Self::Always
        }
    }
}

/// A word or phrase of a pair, as given and as stems.
#[derive(Clone, Debug)]
struct Side {
    word: String,
    stems: Vec<String>,
    common: bool,
    kind: Kind,
}

/// The stems of a text, in order and as a set.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Stems {
    in_order: Vec<String>,
    sorted: Vec<String>,
}

/// The pairs of a table of which a text has at least one side, ascending by pair.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sides(Vec<PairSides>);

/// The sides of one pair that a text has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PairSides {
    /// Index of the pair in its table.
    pair: usize,
    left: bool,
    right: bool,
    /// Whether a side that is taken contradicts the other one.
    is_claim: bool,
}

/// A text by its stems and its sides, ready to be compared.
#[derive(Clone, Copy, Debug)]
pub struct SidedText<'t> {
    /// The stems of the text.
    pub stems: &'t Stems,
    /// The sides that [`Antonyms::sides`] found in them.
    pub sides: &'t Sides,
}

impl Antonyms {
    /// Returns the shipped table.
    pub fn standard() -> Self {
        // Stemming the table takes longer than a short command.
        static STANDARD: LazyLock<Antonyms> =
            LazyLock::new(|| Antonyms::new(PAIRS.iter().map(|(left, right)| (*left, *right))));
        STANDARD.clone()
    }

    /// Creates a table of pairs. Pairs with a side that has no words are left out.
    pub fn new<S: AsRef<str>>(pairs: impl IntoIterator<Item = (S, S)>) -> Self {
        let pairs = pairs.into_iter().map(|(a, b)| {
            let kind = Kind::of(a.as_ref(), b.as_ref());
            [a, b].map(|word| Side::new(word.as_ref(), kind))
        });
        let pairs: Arc<[[Side; 2]]> = pairs
            .filter(|[a, b]| !a.stems.is_empty() && !b.stems.is_empty())
            .collect();
        let mut by_stem: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, sides) in pairs.iter().enumerate() {
            for stem in sides.iter().filter_map(|side| side.stems.first()) {
                by_stem.entry(stem.clone()).or_default().push(number);
            }
        }
        Self {
            pairs,
            by_stem: by_stem.into(),
        }
    }

    /// Returns which sides of which pairs a text has.
    pub fn sides(&self, text: &Stems) -> Sides {
        let sides_of = |pair: usize| {
            let [left, right] = &self.pairs[pair];
            let (in_left, in_right) = (left.is_in(text), right.is_in(text));
            PairSides {
                pair,
                left: in_left,
                right: in_right,
                is_claim: match left.kind {
                    Kind::Always => true,
                    Kind::Never => false,
                    Kind::AsActions => {
                        (in_left && text.acts(left)) || (in_right && text.acts(right))
                    }
                    Kind::AsVerbs => {
                        (in_left && text.has_verb(left)) || (in_right && text.has_verb(right))
                    }
                },
            }
        };
        let begun = text.sorted.iter().filter_map(|stem| self.by_stem.get(stem));
        let begun: BTreeSet<usize> = begun.flatten().copied().collect();
        let sides = begun.into_iter().map(sides_of);
        Sides(sides.filter(|sides| sides.left || sides.right).collect())
    }

    /// Returns the first pair in which two texts contradict each other: the first text's word, then the second's.
    pub fn opposed(&self, a: &Stems, b: &Stems) -> Option<(&str, &str)> {
        let a = SidedText {
            stems: a,
            sides: &self.sides(a),
        };
        let b = SidedText {
            stems: b,
            sides: &self.sides(b),
        };
        self.opposed_by(a, b)
    }

    /// Does the same for texts whose sides were looked up before.
    pub fn opposed_by(&self, a: SidedText<'_>, b: SidedText<'_>) -> Option<(&str, &str)> {
        self.first_apart(a, b, |in_a, in_b| in_a.is_claim && in_b.is_claim)
            .filter(|_| !(self.has_own_side(a, b) && self.has_own_side(b, a)))
    }

    /// Returns true if a text has a side that the other one neither has nor opposes. Where both texts have one, a word of
    /// the one replaces an unrelated word of the other, so that they are about two things.
    fn has_own_side(&self, text: SidedText<'_>, other: SidedText<'_>) -> bool {
        let is_opposed = |side: &Side| {
            let mut pairs = other.sides.0.iter().filter(|sides| sides.is_claim);
            pairs.any(|sides| {
                let [left, right] = &self.pairs[sides.pair];
                (sides.right && left.stems == side.stems)
                    || (sides.left && right.stems == side.stems)
            })
        };
        text.sides.0.iter().any(|sides| {
            let [left, right] = &self.pairs[sides.pair];
            let own = [(sides.left, left), (sides.right, right)].into_iter();
            let mut own = own.filter_map(|(has, side)| has.then_some(side));
            own.any(|side| !side.common && !side.is_in(other.stems) && !is_opposed(side))
        })
    }

    /// Returns the first pair of which two texts have different sides, whether they contradict each other or are about
    /// two things.
    pub fn apart_by(&self, a: SidedText<'_>, b: SidedText<'_>) -> Option<(&str, &str)> {
        self.first_apart(a, b, |_, _| true)
    }

    fn first_apart(
        &self,
        a: SidedText<'_>,
        b: SidedText<'_>,
        counts: fn(PairSides, PairSides) -> bool,
    ) -> Option<(&str, &str)> {
        a.sides.shared(b.sides).find_map(|(in_a, in_b)| {
            let [left, right] = self.pairs.get(in_a.pair)?;
            if in_a.is_both() && in_b.is_both() {
                // A common word may be anywhere, so its position means nothing.
                if left.common || right.common {
                    return None;
                }
                let same = a.stems.sequence_of(left, right) == b.stems.sequence_of(left, right);
                return (!same).then_some((&*left.word, &*right.word));
            }
            if !counts(in_a, in_b) {
                return None;
            }
            // The side that each text takes. A common word next to its opposite takes none.
            let is_left = |sides: PairSides| sides.left && !(left.common && sides.right);
            let is_right = |sides: PairSides| sides.right && !(right.common && sides.left);
            if is_left(in_a) && is_right(in_b) {
                return Some((&*left.word, &*right.word));
            }
            (is_right(in_a) && is_left(in_b)).then_some((&*right.word, &*left.word))
        })
    }

    /// Returns true if a stem is a side of a pair.
    pub(super) fn has_side(&self, stem: &str) -> bool {
        let pairs = self.by_stem.get(stem).into_iter().flatten();
        let mut sides = pairs.flat_map(|pair| &self.pairs[*pair]);
        sides.any(|side| side.stems.len() == 1 && side.stems[0] == stem)
    }

    /// Returns the sides in scripts without spaces.
    pub(super) fn unspaced_sides(&self) -> impl Iterator<Item = &str> {
        let sides = self.pairs.iter().flatten().map(|side| side.word.as_str());
        sides.filter(|word| word.contains(is_unspaced))
    }

    /// Returns all words that decide, for the digest of the rules: the table's pair by pair, then the fixed ones.
    pub fn vocabulary(&self) -> impl Iterator<Item = &str> {
        let pairs = self.pairs.iter().flatten().map(|side| side.word.as_str());
        let irregular = IRREGULAR.iter().flat_map(|(form, base)| [*form, *base]);
        let kinds = COUNTERPARTS
            .iter()
            .chain(ACTIONS)
            .chain(VERBS)
            .flat_map(|(a, b)| [*a, *b]);
        let around = [BEFORE_ACTIONS, AFTER_ACTIONS, BEFORE_NOUNS];
        let around = around.into_iter().flatten().copied();
        let fixed = COMMON.iter().copied().chain(irregular).chain(kinds);
        pairs.chain(fixed).chain(around)
    }
}

impl Sides {
    /// Returns the pairs of which both texts have a side: this text's sides, then the other's.
    fn shared<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = (PairSides, PairSides)> + 's {
        self.0.iter().filter_map(|own| {
            let at = other.0.binary_search_by_key(&own.pair, |sides| sides.pair);
            Some((*own, other.0[at.ok()?]))
        })
    }
}

impl PairSides {
    fn is_both(self) -> bool {
        self.left && self.right
    }
}

impl Stems {
    /// Returns the stems of a text's standard words.
    pub fn from_text(text: &str) -> Self {
        let in_order: Vec<String> = standard_words(text).iter().map(|w| base_form(w)).collect();
        let mut sorted = in_order.clone();
        sorted.sort_unstable();
        sorted.dedup();
        Self { in_order, sorted }
    }

    /// Returns true if a word is an action: it begins the text or follows a word before actions, or an object follows it.
    fn acts(&self, side: &Side) -> bool {
        self.places_of(side).any(|at| {
            at == 0
                || self.is_one_of(at - 1, BEFORE_ACTIONS)
                || self.is_one_of(at + 1, AFTER_ACTIONS)
        })
    }

    /// Returns true if a word is a verb: it does not follow an article or a preposition.
    fn has_verb(&self, side: &Side) -> bool {
        self.places_of(side)
            .any(|at| at == 0 || !self.is_one_of(at - 1, BEFORE_NOUNS))
    }

    fn places_of<'s>(&'s self, side: &'s Side) -> impl Iterator<Item = usize> + 's {
        let places = self.in_order.iter().enumerate();
        places
            .filter(|(_, stem)| side.stems.first() == Some(*stem))
            .map(|(at, _)| at)
    }

    fn is_one_of(&self, at: usize, list: &[&str]) -> bool {
        let found = self.in_order.get(at);
        found.is_some_and(|stem| list.contains(&stem.as_str()))
    }

    /// Returns the order in which the sides of a pair appear, without immediate repeats; true is the left.
    fn sequence_of(&self, left: &Side, right: &Side) -> Vec<bool> {
        let mut sides: Vec<bool> = (0..self.in_order.len())
            .filter_map(|at| {
                let rest = &self.in_order[at..];
                let is_left = rest.starts_with(&left.stems);
                (is_left || rest.starts_with(&right.stems)).then_some(is_left)
            })
            .collect();
        sides.dedup();
        sides
    }
}

impl Side {
    fn new(word: &str, kind: Kind) -> Self {
        let stems = Stems::from_text(word).in_order;
        Self {
            word: word.to_lowercase(),
            stems,
            common: COMMON.contains(&word),
            kind,
        }
    }

    fn is_in(&self, text: &Stems) -> bool {
        // Nearly all sides are one word, which a binary search finds.
        match self.stems.as_slice() {
            [stem] => text.sorted.binary_search(stem).is_ok(),
            stems => text
                .in_order
                .windows(stems.len())
                .any(|window| window == stems),
        }
    }
}

/// Returns the stem of a lower-case word; of an irregular form, that of its base form.
pub(super) fn base_form(word: &str) -> String {
    match IRREGULAR.iter().find(|(form, _)| *form == word) {
        Some((_, base)) => stem(base),
        None => stem(word),
    }
}

#[cfg(test)]
mod tests;
