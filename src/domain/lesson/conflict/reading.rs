//! Reading a rule: the words that it demands, and those under a negation.

use std::collections::BTreeSet;

use hindlore_text::negation::is_negation;
use hindlore_text::words::stem;
use hindlore_text::words::stop_words::is_stop_word;

/// The words of a rule: those that it demands, and those under a negation.
#[derive(Default)]
pub(crate) struct Reading {
    pub(crate) asserted: BTreeSet<String>,
    pub(crate) denied: BTreeSet<String>,
    /// The demanded words in order.
    pub(crate) demand: String,
    /// The forbidden words in order.
    pub(crate) forbidden: String,
}

impl Reading {
    pub(crate) fn of(text: &str) -> Self {
        let mut reading = Self::default();
        let mut under = false;
        let tokens = words_and_ends(text);
        for (at, token) in tokens.iter().enumerate() {
            let Some(word) = token else {
                under = false;
                continue;
            };
            let lower = word.to_lowercase().replace('’', "'");
            let next = tokens
                .get(at + 1)
                .and_then(Option::as_deref)
                .unwrap_or_default()
                .to_lowercase();
            if is_negation(&lower)
                || (lower == "instead" && next == "of")
                || (lower == "rather" && next == "than")
            {
                under = !matches!(next.as_str(), "only" | "just" | "merely");
            } else if under
                && matches!(
                    lower.as_str(),
                    "forget" | "fail" | "omit" | "skip" | "neglect"
                )
            {
                // A word that must not be forgotten is demanded.
                under = false;
            } else if matches!(lower.as_str(), "but" | "instead") {
                under = false;
            } else if !is_stop_word(&lower)
                && !matches!(
                    lower.as_str(),
                    "always" | "must" | "should" | "need" | "needs"
                )
            {
                reading.put(word, &lower, under);
            }
        }
        let both: Vec<String> = reading
            .asserted
            .intersection(&reading.denied)
            .cloned()
            .collect();
        for word in both {
            reading.asserted.remove(&word);
            reading.denied.remove(&word);
        }
        reading
    }

    fn put(&mut self, word: &str, lower: &str, under: bool) {
        // A word in capitals is a name: SUM and sum are two things.
        let capitals = word.chars().count() >= 2 && word.chars().all(|c| c.is_uppercase());
        let key = if capitals {
            word.to_owned()
        } else {
            stem(lower)
        };
        let (set, text) = if under {
            (&mut self.denied, &mut self.forbidden)
        } else {
            (&mut self.asserted, &mut self.demand)
        };
        set.insert(key);
        text.push_str(lower);
        text.push(' ');
    }

    pub(crate) fn all(&self) -> Vec<&String> {
        self.asserted.union(&self.denied).collect()
    }
}

/// The words of a text, and nothing where a clause ends.
fn words_and_ends(text: &str) -> Vec<Option<String>> {
    let mut tokens = Vec::new();
    for piece in text.split_whitespace() {
        let word = piece.trim_matches(|c: char| {
            !c.is_alphanumeric() && c != '_' && c != '-' && c != '=' && c != '>' && c != '<'
        });
        let begins = piece.starts_with(['(', '—', '–']);
        let ends = piece.ends_with([',', '.', ';', ':', '!', '?', ')', '—', '–']);
        if begins {
            tokens.push(None);
        }
        if !word.is_empty() {
            tokens.push(Some(word.to_owned()));
        }
        if ends {
            tokens.push(None);
        }
    }
    tokens
}
