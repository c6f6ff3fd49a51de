//! The merge guard: decides whether two similar texts may merge.
//!
//! Similarity counts shared words, so it misses the one word that reverses a rule or names another thing. The
//! guard compares just those words. It prefers to keep both texts: a missed merge is a link to review, a wrong
//! merge loses a lesson. The features of a text are extracted once, and expensive ones on first use.
//!
//! Deliberately absent: any judgement of meaning beyond a short list of synonyms.

mod needs;

use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use sha2::{Digest, Sha256};

use super::antonyms::{Antonyms, SidedText, Sides, Stems};
use super::layout::{invisible, markup};
use super::literals::code;
use super::literals::code::Code;
use super::literals::mentions::{Difference, Literals, Mention, difference};
use super::literals::{identifiers, numbers, quotes, symbols};
use super::negation;
use super::negation::{Negations, is_negation};
use super::subject::{self, SubjectReader};
use super::words::is_unspaced;
use super::words::spelling;
use super::words::spelling::Spellings;
use super::words::wording;
use super::words::wording::Wording;

pub use needs::offers;

/// The version of the rules that read the tables; part of the digest, since both decide.
const GUARD_VERSION: &str = "merge guard 6";

/// Decides whether two similar texts may merge.
#[derive(Clone, Debug)]
pub struct MergeGuard {
    antonyms: Antonyms,
    digest: Arc<OnceLock<String>>,
}

/// The features of a text that a guard compares. They are valid only for the guard that extracted them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GuardFeatures {
    stems: Stems,
    sides: Sides,
    negations: Negations,
    numbers: Vec<Mention>,
    quoted: Vec<Mention>,
    identifiers: Vec<Mention>,
    symbols: Vec<Mention>,
    spellings: Spellings,
    code: Code,
    /// The number of the text, if it is a numbered list item.
    item: Option<String>,
    /// Read on first use: most texts differ in their claims already.
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
    /// The identifiers differ.
    Identifiers(Difference),
    /// A word differs in case where case means something.
    Case(Difference),
    /// The pieces of code differ.
    Code(Difference),
    /// The symbols differ.
    Symbols(Difference),
    /// A word of one text has no counterpart in the other.
    Words(Difference),
    /// Two words changed places.
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
        static STANDARD: LazyLock<MergeGuard> =
            LazyLock::new(|| MergeGuard::of(Antonyms::standard()));
        STANDARD.clone()
    }

    /// Creates a guard with these antonyms in place of the shipped ones.
    pub fn with_antonyms(pairs: Vec<(String, String)>) -> Self {
        Self::of(Antonyms::new(pairs))
    }

    /// Returns the SHA-256 of the guard's tables in hex: guards with the same digest decide the same.
    pub fn digest(&self) -> String {
        self.digest.get_or_init(|| self.computed_digest()).clone()
    }

    fn of(antonyms: Antonyms) -> Self {
        Self {
            antonyms,
            digest: Arc::default(),
        }
    }

    fn computed_digest(&self) -> String {
        let mut hash = Sha256::new();
        let tables: [Vec<&str>; 10] = [
            vec![GUARD_VERSION],
            self.antonyms.vocabulary().collect(),
            negation::vocabulary().collect(),
            numbers::vocabulary().collect(),
            identifiers::vocabulary().collect(),
            wording::vocabulary().collect(),
            symbols::vocabulary().collect(),
            spelling::vocabulary().collect(),
            code::vocabulary().collect(),
            subject::vocabulary().collect(),
        ];
        for table in tables {
            hash.update(table.join("\n"));
            // An empty line separates the tables, since no word is empty.
            hash.update("\n\n");
        }
        hash.finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// Extracts the features of a text.
    pub fn features(&self, text: &str) -> GuardFeatures {
        let text = invisible::without(text);
        let bare = markup::bare(&text);
        let (item, text) = (bare.number.map(str::to_owned), &*bare.text);
        let stems = Stems::from_text(text);
        GuardFeatures {
            sides: self.antonyms.sides(&stems),
            stems,
            negations: Negations::from_text(text),
            numbers: numbers::numbers(text),
            quoted: quotes::quoted(text),
            identifiers: identifiers::identifiers(text),
            symbols: symbols::symbols(text),
            spellings: Spellings::from_text(text),
            code: Code::from_text(text),
            item,
            wording: OnceLock::new(),
            text: text.to_owned(),
        }
    }

    /// Returns why two texts must not merge, conflicts first; `None` if they may.
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

    /// Returns how the claims of two texts differ, regardless of wording: in negations, opposites, numbers or
    /// literals.
    pub fn check_claims(&self, a: &GuardFeatures, b: &GuardFeatures) -> Option<GuardReason> {
        // "Log the request" and "log the response" do not contradict each other, and are about two things.
        let apart = || {
            let (left, right) = self.antonyms.apart_by(a.sided(), b.sided())?;
            let (left, right) = (left.to_owned(), right.to_owned());
            Some(GuardReason::Words(Difference { left, right }))
        };
        self.check_conflict(a, b)
            .or_else(|| Self::check_literals(a, b))
            .or_else(apart)
    }

    /// Returns how two texts about the same subject contradict each other. "Do not disable" agrees with "enable",
    /// and texts with different literals are about different things.
    pub fn contradiction(&self, a: &GuardFeatures, b: &GuardFeatures) -> Option<GuardReason> {
        let conflict = self.check_conflict(a, b)?;
        if let GuardReason::Antonyms { left, right } = &conflict {
            let is_denied = is_negation(left) || is_negation(right);
            if !is_denied && a.negations.differ_in_parity(&b.negations) {
                return None;
            }
        }
        Self::check_literals(a, b).is_none().then_some(conflict)
    }

    /// Creates a reader of the subjects of short texts.
    pub fn subjects(&self) -> SubjectReader {
        SubjectReader::new(self.antonyms.clone())
    }

    /// Returns the first numbers, names or pieces of code in which two texts differ.
    fn check_literals(a: &GuardFeatures, b: &GuardFeatures) -> Option<GuardReason> {
        let says_a = |value: &str| a.says(value);
        let says_b = |value: &str| b.says(value);
        let numbers = difference(Literals::marked(&a.numbers), Literals::marked(&b.numbers));
        if let Some(numbers) = numbers.or_else(|| a.other_item(b)) {
            return Some(GuardReason::Numbers(numbers));
        }
        let quoted_a = Literals::new(&a.quoted, &says_a);
        if let Some(quoted) = difference(quoted_a, Literals::new(&b.quoted, &says_b)) {
            return Some(GuardReason::Quoted(quoted));
        }
        let names_a = Literals::new(&a.identifiers, &says_a);
        if let Some(names) = difference(names_a, Literals::new(&b.identifiers, &says_b)) {
            return Some(GuardReason::Identifiers(names));
        }
        if let Some(case) = a.spellings.differ(&b.spellings) {
            return Some(GuardReason::Case(case));
        }
        if let Some(code) = a.code.differ(&b.code) {
            return Some(GuardReason::Code(code));
        }
        // If one text has none, those of the other may be decoration.
        if a.symbols.is_empty() || b.symbols.is_empty() {
            return None;
        }
        difference(Literals::marked(&a.symbols), Literals::marked(&b.symbols))
            .map(GuardReason::Symbols)
    }

    /// Returns why two texts contradict each other: by opposites or by a negation. Cheap, so it runs first.
    pub fn check_conflict(&self, a: &GuardFeatures, b: &GuardFeatures) -> Option<GuardReason> {
        // Opposites first: a named pair is more precise than "negated", and `always / never` is both.
        if let Some((left, right)) = self.antonyms.opposed_by(a.sided(), b.sided()) {
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
    fn sided(&self) -> SidedText<'_> {
        SidedText {
            stems: &self.stems,
            sides: &self.sides,
        }
    }

    /// Returns the words that carry meaning, read on first use.
    fn wording(&self) -> &Wording {
        self.wording.get_or_init(|| Wording::from_text(&self.text))
    }

    /// Returns true if the text has a literal unquoted or as plain words.
    fn says(&self, literal: &str) -> bool {
        let name = literal.trim_end_matches("()");
        // Only plain words: in a shell, `"$@"` and `$@` differ.
        let is_plain = |c: char| c.is_alphanumeric() || " -_./".contains(c);
        let is_unmarked =
            literal.contains(is_unspaced) && self.text.to_lowercase().contains(literal);
        is_unmarked
            || (name.chars().all(is_plain) && self.code.says(name))
            || self.identifiers.iter().any(|mention| mention.value == name)
    }

    /// Returns the numbers of two list items that differ. A text without a number may be any item.
    fn other_item(&self, other: &Self) -> Option<Difference> {
        let (left, right) = (self.item.clone()?, other.item.clone()?);
        (left != right).then_some(Difference { left, right })
    }
}

impl GuardReason {
    /// Returns true if the texts contradict each other, rather than being about different things.
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
            Self::Case(d) => different("letters", d),
            Self::Code(d) => different("code", d),
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
