//! Whether two corrections ask for the same: people repeat themselves in nearly equal words.

use std::fmt;

use super::language::{HENCEFORTH, LANGUAGES, PLACE};
use super::pattern::COMMA;
use super::sentence::{Word, words};
use hindlore_text::guard::MergeGuard;
use hindlore_text::similarity::jaccard;
use hindlore_text::words::search_terms;

/// The least similarity of the terms of two corrections that ask for the same (Jaccard).
const ALIKE_MIN: f64 = 0.75;

/// The wording of a correction, ready for comparison.
pub struct Wording {
    terms: Vec<String>,
    text: String,
}

impl fmt::Debug for Wording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wording").field("text", &self.text).finish()
    }
}

impl Wording {
    /// Reads a correction.
    pub fn of(text: &str) -> Self {
        let text = LANGUAGES
            .iter()
            .fold(text.replace('`', ""), |text, language| {
                let is_own =
                    |word: &Word| !matches!(word.text.as_str(), PLACE | HENCEFORTH | COMMA);
                let own = words(language, &text).into_iter().filter(is_own);
                own.map(|word| word.text).collect::<Vec<_>>().join(" ")
            });
        let mut terms = search_terms(&text);
        terms.sort();
        terms.dedup();
        Self { terms, text }
    }

    /// Its words in lower case, without marks and without phrases that mean the project or every later time: equal texts
    /// ask for the same.
    pub fn normalised(&self) -> &str {
        &self.text
    }

    /// Returns true if both ask for the same: equal words, or similar ones without a difference in a name, a number or a
    /// negation.
    pub fn is_same(&self, other: &Self, guard: &MergeGuard) -> bool {
        if self.text == other.text {
            return true;
        }
        jaccard(&self.terms, &other.terms) >= ALIKE_MIN
            && guard
                .check(&guard.features(&self.text), &guard.features(&other.text))
                .is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_equal_words_ask_for_the_same() {
        let guard = MergeGuard::standard();
        for (a, b, expected) in [
            ("use pnpm here", "Use  pnpm here", true),
            (
                "never edit generated files",
                "never edit the generated files",
                true,
            ),
            (
                "our pull requests go to develop",
                "Our pull requests go to `develop`.",
                true,
            ),
            ("use pnpm here", "from now on, use pnpm in this repo", true),
            (
                "we never commit lock files",
                "we never commit the lock files",
                true,
            ),
            (
                "always run make fmt first",
                "always run `make fmt` first",
                true,
            ),
            ("use pnpm here", "use yarn here", false),
            ("use pnpm here", "use pnpm workspaces here", false),
            (
                "never edit generated files",
                "always edit generated files",
                false,
            ),
            ("the port is 5433", "the port is 5432", false),
            ("we commit lock files", "we don't commit lock files", false),
        ] {
            assert_eq!(
                Wording::of(a).is_same(&Wording::of(b), &guard),
                expected,
                "{a} / {b}"
            );
        }
    }
}
