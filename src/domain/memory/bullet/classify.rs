//! Infers the memory type, topic and concept of a text from a table of whole-word rules.
//!
//! The table is data that users can replace. The policy of each memory records its digest, so that two
//! instances with different tables do not silently decide differently.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::bullet_kind::MemoryType;
use super::type_words::{CLEAR_IMPERATIVES, CONDITIONS, DUTIES, IMPERATIVES, PAST_FORMS, TIMES};
use hindlore_primitives::identity::hex;

/// Matches any fraction written in digits (`1/2`).
const FRACTION: &str = "<fraction>";
/// Matches a percent sign.
const PERCENT: &str = "<percent>";

/// The classification table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The first rule that the text matches decides the memory type.
    pub types: Vec<TypeRule>,
    /// The rules of memories in mode `classic`; empty for those of all others.
    #[serde(default)]
    pub classic_types: Vec<TypeRule>,
    /// The first matching rule decides the topic.
    pub topics: Vec<NameRule>,
    /// The first matching rule decides the concept.
    pub concepts: Vec<NameRule>,
}

/// A rule that matches one of its first words and one of its words, where it has such, or one of its tags.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeRule {
    /// The memory type of a matching text.
    pub memory_type: MemoryType,
    /// First words of the text, lower case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first: Vec<String>,
    /// Whole words or phrases of the text, lower case.
    #[serde(default)]
    pub words: Vec<String>,
    /// Tags, lower case.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// A rule that matches one word of each of its groups.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameRule {
    /// The topic or concept of a matching text.
    pub name: String,
    /// Groups of whole words, lower case; `<fraction>` and `<percent>` match digits.
    pub all_of: Vec<Vec<String>>,
}

impl Rules {
    /// Returns the shipped table: words of instructions and events for types, those of the original program for mode
    /// `classic`, and arithmetic tutoring for topics and concepts.
    pub fn standard() -> Self {
        let phrases = |list: &str| list.split('|').map(|one| one.trim().to_owned()).collect();
        let rule = |memory_type, first: Vec<String>, words: Vec<String>| TypeRule {
            memory_type,
            first,
            words,
            tags: Vec::new(),
        };
        Self {
            types: vec![
                rule(MemoryType::Procedural, words(IMPERATIVES), Vec::new()),
                rule(MemoryType::Episodic, Vec::new(), phrases(TIMES)),
                rule(
                    MemoryType::Procedural,
                    words(CONDITIONS),
                    words(CLEAR_IMPERATIVES),
                ),
                rule(MemoryType::Episodic, Vec::new(), words(PAST_FORMS)),
                rule(MemoryType::Procedural, Vec::new(), phrases(DUTIES)),
            ],
            classic_types: classic_types(),
            ..Self::tutoring()
        }
    }

    /// The topics and concepts of arithmetic tutoring.
    fn tutoring() -> Self {
        let name = |name: &str, groups: &[&str]| NameRule {
            name: name.to_owned(),
            all_of: groups.iter().map(|group| words(group)).collect(),
        };
        let fractions =
            "fraction fractions numerator numerators denominator denominators <fraction>";
        Self {
            types: Vec::new(),
            classic_types: Vec::new(),
            topics: vec![
                name(
                    "fraction_addition",
                    &[fractions, "add adds adding addition sum sums plus"],
                ),
                name("fractions", &[fractions]),
                name("decimals", &["decimal decimals"]),
                name(
                    "percentages",
                    &["percent percents percentage percentages <percent>"],
                ),
            ],
            concepts: vec![
                name("common_denominator", &["denominator denominators lcm"]),
                name("equivalent_fractions", &["equivalent"]),
                name("numerator", &["numerator numerators"]),
            ],
        }
    }

    /// Returns the SHA-256 of the table in hex.
    pub fn digest(&self) -> String {
        // A struct of strings always serialises, so the default is never used.
        hex(&Sha256::digest(
            serde_json::to_string(self).unwrap_or_default(),
        ))
    }

    /// Returns the memory type of a text with these words and tags; semantic if no rule matches.
    pub fn memory_type(&self, words: &RuleWords, tags: &[String], is_classic: bool) -> MemoryType {
        let has_tag = |tag: &String| tags.iter().any(|own| own.to_lowercase() == *tag);
        let is_one = |all: &[String], has: &dyn Fn(&str) -> bool| {
            all.is_empty() || all.iter().any(|word| has(word))
        };
        let matches = |rule: &&TypeRule| {
            let has_words = !(rule.first.is_empty() && rule.words.is_empty())
                && is_one(&rule.first, &|word| words.begins_with(word))
                && is_one(&rule.words, &|word| words.has(word));
            has_words || rule.tags.iter().any(has_tag)
        };
        let rules = if is_classic && !self.classic_types.is_empty() {
            &self.classic_types
        } else {
            &self.types
        };
        let found = rules.iter().find(matches);
        found.map_or(MemoryType::Semantic, |rule| rule.memory_type)
    }

    /// Returns the topic of a text with these words.
    pub fn topic(&self, words: &RuleWords) -> Option<&str> {
        first_name(&self.topics, words)
    }

    /// Returns the concept of a text with these words.
    pub fn concept(&self, words: &RuleWords) -> Option<&str> {
        first_name(&self.concepts, words)
    }
}

/// The words of a list.
fn words(list: &str) -> Vec<String> {
    list.split_whitespace().map(str::to_owned).collect()
}

/// The rules of the original program.
fn classic_types() -> Vec<TypeRule> {
    let kind = |memory_type, list: &str, tags: &str| TypeRule {
        memory_type,
        first: Vec::new(),
        words: words(list),
        tags: words(tags),
    };
    vec![
        kind(
            MemoryType::Procedural,
            "step steps goal goals conversion conversions next state progress procedure \
                     procedures workflow workflows sequence sequences",
            "",
        ),
        kind(
            MemoryType::Episodic,
            "user users prefers request requests frustration asked likes history student \
                     students experience experiences observed",
            "",
        ),
        kind(
            MemoryType::Episodic,
            "misconception misconceptions error errors mistake mistakes struggle struggles \
                     issue issues confused",
            "",
        ),
        kind(MemoryType::Procedural, "", "state"),
    ]
}

fn first_name<'r>(rules: &'r [NameRule], words: &RuleWords) -> Option<&'r str> {
    let matches = |rule: &&NameRule| {
        !rule.all_of.is_empty()
            && rule
                .all_of
                .iter()
                .all(|group| group.iter().any(|word| words.has(word)))
    };
    rules.iter().find(matches).map(|rule| rule.name.as_str())
}

/// The whole words of a text in lower case, to be tested against rules.
#[derive(Clone, Debug)]
pub struct RuleWords {
    lower: String,
    /// The range of each word in `lower`.
    words: Vec<Range<usize>>,
    /// A Bloom filter of the words: most words of rules are absent, and one bit shows that.
    filter: [u64; 4],
    has_fraction: bool,
}

/// Returns the word of the filter and the bit in it, from the length and the ends of a word.
fn filter_bit(word: &str) -> (usize, u64) {
    let bytes = word.as_bytes();
    let (first, last) = (bytes.first(), bytes.last());
    let ends = u32::from(*first.unwrap_or(&0)) << 8 | u32::from(*last.unwrap_or(&0));
    // Fibonacci hashing (Knuth 6.4): the highest eight bits choose one of 4 · 64 bits.
    let hash = (ends ^ (bytes.len() as u32) << 16).wrapping_mul(0x9E37_79B9) >> 24;
    ((hash >> 6) as usize, 1 << (hash & 63))
}

impl RuleWords {
    /// Splits a text at all characters that are neither letters nor digits.
    pub fn from_text(content: &str) -> Self {
        let lower = content.to_lowercase();
        let (mut words, mut filter) = (Vec::new(), [0; 4]);
        let mut start = 0;
        let mut end_at = |at: usize, next: usize| {
            if start < at {
                let (place, bit) = filter_bit(&lower[start..at]);
                filter[place] |= bit;
                words.push(start..at);
            }
            start = next;
        };
        // Bytes are faster to scan than characters, and most texts are ASCII.
        if lower.is_ascii() {
            let apart = |(_, byte): &(usize, u8)| !byte.is_ascii_alphanumeric();
            let ends = lower.bytes().enumerate().filter(apart);
            ends.for_each(|(at, _)| end_at(at, at + 1));
        } else {
            let ends = lower.match_indices(|c: char| !c.is_alphanumeric());
            ends.for_each(|(at, apart)| end_at(at, at + apart.len()));
        }
        end_at(lower.len(), lower.len());
        Self {
            has_fraction: has_fraction(lower.as_bytes()),
            words,
            filter,
            lower,
        }
    }

    fn begins_with(&self, word: &str) -> bool {
        let first = self.words.first();
        first.is_some_and(|first| self.lower[first.clone()] == *word)
    }

    /// Returns true if the text has the words of a phrase one after the other.
    fn has_phrase(&self, phrase: &str) -> bool {
        // Most phrases have a word that the text lacks.
        if !phrase.split(' ').all(|part| self.has_word(part)) {
            return false;
        }
        let parts: Vec<&str> = phrase.split(' ').collect();
        let is_part = |(known, part): (&Range<usize>, &&str)| self.lower[known.clone()] == **part;
        let mut places = self.words.windows(parts.len());
        places.any(|place| place.iter().zip(&parts).all(is_part))
    }

    /// Returns true if the text has a word or a phrase of a rule.
    fn has(&self, word: &str) -> bool {
        match word {
            FRACTION => self.has_fraction,
            PERCENT => self.lower.contains('%'),
            phrase if phrase.contains(' ') => self.has_phrase(phrase),
            word => self.has_word(word),
        }
    }

    fn has_word(&self, word: &str) -> bool {
        let (place, bit) = filter_bit(word);
        let is_it = |known: &Range<usize>| self.lower[known.clone()] == *word;
        self.filter[place] & bit != 0 && self.words.iter().any(is_it)
    }
}

fn has_fraction(bytes: &[u8]) -> bool {
    let is_fraction =
        |part: &[u8]| part[0].is_ascii_digit() && part[1] == b'/' && part[2].is_ascii_digit();
    bytes.windows(3).any(is_fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_mode_classic_follow_from_the_words_of_the_original() {
        let rules = Rules::standard();
        for (text, tags, expected) in [
            ("Follow the steps in order", vec![], MemoryType::Procedural),
            ("The statement is short", vec![], MemoryType::Semantic),
            ("The user prefers tables", vec![], MemoryType::Episodic),
            ("A common mistake with units", vec![], MemoryType::Episodic),
            ("Steps the user asked for", vec![], MemoryType::Procedural),
            (
                "Water boils at 100 degrees",
                vec!["State".to_owned()],
                MemoryType::Procedural,
            ),
            ("Mistaken identity", vec![], MemoryType::Semantic),
        ] {
            let words = RuleWords::from_text(text);
            assert_eq!(rules.memory_type(&words, &tags, true), expected, "{text}");
        }
    }

    /// Two thirds of them must be typed right by their words alone; the file was labelled by meaning.
    #[test]
    fn notes_of_agents_are_typed_by_instructions_and_events() {
        let rules = Rules::standard();
        let typed = |text: &str| rules.memory_type(&RuleWords::from_text(text), &[], false);
        for (text, expected) in [
            ("First read the file, then edit it", MemoryType::Procedural),
            ("Avoid using eval on user input", MemoryType::Procedural),
            ("Last time the deploy failed", MemoryType::Episodic),
            (
                "After a timeout, query the state; the write may have worked",
                MemoryType::Procedural,
            ),
            ("The user prefers metric units", MemoryType::Semantic),
            (
                "When the API answers 429, wait a minute",
                MemoryType::Procedural,
            ),
            (
                "The API returns at most 50 rows for a request",
                MemoryType::Semantic,
            ),
        ] {
            assert_eq!(typed(text), expected, "{text}");
        }
        let notes = include_str!("../../../../tests/data/bullet_types.tsv");
        let held = notes.lines().skip(1).step_by(2);
        let pairs = held.filter_map(|line| line.split_once('\t'));
        let right = pairs
            .clone()
            .filter(|(word, text)| typed(text).word() == *word)
            .count();
        assert_eq!(
            (pairs.count(), right >= 72),
            (100, true),
            "{right} of the half held out"
        );
    }

    #[test]
    fn topics_and_concepts_follow_from_the_table() {
        let rules = Rules::standard();
        for (text, topic, concept) in [
            (
                "Add fractions by finding the lcm",
                Some("fraction_addition"),
                Some("common_denominator"),
            ),
            ("1/2 plus 1/3", Some("fraction_addition"), None),
            (
                "equivalent fractions",
                Some("fractions"),
                Some("equivalent_fractions"),
            ),
            ("round decimals", Some("decimals"), None),
            ("20% off", Some("percentages"), None),
            ("the file a/b", None, None),
            ("additional summaries", None, None),
        ] {
            let words = RuleWords::from_text(text);
            assert_eq!(
                (rules.topic(&words), rules.concept(&words)),
                (topic, concept),
                "{text}"
            );
        }
    }
}
