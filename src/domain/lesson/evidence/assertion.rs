//! The evidence of a run about a rule: a step that was tried until it worked shows which advice was right for it.
//!
//! A rule claims that one form is wrong, and mostly that another is right. The action that worked in the end is the
//! witness. It contradicts a rule that calls it wrong, and one that would have led a try elsewhere; it supports a rule
//! each of whose corrections was needed. This holds whether or not the rule was followed, so that advice can be refuted
//! before it does harm. The price: where several ways lead to the same end, the one that was taken contradicts rules
//! that lead from a failed try to another.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::lesson::learning::attempt::{intents_of, lines, text_of};
use crate::lesson::learning::pattern::Reading;
use crate::lesson::rule::Rule;
use crate::lesson::trace::TraceStep;
use hindlore_errors::action::Intent;

/// A rule, read once to be compared often.
#[derive(Clone, PartialEq, Debug)]
pub struct Assertion {
    /// The form that it calls wrong.
    pub wrong: Reading,
    /// The form that it calls right, in rules that name one.
    pub correct: Option<Reading>,
}

/// The verdict on a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// It was right: every piece that it changes had to be changed.
    Supports,
    /// It calls the working form wrong, or leads away from it.
    Refutes,
    /// The step does not speak of it.
    Silent,
}

/// The evidence of earlier steps of the same kind about a claim.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PriorEvidence {
    /// Something of the form that it calls wrong was seen to work.
    pub wrong_works: bool,
    /// Something of the form that it calls right was seen to work.
    pub correct_works: bool,
}

/// A step that was tried until it worked.
#[derive(Clone, PartialEq, Debug)]
pub struct ResolvedStep {
    /// The forms that were tried and failed.
    tried: Vec<Reading>,
    /// The form that worked; of an action of several lines the whole and each line.
    worked: Vec<Reading>,
}

impl Assertion {
    /// The claim of a rule; absent when it names no wrong form.
    pub fn of(rule: &Rule) -> Option<Self> {
        Some(Self {
            wrong: Reading::of(rule.wrong()?),
            correct: rule.correct().map(Reading::of),
        })
    }
}

impl ResolvedStep {
    /// A step by its tries, of which some may be the action that worked, and that action.
    pub fn new<'t>(tried: impl IntoIterator<Item = &'t str>, worked: &str) -> Self {
        let right = lines(worked);
        let mut texts: Vec<&str> = tried.into_iter().flat_map(lines).collect();
        texts.retain(|text| !right.contains(text));
        texts.sort_unstable();
        texts.dedup();
        let read = |texts: &[&str]| texts.iter().map(|text| Reading::of(text)).collect();
        Self {
            tried: read(&texts),
            worked: read(&right),
        }
    }

    /// Returns true if something that worked has a form.
    pub fn has(&self, form: &Reading) -> bool {
        self.worked.iter().any(|action| form.fits(action))
    }

    /// Returns true if something that worked is of a form, or holds it after something else.
    pub fn holds(&self, form: &Reading) -> bool {
        let mut worked = self.worked.iter();
        worked.any(|action| form.fits(action) || form.follows_in(action))
    }

    /// The verdict of the step on a claim; of tries that disagree the majority.
    ///
    /// If the wrong form is known to work, adding something before it in the action that worked was not the cure. If
    /// the correct form is known to work, it may hold more than the step needed, and is right when it leads nearer to
    /// the form that worked, or into it; else each of its corrections must have been needed.
    pub fn about(&self, claim: &Assertion, known: PriorEvidence) -> Verdict {
        if self.has(&claim.wrong) || (known.wrong_works && self.holds(&claim.wrong)) {
            return Verdict::Refutes;
        }
        let Some(correct) = &claim.correct else {
            return Verdict::Silent;
        };
        let (mut supports, mut refutes) = (0_usize, 0_usize);
        for tried in &self.tried {
            let Some(made) = claim.wrong.rewritten(correct, tried) else {
                continue;
            };
            let made = Reading::of(&made);
            let leads = |worked: &Reading| {
                if known.correct_works {
                    match made.differing(worked).cmp(&tried.differing(worked)) {
                        Ordering::Less => true,
                        Ordering::Equal => correct.fits(worked),
                        Ordering::Greater => false,
                    }
                } else {
                    made.lies_between(tried, worked)
                }
            };
            if self.worked.iter().any(leads) {
                supports += 1
            } else {
                refutes += 1
            }
        }
        match supports.cmp(&refutes) {
            Ordering::Greater => Verdict::Supports,
            Ordering::Less => Verdict::Refutes,
            Ordering::Equal => Verdict::Silent,
        }
    }
}

/// The steps of a run that worked in the end, each with the tries of the same intent before it.
pub fn solved(trace: &[TraceStep]) -> Vec<ResolvedStep> {
    let mut open: BTreeMap<Intent, Vec<String>> = BTreeMap::new();
    let mut found = Vec::new();
    for step in trace {
        let text = text_of(step);
        let intents = intents_of(step);
        if step.failure.is_some() {
            for intent in intents {
                open.entry(intent).or_default().push(text.clone());
            }
            continue;
        }
        let failed = intents.iter().filter_map(|intent| open.remove(intent));
        let failed: Vec<String> = failed.flatten().collect();
        found.push(ResolvedStep::new(failed.iter().map(String::as_str), &text));
    }
    found
}

/// Returns true if a run shows the contrast of a rule, whether or not its own comparison has found the same words: more
/// of its steps support the rule than refute it.
pub fn shows(run: &[ResolvedStep], rule: &Rule) -> bool {
    let Some(claim) = Assertion::of(rule).filter(|claim| claim.correct.is_some()) else {
        return false;
    };
    let (mut supports, mut refutes) = (0_usize, 0_usize);
    for step in run {
        match step.about(&claim, PriorEvidence::default()) {
            Verdict::Supports => supports += 1,
            Verdict::Refutes => refutes += 1,
            Verdict::Silent => {}
        }
    }
    supports > refutes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(rule: &str, tried: &[&str], worked: &str, known: PriorEvidence) -> Verdict {
        let claim = Assertion::of(&Rule::parse(rule).unwrap()).unwrap();
        ResolvedStep::new(tried.iter().copied(), worked).about(&claim, known)
    }

    #[test]
    fn what_worked_speaks_for_and_against_rules_that_nobody_followed() {
        let unknown = PriorEvidence::default();
        for (rule, tried, worked, expected) in [
            // Each correction was needed, one of two or the only one.
            (
                "WRONG KEEP <1> = <2> → CORRECT KEEP <1> eq <2>",
                "KEEP a = 5",
                "KEEP a eq 5",
                Verdict::Supports,
            ),
            (
                "WRONG KEEP <1> = <2> → CORRECT KEEP <1> eq <2>",
                "KEEP a = x",
                "KEEP a eq \"x\"",
                Verdict::Supports,
            ),
            // It calls the working form wrong.
            (
                "WRONG KEEP <1> eq <2> → CORRECT KEEP <1> = <2>",
                "KEEP a = 5",
                "KEEP a eq 5",
                Verdict::Refutes,
            ),
            (
                "WRONG KEEP <1> eq <2> — this never works",
                "KEEP a = 5",
                "KEEP a eq 5",
                Verdict::Refutes,
            ),
            // It trades one error for another.
            (
                "WRONG KEEP <1> = <2> → CORRECT KEEP <1> eq <2> KEEP",
                "KEEP a = 5",
                "KEEP a eq 5",
                Verdict::Refutes,
            ),
            (
                "WRONG go <1> by run → CORRECT go <1> by walk",
                "go on by run",
                "go on by crawl",
                Verdict::Refutes,
            ),
            // It is about another action, or about one that was not tried.
            (
                "WRONG SHOW <1> → CORRECT PRINT <1>",
                "KEEP a = 5",
                "KEEP a eq 5",
                Verdict::Silent,
            ),
            (
                "WRONG KEEP <1> = <2> → CORRECT KEEP <1> eq <2>",
                "KEEP a > 5",
                "KEEP a eq 5",
                Verdict::Silent,
            ),
            (
                "WRONG KEEP <1> = <2> — no",
                "KEEP a = 5",
                "KEEP a eq 5",
                Verdict::Silent,
            ),
        ] {
            assert_eq!(
                said(rule, &[tried], worked, unknown),
                expected,
                "{rule}: {tried}"
            );
        }
    }

    #[test]
    fn of_tries_that_disagree_the_majority_speaks() {
        let rule = "WRONG put <1> <2> → CORRECT set <1> <2>";
        let tries = ["put a b", "put a c", "put d e"];
        let of = |tries: &[&str]| said(rule, tries, "set a b", PriorEvidence::default());
        assert_eq!(of(&tries), Verdict::Supports);
        let rule = "WRONG put <1> → CORRECT set <1> now";
        let of = |tries: &[&str]| said(rule, tries, "set a", PriorEvidence::default());
        assert_eq!(of(&["put a", "put b"]), Verdict::Refutes);
    }

    #[test]
    fn what_is_known_to_work_may_hold_more_than_a_step_needs() {
        let (rule, tried, worked) = (
            "WRONG PUT <1> → CORRECT after 5s POST <1>",
            "PUT x",
            "POST x",
        );
        let with = |correct_works| PriorEvidence {
            correct_works,
            ..PriorEvidence::default()
        };
        assert_eq!(said(rule, &[tried], worked, with(false)), Verdict::Refutes);
        let rule = "WRONG PUT <1> to <2> → CORRECT after 5s POST <1> in <2>";
        let (tried, worked) = ("PUT x to y", "POST x in z y");
        assert_eq!(said(rule, &[tried], worked, with(false)), Verdict::Refutes);
        let worked = "after 5s POST x in y please";
        assert_eq!(said(rule, &[tried], worked, with(true)), Verdict::Supports);
    }

    #[test]
    fn a_form_that_is_known_to_work_is_not_cured_by_what_stands_before_it() {
        let rule = "WRONG GET <1> — this never works";
        let known = |wrong_works| PriorEvidence {
            wrong_works,
            ..PriorEvidence::default()
        };
        let of = |known| said(rule, &["GET x y"], "after 2s GET x", known);
        assert_eq!(of(known(false)), Verdict::Silent);
        assert_eq!(of(known(true)), Verdict::Refutes);
    }
}
