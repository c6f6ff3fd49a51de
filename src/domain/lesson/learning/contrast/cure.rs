//! The cure of a failure: the first later step that shows the right action.

use super::command::{comparable, is_cure, is_shell_line};
use super::enabling::enabler;
use super::related::{WINDOW, is_related};
use super::step_view::StepView;
use super::tool_call;
use crate::lesson::learning::pattern;
use hindlore_errors::action::Intent;

/// Attempts at the same intent that are compared with one failure.
const ATTEMPTS_MAX: usize = 4;

/// The cure of a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cure {
    /// The step at this place does it in the right form.
    Form(usize),
    /// The unchanged action worked after the step at this place.
    Before(usize),
    /// The line at the first place holds the failed command after another, which is its command at the second.
    BeforeInLine(usize, usize),
}

/// Looks for the cure of the failure at a place. `intents` are those of each step; where the plan is known
/// they decide alone.
pub(super) fn of(steps: &[StepView], intents: &[Vec<Intent>], place: usize) -> Option<Cure> {
    let failed = &steps[place];
    let is_planned = |at: usize| matches!(intents[at].first(), Some(Intent::PlanStep(_)));
    if !is_planned(place)
        && let Some(again) = worked_again(steps, place)
    {
        // The action was right and a preparation was missing, for all other steps in between.
        let between = &steps[place + 1..again];
        let before = enabler(failed, between)?;
        let offset = between.iter().position(|step| std::ptr::eq(step, before))?;
        return Some(Cure::Before(place + 1 + offset));
    }
    let mut attempts = 0;
    for (at, step) in steps.iter().enumerate().skip(place + 1) {
        if step.failure.is_some() {
            continue;
        }
        let shares_intent = intents[at]
            .iter()
            .any(|intent| intents[place].contains(intent));
        if is_planned(place) {
            if shares_intent {
                return Some(Cure::Form(at));
            }
            continue;
        }
        let is_same_tool =
            failed.is_tool_call() && step.is_tool_call() && failed.program() == step.program();
        let between = at - place;
        if between <= WINDOW
            && let Some(before) = prepared_in_line(failed, step)
        {
            return Some(Cure::BeforeInLine(at, before));
        }
        if is_shell_line(failed) || is_shell_line(step) {
            let pair = comparable(failed, step);
            let is_shown = pair.is_some_and(|(failed, worked)| {
                (means_the_same(&failed, &worked) && is_cure(&failed, &worked))
                    || is_related(&failed, &worked, between)
            });
            if is_shown {
                return Some(Cure::Form(at));
            }
        } else if (shares_intent || is_same_tool) && shows_the_form(failed, step)
            || is_related(failed, step, between)
        {
            return Some(Cure::Form(at));
        }
        if shares_intent || is_same_tool {
            attempts += 1;
            if attempts == ATTEMPTS_MAX {
                return None;
            }
        }
    }
    None
}

/// Of a line that worked the command in front of the one that failed, where that made it work.
fn prepared_in_line(failed: &StepView, worked: &StepView) -> Option<usize> {
    let [command] = &failed.commands[..] else {
        return None;
    };
    let at = worked.commands.iter().position(|one| one == command)?;
    let before: Vec<StepView> = worked.commands[..at]
        .iter()
        .map(|command| worked.with_command(command))
        .collect();
    let named = enabler(failed, &before)?;
    before.iter().position(|step| std::ptr::eq(step, named))
}

fn means_the_same(failed: &StepView, worked: &StepView) -> bool {
    let intent = failed.action.intent();
    intent.is_some() && intent == worked.action.intent()
}

/// Where the very same action worked later.
fn worked_again(steps: &[StepView], place: usize) -> Option<usize> {
    let is_again =
        |at: &usize| steps[*at].failure.is_none() && steps[*at].text == steps[place].text;
    (place + 1..steps.len()).find(is_again)
}

fn shows_the_form(failed: &StepView, worked: &StepView) -> bool {
    if failed.is_tool_call() && worked.is_tool_call() {
        return tool_call::contrast(failed, worked).is_some();
    }
    // Scripts are compared by the lines that differ.
    let is_script = failed.text.contains('\n') || worked.text.contains('\n');
    if is_script {
        return pattern::contrast(&failed.text, &worked.text).is_some();
    }
    is_cure(failed, worked)
}
