//! Tags: the kind of failure of an error, in one vocabulary for lessons and for queries.
//!
//! The table is data: users add names, aliases and rules of their own. A rule is a phrase of whole words, so that
//! "request" holds no quest and no operator. An error that no rule knows is `uncategorized`, which means nothing and
//! therefore never counts as something in common.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::action::Action;
use super::tag_table::{ALIASES, RULES};
use hindlore_primitives::identity::hex;

/// The tag of an error that no rule knows.
pub const UNCATEGORIZED: &str = "uncategorized";

/// Matches a number from 400 to 499, and from 500 to 599, in a phrase.
const CLIENT_ERROR: &str = "<4xx>";
const SERVER_ERROR: &str = "<5xx>";

/// Characters of an error text that rules read.
const TEXT_MAX_BYTES: usize = 16 * 1_024;

/// The vocabulary with its rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagRules {
    /// Other names of a tag.
    #[serde(default)]
    pub aliases: Vec<TagAlias>,
    /// Any phrase of a rule in the text gives its tag.
    #[serde(default)]
    pub rules: Vec<TagRule>,
}

/// Another name of a tag.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagAlias {
    /// The other name.
    pub alias: String,
    /// The name in the vocabulary.
    pub tag: String,
}

/// When an error has a tag.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagRule {
    /// Its tag.
    pub tag: String,
    /// Phrases of whole words in lower case; a word that ends in `*` matches all with that beginning, `<4xx>` and
    /// `<5xx>` match numbers.
    pub phrases: Vec<String>,
}

/// The signs of a failed step in addition to its text.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Circumstances {
    /// The process ended with another code than 0.
    pub nonzero_exit: bool,
    /// A required condition was not met.
    pub constraint_failed: bool,
    /// The step brought nothing.
    pub no_progress: bool,
    /// The state after the step is the state before it.
    pub state_stall: bool,
    /// The goal is further away than before.
    pub goal_distance_increase: bool,
    /// A safety rule was violated.
    pub unsafe_action: bool,
}

impl TagRules {
    /// The shipped table.
    pub fn standard() -> Self {
        let aliases = ALIASES.iter().map(|(alias, tag)| TagAlias {
            alias: (*alias).to_owned(),
            tag: (*tag).to_owned(),
        });
        let rules = RULES.iter().map(|(tag, phrases)| TagRule {
            tag: (*tag).to_owned(),
            phrases: phrases
                .split('|')
                .map(|phrase| phrase.trim().to_owned())
                .collect(),
        });
        Self {
            aliases: aliases.collect(),
            rules: rules.collect(),
        }
    }

    /// These rules and more of one's own; the own come first, so that an own alias wins.
    pub fn extended(mut self, own: Self) -> Self {
        self.aliases.splice(0..0, own.aliases);
        self.rules.splice(0..0, own.rules);
        self
    }

    /// SHA-256 hex of the table.
    pub fn digest(&self) -> String {
        // A struct of strings always serialises; an empty text could only mean an empty table.
        hex(&Sha256::digest(
            serde_json::to_string(self).unwrap_or_default(),
        ))
    }

    /// The name in the vocabulary of a tag as written.
    pub fn canonical(&self, tag: &str) -> String {
        let name = words_of(tag).join("_");
        let alias = self.aliases.iter().find(|row| row.alias == name);
        alias.map_or(name, |row| row.tag.clone())
    }

    /// The tags of a text, sorted; never empty.
    pub fn of_text(&self, text: &str) -> Vec<String> {
        or_uncategorized(self.found_in(text))
    }

    /// The tags of a failed step, sorted; never empty.
    pub fn of_step(&self, text: &str, action: &Value, step: Circumstances) -> Vec<String> {
        let mut tags = self.found_in(text);
        if matches!(Action::read(action), Action::Command(_)) {
            tags.push("surface_cli".to_owned());
        }
        let flags = [
            (step.nonzero_exit, "nonzero_exit"),
            (step.constraint_failed, "constraint_failed"),
            (step.no_progress, "no_progress"),
            (step.state_stall, "state_stall"),
            (step.goal_distance_increase, "goal_distance_increase"),
            (step.unsafe_action, "unsafe_action"),
        ];
        tags.extend(
            flags
                .iter()
                .filter(|(holds, _)| *holds)
                .map(|(_, tag)| (*tag).to_owned()),
        );
        or_uncategorized(tags)
    }

    fn found_in(&self, text: &str) -> Vec<String> {
        let cut = text.floor_char_boundary(TEXT_MAX_BYTES.min(text.len()));
        let words = words_of(&text[..cut]);
        let holds = |rule: &&TagRule| {
            rule.phrases
                .iter()
                .any(|phrase| holds_phrase(&words, phrase))
        };
        self.rules
            .iter()
            .filter(holds)
            .map(|rule| rule.tag.clone())
            .collect()
    }
}

fn or_uncategorized(mut tags: Vec<String>) -> Vec<String> {
    if tags.is_empty() {
        tags.push(UNCATEGORIZED.to_owned());
    }
    tags.sort_unstable();
    tags.dedup();
    tags
}

fn holds_phrase(words: &[String], phrase: &str) -> bool {
    let wanted: Vec<&str> = phrase.split_whitespace().collect();
    !wanted.is_empty()
        && words.windows(wanted.len()).any(|window| {
            window
                .iter()
                .zip(&wanted)
                .all(|(word, wanted)| fits(word, wanted))
        })
}

fn fits(word: &str, wanted: &str) -> bool {
    let number = |from: u32| {
        word.len() == 3
            && word
                .parse()
                .is_ok_and(|n: u32| (from..from + 100).contains(&n))
    };
    match wanted {
        CLIENT_ERROR => number(400),
        SERVER_ERROR => number(500),
        _ => wanted
            .strip_suffix('*')
            .map_or(word == wanted, |start| word.starts_with(start)),
    }
}

/// The words of a text in lower case: cut at every other sign, at underscores and at humps.
fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = text.chars().collect();
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map_or(' ', |at| chars[at]);
        let next = chars.get(at + 1).copied().unwrap_or(' ');
        let hump = c.is_uppercase()
            && (before.is_lowercase() || (before.is_uppercase() && next.is_lowercase()));
        let inside =
            c.is_alphanumeric() || (c == '\'' && before.is_alphabetic() && next.is_alphabetic());
        if (hump || !inside) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if inside {
            word.extend(c.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_follow_from_whole_words() {
        let rules = TagRules::standard();
        for (text, tags) in [
            (
                "HTTP 429 Too Many Requests: rate limit exceeded",
                "client_error rate_limited surface_http",
            ),
            ("please send the request again", "uncategorized"),
            ("ERROR at line 3: unknown command KEPP", "unknown_command"),
            (
                "FileNotFoundError: [Errno 2] No such file or directory: 'x'",
                "not_found surface_python",
            ),
            ("permission denied", "permission"),
            ("HTTP 503 Service Unavailable", "server_error surface_http"),
            (
                "SyntaxError: invalid syntax",
                "surface_python syntax_structure",
            ),
            ("连接超时", "uncategorized"),
            ("", "uncategorized"),
        ] {
            assert_eq!(rules.of_text(text).join(" "), tags, "{text}");
        }
    }

    #[test]
    fn a_step_adds_what_its_circumstances_say() {
        let step = Circumstances {
            nonzero_exit: true,
            state_stall: true,
            ..Circumstances::default()
        };
        let tags = TagRules::standard().of_step("odd", &Value::from("make all"), step);
        assert_eq!(tags, ["nonzero_exit", "state_stall", "surface_cli"]);
    }

    #[test]
    fn users_add_names_and_rules() {
        let own = TagRules {
            aliases: vec![TagAlias {
                alias: "deadline".into(),
                tag: "timeout".into(),
            }],
            rules: vec![TagRule {
                tag: "billing".into(),
                phrases: vec!["credit card".into(), "invoice*".into()],
            }],
        };
        let rules = TagRules::standard().extended(own);
        assert_eq!(rules.of_text("Invoices unpaid"), ["billing"]);
        assert_eq!(rules.canonical("Deadline"), "timeout");
        assert_eq!(rules.canonical("Rate Limit"), "rate_limited");
        assert_eq!(rules.canonical("myOwn tag"), "my_own_tag");
        assert_ne!(rules.digest(), TagRules::standard().digest());
    }
}
