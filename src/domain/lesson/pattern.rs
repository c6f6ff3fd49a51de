//! An action as a pattern: what a rule keeps of two tries, so that it fits the next action and not only
//! the one that failed.
//!
//! Two tries at the same thing are laid beside each other. Where they differ their words stay; where
//! they agree, values become numbered gaps (`<1>`) and longer stretches become `…`. A pattern is plain
//! text, so that a rule can be read, stored and applied by anybody who has its text.

mod matcher;
mod token;

use self::matcher::{filled, matched};
use self::token::{Token, join, tokens};
use super::action::has_subcommands;

/// Tokens of an action that are compared; longer ones are no single step.
const TOKENS_MAX: usize = 200;
/// Tokens kept on either side of a difference.
const CONTEXT: usize = 1;
/// How often one rule may change one proposal.
const REWRITES_MAX: usize = 8;
/// Any number of tokens.
const GAP: &str = "…";

/// Two patterns, what failed and what worked; absent when they differ in nothing but values.
pub fn contrast(failed: &str, worked: &str) -> Option<(String, String)> {
    let found = contrast_unless(failed, worked, |_| false)?;
    Some((found.wrong, found.correct))
}

/// What two tries show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contrast {
    /// The pattern that failed.
    pub wrong: String,
    /// The pattern that worked.
    pub correct: String,
    /// Tokens in which the two tries differ: the fewer, the surer is what mattered.
    pub differing: usize,
}

/// The most general patterns of two tries of which the wrong one is not refuted, as by an action of that
/// form that worked; absent when even the try itself is refuted, or when values are all that differs.
///
/// First everything that both hold is abstracted; if that is refuted, nothing is, and then value by value
/// as far as it goes (Mitchell 1982: generalising from an example, bounded by counterexamples).
pub fn contrast_unless(
    failed: &str,
    worked: &str,
    is_refuted: impl Fn(&Reading) -> bool,
) -> Option<Contrast> {
    let (failed, worked) = differing_lines(failed, worked);
    let (a, b) = (tokens(&failed), tokens(&worked));
    if a.is_empty() || b.is_empty() || a.len() > TOKENS_MAX || b.len() > TOKENS_MAX {
        return None;
    }
    let mut pair = Pair {
        runs: aligned(&a, &b),
        values: Values::of(&a, &b),
        a: &a,
        b: &b,
        has_gaps: true,
    };
    let is_same = |pair: &Pair<'_>| join(&pair.left()) == join(&pair.masked_right());
    if is_same(&pair) {
        return None;
    }
    let is_refuted = |pair: &Pair<'_>| is_refuted(&Reading(pair.left()));
    if is_refuted(&pair) {
        pair.has_gaps = false;
        pair.values.abstracted.fill(false);
        if is_refuted(&pair) {
            return None;
        }
        for at in 0..pair.values.abstracted.len() {
            pair.values.abstracted[at] = true;
            if is_refuted(&pair) {
                pair.values.abstracted[at] = false;
            }
        }
    }
    let (wrong, correct) = (join(&pair.left()), join(&pair.right()));
    (wrong != correct).then(|| Contrast {
        wrong,
        correct,
        differing: pair.differing(),
    })
}

/// Two aligned tries.
struct Pair<'a> {
    a: &'a [Token],
    b: &'a [Token],
    runs: Vec<Run>,
    values: Values,
    /// Whether longer stretches that both hold become gaps.
    has_gaps: bool,
}

impl Pair<'_> {
    /// The pattern of what failed; values of its own are masked.
    fn left(&self) -> Vec<Token> {
        self.pattern(self.a, |run| run.a, Token::masked)
    }

    /// The pattern of what worked; values of its own stay, or nobody could apply it.
    fn right(&self) -> Vec<Token> {
        self.pattern(self.b, |run| run.b, Token::clone)
    }

    fn masked_right(&self) -> Vec<Token> {
        self.pattern(self.b, |run| run.b, Token::masked)
    }

    fn pattern(
        &self,
        tokens: &[Token],
        side: fn(&Run) -> (usize, usize),
        own: fn(&Token) -> Token,
    ) -> Vec<Token> {
        let mut made = Vec::new();
        for (at, run) in self.runs.iter().enumerate() {
            let (from, to) = side(run);
            let stretch = &tokens[from..to];
            let abstracted = |token: &Token| self.values.abstracted(token, own);
            if !run.is_common {
                made.extend(stretch.iter().map(abstracted));
                continue;
            }
            let (first, last) = (at == 0, at + 1 == self.runs.len());
            match gap_in(stretch.len(), first, last).filter(|_| self.has_gaps) {
                Some((head, tail)) => {
                    made.extend(stretch[..head].iter().map(abstracted));
                    made.push(Token::gap());
                    made.extend(stretch[tail..].iter().map(abstracted));
                }
                None => made.extend(stretch.iter().map(abstracted)),
            }
        }
        made
    }

    fn differing(&self) -> usize {
        let own = self.runs.iter().filter(|run| !run.is_common);
        own.map(|run| (run.a.1 - run.a.0).max(run.b.1 - run.b.0))
            .sum()
    }
}

/// The pattern of an action that only ever failed: its values masked.
pub fn masked(action: &str) -> String {
    let all = tokens(action);
    let masked: Vec<Token> = all.iter().take(TOKENS_MAX).map(Token::masked).collect();
    join(&masked)
}

/// A pattern or an action, read once to be compared often.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading(Vec<Token>);

impl Reading {
    /// Reads a text.
    pub fn of(text: &str) -> Self {
        Self(tokens(text))
    }

    /// Tells whether an action is of this pattern.
    pub fn fits(&self, action: &Self) -> bool {
        matched(&self.0, &action.0).is_some()
    }

    /// The action with this pattern in it replaced by `correct`; absent when it does not fit, or when
    /// `correct` holds a value that the action does not give.
    pub fn rewritten(&self, correct: &Self, action: &Self) -> Option<String> {
        let mut now = self.replaced(correct, &action.0)?;
        for _ in 1..REWRITES_MAX {
            match self.replaced(correct, &now) {
                Some(next) => now = next,
                None => break,
            }
        }
        Some(join(&now))
    }

    fn replaced(&self, correct: &Self, action: &[Token]) -> Option<Vec<Token>> {
        let bound = matched(&self.0, action)?;
        filled(&correct.0, &bound, &self.0, action).filter(|made| made != action)
    }
}

/// Tells whether an action is of a pattern.
pub fn fits(pattern: &str, action: &str) -> bool {
    Reading::of(pattern).fits(&Reading::of(action))
}

/// The action with the pattern `wrong` in it replaced by `correct`, as [`Reading::rewritten`] does it.
pub fn rewritten(wrong: &str, correct: &str, action: &str) -> Option<String> {
    Reading::of(wrong).rewritten(&Reading::of(correct), &Reading::of(action))
}

/// Of texts of several lines the first that differs on either side; else the texts.
fn differing_lines(a: &str, b: &str) -> (String, String) {
    let lines = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.trim().to_owned())
            .filter(|l| !l.is_empty())
            .collect()
    };
    let (left, right) = (lines(a), lines(b));
    if left.len() < 2 && right.len() < 2 {
        return (a.trim().to_owned(), b.trim().to_owned());
    }
    let only =
        |own: &[String], other: &[String]| own.iter().find(|line| !other.contains(line)).cloned();
    match (only(&left, &right), only(&right, &left)) {
        (Some(a), Some(b)) => (a, b),
        _ => (left.join("; "), right.join("; ")),
    }
}

/// A stretch of two aligned lists: from where to where in each.
#[derive(Clone, Copy, Debug)]
struct Run {
    a: (usize, usize),
    b: (usize, usize),
    is_common: bool,
}

/// Aligns two lists by their longest common subsequence.
fn aligned(a: &[Token], b: &[Token]) -> Vec<Run> {
    let width = b.len() + 1;
    let mut longest = vec![0_u16; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if a[i].text == b[j].text {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let mut runs: Vec<Run> = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let (from_a, from_b) = (i, j);
        while i < a.len() && j < b.len() && a[i].text == b[j].text {
            (i, j) = (i + 1, j + 1);
        }
        if i > from_a {
            runs.push(Run {
                a: (from_a, i),
                b: (from_b, j),
                is_common: true,
            });
            continue;
        }
        while (i < a.len() || j < b.len())
            && !(i < a.len() && j < b.len() && a[i].text == b[j].text)
        {
            let skip_a = j == b.len()
                || (i < a.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1]);
            if skip_a { i += 1 } else { j += 1 }
        }
        runs.push(Run {
            a: (from_a, i),
            b: (from_b, j),
            is_common: false,
        });
    }
    runs
}

/// The values that both tries hold: their place in the list is their number.
struct Values {
    texts: Vec<String>,
    /// Which of them a pattern leaves open.
    abstracted: Vec<bool>,
}

impl Values {
    fn of(a: &[Token], b: &[Token]) -> Self {
        let mut texts: Vec<String> = Vec::new();
        for (at, token) in a.iter().enumerate() {
            // What a program is told to do belongs to the form.
            if at == 1 && has_subcommands(&a[0].text) {
                continue;
            }
            let shared = b.iter().skip(1).any(|other| other.text == token.text);
            if at > 0
                && shared
                && token.is_value()
                && !token.is_structural(a.get(at + 1))
                && !texts.contains(&token.text)
            {
                texts.push(token.text.clone());
            }
        }
        let abstracted = vec![true; texts.len()];
        Self { texts, abstracted }
    }

    /// A token as it stands in a pattern; `own` says it when the other try does not hold it.
    fn abstracted(&self, token: &Token, own: fn(&Token) -> Token) -> Token {
        match self.texts.iter().position(|value| *value == token.text) {
            Some(at) if self.abstracted[at] => token.with_text(format!("<{}>", at + 1)),
            Some(_) => token.clone(),
            None => own(token),
        }
    }
}

/// From where to where a stretch that both tries hold becomes a gap; absent when it is short.
fn gap_in(length: usize, first: bool, last: bool) -> Option<(usize, usize)> {
    // The first token says what is done; without it a pattern would fit anything.
    let head = if first { 1 + CONTEXT } else { CONTEXT };
    let tail = if last { 0 } else { CONTEXT };
    if length <= head + tail + 1 {
        return None;
    }
    Some((if first { 1 } else { head }, length - tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_tries_become_two_patterns() {
        for (failed, worked, wrong, correct) in [
            (
                "TALLY region -> total=SUM(amount)",
                "TALLY region -> total=sum(amount)",
                "TALLY … =SUM( …",
                "TALLY … =sum( …",
            ),
            (
                "KEEP amount > 100",
                "KEEP amount gt 100",
                "KEEP <1> > <2>",
                "KEEP <1> gt <2>",
            ),
            (
                "RANK DESC total",
                "RANK total desc",
                "RANK DESC <1>",
                "RANK <1> desc",
            ),
            (
                "git push origin main",
                "git push -u origin main",
                "git push <1> <2>",
                "git push -u <1> <2>",
            ),
            (
                "LOAD sales.csv\nSHOW 5 rows",
                "LOAD sales.csv\nSHOW 5",
                "SHOW <1> rows",
                "SHOW <1>",
            ),
        ] {
            assert_eq!(
                contrast(failed, worked),
                Some((wrong.into(), correct.into())),
                "{failed}"
            );
        }
        for (failed, worked) in [
            ("cat /tmp/x", "cat /tmp/y"),
            ("SHOW 5", "SHOW 7"),
            ("a b", "a b"),
            ("", "a"),
        ] {
            assert_eq!(contrast(failed, worked), None, "{failed}");
        }
    }

    #[test]
    fn a_pattern_changes_other_actions_too() {
        let rule = |failed: &str, worked: &str, action: &str| {
            let (wrong, correct) = contrast(failed, worked).unwrap();
            rewritten(&wrong, &correct, action)
        };
        let sum = |action: &str| {
            rule(
                "TALLY region -> total=SUM(amount)",
                "TALLY region -> total=sum(amount)",
                action,
            )
        };
        assert_eq!(
            sum("TALLY p -> a=SUM(x), n=COUNT(y), b=SUM(z)").unwrap(),
            "TALLY p -> a=sum(x), n=COUNT(y), b=sum(z)"
        );
        assert_eq!(sum("TALLY p -> a=sum(x)"), None);
        assert_eq!(sum("SHOW 5"), None);
        let keep = rule(
            "KEEP amount > 100",
            "KEEP amount gt 100",
            "KEEP price > 7.5",
        );
        assert_eq!(keep.unwrap(), "KEEP price gt 7.5");
        let rank = rule("RANK DESC total", "RANK total desc", "RANK DESC n");
        assert_eq!(rank.unwrap(), "RANK n desc");
    }

    #[test]
    fn an_action_that_only_failed_is_masked() {
        assert_eq!(
            masked("rm -rf /var/x 12 'a b'"),
            "rm -rf <path> <num> <str>"
        );
        assert!(fits("rm -rf <path>", "rm -rf /other/place"));
        assert!(
            !fits("rm -rf <path>", "rm -rf word") && !fits("…", "anything") && !fits("<1>", "x")
        );
    }

    #[test]
    fn matching_is_bounded() {
        let pattern = "a … b … c … d … e … f … g … z";
        let action = "a b c d e f g ".repeat(25);
        assert!(!fits(pattern, &action));
    }
}
