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
    let (failed, worked) = differing_lines(failed, worked);
    let (a, b) = (tokens(&failed), tokens(&worked));
    if a.is_empty() || b.is_empty() || a.len() > TOKENS_MAX || b.len() > TOKENS_MAX {
        return None;
    }
    let runs = aligned(&a, &b);
    let values = Values::of(&a, &b);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (at, run) in runs.iter().enumerate() {
        match *run {
            Run::Common { from, length } => {
                let kept = keep_context(
                    &a[from..from + length],
                    at == 0,
                    at + 1 == runs.len(),
                    &values,
                );
                left.extend(kept.iter().cloned());
                right.extend(kept);
            }
            Run::Different {
                a: (a0, a1),
                b: (b0, b1),
            } => {
                left.extend(a[a0..a1].iter().map(|token| values.abstracted(token)));
                right.extend(b[b0..b1].iter().map(|token| values.abstracted(token)));
            }
        }
    }
    let (left, right) = (join(&left), join(&right));
    (left != right).then_some((left, right))
}

/// The pattern of an action that only ever failed: its values masked.
pub fn masked(action: &str) -> String {
    let all = tokens(action);
    let masked: Vec<Token> = all.iter().take(TOKENS_MAX).map(Token::masked).collect();
    join(&masked)
}

/// Tells whether an action is of a pattern.
pub fn fits(pattern: &str, action: &str) -> bool {
    matched(&tokens(pattern), &tokens(action)).is_some()
}

/// The action with the pattern `wrong` in it replaced by `correct`; absent when it does not fit, or when
/// `correct` holds a value that the action does not give.
pub fn rewritten(wrong: &str, correct: &str, action: &str) -> Option<String> {
    let (wrong, correct) = (tokens(wrong), tokens(correct));
    let mut now = tokens(action);
    let mut changed = false;
    for _ in 0..REWRITES_MAX {
        let Some(next) = matched(&wrong, &now).and_then(|bound| filled(&correct, &bound)) else {
            break;
        };
        if next == now {
            break;
        }
        now = next;
        changed = true;
    }
    changed.then(|| join(&now))
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

/// A stretch of two aligned lists.
#[derive(Clone, Copy, Debug)]
enum Run {
    Common {
        from: usize,
        length: usize,
    },
    Different {
        a: (usize, usize),
        b: (usize, usize),
    },
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
            runs.push(Run::Common {
                from: from_a,
                length: i - from_a,
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
        runs.push(Run::Different {
            a: (from_a, i),
            b: (from_b, j),
        });
    }
    runs
}

/// The values that both tries hold: their place in the list is their number.
struct Values(Vec<String>);

impl Values {
    fn of(a: &[Token], b: &[Token]) -> Self {
        let mut values: Vec<String> = Vec::new();
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
                && !values.contains(&token.text)
            {
                values.push(token.text.clone());
            }
        }
        Self(values)
    }

    fn abstracted(&self, token: &Token) -> Token {
        match self.0.iter().position(|value| *value == token.text) {
            Some(at) => token.with_text(format!("<{}>", at + 1)),
            None => token.masked(),
        }
    }
}

/// What stays of a stretch that both tries hold.
fn keep_context(run: &[Token], first: bool, last: bool, values: &Values) -> Vec<Token> {
    // The first token says what is done; without it a pattern would fit anything.
    let head = if first { 1 + CONTEXT } else { CONTEXT };
    let tail = if last { 0 } else { CONTEXT };
    if run.len() <= head + tail + 1 {
        return run.iter().map(|token| values.abstracted(token)).collect();
    }
    let head = if first { 1 } else { head };
    let mut kept: Vec<Token> = run[..head]
        .iter()
        .map(|token| values.abstracted(token))
        .collect();
    kept.push(Token::gap());
    kept.extend(
        run[run.len() - tail..]
            .iter()
            .map(|token| values.abstracted(token)),
    );
    kept
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
