//! Command `runs show`: a run with its steps, errors, and lessons.

use super::list;
use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Page, Tone, lessons};
use crate::session::Session;
use hindlore_api::responses::runs::{RunDetailResponse, StepResponse};
use hindlore_api::verbs::runs::ShowRun;
use hindlore_errors::action::Action;

pub(crate) const FORM: Form = Form::new("runs.show", &[("run", Typed::Word("ID"))]);

/// Shows one run.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ShowRun>("reading", request).await?;
    session.output.show(&shown, |page| {
        about(page, &shown);
        page.gap();
        let rows: Vec<Vec<String>> = shown.step_rows.iter().map(|one| step(page, one)).collect();
        page.table(&["STEP", "AT", "ENDED", "ACTION"], &rows);
        if !shown.error_rows.is_empty() {
            page.gap();
            lessons::errors(page, &shown.error_rows);
        }
        if !shown.activations.is_empty() {
            page.gap();
            lessons::activations(page, &shown.activations);
        }
    })?;
    Ok(Outcome::Done)
}

fn about(page: &mut Page, shown: &RunDetailResponse) {
    let run = &shown.run;
    page.line(Tone::Heading, &run.id);
    page.field("state", list::state(run));
    page.field("place", lessons::place(&run.place));
    if !run.intent.is_empty() {
        page.field("intent", &run.intent);
    }
    page.field("started", run.started_at);
    if let Some(at) = run.ended_at {
        page.field("ended", at);
    }
    if let Some(score) = run.score {
        page.field("score", score);
    }
    let Some(metrics) = &shown.metrics else {
        return;
    };
    page.field(
        "steps",
        format_args!("{}, {} failed", metrics.steps, metrics.tool_errors),
    );
    page.field("came again", metrics.recurrences);
    page.field(
        "lessons",
        format_args!(
            "{} returned, {} withheld",
            metrics.activations, metrics.withheld
        ),
    );
}

fn step(page: &Page, step: &StepResponse) -> Vec<String> {
    let ended = if step.failed { "failed" } else { "worked" };
    vec![
        step.step.to_string(),
        page.moment(step.at),
        ended.to_owned(),
        Action::read(&step.action).text(),
    ]
}
