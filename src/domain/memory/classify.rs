//! Memory type, topic and concept of a text that comes without them: a table of whole-word rules.
//!
//! The table is data that users can replace; its digest stands in the policy of each memory, so that
//! two instances with different tables do not silently decide differently.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::bullet::MemoryType;
use super::key::hex;

/// Stands in a rule for any fraction written in digits (`1/2`).
const FRACTION: &str = "<fraction>";
/// Stands in a rule for a percent sign.
const PERCENT: &str = "<percent>";

/// The classification table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// First rule with a word in the text decides the memory type.
    pub types: Vec<TypeRule>,
    /// First matching rule decides the topic.
    pub topics: Vec<NameRule>,
    /// First matching rule decides the concept.
    pub concepts: Vec<NameRule>,
}

/// Any of the words, or any of the tags, means this type.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeRule {
    /// What it decides.
    pub memory_type: MemoryType,
    /// Whole words of the text, lower case.
    #[serde(default)]
    pub words: Vec<String>,
    /// Tags, lower case.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// One word of each group means this name.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameRule {
    /// What it decides.
    pub name: String,
    /// Groups of whole words, lower case; `<fraction>` and `<percent>` stand for digits.
    pub all_of: Vec<Vec<String>>,
}

impl Rules {
    /// The shipped table: general words for types, arithmetic tutoring for topics and concepts.
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

    /// SHA-256 hex of the table.
    pub fn digest(&self) -> String {
        // A struct of strings always serialises; an empty text could only mean an empty table.
        hex(&Sha256::digest(
            serde_json::to_string(self).unwrap_or_default(),
        ))
    }

    /// The memory type that the words and tags speak for; semantic when nothing does.
    pub fn memory_type(&self, content: &str, tags: &[String]) -> MemoryType {
        let words = rule_words(content);
        let has_tag = |tag: &String| tags.iter().any(|own| own.to_lowercase() == *tag);
        self.types
            .iter()
            .find(|rule| {
                rule.words.iter().any(|w| words.contains(w)) || rule.tags.iter().any(has_tag)
            })
            .map_or(MemoryType::Semantic, |rule| rule.memory_type)
    }

    /// The topic that the words speak for.
    pub fn topic(&self, content: &str) -> Option<&str> {
        first_name(&self.topics, content)
    }

    /// The concept that the words speak for.
    pub fn concept(&self, content: &str) -> Option<&str> {
        first_name(&self.concepts, content)
    }
}

fn first_name<'r>(rules: &'r [NameRule], content: &str) -> Option<&'r str> {
    let words = rule_words(content);
    let matches = |rule: &&NameRule| {
        !rule.all_of.is_empty()
            && rule
                .all_of
                .iter()
                .all(|group| group.iter().any(|word| words.contains(word)))
    };
    rules.iter().find(matches).map(|rule| rule.name.as_str())
}

/// The whole words of a text in lower case, with the stand-ins for digits.
fn rule_words(content: &str) -> Vec<String> {
    let lower = content.to_lowercase();
    let mut words: Vec<String> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let bytes = lower.as_bytes();
    let digit = |at: Option<&u8>| at.is_some_and(u8::is_ascii_digit);
    let slash =
        |i: usize| bytes[i] == b'/' && i > 0 && digit(bytes.get(i - 1)) && digit(bytes.get(i + 1));
    if (0..bytes.len()).any(slash) {
        words.push(FRACTION.to_owned());
    }
    if lower.contains('%') {
        words.push(PERCENT.to_owned());
    }
    words
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
            assert_eq!(rules.memory_type(text, &tags), expected, "{text}");
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
            assert_eq!(
                (rules.topic(text), rules.concept(text)),
                (topic, concept),
                "{text}"
            );
        }
    }
}
