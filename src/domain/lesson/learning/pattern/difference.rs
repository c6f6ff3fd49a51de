//! The tokens in which two tries differ, and whether they can be the fault.

use super::TOKENS_MAX;
use super::pair::Pair;
use super::token::{Kind, Token, tokens};
use hindlore_text::similarity::edits_apart;

/// The tokens in which two tries differ.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    failed: Vec<Token>,
    worked: Vec<Token>,
    /// Whether a path names the request, not a file.
    is_request: bool,
    /// Tokens that both hold.
    pub common: usize,
}

impl Difference {
    /// Compares two tries; absent when one is empty or too long.
    pub fn of(failed: &str, worked: &str) -> Option<Self> {
        let (a, b) = (tokens(failed), tokens(worked));
        if a.is_empty() || b.is_empty() || a.len() > TOKENS_MAX || b.len() > TOKENS_MAX {
            return None;
        }
        let pair = Pair::of(&a, &b);
        let (failed, worked) = pair.own();
        Some(Self {
            common: a.len() - failed.len(),
            is_request: a[0].is_request(),
            failed,
            worked,
        })
    }

    /// Returns true if nothing differs but values that belong to one case: paths, numbers, ids, texts.
    pub fn is_of_case_values(&self) -> bool {
        let is_of_case =
            |token: &Token| token.is_case_value() && !(self.is_request && token.kind == Kind::Path);
        self.all().all(is_of_case)
    }

    /// Returns true if a flag or a sign differs, other than inside a value.
    pub fn is_of_form(&self) -> bool {
        let is_form = |token: &Token| {
            token.kind == Kind::Flag || (token.kind == Kind::Sign && token.space_before)
        };
        self.all().any(is_form) || self.names_a_part() || self.is_reordered()
    }

    /// Returns true if one try is the other with something taken out.
    pub fn is_insertion(&self) -> bool {
        self.failed.is_empty() || self.worked.is_empty()
    }

    /// Returns true if a word was misspelt, or written out where it has to be short.
    pub fn is_misspelt(&self) -> bool {
        let [wrong] = &self.failed[..] else {
            return false;
        };
        let [right] = &self.worked[..] else {
            return false;
        };
        let is_word = |token: &Token| {
            matches!(token.kind, Kind::Word | Kind::Flag)
                && token.text.len() > 3
                && !token.is_case_value()
        };
        let (wrong_text, right_text) = (wrong.text.as_str(), right.text.as_str());
        let is_shortened = wrong_text.starts_with(right_text) || right_text.starts_with(wrong_text);
        is_word(wrong)
            && is_word(right)
            && (is_shortened || edits_apart(wrong_text, right_text) <= 2)
    }

    /// The words in which they differ, values of one case left out.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.all()
            .filter(|token| matches!(token.kind, Kind::Word | Kind::Flag | Kind::Path))
            .filter(|token| !token.is_case_value())
            .map(|token| token.text.as_str())
    }

    /// The words of one side alone that are no values of one case, and no values of an option that is new there too:
    /// words that another command would hold.
    pub fn foreign_words(&self) -> (Vec<&str>, Vec<&str>) {
        fn foreign(tokens: &[Token]) -> Vec<&str> {
            let is_foreign = |(at, token): &(usize, &Token)| {
                let before = at.checked_sub(1).map(|before| &tokens[before]);
                let belongs = before.is_some_and(|before| {
                    before.kind == Kind::Flag
                        || (matches!(before.text.as_str(), "=" | ":") && !token.space_before)
                });
                token.kind == Kind::Word && !token.is_case_value() && !belongs
            };
            let words = tokens.iter().enumerate().filter(is_foreign);
            words.map(|(_, token)| token.text.as_str()).collect()
        }
        (foreign(&self.failed), foreign(&self.worked))
    }

    /// The options that only one side holds: those of the failed and those of the worked one.
    pub fn options(&self) -> (Vec<&str>, Vec<&str>) {
        fn flags(tokens: &[Token]) -> Vec<&str> {
            let flags = tokens.iter().filter(|token| token.kind == Kind::Flag);
            flags.map(|token| token.text.as_str()).collect()
        }
        (flags(&self.failed), flags(&self.worked))
    }

    /// Returns true if a value of one case differs that is not given to an option that differs as well: it is about
    /// something else.
    pub fn has_other_values(&self) -> bool {
        let own = |tokens: &[Token]| {
            let is_own = |(at, token): &(usize, &Token)| {
                let before = at.checked_sub(1).map(|before| &tokens[before]);
                let belongs =
                    before.is_some_and(|before| before.kind == Kind::Flag || !token.space_before);
                token.is_case_value() && !belongs
            };
            tokens.iter().enumerate().any(|one| is_own(&one))
        };
        own(&self.failed) && own(&self.worked)
    }

    /// Tokens that differ, on the longer side.
    pub fn len(&self) -> usize {
        self.failed.len().max(self.worked.len())
    }

    /// Returns true if nothing differs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A part with a name of its own, as in `HEAD:topic` or `test:unit`, where there was none.
    pub fn names_a_part(&self) -> bool {
        let holds = |tokens: &[Token]| {
            let is_part = |token: &&Token| {
                token.text.contains(':')
                    && !token.text.starts_with(['/', '.', '~'])
                    && !token.is_case_value()
            };
            tokens.iter().filter(is_part).count()
        };
        holds(&self.worked) != holds(&self.failed)
    }

    /// The tokens are equal in another order, or in other letters.
    pub fn is_reordered(&self) -> bool {
        let sorted = |tokens: &[Token]| {
            let mut texts: Vec<String> = tokens
                .iter()
                .map(|token| token.text.to_lowercase())
                .collect();
            texts.sort_unstable();
            texts
        };
        !self.failed.is_empty() && sorted(&self.failed) == sorted(&self.worked)
    }

    fn all(&self) -> impl Iterator<Item = &Token> {
        self.failed.iter().chain(&self.worked)
    }
}
