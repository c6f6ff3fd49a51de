//! The subject of a short text, whichever side it takes: its words without negations, opposites and stop words.
//!
//! "Enable the cache" and "Disable the cache" share half of their words, too few to be near duplicates, but they
//! share their subject. So texts that may contradict each other are looked up by subject instead of comparing
//! all pairs. Whether they do contradict is decided by the merge guard.

use std::collections::HashMap;
use std::sync::Arc;

use unicode_segmentation::UnicodeSegmentation;

use super::antonyms::{Antonyms, base_form};
use super::negation::{is_negation, unspaced_parts};
use super::words::stop_words::is_stop_word;
use super::words::{fold, is_unspaced};

/// Maximum length of a short text, in bytes: longer contradictions share enough words to be near duplicates.
const SHORT_MAX_BYTES: usize = 240;
/// Maximum words of a short text.
const SHORT_MAX_WORDS: usize = 24;

/// Words that demand something without naming it.
const DEMANDS: &[&str] = &[
    "always", "can", "could", "may", "might", "must", "need", "please", "prefer", "shall",
    "should", "use", "ever", "just", "really",
];

/// The words in scripts without spaces.
const UNSPACED_DEMANDS: &[&str] = &[
    "必须", "必須", "必要", "需要", "应该", "應該", "可以", "能够", "务必", "務必", "必", "须",
    "须要", "要", "应", "可", "能", "会", "請", "请", "使用",
];

/// Reads the subjects of texts, with a cache of words.
#[derive(Clone, Debug)]
pub struct SubjectReader {
    antonyms: Antonyms,
    /// The part of the subject that each word contributes; `None` for a word that contributes nothing.
    kept: HashMap<String, Option<Arc<str>>>,
}

impl SubjectReader {
    /// Creates a reader that ignores these opposites.
    pub fn new(antonyms: Antonyms) -> Self {
        Self {
            antonyms,
            kept: HashMap::default(),
        }
    }

    /// Returns the subject of a text, the same in any order of its words; `None` if the text is not short.
    pub fn read(&self, text: &str) -> Option<String> {
        self.subject(text, |word| {
            let known = self.kept.get(word).cloned();
            known.unwrap_or_else(|| self.subject_word(word))
        })
    }

    /// Does the same, and caches the words.
    pub fn learn(&mut self, text: &str) -> Option<String> {
        let mut kept = std::mem::take(&mut self.kept);
        let subject = self.subject(text, |word| {
            if let Some(known) = kept.get(word) {
                return known.clone();
            }
            let found = self.subject_word(word);
            kept.insert(word.into(), found.clone());
            found
        });
        self.kept = kept;
        subject
    }

    fn subject(
        &self,
        text: &str,
        mut keep: impl FnMut(&str) -> Option<Arc<str>>,
    ) -> Option<String> {
        if !is_short(text) {
            return None;
        }
        let lower = fold(text).to_lowercase();
        let (spaced, unspaced) = self.without_sides(&lower);
        let words: Vec<&str> = spaced.unicode_words().collect();
        if words.len() > SHORT_MAX_WORDS || (words.is_empty() && unspaced.is_empty()) {
            return None;
        }
        let mut kept: Vec<Arc<str>> = words.into_iter().filter_map(&mut keep).collect();
        // Sorted, so that word order does not change the subject.
        kept.sort_unstable();
        kept.dedup();
        Some(format!("{} {unspaced}", kept.join(" ")))
    }

    /// Splits a text into the part with spaces, and the runs of scripts without spaces, from which opposites,
    /// negations and demands are removed.
    fn without_sides(&self, lower: &str) -> (String, String) {
        if !lower.contains(is_unspaced) {
            return (lower.to_owned(), String::new());
        }
        let mut unspaced: String = lower.chars().filter(|c| is_unspaced(*c)).collect();
        let sides = self.antonyms.unspaced_sides();
        for side in sides {
            unspaced = unspaced.replace(side, "");
        }
        for part in unspaced_parts().chain(UNSPACED_DEMANDS.iter().copied()) {
            unspaced = unspaced.replace(part, "");
        }
        (lower.replace(is_unspaced, " "), unspaced)
    }

    fn subject_word(&self, word: &str) -> Option<Arc<str>> {
        let word = word.strip_prefix("n'").unwrap_or(word);
        let says_nothing = is_negation(word) || is_stop_word(word) || DEMANDS.contains(&word);
        if says_nothing || word.starts_with("using") {
            return None;
        }
        let stem = base_form(word);
        (!self.antonyms.has_side(&stem)).then(|| stem.into())
    }
}

/// Returns true if a text is short enough to have a subject.
pub fn is_short(text: &str) -> bool {
    text.len() <= SHORT_MAX_BYTES
}

/// Returns the words that this rule knows, for a digest of the rules.
pub(super) fn vocabulary() -> impl Iterator<Item = &'static str> {
    [DEMANDS, UNSPACED_DEMANDS].into_iter().flatten().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_have_one_subject_and_other_texts_another() {
        let reader = SubjectReader::new(Antonyms::standard());
        let same = |a: &str, b: &str| {
            let (a, b) = (reader.read(a), reader.read(b));
            a.is_some() && a == b
        };
        for (a, b) in [
            ("Enable the cache", "Disable the cache"),
            ("Use tabs", "Do not use tabs"),
            ("Use tabs", "Avoid tabs."),
            ("The door is open", "The door is closed"),
            ("Always run the tests", "Never run the tests"),
            ("Retry with the key", "Retry without the key"),
            ("部署前必须备份数据库", "部署前不必备份数据库"),
            ("启用缓存", "禁用缓存"),
            ("N'utilisez pas le cache", "Utilisez le cache"),
            ("Aktiviere den Cache", "Deaktiviere den Cache"),
        ] {
            assert!(same(a, b), "{a:?} {b:?}");
        }
        for (a, b) in [
            ("Enable the cache", "Clear the cache"),
            ("Run the tests", "Do not forget to run the tests"),
            ("Keep 3 copies", "Do not keep 5 copies"),
            ("", ""),
        ] {
            assert!(!same(a, b), "{a:?} {b:?}");
        }
        assert_eq!(reader.read(&"word ".repeat(30)), None);
    }

    #[test]
    fn what_is_kept_changes_nothing() {
        let mut reader = SubjectReader::new(Antonyms::standard());
        let plain = reader.clone();
        for text in ["Enable the cache", "enable caches", "Enable the cache"] {
            assert_eq!(reader.learn(text), plain.read(text));
            assert_eq!(reader.read(text), plain.read(text));
        }
    }
}
