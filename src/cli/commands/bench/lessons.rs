//! Command `bench lessons`: on a scratch file, or on the server that the store names.

use super::say;
use crate::api::problem::Problem;
use crate::cli::args::bench::LessonsBenchArgs;
use crate::cli::scratch::Scratch;
use crate::cli::session::Session;
use crate::eval::Report;
use crate::eval::lessons::{LessonsPlan, lessons};

/// Measures where the lessons shall stand.
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
    let scratch = Scratch::new()?;
    Ok(lessons(scratch.folder(), &plan, &say).await?)
}

#[cfg(feature = "neo4j")]
async fn on_server(session: &Session, plan: &LessonsPlan) -> Result<Report, Problem> {
    let options = session.server_to_measure()?;
    Ok(crate::eval::lessons::lessons_on(options, plan, &say).await?)
}

#[cfg(not(feature = "neo4j"))]
async fn on_server(_: &Session, _: &LessonsPlan) -> Result<Report, Problem> {
    let message = "a Neo4j cannot be measured: this build has no Neo4j backend";
    Err(Problem::new("cannot_measure", message).with_hint("build with the feature `neo4j`"))
}
