//! Short statements that give one value to one attribute: "The port of staging is 5433".
//!
//! Two statements with the same frame (all of the words but the value) and another value mean that the value changed,
//! and the newer one is current. The rule reads words, not meaning, so it takes only attributes with one value at a
//! time: relations and nouns from tables, and literals. Attributes with several values ("likes tea") are left alone: a
//! missed link leaves two bullets side by side, a wrong one ranks a valid bullet down.

mod holders;
mod nouns;
mod places;
mod qualifiers;
mod shape;
mod tables;

use self::holders::{is_choice, is_german_attribute};
use self::nouns::{ATTRIBUTES, KINDS, SEVERAL, SINGLING, TITLED};
use self::shape::{Shape, is_number, shape};
use self::tables::{
    ADDITIONS, COPULAS, FILLERS, FOREIGN_COPULAS, HEDGES, NUMBERED, RELATIONS, STATES,
    UNSPACED_COPULAS, VAGUE,
};
use super::layout::markup;
use super::negation::is_negation;

/// Maximum length of a statement, in bytes and in words.
const BYTES_MAX: usize = 240;
const WORDS_MAX: usize = 30;
/// Letters from which on a word before a full stop ends a sentence, and is no abbreviation.
const ABBREVIATION_MAX: usize = 3;

/// A statement: its frame and the value in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// All of the words but the value, the same in two statements about one attribute.
    frame: String,
    value: Vec<String>,
    shape: Shape,
    /// Whether the frame names the kind of value, so that its shape need not.
    is_named: bool,
}

/// A word as written, and as compared.
#[derive(Clone, Debug)]
struct Word {
    written: String,
    form: String,
    is_code: bool,
    ends_part: bool,
}

impl Statement {
    /// Reads a statement; `None` for a text that is anything else.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > BYTES_MAX || text.contains(['\n', '?', '!', ';']) {
            return None;
        }
        let bare = markup::bare(text);
        if bare.number.is_some() {
            return None;
        }
        let words = words(&bare.text)?;
        if words
            .iter()
            .any(|word| is_negation(&word.form) || is_flag(word) || adds(word))
        {
            return None;
        }
        let (before, words) = qualifiers::leading(&words);
        if let Some(used) = Self::used_for(words, before) {
            return Some(used);
        }
        if VAGUE.contains(&words.first()?.form.as_str()) {
            return None;
        }
        Self::unspaced(words)
            .or_else(|| Self::labelled(words))
            .or_else(|| Self::holds(words, before))
            .or_else(|| Self::related(words, before))
            .or_else(|| Self::is(words, before))
            .or_else(|| Self::counted(words, before))
    }

    /// Returns the frame.
    pub fn frame(&self) -> &str {
        &self.frame
    }

    /// Returns the frame alone.
    pub fn into_frame(self) -> String {
        self.frame
    }

    /// Returns the value, as compared.
    pub fn value(&self) -> String {
        self.value.join(" ")
    }

    /// Returns true if another statement with the same frame gives another value of the same sort.
    pub fn changes(&self, other: &Self) -> bool {
        let is_same_sort = self.shape == other.shape || (self.is_named && other.is_named);
        self.frame == other.frame && is_same_sort && self.value != other.value
    }

    /// `Default branch: main`.
    fn labelled(words: &[Word]) -> Option<Self> {
        let at = words.iter().position(|word| word.written.ends_with(':'))?;
        let (label, value) = words.split_at(at + 1);
        let noun = label.last()?.form.as_str();
        // One word ("Name: Ada") is a field of some record, and a file has many.
        ((2..=6).contains(&label.len()) && ATTRIBUTES.contains(&noun)).then_some(())?;
        Self::new((label, &[], &[]), value, true)
    }

    /// A relation of the table: `… is located in the city of Lyon`.
    fn related(words: &[Word], before: &[Word]) -> Option<Self> {
        let (start, named_from) = last_relation(words)?;
        let mut end = named_from;
        let kind = &words[end..];
        let is = |at: usize, form: &str| kind.get(at).is_some_and(|word| word.form == form);
        let of_kind = |at: usize| {
            kind.get(at)
                .is_some_and(|w| KINDS.contains(&w.form.as_str()))
        };
        if is(0, "the") && of_kind(1) && is(2, "of") {
            end += 3;
        } else if of_kind(0) {
            end += 1;
        }
        let (subject, value) = (&words[..start], &words[end..]);
        if subject.is_empty() || is_of_several(subject) || has_hedge(value) {
            return None;
        }
        // "is in trouble" and "is on fire" are no places, but "is set to off" is a setting.
        let relation = &words[start..named_from];
        let has = |forms: &[&str]| {
            relation
                .iter()
                .any(|word| forms.contains(&word.form.as_str()))
        };
        let is_named = end > named_from || has(&["set", "defaults", "of"]);
        let statement = Self::new((subject, &words[start..end], before), value, is_named)?;
        (is_named || statement.shape != Shape::Plain).then_some(statement)
    }

    /// A subject that names an attribute, or a literal value: `The port of staging is 5433`.
    fn is(words: &[Word], before: &[Word]) -> Option<Self> {
        let at = words.iter().rposition(|word| {
            let form = word.form.as_str();
            COPULAS.contains(&form) || FOREIGN_COPULAS.contains(&form)
        })?;
        let (subject, value) = (&words[..at], &words[at + 1..]);
        if has_hedge(value) || subject.is_empty() {
            return None;
        }
        let is_foreign = FOREIGN_COPULAS.contains(&words[at].form.as_str());
        let noun = head(subject);
        let adjective = subject
            .iter()
            .any(|word| SINGLING.contains(&word.form.as_str()));
        let is_named = if is_foreign {
            is_german_attribute(noun) && words[at].form == "ist"
        } else {
            ATTRIBUTES.contains(&noun) || (adjective && !SEVERAL.contains(&noun))
        };
        let statement = Self::new((subject, &words[at..=at], before), value, is_named)?;
        if is_of_several(subject) {
            return None;
        }
        let is_choice = !is_foreign && is_choice(subject);
        let fits = match statement.shape {
            Shape::Number | Shape::Code => true,
            // A noun with "of" or a clause names one thing: "the author of …", "the company that made …".
            Shape::Name => is_named || is_choice || (!is_foreign && is_described(subject)),
            Shape::Plain => !is_foreign && is_named,
        };
        fits.then_some(statement)
    }

    /// One number after a verb that holds for a time: `The worker retries 3 times`.
    fn counted(words: &[Word], before: &[Word]) -> Option<Self> {
        let is_state = |word: &Word| STATES.contains(&word.form.as_str());
        let verb = words.iter().position(is_state)?;
        let tail = &words[verb + 1..];
        if verb == 0 || has_hedge(tail) || is_of_several(&words[..verb]) {
            return None;
        }
        let numbers: Vec<usize> = (verb + 1..words.len())
            .filter(|at| is_number(&words[*at]))
            .collect();
        let [at] = numbers[..] else {
            return None;
        };
        // "has issue 12" names one of several things, "has 12 issues" counts them.
        let may_name = NUMBERED.contains(&words[verb].form.as_str());
        if at > verb + 1 && !may_name {
            return None;
        }
        let rest = words[at + 1..].iter().map(|word| word.form.as_str());
        let frame = words[..at].iter().map(|word| word.form.as_str());
        Some(Self {
            frame: {
                let words: Vec<&str> = frame.chain(["#"]).chain(rest).collect();
                Self::framed(&words.join(" "), &[before])
            },
            value: vec![words[at].form.clone()],
            shape: Shape::Number,
            is_named: false,
        })
    }

    /// A literal after a copula of a script without spaces: `默认端口是 8080`.
    fn unspaced(words: &[Word]) -> Option<Self> {
        let text: String = words.iter().map(|word| word.written.as_str()).collect();
        let at = text.rfind(UNSPACED_COPULAS)?;
        let (subject, rest) = text.split_at(at);
        let mut letters = rest.chars();
        letters.next();
        let value = letters.as_str().trim_end_matches('。');
        let is_literal = value.chars().all(|c| c.is_ascii_graphic())
            && value.chars().any(|c| c.is_ascii_digit());
        (is_literal && subject.chars().count() > 1 && !value.starts_with('-')).then(|| Self {
            frame: format!("{subject}="),
            value: vec![value.to_owned()],
            shape: Shape::Code,
            is_named: false,
        })
    }

    /// A statement from its subject, its relation and the qualifiers before it, and its value with those after it.
    fn new(
        (subject, relation, before): (&[Word], &[Word], &[Word]),
        value: &[Word],
        is_named: bool,
    ) -> Option<Self> {
        let frame = || subject.iter().chain(relation);
        let is_of_place = relation.len() > 1;
        let is_single = subject
            .iter()
            .any(|word| SINGLING.contains(&word.form.as_str()));
        let has_titles = is_of_place || is_single || TITLED.contains(&head(subject));
        let (value, after) = qualifiers::split(value, has_titles);
        let shape = shape(value)?;
        // Several things have several values: "the owners are Ada, Bob".
        let is_plural = frame().any(|word| word.form == "are");
        if is_plural && value.iter().rev().skip(1).any(|word| word.ends_part) {
            return None;
        }
        let (about, place) = qualifiers::within(subject);
        let frame: Vec<&str> = about
            .iter()
            .chain(relation)
            .map(|word| word.form.as_str())
            .collect();
        Some(Self {
            frame: Self::framed(&frame.join(" "), &[before, place, after]),
            value: value.iter().map(|word| word.form.clone()).collect(),
            shape,
            is_named,
        })
    }

    /// A frame with the qualifiers of its statement.
    fn framed(frame: &str, parts: &[&[Word]]) -> String {
        let qualifiers = qualifiers::form(parts);
        if qualifiers.is_empty() {
            frame.to_owned()
        } else {
            format!("{frame} | {qualifiers}")
        }
    }
}

/// Splits a text into words without fillers; `None` if it is longer than a statement or has two sentences.
fn words(text: &str) -> Option<Vec<Word>> {
    let mut found: Vec<Word> = Vec::new();
    for piece in text.split_whitespace() {
        let is_end = |word: &Word| {
            let before = word.written.strip_suffix('.');
            let is_long = |w: &str| {
                w.chars().count() > ABBREVIATION_MAX || w.chars().all(|c| c.is_ascii_digit())
            };
            before.is_some_and(|w| is_long(w) && !w.contains('.'))
        };
        if found.last().is_some_and(is_end) || found.len() == WORDS_MAX {
            return None;
        }
        let word = Word::new(piece);
        if word.form.is_empty() || FILLERS.contains(&word.form.as_str()) {
            continue;
        }
        found.push(word);
    }
    Some(found)
}

impl Word {
    fn new(piece: &str) -> Self {
        let written = piece.replace('’', "'");
        let quotes = ['"', '\'', '`', '“', '”', '«', '»', '(', ')', '*'];
        let bare = written.trim_matches(quotes);
        let bare = bare.trim_end_matches([',', '.', ':']).trim_matches(quotes);
        let mut letters = bare.chars();
        letters.next();
        // Case distinguishes two names only inside code, as in `userId`.
        let is_code = written.contains('`')
            || letters.clone().any(char::is_uppercase)
            || bare.contains(['_', '/', '\\', '=', '@'])
            || (bare.contains(|c: char| c.is_ascii_digit()) && bare.contains(char::is_alphabetic));
        let keeps_case = is_code && !bare.chars().all(|c| c.is_uppercase() || !c.is_alphabetic());
        Self {
            form: if keeps_case {
                bare.to_owned()
            } else {
                bare.to_lowercase()
            },
            is_code,
            ends_part: written.ends_with(','),
            written,
        }
    }

    fn is_capital(&self) -> bool {
        let mut letters = self.written.chars().skip_while(|c| !c.is_alphanumeric());
        letters
            .next()
            .is_some_and(|c| c.is_uppercase() || c.is_ascii_digit())
    }
}

/// Returns where the last relation of the table begins, and where its value does.
fn last_relation(words: &[Word]) -> Option<(usize, usize)> {
    (0..words.len()).rev().find_map(|start| {
        let matches = |relation: &&&[&str]| {
            let mut forms = words[start..].iter().map(|word| word.form.as_str());
            relation.iter().all(|form| {
                let found = forms.next();
                found == Some(form) || (*form == "is" && found == Some("are"))
            })
        };
        let longest = RELATIONS
            .iter()
            .filter(matches)
            .map(|relation| relation.len())
            .max()?;
        (start + longest < words.len()).then_some((start, start + longest))
    })
}

fn is_flag(word: &Word) -> bool {
    let bare = word.written.trim_start_matches(['`', '"', '\'']);
    bare.starts_with('-') && bare.len() > 1
}

/// Returns true if a word adds the value to others.
fn adds(word: &Word) -> bool {
    ADDITIONS.contains(&word.form.as_str())
}

fn has_hedge(words: &[Word]) -> bool {
    words
        .iter()
        .any(|word| HEDGES.contains(&word.form.as_str()))
}

/// Returns the noun that a subject is about: the word before its first preposition or clause, else the last.
fn head(subject: &[Word]) -> &str {
    let is_link = |word: &Word| {
        // The first word may be an article that also links: "der".
        [
            "of", "for", "in", "on", "at", "that", "where", "which", "who", "to", "von", "des",
            "der", "im", "für", "auf", "bei", "vom",
        ]
        .contains(&word.form.as_str())
    };
    let link = subject.iter().skip(1).position(is_link);
    let end = link.map_or(subject.len(), |at| at + 1);
    let noun = end.checked_sub(1).and_then(|at| subject.get(at));
    noun.map_or("", |word| word.form.as_str())
}

/// Returns true if a definite noun is described by the words after it.
fn is_described(subject: &[Word]) -> bool {
    let is_definite = subject.first().is_some_and(|word| word.form == "the");
    let link = subject
        .iter()
        .position(|word| ["of", "that", "where", "who"].contains(&word.form.as_str()));
    is_definite && link.is_some_and(|at| at > 1 && at + 1 < subject.len())
}

fn is_of_several(subject: &[Word]) -> bool {
    SEVERAL.contains(&head(subject))
}

#[cfg(test)]
mod tests;
