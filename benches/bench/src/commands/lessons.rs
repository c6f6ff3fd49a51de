//! Command `hindlore-bench lessons`: on a temporary file, or on the server that the store names.

use super::say;
use crate::Report;
use crate::args::LessonsBenchArgs;
use crate::lessons::{LessonsPlan, lessons};
use hindlore_api::problem::Problem;
use hindlore_cli::program::Session;
use hindlore_cli::program::TempStore;

/// Measures in the chosen store.
pub(super) async fn measure(session: &Session, args: &LessonsBenchArgs) -> Result<Report, Problem> {
    let plan = LessonsPlan {
        lessons: args.lessons,
        fingerprints: args.fingerprints.min(args.lessons),
        calls: args.calls,
        ..LessonsPlan::default()
    };
    if session.names_a_server()? {
        return on_server(session, &plan).await;
    }
    let temp = TempStore::new()?;
    Ok(lessons(temp.folder(), &plan, &say).await?)
}

async fn on_server(session: &Session, plan: &LessonsPlan) -> Result<Report, Problem> {
    let options = session.server_to_measure()?;
    Ok(crate::lessons::lessons_on(options, plan, &say).await?)
}
