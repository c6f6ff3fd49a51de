//! Command `runs list`: the runs of a learner, newest first.

use serde::Serialize;

use super::CommandResult;
use crate::api::responses::runs::RunResponse;
use crate::cli::args::lessons::RunListArgs;
use crate::cli::output::{Outcome, Page, lessons};
use crate::cli::session::Session;
use crate::store::lessons::reading::RunPage;

#[derive(Serialize)]
struct Shown {
    runs: Vec<RunResponse>,
    /// There are more than were asked for.
    more: bool,
}

/// Lists runs.
pub(crate) async fn run(session: &Session, args: RunListArgs) -> CommandResult {
    let page = RunPage {
        after: None,
        limit: args.limit,
    };
    let opened = session.open_lessons_there()?;
    let work = opened.engine.runs(&opened.owner, page);
    let listed = session.wait("listing", work).await?;
    let shown = Shown {
        more: listed.next.is_some(),
        runs: listed.rows.iter().map(RunResponse::from).collect(),
    };
    let headings = ["RUN", "STARTED", "STEPS", "ERRORS", "STATE", "PLACE"];
    session.output.show(&shown, |page| {
        let rows: Vec<Vec<String>> = shown.runs.iter().map(|one| row(page, one)).collect();
        page.table(&headings, &rows);
    })?;
    Ok(Outcome::found(!shown.runs.is_empty()))
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

/// How a run stands, in a few words.
pub(super) fn state(run: &RunResponse) -> String {
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
