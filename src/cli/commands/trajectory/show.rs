//! Command `trajectory show`: a trajectory step by step, with its outcome and feedback.

use super::list;
use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::trajectories::{
    TrajectoryDetailResponse, TrajectoryFeedbackResponse, TrajectoryResponse,
    TrajectoryStepResponse,
};
use hindlore_api::verbs::trajectory_views::ShowTrajectory;

pub(crate) const FORM: Form = Form::new("trajectory.show", &[("trajectory", Typed::Word("ID"))]);

/// Shows one trajectory.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ShowTrajectory>("reading", request).await?;
    session.output.show(&shown, |page| {
        about(page, &shown);
        outcome(page, &shown.trajectory);
        page.gap();
        let rows: Vec<Vec<String>> = shown.step_rows.iter().map(|one| step(page, one)).collect();
        page.table(&["STEP", "AT", "KIND", "ENDED", "WHAT"], &rows);
        if !shown.trajectory.feedback.is_empty() {
            page.gap();
            feedback(page, &shown.trajectory.feedback);
        }
    })?;
    Ok(Outcome::Done)
}

fn about(page: &mut Page, shown: &TrajectoryDetailResponse) {
    let of = &shown.trajectory;
    page.line(Tone::Heading, &of.id);
    for (name, value) in [
        (
            "task",
            Some(&of.description).filter(|text| !text.is_empty()),
        ),
        ("type", of.task_type.as_ref()),
        ("agent", of.agent.as_ref()),
        ("user", of.user.as_ref()),
        ("part of", of.parent.as_ref()),
    ] {
        if let Some(value) = value {
            page.field(name, value);
        }
    }
    if !shown.parts.is_empty() {
        page.field("parts", shown.parts.join(", "));
    }
    page.field("started", of.started_at);
    if let Some(at) = of.ended_at {
        page.field("ended", at);
    }
}

fn outcome(page: &mut Page, of: &TrajectoryResponse) {
    page.field("status", list::status(of));
    if let Some(score) = of.effective_score {
        page.field("score", format_args!("{score:.3}"));
    }
    if let Some(error) = &of.error {
        page.field("error", error);
    }
    for (name, number) in &of.metrics {
        page.field(name, number);
    }
    page.field(
        "steps",
        format_args!("{}, trace {}", of.steps, of.trace.word()),
    );
    if let Some(until) = of.steps_until {
        page.field("kept until", until);
    }
    if let Some(priority) = of.relearning {
        page.field("learn again", format_args!("priority {priority} of 10"));
    }
}

fn step(page: &Page, step: &TrajectoryStepResponse) -> Vec<String> {
    let ended = match &step.error {
        Some(error) => format!("failed: {}", error.lines().next().unwrap_or_default()),
        None if step.failed => "failed".to_owned(),
        None => String::new(),
    };
    vec![
        step.number.to_string(),
        page.moment(step.at),
        step.kind.word().to_owned(),
        ended,
        step.description.clone(),
    ]
}

fn feedback(page: &mut Page, all: &[TrajectoryFeedbackResponse]) {
    let row = |one: &TrajectoryFeedbackResponse| {
        vec![
            one.id.clone(),
            one.kind.clone(),
            one.score
                .map(|score| format!("{score:.2}"))
                .unwrap_or_default(),
            one.source.clone().unwrap_or_default(),
            one.message.clone().unwrap_or_default(),
        ]
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    page.table(&["FEEDBACK", "TYPE", "SCORE", "SOURCE", "MESSAGE"], &rows);
}
