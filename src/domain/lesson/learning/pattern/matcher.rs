//! Matching a pattern with an action, and filling a pattern with the match.
//!
//! A match is kept as places in the two lists, so that backtracking costs nothing.

use super::token::{Kind, Token, join, tokens};

/// Steps of the matcher, so that no pattern can make it run long.
const MATCH_STEPS_MAX: usize = 20_000;

/// The places in an action that the placeholders and gaps of a pattern match.
#[derive(Default)]
pub(super) struct Bound {
    /// The place of a placeholder in the pattern, and from where to where its tokens reach in the action.
    values: Vec<(usize, usize, usize)>,
    /// From where to where the gaps reach, in the order of the pattern.
    gaps: Vec<(usize, usize)>,
}

/// Lays a pattern over an action; absent when it does not fit as a whole.
pub(super) fn matched(pattern: &[Token], action: &[Token]) -> Option<Bound> {
    let words = || {
        let fixed = |token: &&Token| !token.is_gap() && !token.is_placeholder();
        pattern.iter().filter(fixed)
    };
    // A pattern without any word of its own would fit everything.
    words().next()?;
    let holds = |word: &Token| action.iter().any(|token| token.text == word.text);
    if !words().all(holds) {
        return None;
    }
    let mut matcher = Matcher {
        pattern,
        action,
        bound: Bound::default(),
        steps: 0,
    };
    matcher.fits_from(0, 0).then_some(matcher.bound)
}

struct Matcher<'a> {
    pattern: &'a [Token],
    action: &'a [Token],
    bound: Bound,
    steps: usize,
}

impl Matcher<'_> {
    /// Matches the rest of the pattern with the rest of the action.
    fn fits_from(&mut self, at: usize, place: usize) -> bool {
        self.steps += 1;
        if self.steps > MATCH_STEPS_MAX {
            return false;
        }
        let Some(wanted) = self.pattern.get(at) else {
            return place == self.action.len();
        };
        if wanted.is_gap() {
            return self.gap_fits(at, place);
        }
        let Some(given) = self.action.get(place) else {
            return false;
        };
        if !wanted.is_placeholder() {
            return wanted.text == given.text && self.fits_from(at + 1, place + 1);
        }
        let fits = match self.value(&wanted.text) {
            Some(known) => self.action[known].text == given.text,
            None => wanted.accepts(given),
        };
        if !fits {
            return false;
        }
        (1..=self.span(wanted, place)).rev().any(|span| {
            self.bound.values.push((at, place, place + span));
            let fits = self.fits_from(at + 1, place + span);
            if !fits {
                self.bound.values.pop();
            }
            fits
        })
    }

    /// Tokens that a placeholder can take at a place; a path and a bare word may consist of several.
    fn span(&self, wanted: &Token, place: usize) -> usize {
        let rest = &self.action[place + 1..];
        if wanted.is_path_mask() {
            1 + rest.iter().take_while(|next| next.continues_path()).count()
        } else if wanted.word_mark() == Some("") {
            1 + rest.iter().take_while(|next| next.continues_word()).count()
        } else {
            1
        }
    }

    fn gap_fits(&mut self, at: usize, place: usize) -> bool {
        if self.is_inside_a_word(at, place) {
            return false;
        }
        for end in place..=self.action.len() {
            // A look at the required next token is cheap, trying the rest of the pattern is not.
            let is_hopeless = match (self.pattern.get(at + 1), self.action.get(end)) {
                (None, given) => given.is_some(),
                (Some(next), _) if next.is_gap() => false,
                (Some(_), None) => true,
                (Some(next), Some(given)) => !next.is_placeholder() && next.text != given.text,
            };
            if is_hopeless {
                continue;
            }
            self.bound.gaps.push((place, end));
            if self.fits_from(at + 1, end) {
                return true;
            }
            self.bound.gaps.pop();
        }
        false
    }

    /// Returns true if a gap would begin in the middle of a word: `test …` is not about `test:unit`.
    fn is_inside_a_word(&self, at: usize, place: usize) -> bool {
        let follows_a_word = at.checked_sub(1).is_some_and(|before| {
            let before = &self.pattern[before];
            matches!(before.kind, Kind::Word | Kind::Flag | Kind::Path)
        });
        let goes_on = |given: &Token| {
            !given.space_before && given.text.starts_with([':', '-', '.', '/', '@', '~', '+'])
        };
        follows_a_word && self.action.get(place).is_some_and(goes_on)
    }

    /// The present match of a placeholder, as a place in the action.
    fn value(&self, name: &str) -> Option<usize> {
        let is_named = |(at, ..): &&(usize, usize, usize)| {
            let token = &self.pattern[*at];
            token.text == name && token.word_mark().is_none()
        };
        let found = self.bound.values.iter().find(is_named);
        found.map(|(_, place, _)| *place)
    }
}

/// The match of `wrong` in an action, written in the form of `correct`; absent when `correct` holds a gap or a
/// placeholder that `wrong` does not give.
pub(super) fn filled(
    correct: &[Token],
    bound: &Bound,
    wrong: &[Token],
    action: &[Token],
) -> Option<Vec<Token>> {
    let mut gaps = bound.gaps.iter();
    let mut words = bound
        .values
        .iter()
        .filter(|(at, ..)| wrong[*at].word_mark().is_some());
    let mut out: Vec<Token> = Vec::new();
    let mut blank = None;
    for token in correct {
        let space_before = blank.take().unwrap_or(token.space_before);
        if token.is_gap() {
            let (from, to) = *gaps.next()?;
            out.extend(action[from..to].iter().cloned());
            blank = Some(action.get(to).is_none_or(|next| next.space_before));
            continue;
        }
        let mut given = if let Some(mark) = token.word_mark() {
            let (_, from, to) = *words.next()?;
            let bare = join(&action[from..to]);
            let bare = bare.trim_matches(['"', '\'']);
            tokens(&format!("{mark}{bare}{mark}"))
        } else if token.is_placeholder() {
            let is_same = |(at, ..): &&(usize, usize, usize)| wrong[*at].text == token.text;
            let (_, from, to) = *bound.values.iter().find(is_same)?;
            action[from..to].to_vec()
        } else {
            vec![token.clone()]
        };
        if let Some(first) = given.first_mut() {
            first.space_before = space_before;
        }
        out.append(&mut given);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::super::{fits, rewritten};

    #[test]
    fn a_bare_word_is_no_quoted_one() {
        let (wrong, correct) = ("LOAD <word>", "LOAD \"<word>\"");
        for action in ["LOAD b.csv", "LOAD my-own.csv", "LOAD a/b/c.csv", "LOAD 12"] {
            let name = action.strip_prefix("LOAD ").unwrap();
            let made = rewritten(wrong, correct, action).unwrap();
            assert_eq!(made, format!("LOAD \"{name}\""));
            assert_eq!(rewritten(correct, wrong, &made).unwrap(), action);
            assert!(fits(correct, &made) && !fits(wrong, &made), "{action}");
        }
        let two = ("ZIP <word> <word>", "ZIP '<word>' '<word>'");
        assert_eq!(rewritten(two.0, two.1, "ZIP a b").unwrap(), "ZIP 'a' 'b'");
        assert!(!fits("LOAD '<word>'", "LOAD \"b.csv\""));
    }
}
