//! The key of a pattern, by which an index finds it from an action without reading other patterns.
//!
//! It is the first word of the pattern and its longest other one, with a blank between. An action of the pattern begins
//! with the one and holds the other, so the keys of an action are few, and patterns of one program spread by their
//! subjects.

use std::collections::BTreeSet;

use super::Reading;
use super::token::{Kind, Token};

impl Reading {
    /// The key of this pattern; absent when it has no word of its own, and fits nothing.
    pub fn key(&self) -> Option<String> {
        let first = self.0.first()?;
        let (head, rest) = if is_fixed(first) {
            (first.text.as_str(), &self.0[1..])
        } else {
            ("", &self.0[..])
        };
        let fixed = rest.iter().filter(|token| is_fixed(token));
        // Of two words of equal length the later one: it is further from the words that all commands of a program
        // share.
        let mark = fixed.max_by_key(|token| (token.kind != Kind::Sign, token.text.chars().count()));
        let mark = mark.map_or("", |token| token.text.as_str());
        (!head.is_empty() || !mark.is_empty()).then(|| key_of(head, mark))
    }

    /// The keys of all patterns that this action may have, at most `most`, those of its first words first.
    pub fn keys(&self, most: usize) -> Vec<String> {
        let Some(first) = self.0.first() else {
            return Vec::new();
        };
        let mut seen = BTreeSet::new();
        let texts = self.0.iter().map(|token| token.text.as_str());
        let marks = texts.filter(|text| seen.insert(*text));
        let heads = ["", first.text.as_str()];
        let with_both = marks.flat_map(|mark| heads.map(|head| key_of(head, mark)));
        std::iter::once(key_of(&first.text, ""))
            .chain(with_both)
            .take(most)
            .collect()
    }
}

fn is_fixed(token: &Token) -> bool {
    !token.is_gap() && !token.is_placeholder()
}

fn key_of(head: &str, mark: &str) -> String {
    format!("{head} {mark}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_has_the_key_of_every_pattern_that_it_fits() {
        for (pattern, action, key) in [
            ("git push <1> main", "git push origin main", "git main"),
            ("git push <1> <2>", "git push origin main", "git push"),
            ("npm test", "npm test", "npm test"),
            ("search(q=<1>)", "search(q=rust)", "search q"),
            ("<path> run … --fast", "/bin/x run a b --fast", " --fast"),
            ("KEEP <1> > <2>", "KEEP amount > 100", "KEEP >"),
            ("make", "make", "make "),
            ("… sum( …", "TALLY r -> t=sum(a)", " sum"),
        ] {
            let (pattern, action) = (Reading::of(pattern), Reading::of(action));
            assert!(pattern.fits(&action));
            assert_eq!(pattern.key().as_deref(), Some(key));
            assert!(action.keys(99).iter().any(|one| one == key), "{key}");
        }
        assert_eq!(Reading::of("<1> …").key(), None);
        assert_eq!(Reading::of("").keys(9), Vec::<String>::new());
        assert_eq!(Reading::of("a b c d").keys(3).len(), 3);
    }
}
