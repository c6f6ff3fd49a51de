//! Secrets leave steps, questions and lessons before anything is worked out of them; see [`crate`]'s
//! redaction of deltas for the rule.

use super::requests::{About, ImportedLesson, LessonCall, LessonRequest, StepInput};
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::Place;
use hindlore_domain::lesson::rule::{RULE_MAX_CHARS, Rule};
use hindlore_domain::trajectory::Feedback;
use hindlore_errors::fingerprint::Evidence;
use hindlore_redact::{Redactions, Redactor, Sweep};
use hindlore_store::lessons::reading::LessonsCopy;
use hindlore_store::lessons::trajectory::TrajectoryFields;

/// Redacts a reported step: its action is a command, and a secret found in it is also removed from the output of the
/// step.
pub(super) fn step(redactor: &Redactor, step: &mut StepInput) -> Redactions {
    let mut sweep = redactor.sweep();
    let report = &mut step.report;
    evidence(&mut sweep, &mut report.evidence);
    place(&mut sweep, &mut report.place);
    let said = report.feedback.failed_constraints.iter_mut();
    said.chain(&mut report.tags)
        .for_each(|text| sweep.text(text));
    sweep.option(&mut step.plan_step);
    let detail = &mut step.detail;
    detail.id.iter_mut().for_each(|id| sweep.name(id));
    sweep.text(&mut detail.description);
    sweep.echo(&mut detail.description);
    if let Some(metadata) = &mut detail.metadata {
        sweep.value(metadata);
        sweep.echo_value(metadata);
    }
    sweep.finish()
}

/// Redacts the description of a run.
pub(super) fn about(sweep: &mut Sweep<'_>, about: &mut About) {
    for name in [&mut about.task_type, &mut about.agent, &mut about.user] {
        sweep.option(name);
    }
}

impl StepInput {
    /// Takes the secrets out, as every verb that writes steps down does; for those who write one elsewhere first.
    pub fn redact(&mut self, redactor: &Redactor) -> Redactions {
        step(redactor, self)
    }
}

/// Redacts a question for lessons as [`step`] redacts the step that it is about, so that both have the same
/// fingerprint.
pub(super) fn lesson_request(redactor: &Redactor, request: &mut LessonRequest) -> Redactions {
    let mut sweep = redactor.sweep();
    match &mut request.call {
        LessonCall::PreRun | LessonCall::SessionStart => {}
        LessonCall::OnError { evidence, .. } => self::evidence(&mut sweep, evidence),
        LessonCall::BeforeAction { action, .. } => {
            let mut proposed = Evidence {
                action: std::mem::take(action),
                ..Evidence::default()
            };
            self::evidence(&mut sweep, &mut proposed);
            *action = proposed.action;
        }
    }
    sweep.text(&mut request.text);
    sweep.echo(&mut request.text);
    place(&mut sweep, &mut request.place);
    request.tags.iter_mut().for_each(|tag| sweep.text(tag));
    sweep.finish()
}

/// Redacts a lesson of another program.
pub(super) fn imported(sweep: &mut Sweep<'_>, lesson: &mut ImportedLesson) {
    rule(sweep, &mut lesson.rule);
    place(sweep, &mut lesson.place);
    let labels = lesson.tags.iter_mut().chain(&mut lesson.source_runs);
    labels.for_each(|label| sweep.text(label));
}

/// Redacts the texts of a lesson; the mark may be longer than the secret.
pub(super) fn rule(sweep: &mut Sweep<'_>, rule: &mut Rule) {
    let mut text = rule.as_str().to_owned();
    if !sweep.changes(&mut text) {
        return;
    }
    let cut: String = text.chars().take(RULE_MAX_CHARS).collect();
    if let Ok(redacted) = Rule::parse(&cut) {
        *rule = redacted;
    }
}

/// Redacts everything that a learner learned, as read from a file. Ids stay: they are derived from the lessons, and
/// other rows name them.
pub(super) fn learned(redactor: &Redactor, copy: &mut LessonsCopy) -> Redactions {
    let mut sweep = redactor.sweep();
    for row in &mut copy.fingerprints {
        sweep.text(&mut row.fingerprint.normalised);
    }
    for run in &mut copy.runs {
        sweep.text(&mut run.intent);
        trajectory(&mut sweep, &mut run.trajectory);
        place(&mut sweep, &mut run.place);
    }
    for step in &mut copy.steps {
        sweep.text(&mut step.action);
        sweep.option(&mut step.plan_step);
        sweep.text(&mut step.description);
        sweep.option(&mut step.metadata);
    }
    for error in &mut copy.errors {
        let ErrorEvent {
            error: said,
            state,
            action,
            state_after,
            reason,
            ..
        } = error;
        let texts = [action, said, state, state_after, reason];
        let conditions = error.failed_constraints.iter_mut();
        for text in texts.into_iter().chain(conditions) {
            sweep.text(text);
        }
        place(&mut sweep, &mut error.place);
    }
    for lesson in &mut copy.lessons {
        rule(&mut sweep, &mut lesson.rule);
        place(&mut sweep, &mut lesson.place);
    }
    for review in &mut copy.reviews {
        sweep.option(&mut review.note);
    }
    // A kept answer repeats the rules that it returned.
    let kept = copy.receipts.iter_mut().map(|row| &mut row.answer);
    let why = copy.activations.iter_mut().map(|row| &mut row.explanation);
    kept.chain(why).for_each(|text| sweep.text(text));
    sweep.finish()
}

fn trajectory(sweep: &mut Sweep<'_>, fields: &mut TrajectoryFields) {
    for text in [
        &mut fields.task_type,
        &mut fields.agent,
        &mut fields.user,
        &mut fields.error,
    ] {
        sweep.option(text);
    }
    for one in &mut fields.feedback {
        feedback(sweep, one);
    }
}

/// Redacts the feedback on a trajectory.
pub(super) fn feedback(sweep: &mut Sweep<'_>, feedback: &mut Feedback) {
    sweep.text(&mut feedback.kind);
    sweep.option(&mut feedback.source);
    sweep.option(&mut feedback.message);
}

pub(super) fn place(sweep: &mut Sweep<'_>, place: &mut Place) {
    for name in [&mut place.task, &mut place.domain, &mut place.tool] {
        sweep.option(name);
    }
}

fn evidence(sweep: &mut Sweep<'_>, evidence: &mut Evidence) {
    sweep.action(&mut evidence.action);
    for part in [
        &mut evidence.error,
        &mut evidence.state,
        &mut evidence.state_after,
    ] {
        sweep.value(part);
    }
    sweep.text(&mut evidence.reason);
    // Only now are all secrets of the report known, so each part is searched for those of the others.
    for part in [
        &mut evidence.action,
        &mut evidence.error,
        &mut evidence.state,
        &mut evidence.state_after,
    ] {
        sweep.echo_value(part);
    }
    sweep.echo(&mut evidence.reason);
}
