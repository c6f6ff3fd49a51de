//! The cure of a failure: the first of the next steps that shows the right action.

use super::another_tool::{does_the_work, look_before};
use super::command::{is_cure, is_shell_line};
use super::enabling::enabler;
use super::guards::gets_round;
use super::nature::Nature;
use super::related::WINDOW;
use super::resemblance::{compared, is_right_form};
use super::step_view::StepView;
use super::tool_call;
use super::width::{folder_in_front, folders, lacks_its_folder};
use crate::lesson::learning::pattern;
use hindlore_errors::action::Intent;

/// The cure of a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cure {
    /// The step at this place does it in the right form.
    Form(usize),
    /// The step at this place does it with another tool.
    Tool(usize),
    /// The step at this place does it in another folder.
    Folder(usize),
    /// The unchanged action worked after the step at this place.
    Before(usize),
    /// The step at this place found the object with which the tool worked.
    Look(usize),
    /// The line at the first place holds the failed command after another, which is its command at the second.
    BeforeInLine(usize, usize),
}

impl Cure {
    /// The place of the step that shows it.
    pub(super) fn place(self) -> usize {
        match self {
            Self::Form(at)
            | Self::Tool(at)
            | Self::Folder(at)
            | Self::Before(at)
            | Self::Look(at)
            | Self::BeforeInLine(at, _) => at,
        }
    }
}

/// Looks for the cure of the failure at a place. `intents` are those of each step; where the plan is known
/// they decide alone.
pub(super) fn of(
    steps: &[StepView],
    intents: &[Vec<Intent>],
    place: usize,
    nature: Nature,
) -> Option<Cure> {
    let failed = &steps[place];
    let shares_intent = |at: usize| {
        let mut own = intents[at].iter();
        own.any(|intent| intents[place].contains(intent))
    };
    let is_candidate =
        |at: &usize| steps[*at].failure.is_none() && !gets_round(failed, &steps[*at]);
    let mut later = (place + 1..steps.len()).filter(is_candidate);
    if let Some(Intent::PlanStep(_)) = intents[place].first() {
        return later.find(|at| shares_intent(*at)).map(Cure::Form);
    }
    let mut near = later.take_while(|at| at - place <= WINDOW);
    if lacks_its_folder(failed) {
        let is_moved = |at: &usize| folders(failed, &steps[*at]).is_some();
        return near.find(is_moved).map(Cure::Folder);
    }
    if let Some(again) = worked_again(steps, place) {
        // The action was right and a preparation was missing, for all other steps in between.
        let between = &steps[place + 1..again];
        let before = enabler(failed, between, nature)?;
        let offset = between.iter().position(|step| std::ptr::eq(step, before))?;
        return Some(Cure::Before(place + 1 + offset));
    }
    near.find_map(|at| shown_by(steps, place, at, nature, shares_intent(at)))
}

/// The cure of the failure at a place that the step at another one shows.
fn shown_by(
    steps: &[StepView],
    place: usize,
    at: usize,
    nature: Nature,
    shares_intent: bool,
) -> Option<Cure> {
    let (failed, step, between) = (&steps[place], &steps[at], at - place);
    if let Some(before) = prepared_in_line(failed, step, nature) {
        return Some(Cure::BeforeInLine(at, before));
    }
    if folder_in_front(failed, step).is_some() {
        return Some(Cure::Folder(at));
    }
    if does_the_work(failed, step, nature, between) {
        return Some(Cure::Tool(at));
    }
    if failed.is_tool_call() != step.is_tool_call() {
        return None;
    }
    if let Some(look) = look_before(steps, place, at) {
        return Some(Cure::Look(look));
    }
    let is_shown = if is_shell_line(failed) || is_shell_line(step) {
        compared(failed, step).is_some_and(|pair| is_right_form(&pair, nature, between))
    } else {
        // An absent object is no matter of the form, whichever argument holds it.
        let may_differ = nature != Nature::Transient;
        may_differ
            && (shares_intent || is_same_tool(failed, step))
            && shows_the_form(failed, step, nature)
    };
    is_shown.then_some(Cure::Form(at))
}

fn is_same_tool(failed: &StepView, step: &StepView) -> bool {
    failed.is_tool_call() && step.is_tool_call() && failed.program() == step.program()
}

/// Of a line that worked the command in front of the one that failed, where that made it work.
fn prepared_in_line(failed: &StepView, worked: &StepView, nature: Nature) -> Option<usize> {
    let [command] = &failed.commands[..] else {
        return None;
    };
    let at = worked.commands.iter().position(|one| one == command)?;
    let before: Vec<StepView> = worked.commands[..at]
        .iter()
        .map(|command| worked.with_command(command))
        .collect();
    let named = enabler(failed, &before, nature)?;
    before.iter().position(|step| std::ptr::eq(step, named))
}

/// Where the very same action worked later.
fn worked_again(steps: &[StepView], place: usize) -> Option<usize> {
    let is_again = |at: &usize| steps[*at].failure.is_none() && steps[*at].raw == steps[place].raw;
    (place + 1..steps.len()).find(is_again)
}

fn shows_the_form(failed: &StepView, worked: &StepView, nature: Nature) -> bool {
    if failed.is_tool_call() && worked.is_tool_call() {
        let contrast = tool_call::contrast(failed, worked);
        return contrast.is_some_and(|found| nature == Nature::Call || found.speaks_for_itself);
    }
    // Scripts are compared by the lines that differ.
    let is_script = failed.text.contains('\n') || worked.text.contains('\n');
    if is_script {
        return pattern::contrast(&failed.text, &worked.text).is_some();
    }
    is_cure(failed, worked)
}
