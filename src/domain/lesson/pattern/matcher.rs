//! Matching a pattern with an action, and filling a pattern with what was matched.

use super::token::Token;

/// Steps of the matcher, so that no pattern can make it run long.
const MATCH_STEPS_MAX: usize = 20_000;

/// What the placeholders and gaps of a pattern stand for in an action.
#[derive(Clone, Default)]
pub(super) struct Bound {
    values: Vec<(String, Token)>,
    /// The tokens, and whether a blank follows them.
    gaps: Vec<(Vec<Token>, bool)>,
}

/// Lays a pattern over an action; absent when it does not fit as a whole.
pub(super) fn matched(pattern: &[Token], action: &[Token]) -> Option<Bound> {
    let mut steps = 0;
    let mut bound = Bound::default();
    // A pattern without any word of its own would fit everything.
    let says_something = pattern
        .iter()
        .any(|token| !token.is_gap() && !token.is_placeholder());
    (says_something && matches_from(pattern, action, &mut bound, &mut steps)).then_some(bound)
}

fn matches_from(pattern: &[Token], action: &[Token], bound: &mut Bound, steps: &mut usize) -> bool {
    *steps += 1;
    if *steps > MATCH_STEPS_MAX {
        return false;
    }
    let Some((wanted, rest)) = pattern.split_first() else {
        return action.is_empty();
    };
    if wanted.is_gap() {
        for length in 0..=action.len() {
            // A look at what must come next is cheap, trying the rest of the pattern is not.
            let is_hopeless = match (rest.first(), action.get(length)) {
                (None, given) => given.is_some(),
                (Some(next), _) if next.is_gap() => false,
                (Some(_), None) => true,
                (Some(next), Some(given)) => !next.is_placeholder() && next.text != given.text,
            };
            if is_hopeless {
                continue;
            }
            let mut tried = bound.clone();
            let blank_after = action.get(length).is_none_or(|next| next.space_before);
            tried.gaps.push((action[..length].to_vec(), blank_after));
            if matches_from(rest, &action[length..], &mut tried, steps) {
                *bound = tried;
                return true;
            }
        }
        return false;
    }
    let Some((given, after)) = action.split_first() else {
        return false;
    };
    if !wanted.is_placeholder() {
        return wanted.text == given.text && matches_from(rest, after, bound, steps);
    }
    let known = bound.values.iter().find(|(name, _)| *name == wanted.text);
    let fits = known.map_or(wanted.accepts(given), |(_, token)| token.text == given.text);
    if !fits {
        return false;
    }
    bound.values.push((wanted.text.clone(), given.clone()));
    if matches_from(rest, after, bound, steps) {
        return true;
    }
    bound.values.pop();
    false
}

/// The tokens of a pattern with its gaps and placeholders filled; absent when one of them is unknown.
pub(super) fn filled(pattern: &[Token], bound: &Bound) -> Option<Vec<Token>> {
    let mut gaps = bound.gaps.iter();
    let mut out: Vec<Token> = Vec::new();
    let mut blank = None;
    for token in pattern {
        let space_before = blank.take().unwrap_or(token.space_before);
        if token.is_gap() {
            let (tokens, blank_after) = gaps.next()?;
            out.extend(tokens.iter().cloned());
            blank = Some(*blank_after);
        } else if token.is_placeholder() {
            let (_, value) = bound.values.iter().find(|(name, _)| *name == token.text)?;
            out.push(Token {
                space_before,
                ..value.clone()
            });
        } else {
            out.push(Token {
                space_before,
                ..token.clone()
            });
        }
    }
    Some(out)
}
