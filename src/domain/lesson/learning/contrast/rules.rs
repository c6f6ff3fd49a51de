//! The rules that the failures of one kind give.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::command::{comparable, is_shell_line, to_blame};
use super::cure::{self, Cure};
use super::inline::{brings_its_text, differ_in_text};
use super::message::{complains, headline, named_line};
use super::noise::{Worth, worth};
use super::phrases::{ABSENT_RECORD, says};
use super::related::installs_another;
use super::step_view::{StepView, in_one_form};
use super::tool_call;
use crate::lesson::evidence::assertion::{Assertion, PriorEvidence, ResolvedStep, Verdict, solved};
use crate::lesson::learning::attempt::intents_of;
use crate::lesson::learning::pattern;
use crate::lesson::learning::pattern::Reading;
use crate::lesson::rule::Rule;
use crate::lesson::trace::TraceStep;
use hindlore_errors::action::Intent;
use hindlore_errors::shell::{self, is_wrapper};
use hindlore_primitives::ids::FingerprintId;

/// Ids in a message from which it is about one case alone.
const CASE_VALUES_MAX: usize = 3;

/// A run, read once.
pub(super) struct Run {
    steps: Vec<StepView>,
    intents: Vec<Vec<Intent>>,
    solved: Vec<ResolvedStep>,
}

/// A rule, in how many tokens the failure and its cure differ, and the steps that show it.
type Found = (Rule, usize, Vec<u32>);

impl Run {
    pub(super) fn of(trace: &[TraceStep]) -> Self {
        let trace = in_one_form(trace);
        Self {
            steps: trace.iter().map(StepView::of).collect(),
            intents: trace.iter().map(intents_of).collect(),
            solved: solved(&trace),
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
        let mut uncured: Option<usize> = None;
        // The same try is often repeated; its evidence with the same cure is found once.
        let mut compared: BTreeMap<(&str, &str), Option<(Rule, usize)>> = BTreeMap::new();
        for &place in places {
            let worth = worth(&self.steps[place]);
            if worth == Worth::Nothing || (worth == Worth::OnlyRecurring && !recurring) {
                continue;
            }
            let Some(cure) = cure::of(&self.steps, &self.intents, place) else {
                if worth == Worth::Full {
                    uncured = uncured.or(Some(place));
                }
                continue;
            };
            let at = match cure {
                Cure::Form(at) | Cure::Before(at) | Cure::BeforeInLine(at, _) => at,
            };
            let pair = (
                self.steps[place].text.as_str(),
                self.steps[at].text.as_str(),
            );
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
        if rules.is_empty()
            && let Some(place) = uncured
            && let Some(rule) = self.forbidding(&self.steps[place])
        {
            let evidence = places.iter().map(|place| self.steps[*place].step);
            rules.push((rule, evidence.collect()));
        }
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
        let is_another = |at: usize| {
            let worked = &self.steps[at];
            differ_in_text(failed, worked) || installs_another(failed, worked)
        };
        match cure {
            Cure::Form(at) if is_another(at) => None,
            Cure::Before(at) => {
                let rule =
                    Rule::before(&short_form(failed), &short_form(&self.steps[at]), &message)?;
                Some((rule, 1))
            }
            Cure::BeforeInLine(at, command) => {
                let line = &self.steps[at];
                let before = line.with_command(line.commands.get(command)?);
                let rule = Rule::before(&short_form(failed), &short_form(&before), &message)?;
                Some((rule, 1))
            }
            Cure::Form(at) if failed.is_tool_call() && self.steps[at].is_tool_call() => {
                let contrast = tool_call::contrast(failed, &self.steps[at])?;
                // A missing or exhausted object is a matter of this request's values.
                let is_of_request = says(&ABSENT_RECORD, &message);
                if self.has_worked(&contrast.wrong)
                    || (is_of_request && !contrast.speaks_for_itself)
                {
                    return None;
                }
                let reason = (!contrast.speaks_for_itself).then_some(message.as_str());
                let rule = Rule::contrast_because(
                    &contrast.wrong,
                    &contrast.correct,
                    reason.unwrap_or_default(),
                )?;
                Some((rule, 1))
            }
            Cure::Form(at) => match comparable(failed, &self.steps[at]) {
                Some((failed, worked)) if is_shell_line(&failed) || is_shell_line(&worked) => {
                    self.contrast_of(&failed.text, &worked.text, &message)
                }
                _ => self.contrast_of(&failed.text, &self.steps[at].text, &message),
            },
        }
    }

    /// The rule of a failure and its cure, and in how many tokens they differ: as general as the other steps of the run
    /// allow, so that no rule is born that its own run refutes.
    fn contrast_of(&self, failed: &str, cured: &str, message: &str) -> Option<(Rule, usize)> {
        let is_refuted = |wrong: &Reading, correct: &Reading| {
            let claim = Assertion {
                wrong: wrong.clone(),
                correct: Some(correct.clone()),
            };
            let mut said = self
                .solved
                .iter()
                .map(|step| step.about(&claim, PriorEvidence::default()));
            said.any(|testimony| testimony == Verdict::Refutes)
        };
        let contrast = pattern::contrast_unless(failed, cured, is_refuted)?;
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

    fn forbidding(&self, step: &StepView) -> Option<Rule> {
        if brings_its_text(step) {
            return None;
        }
        let message = step
            .failure
            .as_ref()
            .map(|failure| headline(&failure.message))?;
        let is_of_language = !is_shell_line(step) && !step.is_tool_call();
        let is_of_one_case = message.matches("<id>").count() >= CASE_VALUES_MAX;
        if message.is_empty() || is_of_one_case || (!is_of_language && !complains(&message)) {
            return None;
        }
        if step.is_tool_call() {
            let form = tool_call::masked(step);
            if !self.has_worked(&form) {
                return Rule::failure(&form, &message);
            }
            // The tool works otherwise, so nothing of the form is wrong; the message names the fault.
            return Rule::reason(step.program(), &message);
        }
        if let Some((speaker, said)) = spoken_by_one(step, &message) {
            return Rule::reason(speaker, said);
        }
        // Of several commands the faulty one is unknown.
        let one = if is_of_language {
            None
        } else {
            Some(to_blame(step)?)
        };
        let text = one.as_ref().map_or(&step.text, |one| &one.text);
        let action = named_line(text, &message).unwrap_or(text);
        if action.is_empty() {
            return None;
        }
        let forms = [pattern::masked(action), action.to_owned()];
        let form = forms.iter().find(|form| !self.has_worked(form))?;
        // Only its own file or record distinguishes it from the working form: no rule for others.
        if *form == forms[1] && pattern::without_case_values(action) != action {
            return None;
        }
        Rule::failure(form, &message)
    }

    /// Returns true if something of a form worked in this run.
    fn has_worked(&self, form: &str) -> bool {
        let form = Reading::of(form);
        self.solved.iter().any(|step| step.has(&form))
    }
}

/// The one program of a line that a message is from, and the message: a program that runs another reports about that
/// one, and one that the line runs more than once about each of them.
fn spoken_by_one<'a>(step: &'a StepView, message: &'a str) -> Option<(&'a str, &'a str)> {
    if !is_shell_line(step) {
        return None;
    }
    if let Some((speaker, said)) = message.split_once(": ")
        && (is_wrapper(speaker) || step.commands.len() > 1)
        && step.text.split_whitespace().any(|word| word == speaker)
    {
        return Some((speaker, said));
    }
    let is_same = |command: &String| shell::program(command) == step.program();
    let repeats = step.commands.len() > 1 && step.commands.iter().all(is_same);
    repeats.then_some((step.program(), message))
}

/// An action as a rule names it in a sentence: a call by its tool, a command with its values left open.
fn short_form(step: &StepView) -> String {
    if step.is_tool_call() {
        return step.program().to_owned();
    }
    pattern::without_case_values(&step.text)
}
