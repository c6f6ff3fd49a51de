//! Infers the memory type, topic and concept of a text from a table of whole-word rules.
//!
//! The table is data that users can replace. The policy of each memory records its digest, so that two
//! instances with different tables do not silently decide differently.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::bullet_kind::MemoryType;
use hindlore_primitives::identity::hex;

/// Matches any fraction written in digits (`1/2`).
const FRACTION: &str = "<fraction>";
/// Matches a percent sign.
const PERCENT: &str = "<percent>";

/// The classification table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The first rule with a word in the text decides the memory type.
    pub types: Vec<TypeRule>,
    /// The first matching rule decides the topic.
    pub topics: Vec<NameRule>,
    /// The first matching rule decides the concept.
    pub concepts: Vec<NameRule>,
}

/// A rule that matches any of its words or tags.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeRule {
    /// The memory type of a matching text.
    pub memory_type: MemoryType,
    /// Whole words of the text, lower case.
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
    /// Returns the shipped table: general words for types, arithmetic tutoring for topics and concepts.
    pub fn standard() -> Self {
        let words = |list: &str| {
            list.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let kind = |memory_type, list: &str, tags: &str| TypeRule {
            memory_type,
            words: words(list),
            tags: words(tags),
        };
        let name = |name: &str, groups: &[&str]| NameRule {
            name: name.to_owned(),
            all_of: groups.iter().map(|group| words(group)).collect(),
        };
        let fractions =
            "fraction fractions numerator numerators denominator denominators <fraction>";
        Self {
            types: vec![
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
            ],
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
    pub fn memory_type(&self, words: &RuleWords, tags: &[String]) -> MemoryType {
        let has_tag = |tag: &String| tags.iter().any(|own| own.to_lowercase() == *tag);
        self.types
            .iter()
            .find(|rule| rule.words.iter().any(|w| words.has(w)) || rule.tags.iter().any(has_tag))
            .map_or(MemoryType::Semantic, |rule| rule.memory_type)
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

    /// Returns true if the text has a word of a rule.
    fn has(&self, word: &str) -> bool {
        match word {
            FRACTION => self.has_fraction,
            PERCENT => self.lower.contains('%'),
            word => {
                let (place, bit) = filter_bit(word);
                let is_it = |known: &Range<usize>| self.lower[known.clone()] == *word;
                self.filter[place] & bit != 0 && self.words.iter().any(is_it)
            }
        }
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
    fn types_follow_from_whole_words() {
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
            assert_eq!(rules.memory_type(&words, &tags), expected, "{text}");
        }
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
