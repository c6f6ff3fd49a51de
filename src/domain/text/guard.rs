//! The merge guard: whether two texts that look alike may become one.
//!
//! Likeness counts shared words, so it is blind to the one word that turns a rule around or puts another
//! thing in its place. The guard looks at just those words. It errs on the side of keeping both: a missed
//! merge is a link to review, a wrong one loses a lesson. A text's features are taken once, however many
//! texts it is compared with; what only few comparisons get to is worked out when the first one does.
//!
//! Absent on purpose: no judgement of meaning beyond a short list of synonyms.

mod needs;

use std::fmt;
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use super::antonyms::{Antonyms, Sides, Stems};
use super::mentions::{Difference, Mention, difference};
use super::negation::Negations;
use super::wording::{self, Wording};
use super::words::standard_words;
use super::{identifiers, negation, numbers, quotes, symbols};

pub use needs::{Key, offers};

/// The version of the rules that the tables feed; part of the digest.
const GUARD_VERSION: &str = "merge guard 3";

/// Decides whether two alike texts may be merged.
#[derive(Clone, Debug)]
pub struct MergeGuard {
    antonyms: Antonyms,
}

/// What a guard compares of a text; it means something to the guard that took it alone.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GuardFeatures {
    stems: Stems,
    sides: Sides,
    negations: Negations,
    numbers: Vec<Mention>,
    quoted: Vec<Mention>,
    identifiers: Vec<Mention>,
    symbols: Vec<Mention>,
    /// The standard words: looked at only where a literal is missing.
    words: OnceLock<Vec<String>>,
    /// Looked at only where the claims are the same.
    wording: OnceLock<Wording>,
    text: String,
}

/// Why two texts must not be merged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GuardReason {
    /// One text is negated where the other is not.
    Negation,
    /// The first text has a word whose opposite the second has.
    Antonyms {
        /// The first text's word.
        left: String,
        /// The second text's word.
        right: String,
    },
    /// The numbers differ.
    Numbers(Difference),
    /// The quoted strings differ.
    Quoted(Difference),
    /// The names of things differ.
    Identifiers(Difference),
    /// The signs that are no words differ.
    Symbols(Difference),
    /// A word of one text has no counterpart in the other.
    Words(Difference),
    /// Two words have exchanged their places.
    Places {
        /// One of them.
        one: String,
        /// The other.
        other: String,
    },
}

impl MergeGuard {
    /// Creates a guard with the shipped table of antonyms.
    pub fn standard() -> Self {
        Self {
            antonyms: Antonyms::standard(),
        }
    }

    /// Creates a guard with these antonyms in place of the shipped ones.
    pub fn with_antonyms(pairs: Vec<(String, String)>) -> Self {
        Self {
            antonyms: Antonyms::new(pairs),
        }
    }

    /// Returns the SHA-256 of the guard's tables in hex: guards with the same digest decide the same.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        let tables: [Vec<&str>; 7] = [
            vec![GUARD_VERSION],
            self.antonyms.vocabulary().collect(),
            negation::vocabulary().collect(),
            numbers::vocabulary().collect(),
            identifiers::vocabulary().collect(),
            wording::vocabulary().collect(),
            symbols::vocabulary().collect(),
        ];
        for table in tables {
            hash.update(table.join("\n"));
            // An empty line, which no word is, keeps neighbouring tables apart.
            hash.update("\n\n");
        }
        hash.finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// Takes the features of a text.
    pub fn features(&self, text: &str) -> GuardFeatures {
        let stems = Stems::of(text);
        GuardFeatures {
            sides: self.antonyms.sides(&stems),
            stems,
            negations: Negations::of(text),
            numbers: numbers::numbers(text),
            quoted: quotes::quoted(text),
            identifiers: identifiers::identifiers(text),
            symbols: symbols::symbols(text),
            words: OnceLock::new(),
            wording: OnceLock::new(),
            text: text.to_owned(),
        }
    }

    /// Returns why two texts must not be merged, conflicts first; nothing when they may.
    pub fn check(&self, a: &GuardFeatures, b: &GuardFeatures) -> Option<GuardReason> {
        let wording = || {
            let (a, b) = (a.wording(), b.wording());
            a.replaced(b).map(GuardReason::Words).or_else(|| {
                let (one, other) = a.exchanged(b)?;
                Some(GuardReason::Places { one, other })
            })
        };
        self.check_claims(a, b).or_else(wording)
    }

    /// Returns why two texts do not claim the same, however they are worded: what one denies, opposites,
    /// numbers and literals.
    pub fn check_claims(&self, a: &GuardFeatures, b: &GuardFeatures) -> Option<GuardReason> {
        if let Some(conflict) = self.check_conflict(a, b) {
            return Some(conflict);
        }
        let known = (|value: &str| a.says(value), |value: &str| b.says(value));
        let nowhere = (|_: &str| false, |_: &str| false);
        if let Some(numbers) = difference(&a.numbers, &b.numbers, nowhere) {
            return Some(GuardReason::Numbers(numbers));
        }
        if let Some(quoted) = difference(&a.quoted, &b.quoted, known) {
            return Some(GuardReason::Quoted(quoted));
        }
        if let Some(names) = difference(&a.identifiers, &b.identifiers, known) {
            return Some(GuardReason::Identifiers(names));
        }
        // Where one text has none, those of the other may be decoration.
        if a.symbols.is_empty() || b.symbols.is_empty() {
            return None;
        }
        difference(&a.symbols, &b.symbols, nowhere).map(GuardReason::Symbols)
    }

    /// Returns why two texts contradict each other: opposites, or what one denies. It costs little.
    pub fn check_conflict(&self, a: &GuardFeatures, b: &GuardFeatures) -> Option<GuardReason> {
        let (one, other) = ((&a.stems, &a.sides), (&b.stems, &b.sides));
        // The named pair says more than the bare fact, and `always / never` is both.
        if let Some((left, right)) = self.antonyms.opposed_by(one, other) {
            return Some(GuardReason::Antonyms {
                left: left.to_owned(),
                right: right.to_owned(),
            });
        }
        let differ = a.negations.differ(&b.negations);
        differ.then_some(GuardReason::Negation)
    }
}

impl GuardFeatures {
    /// The words that carry the meaning, read once.
    fn wording(&self) -> &Wording {
        self.wording.get_or_init(|| Wording::of(&self.text))
    }

    /// Tells whether the text has a literal without quotation marks or as a plain word.
    fn says(&self, literal: &str) -> bool {
        let name = literal.trim_end_matches("()");
        let plain = |c: char| c.is_alphanumeric() || " -_./".contains(c);
        let own = self.words.get_or_init(|| standard_words(&self.text));
        let words = standard_words(name);
        let has_words = !words.is_empty() && own.windows(words.len()).any(|part| part == words);
        (name.chars().all(plain) && has_words)
            || self.identifiers.iter().any(|mention| mention.value == name)
    }
}

impl GuardReason {
    /// Tells whether the texts contradict each other, rather than speak of different things.
    pub fn is_conflict(&self) -> bool {
        matches!(self, Self::Negation | Self::Antonyms { .. })
    }
}

impl fmt::Display for GuardReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_none = |value: &str| if value.is_empty() { "none" } else { value }.to_owned();
        let mut different = |what: &str, d: &Difference| {
            write!(
                f,
                "different {what}: {} / {}",
                or_none(&d.left),
                or_none(&d.right)
            )
        };
        match self {
            Self::Numbers(d) => different("numbers", d),
            Self::Quoted(d) => different("quoted strings", d),
            Self::Identifiers(d) => different("identifiers", d),
            Self::Symbols(d) => different("signs", d),
            Self::Words(d) => different("words", d),
            Self::Places { one, other } => {
                write!(f, "words in each other's place: {one} / {other}")
            }
            Self::Negation => write!(f, "one text is negated where the other is not"),
            Self::Antonyms { left, right } => write!(f, "opposites: {left} / {right}"),
        }
    }
}

#[cfg(test)]
mod tests;
