//! Whether a rule is worth keeping: specific, and more than a commonplace. The table is data.

use serde::{Deserialize, Serialize};

use super::rejection::Rejection;
use crate::lesson::rule::Rule;
use hindlore_text::words::standard_words;
use hindlore_text::words::stop_words::is_stop_word;

/// Phrases that are true of everything.
#[rustfmt::skip]
const PLATITUDES: &[&str] = &[
    "be careful", "pay attention", "double check", "check your work", "read the documentation", "read the docs",
    "read the error message", "try again", "do better", "avoid errors", "avoid mistakes", "follow the instructions",
    "follow best practices", "make sure everything", "make sure it works", "verify the result", "think step by step",
    "use the correct syntax", "use correct syntax", "use proper syntax", "handle errors", "test your code",
    "validate your input", "be consistent", "be precise", "be specific", "keep it simple", "as needed", "when appropriate",
];

/// Words that carry nothing of their own in a rule.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "always", "never", "please", "must", "should", "ensure", "sure", "remember", "important", "carefully", "properly",
    "correctly", "before", "after", "every", "all", "each", "time", "step", "task", "run", "running", "command", "commands",
    "use", "using", "make", "check", "try", "error", "errors", "mistake", "mistakes", "thing", "things", "way",
];

/// The rules of the check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QualityRules {
    /// Phrases that are true of everything, lower case.
    pub platitudes: Vec<String>,
    /// Words that carry nothing, lower case.
    pub fillers: Vec<String>,
    /// Minimum words that remain without platitudes and fillers.
    pub content_words_min: usize,
}

impl QualityRules {
    /// The shipped rules.
    pub fn standard() -> Self {
        let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
        Self {
            platitudes: owned(PLATITUDES),
            fillers: owned(FILLERS),
            content_words_min: 2,
        }
    }

    /// Why a rule is not worth keeping.
    pub fn objection(&self, rule: &Rule) -> Option<Rejection> {
        let text = rule.as_str();
        let lower = format!(" {} ", standard_words(text).join(" "));
        let found: Vec<&String> = self
            .platitudes
            .iter()
            .filter(|phrase| lower.contains(&format!(" {phrase} ")))
            .collect();
        let rest = found.iter().fold(lower.clone(), |rest, phrase| {
            rest.replace(&format!(" {phrase} "), " ")
        });
        let content = self.content_words(&rest);
        if let Some(phrase) = found.first()
            && content < self.content_words_min + 2
            && !names_something(text)
        {
            return Some(Rejection::Platitude((*phrase).clone()));
        }
        let is_pattern = rule.wrong().is_some();
        let says_enough = is_pattern || names_something(text) || content > self.content_words_min;
        (!says_enough).then_some(Rejection::Unspecific)
    }

    fn content_words(&self, text: &str) -> usize {
        let is_content =
            |word: &&str| !is_stop_word(word) && !self.fillers.iter().any(|filler| filler == word);
        text.split_whitespace().filter(is_content).count()
    }
}

/// Returns true if a text names a thing of its own: code, a file, a flag, a number, something in quotes.
fn names_something(text: &str) -> bool {
    text.split_whitespace().any(|piece| {
        let word = piece.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | ':' | '!' | '?'));
        let inside = word.chars().enumerate().any(|(at, c)| {
            matches!(
                c,
                '_' | '(' | ')' | '=' | '`' | '"' | '/' | '<' | '>' | '{' | '['
            ) || c.is_ascii_digit()
                || (at > 0 && c == '.')
        });
        let flag = word.starts_with('-') && word.len() > 1;
        let upper = word.len() >= 2 && word.chars().all(|c| c.is_ascii_uppercase());
        let hump = word
            .chars()
            .zip(word.chars().skip(1))
            .any(|(a, b)| a.is_lowercase() && b.is_uppercase());
        inside || flag || upper || hump
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commonplaces_are_turned_away_and_specific_rules_stay() {
        let rules = QualityRules::standard();
        for (text, kept) in [
            ("WRONG a → CORRECT b", true),
            ("Use lower-case function names: sum(x)", true),
            ("Quote file names in LOAD", true),
            ("Sort direction follows the column name", true),
            ("列名必须加引号", true),
            ("Имя файла берётся в кавычки", true),
            ("Be careful with every step", false),
            ("Always double check your work and try again", false),
            ("Read the error message", false),
            ("Avoid mistakes", false),
            ("Check it", false),
            ("!!!", false),
            ("Be careful: DELETE drops the whole table_x", true),
        ] {
            let objection = rules.objection(&Rule::parse(text).unwrap());
            assert_eq!(objection.is_none(), kept, "{text}: {objection:?}");
        }
    }
}
