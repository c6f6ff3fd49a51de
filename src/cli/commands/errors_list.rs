//! Command `errors list`: the errors of a learner, newest first.

use serde::Serialize;

use super::CommandResult;
use crate::api::problem::Problem;
use crate::api::responses::lessons::ErrorResponse;
use crate::cli::args::lessons::ErrorListArgs;
use crate::cli::output::{Outcome, lessons};
use crate::cli::session::{OpenLessons, Session};
use crate::store::lessons::reading::{ErrorFilter, ErrorPage};

#[derive(Serialize)]
struct Shown {
    errors: Vec<ErrorResponse>,
    /// There are more than were asked for.
    more: bool,
}

/// Lists errors.
pub(crate) async fn run(session: &Session, args: ErrorListArgs) -> CommandResult {
    let opened = session.open_lessons_there()?;
    let page = ErrorPage {
        filter: filter(&opened, &args).await?,
        after: None,
        limit: args.limit,
    };
    let work = opened.engine.errors(&opened.owner, page);
    let listed = session.wait("listing", work).await?;
    let shown = Shown {
        more: listed.next.is_some(),
        errors: listed.rows.into_iter().map(ErrorResponse::from).collect(),
    };
    session
        .output
        .show(&shown, |page| lessons::errors(page, &shown.errors))?;
    Ok(Outcome::found(!shown.errors.is_empty()))
}

async fn filter(opened: &OpenLessons, args: &ErrorListArgs) -> Result<ErrorFilter, Problem> {
    if let Some(run) = &args.run {
        return Ok(ErrorFilter::Run(run.clone()));
    }
    if let Some(fingerprint) = &args.fingerprint {
        return Ok(ErrorFilter::Fingerprint(
            opened.fingerprint_id(fingerprint).await?,
        ));
    }
    if let Some(task) = &args.task {
        return Ok(ErrorFilter::Task(task.clone()));
    }
    Ok(match &args.domain {
        Some(domain) => ErrorFilter::Domain(domain.clone(), args.tool.clone()),
        None => ErrorFilter::All,
    })
}
