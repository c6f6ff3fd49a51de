//! The case of the words of a text: where it means something, and where it is style.
//!
//! In prose, capitals start a sentence, stress a word or abbreviate, so case folds. In code, case distinguishes:
//! `-d` and `-D`, `UserId` and `UserID`, 5 mW and 5 MW. A word counts as code by its marks (backticks, quotes),
//! by itself (signs, digits, inner capitals) or by the word before it ("the field Id").
//!
//! The content hash keeps the case wherever it may mean something. The merge guard is stricter: people also
//! write GitHub as Github, so only a spelling that is surely meant keeps two texts apart.

mod tables;
mod words;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::literals::mentions::{Difference, shown};
use crate::literals::quotes::spans;
pub(crate) use tables::vocabulary;
use tables::{ABBREVIATIONS, ENVIRONMENT, INTRODUCING, PRONOUNS, VARIANTS, is_unit};
use words::{digits_weight, humps_weight, hyphens_weight, signs_weight};

/// How much the case of a word means, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Weight {
    /// Nothing: a capital of prose.
    None,
    /// Little: a name that people write in several ways.
    Style,
    /// Everything: another case is another thing.
    Meaning,
}

/// A token between blanks, with its context.
struct Token<'t> {
    text: &'t str,
    /// The token before it.
    before: &'t str,
    /// Whether it is in backticks or quotation marks.
    is_quoted: bool,
    /// Whether it starts the text, a line or a sentence.
    begins: bool,
}

/// The spellings of each word of a text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Spellings {
    /// Each spelling of a word with its weight, by the word in lower case.
    by_word: BTreeMap<String, Vec<(String, Weight)>>,
}

/// Returns the canonical form of a text: stripped, each run of white space one blank, in lower case except where
/// case may mean something.
pub fn folded_prose(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for_each_token(text, |token, shouted| {
        if !folded.is_empty() {
            folded.push(' ');
        }
        let keeps = has_capital(token.text) && token.weight(shouted) > Weight::None;
        if keeps {
            folded.push_str(token.text)
        } else {
            folded.push_str(&lower(token.text))
        }
    });
    folded
}

impl Spellings {
    /// Reads the spellings of a text.
    pub fn from_text(text: &str) -> Self {
        let mut by_word: BTreeMap<String, Vec<(String, Weight)>> = BTreeMap::new();
        for_each_token(text, |token, shouted| {
            let core = core_of(token.text);
            if !core.contains(char::is_alphabetic) {
                return;
            }
            let word = core.to_lowercase();
            let weight = if has_capital(core) {
                token.weight(shouted)
            } else {
                Weight::None
            };
            let written = match weight {
                Weight::None => word.clone(),
                Weight::Style | Weight::Meaning => core.to_owned(),
            };
            let ways = by_word.entry(word).or_default();
            match ways.iter_mut().find(|(known, _)| *known == written) {
                Some((_, known)) => *known = weight.max(*known),
                None => ways.push((written, weight)),
            }
        });
        Self { by_word }
    }

    /// Returns the first word whose spellings mean different things in the two texts.
    pub fn differ(&self, other: &Self) -> Option<Difference> {
        self.by_word.iter().find_map(|(word, own)| {
            let theirs = other.by_word.get(word)?;
            // Everybody spells these differently, so no spelling of them is meant.
            if VARIANTS.contains(&&**word) {
                return None;
            }
            let (left, right) = match unmatched(own, theirs) {
                Some(left) => (left, theirs.first().map(|(way, _)| way.as_str())?),
                None => (
                    own.first().map(|(way, _)| way.as_str())?,
                    unmatched(theirs, own)?,
                ),
            };
            Some(Difference {
                left: shown(Some(left)),
                right: shown(Some(right)),
            })
        })
    }
}

/// Returns a spelling that means something and is not among the other text's.
fn unmatched<'w>(own: &'w [(String, Weight)], theirs: &[(String, Weight)]) -> Option<&'w str> {
    let is_spelt = theirs.iter().any(|(_, weight)| *weight > Weight::None);
    let decides = |weight: Weight| match weight {
        Weight::None => false,
        // A name in lower case is the same name.
        Weight::Style => is_spelt,
        Weight::Meaning => true,
    };
    own.iter()
        .find(|(way, weight)| decides(*weight) && theirs.iter().all(|(other, _)| other != way))
        .map(|(way, _)| way.as_str())
}

/// Visits the tokens of a text; the second argument is true if the whole text is in capitals.
fn for_each_token(text: &str, mut visit: impl FnMut(&Token<'_>, bool)) {
    let quoted = if has_capital(text) && text.contains(is_quote) {
        spans(text)
    } else {
        Vec::new()
    };
    let shouted = !text.contains(char::is_lowercase);
    // `split_whitespace` has no offsets; addresses within one text give them.
    let start = text.as_ptr() as usize;
    let (mut before, mut line_end) = ("", 0);
    let mut quotes = quoted.iter().peekable();
    for token in text.split_whitespace() {
        let at = token.as_ptr() as usize - start;
        while quotes.next_if(|span| span.bytes.end <= at).is_some() {}
        let is_quoted = quotes
            .peek()
            .is_some_and(|span| span.bytes.start < at + token.len());
        let begins = before.is_empty()
            || ends_sentence(before)
            || text[line_end..at].contains('\n')
            || is_list_mark(before);
        visit(
            &Token {
                text: token,
                before,
                is_quoted,
                begins,
            },
            shouted,
        );
        (before, line_end) = (token, at + token.len());
    }
}

impl Token<'_> {
    /// Returns how much the capitals of the token mean.
    fn weight(&self, shouted: bool) -> Weight {
        if self.is_quoted {
            return Weight::Meaning;
        }
        if is_flag(self.text) {
            return Weight::Meaning;
        }
        if is_call(self.text) {
            return Weight::Meaning;
        }
        let core = core_of(self.text);
        if ABBREVIATIONS.contains(&&*core.to_lowercase()) {
            return Weight::None;
        }
        if let Some(weight) = signs_weight(core) {
            return weight;
        }
        if core.contains(|c: char| c.is_numeric()) {
            return digits_weight(core);
        }
        if self.is_unit_of_number(core) || (!shouted && self.is_introduced()) {
            return Weight::Meaning;
        }
        if core.contains('-') {
            return hyphens_weight(core);
        }
        self.letters_weight(core, shouted)
    }

    /// Returns true if the token is a unit after a number.
    fn is_unit_of_number(&self, core: &str) -> bool {
        let number = self.before.trim_end_matches(['(', '[']);
        number.ends_with(|c: char| c.is_numeric()) && is_unit(core)
    }

    /// Returns true if the word before introduces a name, as in "the class List".
    fn is_introduced(&self) -> bool {
        !self.begins && INTRODUCING.contains(&self.before)
    }

    /// Returns the weight of a word that has only letters.
    fn letters_weight(&self, core: &str, shouted: bool) -> Weight {
        let mut letters = core.chars();
        let first = letters.next();
        if letters.next().is_none() {
            // "I" is a pronoun, and "A" at the start an article.
            let is_word = matches!(first, Some('I')) || (self.begins && first == Some('A'));
            return if is_word || shouted {
                Weight::None
            } else {
                Weight::Meaning
            };
        }
        let word = core.strip_suffix('s').unwrap_or(core);
        if word.chars().all(|c| !c.is_lowercase()) {
            let lower = core.to_lowercase();
            let is_meant = ENVIRONMENT.contains(&core) || PRONOUNS.contains(&&*lower);
            return if is_meant && !shouted {
                Weight::Meaning
            } else {
                Weight::None
            };
        }
        if has_capital(&core[first.map_or(0, char::len_utf8)..]) {
            humps_weight(core)
        } else {
            Weight::None
        }
    }
}

/// Returns true if a token is a flag: one or two hyphens and a letter.
fn is_flag(token: &str) -> bool {
    let name = token
        .strip_prefix("--")
        .or_else(|| token.strip_prefix('-'))
        .unwrap_or_default();
    name.starts_with(char::is_alphabetic)
}

/// Returns true if a token is a call: a name followed by round brackets.
fn is_call(token: &str) -> bool {
    token
        .find('(')
        .is_some_and(|at| token[..at].ends_with(char::is_alphanumeric) && token[at..].contains(')'))
        && !token.ends_with("(s)")
}

/// Strips punctuation of prose from a token, and the marks of a call or a possessive.
fn core_of(token: &str) -> &str {
    let is_opening = |c: char| "([{<\"'*“‘„«‹¿¡".contains(c);
    let is_closing = |c: char| "]}>\"'*”’»›.,:;!?…".contains(c);
    let token = token.strip_suffix("(s)").unwrap_or(token);
    let mut core = token.trim_start_matches(is_opening);
    loop {
        let trimmed = core.trim_end_matches(is_closing);
        let trimmed = if trimmed.contains('(') {
            trimmed.strip_suffix("()").unwrap_or(trimmed)
        } else {
            trimmed.trim_end_matches(')')
        };
        if trimmed.len() == core.len() {
            break;
        }
        core = trimmed;
    }
    let ends = ["'s", "’s", "'S"];
    ends.iter()
        .find_map(|end| core.strip_suffix(end))
        .unwrap_or(core)
}

fn is_quote(c: char) -> bool {
    "\"`'‘’‚“”„«»‹›「」『』".contains(c)
}

fn ends_sentence(token: &str) -> bool {
    let end = token.trim_end_matches(|c: char| ")\"'”’»*_".contains(c));
    end.ends_with(['.', '!', '?', ':', '…'])
}

fn is_list_mark(token: &str) -> bool {
    let mark = token.trim_end_matches(['.', ')']);
    let is_numbered = mark.len() < token.len() && mark.chars().all(|c| c.is_ascii_digit());
    is_numbered || token.chars().all(|c| "-*+•#>".contains(c))
}

fn has_capital(text: &str) -> bool {
    if text.is_ascii() {
        text.bytes().any(|byte| byte.is_ascii_uppercase())
    } else {
        text.chars()
            .any(|c| c.is_uppercase() || c.to_lowercase().next() != Some(c))
    }
}

fn lower(token: &str) -> Cow<'_, str> {
    if has_capital(token) || !token.is_ascii() {
        Cow::Owned(token.to_lowercase())
    } else {
        Cow::Borrowed(token)
    }
}

#[cfg(test)]
mod tests;
