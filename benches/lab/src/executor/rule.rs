//! The content of a hint, and its effect on an action: the only way in which hints change proposals.
//!
//! `WRONG a → CORRECT b` is read as an analogy: the changes from a to b turn the proposal into the rewriting. The two
//! are compared with the proposal piece by piece; a correction is carried over where its wrong piece is at the
//! corresponding place. `WRONG a` alone forbids a. The meaning of a piece is not known here.

use std::cell::Cell;

use super::alignment::{Hunk, aligned, differences, fits};
use crate::tokens::{Kind, Token, rule_tokens, tokens, written};
use hindlore_domain::lesson::learning::pattern::Reading;
use hindlore_domain::lesson::rule;

/// Longest rule that is compared, in pieces.
const PIECES_MAX: usize = 160;
/// Largest mean cost of a piece at which two actions still correspond.
const FAR: f64 = 0.45;

/// A rule that was read from a hint.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Rule {
    /// The two forms as patterns.
    pattern: Reading,
    cure: Option<Reading>,
    /// The two forms piece by piece, and their differences.
    wrong: Vec<Token>,
    correct: Option<Vec<Token>>,
    hunks: Vec<Hunk>,
}

/// An action that rules are applied to, read once for all of them.
pub(super) struct Action {
    reading: Reading,
    pieces: Vec<Token>,
}

impl Action {
    /// Reads an action.
    pub(super) fn read(text: &str) -> Self {
        Self {
            reading: Reading::of(text),
            pieces: tokens(text),
        }
    }
}

/// The effect of a rule on an action.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Rewriting {
    /// The action.
    pub(super) action: String,
    /// Whether the rule was about this very action, masks apart.
    pub(super) is_exact: bool,
    /// Mean cost of the comparison.
    pub(super) distance: f64,
}

impl Rule {
    /// Reads a hint; `None` when it is no rule of this form.
    pub(super) fn read(text: &str) -> Option<Self> {
        let rest = text
            .trim()
            .strip_prefix("WRONG")?
            .trim_start_matches([':', ' ']);
        let (wrong, correct) = match rest.split_once("CORRECT") {
            Some((wrong, correct)) => (wrong, Some(correct.trim_start_matches([':', ' ']))),
            None => (rest, None),
        };
        let wrong = wrong.trim().trim_end_matches(['→', '>', '-', '=']).trim();
        let wrong = rule_tokens(said(wrong));
        let correct = correct.map(|correct| rule_tokens(said(correct.trim())));
        let longest = wrong.len().max(correct.as_ref().map_or(0, Vec::len));
        if wrong.is_empty() || longest > PIECES_MAX || correct.as_ref().is_some_and(Vec::is_empty) {
            return None;
        }
        let hunks = correct
            .as_ref()
            .map_or_else(Vec::new, |correct| differences(&wrong, correct));
        let text = rule::Rule::parse(text).ok()?;
        Some(Self {
            pattern: Reading::of(text.wrong()?),
            cure: text.correct().map(Reading::of),
            wrong,
            correct,
            hunks,
        })
    }

    /// Returns true if the rule has one action right and another wrong.
    pub(super) fn prefers(&self, action: &Action, to: &Action) -> bool {
        self.approves(action) && self.pattern.fits(&to.reading)
    }

    /// Returns true if the rule calls an action right.
    fn approves(&self, action: &Action) -> bool {
        self.cure
            .as_ref()
            .is_some_and(|cure| cure.fits(&action.reading))
    }

    /// Returns true if the rule calls an action wrong and knows nothing better.
    pub(super) fn forbids(&self, action: &Action) -> bool {
        self.cure.is_none() && self.pattern.fits(&action.reading)
    }

    /// The rewriting of an action by the rule: by its pattern where it fits, else by analogy.
    pub(super) fn rewrite(&self, action: &Action) -> Option<Rewriting> {
        let exact = self
            .cure
            .as_ref()
            .and_then(|cure| self.pattern.rewritten(cure, &action.reading));
        match exact {
            Some(action) => Some(Rewriting {
                action,
                is_exact: true,
                distance: 0.0,
            }),
            None => self.carried_over(&action.pieces),
        }
    }

    /// Returns true if the action has the pieces that the rule names and does not change. A rule with gaps was made as
    /// general as the working action allows, so that the pieces that it still names are a condition and no example.
    fn conditions_hold(&self, partners: &[Option<usize>], action: &[Token]) -> bool {
        let is_general = |token: &Token| token.kind == Kind::Mask || token.is("…");
        if !self.wrong.iter().any(is_general) {
            return true;
        }
        let is_changed = |at: usize| {
            let mut hunks = self.hunks.iter();
            hunks.any(|hunk| (hunk.wrong.0..hunk.wrong.1).contains(&at))
        };
        let mut named = self.wrong.iter().zip(partners).enumerate();
        named.all(|(at, (token, partner))| {
            let is_example =
                is_changed(at) || !matches!(token.kind, Kind::Word | Kind::Number | Kind::Quoted);
            is_example || partner.is_some_and(|partner| token.same(&action[partner]))
        })
    }

    /// Carries the corrections over to an action; `None` when none of them has a place there.
    fn carried_over(&self, action: &[Token]) -> Option<Rewriting> {
        let correct = self.correct.as_ref()?;
        let is_headed = self
            .wrong
            .first()
            .zip(action.first())
            .is_some_and(|(a, b)| fits(a, b));
        if !is_headed || action.len() > PIECES_MAX {
            return None;
        }
        let (partners, distance) = aligned(&self.wrong, action);
        if distance > FAR || !self.conditions_hold(&partners, action) {
            return None;
        }
        let mut edits: Vec<(usize, usize, Vec<Token>)> = self
            .hunks
            .iter()
            .filter_map(|hunk| {
                Carrying {
                    rule: self,
                    correct,
                    action,
                    partners: &partners,
                }
                .edit(hunk)
            })
            .collect();
        if edits.is_empty() {
            return None;
        }
        edits.sort_by_key(|(start, ..)| *start);
        let mut made = Vec::with_capacity(action.len());
        let mut at = 0;
        for (start, end, pieces) in edits {
            // Two corrections that meet at one place cannot both be carried over.
            if start < at {
                continue;
            }
            made.extend_from_slice(&action[at..start]);
            made.extend(pieces);
            at = end;
        }
        made.extend_from_slice(&action[at..]);
        // The first piece has no blank of its own; the rule knows whether one belongs there now.
        let put_before = self.hunks.first().filter(|hunk| hunk.wrong == (0, 0));
        if let Some(hunk) = put_before
            && let Some((first, next)) = action.first().zip(correct.get(hunk.correct.1))
            && let Some(moved) = made.get_mut(hunk.correct.1 - hunk.correct.0)
            && moved.same(first)
        {
            moved.spaced = next.spaced;
        }
        Some(Rewriting {
            action: written(&made),
            is_exact: false,
            distance,
        })
    }
}

/// The text between backticks, else all up to the dash before a reason.
fn said(text: &str) -> &str {
    let inner = text.strip_prefix('`').and_then(|rest| rest.split_once('`'));
    let plain = || text.split(" — ").next().unwrap_or(text).trim();
    inner.map_or_else(plain, |(inner, _)| inner)
}

/// One rule carried over to one action.
struct Carrying<'a> {
    rule: &'a Rule,
    correct: &'a [Token],
    action: &'a [Token],
    partners: &'a [Option<usize>],
}

impl Carrying<'_> {
    /// The place in the action and the new piece; `None` when the correction has no place.
    fn edit(&self, hunk: &Hunk) -> Option<(usize, usize, Vec<Token>)> {
        let (start, end) = self.place(hunk)?;
        let masks = Cell::new(0);
        let mut pieces = Vec::new();
        for piece in &self.correct[hunk.correct.0..hunk.correct.1] {
            let mut moved = self.counterpart(hunk, piece, &masks)?.clone();
            moved.spaced = piece.spaced;
            pieces.push(moved);
        }
        Some((start, end, pieces))
    }

    fn place(&self, hunk: &Hunk) -> Option<(usize, usize)> {
        let (from, to) = hunk.wrong;
        if from == to {
            let start = match from {
                0 => 0,
                _ => self.partners[from - 1]? + 1,
            };
            let next = self
                .partners
                .get(to)
                .map_or(Some(self.action.len()), |next| *next)?;
            // A piece that is there already is not put in a second time.
            let inserted = &self.correct[hunk.correct.0..hunk.correct.1];
            let is_there = self.has(start, inserted)
                || start
                    .checked_sub(inserted.len())
                    .is_some_and(|before| self.has(before, inserted));
            return (next == start && !is_there).then_some((start, start));
        }
        let start = self.partners[from]?;
        for (offset, at) in (from..to).enumerate() {
            let partner = self.partners[at].filter(|partner| *partner == start + offset)?;
            let piece = &self.rule.wrong[at];
            let is_moved = self.correct.iter().any(|other| other.same(piece));
            if !fits(piece, &self.action[partner]) && !is_moved {
                return None;
            }
        }
        Some((start, start + to - from))
    }

    /// Returns true if these pieces are at a place of the action.
    fn has(&self, start: usize, pieces: &[Token]) -> bool {
        let there = self.action.get(start..start + pieces.len());
        there.is_some_and(|there| there.iter().zip(pieces).all(|(a, b)| a.same(b)))
    }

    /// The piece of the action for a piece of the correct form: itself, or the one that it replaced.
    fn counterpart<'s>(
        &'s self,
        hunk: &Hunk,
        piece: &'s Token,
        masks: &Cell<usize>,
    ) -> Option<&'s Token> {
        let (from, to) = hunk.wrong;
        let mut sources = (from..to).filter(|at| self.rule.wrong[*at].same(piece));
        if piece.kind == Kind::Mask {
            let nth = masks.get();
            masks.set(nth + 1);
            let all: Vec<usize> = sources.collect();
            let source = all.get(nth).or(all.last())?;
            return self.partners[*source].map(|partner| &self.action[partner]);
        }
        let Some(source) = sources.next() else {
            // Data that the rule moves from elsewhere is the action's data, not the rule's.
            let is_data = matches!(piece.kind, Kind::Word | Kind::Number | Kind::Quoted);
            let moved = self.rule.wrong.iter().position(|other| other.same(piece));
            let partner = moved.filter(|_| is_data).and_then(|at| self.partners[at]);
            return Some(partner.map_or(piece, |partner| &self.action[partner]));
        };
        self.partners[source].map(|partner| &self.action[partner])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(rule: &str, action: &str) -> Option<String> {
        Some(Rule::read(rule)?.rewrite(&Action::read(action))?.action)
    }

    #[test]
    fn corrections_are_carried_over_to_other_data() {
        for (rule, action, made) in [
            (
                "WRONG FIND region = 'N' → CORRECT KEEP region = 'N'",
                "FIND n = 'x'",
                Some("KEEP n = 'x'"),
            ),
            // Too little in common for a correspondence of the pieces.
            (
                "WRONG FIND region = 'N' → CORRECT KEEP region = 'N'",
                "FIND n > 7",
                None,
            ),
            (
                "WRONG KEEP a = 'N' → CORRECT KEEP a eq 'N'",
                "KEEP b = 9",
                Some("KEEP b eq 9"),
            ),
            (
                "WRONG OPEN 'a.csv' → CORRECT OPEN \"a.csv\"",
                "OPEN 'b.csv'",
                Some("OPEN \"b.csv\""),
            ),
            (
                "WRONG GO a t=SUM(x) → CORRECT GO a -> t=sum(x)",
                "GO b u=SUM(y)",
                Some("GO b -> u=sum(y)"),
            ),
            (
                "WRONG KEEP 5 = a → CORRECT KEEP a eq 5",
                "KEEP 7 = b",
                Some("KEEP b eq 7"),
            ),
            ("WRONG A x → CORRECT B x", "C x", None),
            ("WRONG KEEP a = 1 → CORRECT KEEP a eq 1", "KEEP b > 1", None),
            (
                "WRONG KEEP <1> = <2> → CORRECT KEEP <1> eq <2>",
                "KEEP c = 4",
                Some("KEEP c eq 4"),
            ),
            (
                "WRONG GET /a → CORRECT after 2s GET /a",
                "GET /b",
                Some("after 2s GET /b"),
            ),
        ] {
            assert_eq!(rewritten(rule, action).as_deref(), made, "{rule}: {action}");
        }
    }

    #[test]
    fn a_rule_knows_what_it_calls_right_and_wrong() {
        let rule = Rule::read("WRONG go <1> → CORRECT walk <1>").unwrap();
        let approves = |action: &str| rule.approves(&Action::read(action));
        assert!(approves("walk 3") && !approves("walk"));
        let rule = Rule::read("WRONG go back — nothing is there").unwrap();
        let forbids = |action: &str| rule.forbids(&Action::read(action));
        assert!(forbids("go back") && !forbids("go on"));
        assert!(Rule::read("always be careful").is_none());
    }
}
