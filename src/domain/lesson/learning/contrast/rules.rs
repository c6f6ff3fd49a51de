//! The rules that the failures of one kind give.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::command::{is_requoted, is_shell_line, requoted};
use super::cure::{self, Cure};
use super::inline::differ_in_text;
use super::message::headline;
use super::nature::{Nature, nature};
use super::phrases::{ABSENT_RECORD, says};
use super::related::installs_another;
use super::resemblance::{compared, without_quoted_numbers};
use super::step_view::StepView;
use super::tool_call;
use super::width::{folder_in_front, folders, wide};
use crate::lesson::evidence::assertion::{Assertion, PriorEvidence, ResolvedStep, Verdict, solved};
use crate::lesson::learning::attempt::intents_of;
use crate::lesson::learning::pattern;
use crate::lesson::learning::pattern::Reading;
use crate::lesson::rule::Rule;
use crate::lesson::trace::TraceStep;
use hindlore_errors::action::Intent;
use hindlore_errors::shell;
use hindlore_primitives::ids::FingerprintId;

/// A run, read once.
pub(super) struct Run {
    steps: Vec<StepView>,
    intents: Vec<Vec<Intent>>,
    solved: Vec<ResolvedStep>,
    /// The actions that worked: each as a whole, and each command of it that is known to have worked.
    worked: Vec<Reading>,
}

/// A rule, in how many tokens the failure and its cure differ, and the steps that show it.
type Found = (Rule, usize, Vec<u32>);

impl Run {
    pub(super) fn of(trace: &[TraceStep]) -> Self {
        let steps: Vec<StepView> = trace.iter().map(StepView::of).collect();
        let mut texts: Vec<String> = Vec::new();
        for step in steps.iter().filter(|step| step.failure.is_none()) {
            texts.extend(step.known_commands());
            texts.push(step.text.clone());
        }
        texts.sort_unstable();
        texts.dedup();
        Self {
            worked: texts.iter().map(|text| Reading::of(text)).collect(),
            steps,
            intents: trace.iter().map(intents_of).collect(),
            solved: solved(trace),
        }
    }

    /// The places of the failures by their fingerprint.
    pub(super) fn failures(&self) -> BTreeMap<FingerprintId, Vec<usize>> {
        let mut groups: BTreeMap<FingerprintId, Vec<usize>> = BTreeMap::new();
        for (at, step) in self.steps.iter().enumerate() {
            if let Some(failure) = &step.failure {
                groups.entry(failure.fingerprint).or_default().push(at);
            }
        }
        groups
    }

    /// The rules that the failures of one fingerprint give, each with the steps that show it; first the one
    /// whose failure differs least from its cure.
    pub(super) fn rules_of(&self, places: &[usize], recurring: bool) -> Vec<(Rule, Vec<u32>)> {
        let mut found: Vec<Found> = Vec::new();
        // The same try is often repeated; its evidence with the same cure is found once.
        let mut compared: BTreeMap<(&str, &str), Option<(Rule, usize)>> = BTreeMap::new();
        for &place in places {
            let nature = nature(&self.steps[place]);
            if nature == Nature::Nothing || (nature == Nature::Silent && !recurring) {
                continue;
            }
            let Some(cure) = cure::of(&self.steps, &self.intents, place, nature) else {
                continue;
            };
            let at = cure.place();
            let pair = (self.steps[place].raw.as_str(), self.steps[at].raw.as_str());
            let made = compared
                .entry(pair)
                .or_insert_with(|| self.rule_of(place, cure));
            let Some((rule, differing)) = made.clone() else {
                continue;
            };
            let steps = [self.steps[place].step, self.steps[at].step];
            match found.iter_mut().find(|(known, ..)| *known == rule) {
                Some((_, known, evidence)) => {
                    *known = differing.min(*known);
                    evidence.extend(steps);
                }
                None => found.push((rule, differing, steps.to_vec())),
            }
        }
        found.sort_by_key(|(_, differing, evidence)| (*differing, Reverse(evidence.len())));
        let mut rules: Vec<(Rule, Vec<u32>)> = found
            .into_iter()
            .map(|(rule, _, evidence)| (rule, evidence))
            .collect();
        for (_, evidence) in &mut rules {
            evidence.sort_unstable();
            evidence.dedup();
        }
        rules
    }

    fn rule_of(&self, place: usize, cure: Cure) -> Option<(Rule, usize)> {
        let failed = &self.steps[place];
        let message = failed
            .failure
            .as_ref()
            .map(|failure| headline(&failure.message));
        let message = message.unwrap_or_default();
        let step = &self.steps[cure.place()];
        let rule = match cure {
            Cure::Form(_) if differ_in_text(failed, step) || installs_another(failed, step) => None,
            Cure::Form(_) if failed.is_tool_call() && step.is_tool_call() => {
                self.rule_of_calls(failed, step, &message)
            }
            Cure::Form(_) => return self.rule_of_commands(failed, step, &message),
            Cure::Tool(_) => {
                let (wrong, right) = (open_form(failed), open_form(step));
                Rule::contrast_because(&wrong, &right, &message)
            }
            Cure::Folder(_) => match folders(failed, step) {
                Some((wrong, right)) => {
                    let form = Reading::of(&wrong);
                    let works =
                        |one: &StepView| one.failure.is_none() && form.fits(&Reading::of(&one.raw));
                    if self.steps.iter().any(works) {
                        return None;
                    }
                    Rule::contrast(&wrong, &right)
                }
                // The line itself is right, so that it has no wrong form.
                None => Rule::before(
                    &short_form(failed),
                    &folder_in_front(failed, step)?,
                    &message,
                ),
            },
            Cure::Before(_) => Rule::before(&short_form(failed), &short_form(step), &message),
            Cure::Look(_) => Rule::before(&head(failed), &head(step), ""),
            Cure::BeforeInLine(_, command) => {
                let before = step.with_command(step.commands.get(command)?);
                Rule::before(&short_form(failed), &short_form(&before), &message)
            }
        };
        Some((rule?, 1))
    }

    fn rule_of_calls(&self, failed: &StepView, worked: &StepView, message: &str) -> Option<Rule> {
        let contrast = tool_call::contrast(failed, worked)?;
        // A missing or exhausted object is a matter of this request's values.
        let is_of_request = says(&ABSENT_RECORD, message);
        if self.has_worked(&Reading::of(&contrast.wrong))
            || (is_of_request && !contrast.speaks_for_itself)
        {
            return None;
        }
        let reason = if contrast.speaks_for_itself {
            ""
        } else {
            message
        };
        Rule::contrast_because(&contrast.wrong, &contrast.correct, reason)
    }

    fn rule_of_commands(
        &self,
        failed: &StepView,
        worked: &StepView,
        message: &str,
    ) -> Option<(Rule, usize)> {
        if let Some((wrong, right)) = requoted(failed, &failed.text, &worked.text) {
            return self.contrast_of(&wrong, &right, message);
        }
        let is_shell = is_shell_line(failed) || is_shell_line(worked);
        let pair = is_shell.then(|| compared(failed, worked)).flatten();
        let Some((failed, worked)) = pair else {
            return self.contrast_of(&failed.text, &worked.text, message);
        };
        // The unchanged command worked before, alone or as a part of a line: nothing of its form is wrong.
        if self.has_worked(&Reading::of(&failed.text)) {
            return None;
        }
        if let Some((wrong, right)) = wide(&failed, &worked)
            && !self.has_worked(&Reading::of(&wrong))
            && let Some(rule) = Rule::contrast(&wrong, &right)
        {
            return Some((rule, 1));
        }
        let cured = if is_requoted(&failed.text, &worked.text) {
            without_quoted_numbers(&worked.text)
        } else {
            worked.text
        };
        self.contrast_of(&failed.text, &cured, message)
    }

    /// Returns true if a step of this run contradicts a claim.
    fn is_refuted(&self, wrong: &Reading, correct: &Reading) -> bool {
        let claim = Assertion {
            wrong: wrong.clone(),
            correct: Some(correct.clone()),
        };
        let mut verdicts = self.solved.iter();
        verdicts.any(|step| step.about(&claim, PriorEvidence::default()) == Verdict::Refutes)
    }

    /// The rule of a failure and its cure, and in how many tokens they differ: as general as the other steps of the run
    /// allow, so that no rule is born that its own run refutes.
    fn contrast_of(&self, failed: &str, cured: &str, message: &str) -> Option<(Rule, usize)> {
        let contrast = pattern::contrast_unless(failed, cured, |wrong, correct| {
            self.is_refuted(wrong, correct) || self.has_worked(wrong)
        })?;
        // A text of the caller's in place of the working part teaches nothing about the method.
        let program = |text: &str| shell::program(text).to_owned();
        let own = contrast.correct.split_whitespace().skip(1);
        if program(failed) != program(cured)
            && own.clone().count() > 0
            && own.clone().all(|word| word == "<str>")
        {
            return None;
        }
        // A value that was left out leaves a hole that only the message explains.
        let reason = if contrast.correct.contains("_id>") || contrast.correct.contains("<id>") {
            message
        } else {
            ""
        };
        let rule = Rule::contrast_because(&contrast.wrong, &contrast.correct, reason)?;
        Some((rule, contrast.differing))
    }

    /// Returns true if something of a form worked in this run, alone or as a part of a line.
    fn has_worked(&self, form: &Reading) -> bool {
        self.worked.iter().any(|action| form.fits(action))
    }
}

/// An action as a rule names it in a sentence: a call by its tool, a command with its values left open.
fn short_form(step: &StepView) -> String {
    if step.is_tool_call() {
        return step.program().to_owned();
    }
    pattern::without_case_values(&step.text)
}

/// The tool of a call, or the words of a command that name its action.
fn head(step: &StepView) -> String {
    let first = step.words.get(1).map(String::as_str);
    let words = pattern::naming_words(step.program(), first);
    let words = step.words.iter().take(words).cloned();
    words.collect::<Vec<_>>().join(" ")
}

/// A tool or a program with all of its arguments left open.
fn open_form(step: &StepView) -> String {
    if step.is_tool_call() {
        return format!("{}(…)", step.program());
    }
    format!("{} …", step.program())
}
