//! Commands `trajectory list` and `trajectory queue`: trajectories, newest first, and those to learn from again.

use crate::commands::CommandResult;
use crate::form::{Form, Request};
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::trajectories::{TrajectoriesResponse, TrajectoryResponse};
use hindlore_api::verbs::trajectory_views::{ListTrajectories, ShowQueue};
use hindlore_domain::trajectory::State;

pub(crate) const FORM: Form = Form::new("trajectory.list", &[]);
pub(crate) const QUEUE: Form = Form::new("trajectory.queue", &[]);

/// Lists trajectories.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session
        .answer::<ListTrajectories>("listing", request)
        .await?;
    session.output.show(&shown, |page| table(page, &shown))?;
    Ok(Outcome::from_verb::<ListTrajectories>(&shown))
}

/// Lists the trajectories to learn from again.
pub(crate) async fn queue(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ShowQueue>("listing", request).await?;
    session.output.show(&shown, |page| table(page, &shown))?;
    Ok(Outcome::from_verb::<ShowQueue>(&shown))
}

fn table(page: &mut Page, shown: &TrajectoriesResponse) {
    let rows: Vec<Vec<String>> = shown
        .trajectories
        .iter()
        .map(|one| row(page, one))
        .collect();
    let headings = [
        "TRAJECTORY",
        "STARTED",
        "STATUS",
        "SCORE",
        "STEPS",
        "AGAIN",
        "TASK",
    ];
    page.table(&headings, &rows);
    if let Some(next) = &shown.next {
        page.line(Tone::Faint, format_args!("next page: --after {next}"));
    }
}

fn row(page: &Page, one: &TrajectoryResponse) -> Vec<String> {
    vec![
        one.id.clone(),
        page.moment(one.started_at),
        status(one).to_owned(),
        score(one.effective_score),
        one.steps.to_string(),
        one.relearning
            .map(|priority| priority.to_string())
            .unwrap_or_default(),
        task(one),
    ]
}

/// The state of a trajectory in one word.
pub(crate) fn status(one: &TrajectoryResponse) -> &'static str {
    State::of(one.status, one.ended_at.is_some()).word()
}

fn score(score: Option<f64>) -> String {
    score.map(|score| format!("{score:.2}")).unwrap_or_default()
}

fn task(one: &TrajectoryResponse) -> String {
    match &one.task_type {
        Some(kind) => format!("{} ({kind})", one.description),
        None => one.description.clone(),
    }
}
