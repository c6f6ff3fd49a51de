//! An action as a pattern: the part of two tries that a rule keeps, so that it fits the next action and not only the
//! one that failed.
//!
//! Two tries at the same thing are compared. Where they differ their words stay; where they agree, values become
//! numbered gaps (`<1>`) and longer stretches become `…`. A pattern is plain text, so that a rule can be read, stored
//! and applied from its text alone.

mod difference;
mod key;
mod matcher;
mod pair;
mod token;
mod verbs;

pub use self::difference::Difference;
use self::matcher::{filled, matched};
use self::pair::Pair;
use self::token::{Token, join, tokens};
pub use self::verbs::naming_words;

/// Tokens of an action that are compared; longer ones are no single step.
const TOKENS_MAX: usize = 200;
/// How often one rule may change one proposal.
const REWRITES_MAX: usize = 8;
/// Any number of tokens.
const GAP: &str = "…";

/// Two patterns, of the failed and the working try; absent when they differ in nothing but values.
pub fn contrast(failed: &str, worked: &str) -> Option<(String, String)> {
    let found = contrast_unless(failed, worked, |_, _| false)?;
    Some((found.wrong, found.correct))
}

/// The result of comparing two tries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contrast {
    /// The pattern that failed.
    pub wrong: String,
    /// The pattern that worked.
    pub correct: String,
    /// Tokens in which the two tries differ: fewer tokens identify the fault more surely.
    pub differing: usize,
}

/// The most general patterns of two tries, wrong and correct, that are not refuted, as by an action of the
/// wrong form that worked; absent when even the tries themselves are refuted, or when values are all that
/// differs.
///
/// First everything that both hold is abstracted; if that is refuted, nothing is, and then value by value
/// as far as it goes (Mitchell 1982: generalising from an example, bounded by counterexamples).
pub fn contrast_unless(
    failed: &str,
    worked: &str,
    is_refuted: impl Fn(&Reading, &Reading) -> bool,
) -> Option<Contrast> {
    let (failed, worked) = differing_lines(failed, worked);
    let (a, b) = (tokens(&failed), tokens(&worked));
    if a.is_empty() || b.is_empty() || a.len() > TOKENS_MAX || b.len() > TOKENS_MAX {
        return None;
    }
    let mut pair = Pair::of(&a, &b);
    let is_same = |pair: &Pair<'_>| join(&pair.left()) == join(&pair.masked_right());
    if is_same(&pair) {
        return None;
    }
    pair.specialise(|pair| is_refuted(&Reading(pair.left()), &Reading(pair.right())))?;
    let (wrong, correct) = (join(&pair.left()), join(&pair.right()));
    (wrong != correct).then(|| Contrast {
        wrong,
        correct,
        differing: pair.differing(),
    })
}

/// Returns true if a value names a place among files.
pub fn names_a_place(value: &str) -> bool {
    let tokens = tokens(value.trim());
    matches!(&tokens[..], [first, ..] if first.is_path() && !value.contains("://"))
}

/// An action with the values that belong to one case masked, for a sentence about it.
pub fn without_case_values(action: &str) -> String {
    let all = tokens(action);
    let masked: Vec<Token> = all
        .iter()
        .take(TOKENS_MAX)
        .enumerate()
        .map(|(at, token)| {
            if at == 0 {
                token.clone()
            } else {
                token.without_case_value()
            }
        })
        .collect();
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

    /// Returns true if an action is of this pattern.
    pub fn fits(&self, action: &Self) -> bool {
        matched(&self.0, &action.0).is_some()
    }

    /// Returns true if an action holds this pattern after something that was put before it, such as a program
    /// that runs another, or a delay.
    pub fn follows_in(&self, action: &Self) -> bool {
        let starts = (1..action.0.len()).filter(|at| action.0[*at].space_before);
        let mut rests = starts.map(|at| &action.0[at..]);
        rests.any(|rest| matched(&self.0, rest).is_some())
    }

    /// The action with this pattern in it replaced by `correct`; absent when it does not fit, or when
    /// `correct` holds a value that the action does not give.
    pub fn rewritten(&self, correct: &Self, action: &Self) -> Option<String> {
        let mut now = self.replaced(correct, &action.0)?;
        let rewrites_max = if self.has_own_words(correct) {
            REWRITES_MAX
        } else {
            1
        };
        for _ in 1..rewrites_max {
            match self.replaced(correct, &now) {
                Some(next) => now = next,
                None => break,
            }
        }
        Some(join(&now))
    }

    /// Tokens that must be taken out or put in to make another action of this one, blanks apart.
    pub fn differing(&self, other: &Self) -> usize {
        differing(&self.0, &other.0)
    }

    /// Returns true if the way from one action to another may lead by this one: nothing is changed on it that
    /// has to be changed again (the triangle inequality of the edit distance holds as an equation), and
    /// something is.
    pub fn lies_between(&self, from: &Self, to: &Self) -> bool {
        let first = from.differing(self);
        first > 0 && first + self.differing(to) == from.differing(to)
    }

    /// Returns true if this pattern has a word that `correct` lacks. Without one the rewritten action still has this
    /// form, and another rewrite would add the same words again.
    fn has_own_words(&self, correct: &Self) -> bool {
        let is_own = |token: &Token| {
            let is_fixed = !token.is_gap() && !token.is_placeholder();
            is_fixed && correct.0.iter().all(|other| other.text != token.text)
        };
        self.0.iter().any(is_own)
    }

    fn replaced(&self, correct: &Self, action: &[Token]) -> Option<Vec<Token>> {
        let bound = matched(&self.0, action)?;
        filled(&correct.0, &bound, &self.0, action).filter(|made| made != action)
    }
}

/// Tokens that must be taken out or put in to make one action of another, blanks apart.
fn differing(a: &[Token], b: &[Token]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let kept = diagonal + 2 * usize::from(left.text != right.text);
            diagonal = row[j + 1];
            row[j + 1] = kept.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Returns true if an action is of a pattern.
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
                "FOO=1 BAR=2 npm test",
                "FOO=1 BAR=2 npm run unit",
                "FOO=<1> BAR=<2> npm test",
                "FOO=<1> BAR=<2> npm run unit",
            ),
            (
                "sudo tar xf a.tgz --gzipp",
                "sudo tar xf a.tgz --gzip",
                "sudo tar <1> <2> --gzipp",
                "sudo tar <1> <2> --gzip",
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
    fn a_pattern_is_as_general_as_what_worked_allows() {
        let (failed, worked) = (
            "drive(surface=mud, heading=east, gait=walk)",
            "drive(surface=mud, heading=east, gait=crawl)",
        );
        let made = |right: &[&str]| {
            let right: Vec<Reading> = right.iter().map(|action| Reading::of(action)).collect();
            let refuted =
                |wrong: &Reading, _: &Reading| right.iter().any(|action| wrong.fits(action));
            contrast_unless(failed, worked, refuted).map(|made| made.wrong)
        };
        assert_eq!(made(&[]).unwrap(), "drive … =walk)");
        let on_floor = "drive(surface=floor, heading=east, gait=walk)";
        let special = made(&[on_floor]).unwrap();
        assert!(
            fits(&special, failed) && !fits(&special, on_floor),
            "{special}"
        );
        let southward = "drive(surface=mud, heading=south, gait=walk)";
        assert!(fits(&special, southward), "{special}");
        assert_eq!(made(&[failed]), None);
    }

    #[test]
    fn what_worked_keeps_its_blanks_and_its_own_values() {
        let (wrong, correct) = contrast("GET x", "GET x page=3").unwrap();
        assert_eq!(
            rewritten(&wrong, &correct, "GET y").as_deref(),
            Some("GET y page=3")
        );
        let (wrong, correct) = contrast("move up by 2", "go(by=2, to=up)").unwrap();
        assert_eq!(
            rewritten(&wrong, &correct, "move down by 5").as_deref(),
            Some("go(by=5, to=down)")
        );
    }

    #[test]
    fn a_gap_begins_after_a_whole_word_and_an_addition_is_made_once() {
        for (pattern, action, is_fit) in [
            ("docker-compose …", "docker-compose logs api", true),
            ("docker-compose …", "docker-compose", true),
            ("docker-compose …", "docker-compose-viewer up", false),
            ("yarn test …", "yarn test:unit", false),
            ("yarn test …", "yarn test --watch", true),
            ("docker compose …", "docker compose-viewer", false),
            ("cd web …", "cd web/src", false),
            ("cd web …", "cd web && npm run lint", true),
            ("go vet ./a …", "go vet ./a/b", false),
        ] {
            assert_eq!(fits(pattern, action), is_fit, "{pattern}: {action}");
        }
        let made = rewritten("sed -i …", "sed -i '' …", "sed -i s/a/b/ f");
        assert_eq!(made.as_deref(), Some("sed -i '' s/a/b/ f"));
    }

    #[test]
    fn a_pattern_needs_a_word_of_its_own() {
        assert!(fits("rm -rf <path>", "rm -rf /other/place"));
        assert!(
            !fits("rm -rf <path>", "rm -rf word") && !fits("…", "anything") && !fits("<1>", "x")
        );
    }

    #[test]
    fn paths_fall_apart_at_numbers_and_are_masked_as_a_whole() {
        let (wrong, correct) = contrast("GET /orders?id=8 [k]", "GET /v2/orders/8 [k]").unwrap();
        let made = rewritten(&wrong, &correct, "GET /orders?id=3 [k]");
        assert_eq!(
            made.as_deref(),
            Some("GET /v2/orders/3 [k]"),
            "{wrong} → {correct}"
        );
        for path in ["/a/b", "/a/7", "/a/7/b", "/0f3c99aa/b"] {
            assert!(fits("cat <path>", &format!("cat {path}")), "{path}");
        }
        assert!(fits("cat <path> 7", "cat /a/7 7") && !fits("cat <path> 7", "cat /a/6"));
        assert!(fits("cat <path><1>", "cat /a/7") && !fits("cat /a/<1>", "cat /a/b"));
    }

    #[test]
    fn matching_is_bounded() {
        let pattern = "a … b … c … d … e … f … g … z";
        let action = "a b c d e f g ".repeat(25);
        assert!(!fits(pattern, &action));
    }
}
