//! Command `runs list`: the runs of a learner, newest first.

use crate::commands::CommandResult;
use crate::form::{Form, Request};
use crate::output::{Outcome, Page, lessons};
use crate::session::Session;
use hindlore_api::responses::runs::RunResponse;
use hindlore_api::verbs::runs::ListRuns;

pub(crate) const FORM: Form = Form::new("runs.list", &[]);

/// Lists runs.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ListRuns>("listing", request).await?;
    let headings = ["RUN", "STARTED", "STEPS", "ERRORS", "STATE", "PLACE"];
    session.output.show(&shown, |page| {
        let rows: Vec<Vec<String>> = shown.runs.iter().map(|one| row(page, one)).collect();
        page.table(&headings, &rows);
    })?;
    Ok(Outcome::from_verb::<ListRuns>(&shown))
}

fn row(page: &Page, run: &RunResponse) -> Vec<String> {
    vec![
        run.id.clone(),
        page.moment(run.started_at),
        run.steps.to_string(),
        run.errors
            .map(|errors| errors.to_string())
            .unwrap_or_default(),
        state(run),
        lessons::place(&run.place),
    ]
}

/// The state of a run in brief.
pub(crate) fn state(run: &RunResponse) -> String {
    let how = match (run.ended_at, run.passed) {
        (None, _) => "open",
        (Some(_), Some(true)) => "passed",
        (Some(_), Some(false)) => "failed",
        (Some(_), None) => "ended",
    };
    if run.control {
        format!("{how}, control")
    } else {
        how.to_owned()
    }
}
