//! Command `runs end`: ends a run, which leaves lessons and judges those that it used.

use super::CommandResult;
use crate::cli::args::lessons::RunEndArgs;
use crate::cli::output::{Outcome, lessons};
use crate::cli::session::Session;
use crate::engine::lessons::EndRun;

/// Ends a run.
pub(crate) async fn run(session: &Session, args: RunEndArgs) -> CommandResult {
    let request = EndRun {
        run: args.id,
        passed: (args.passed || args.failed).then_some(args.passed),
        score: args.score,
        steps: args.steps,
        ..EndRun::default()
    };
    let opened = session.open_lessons_there()?;
    let work = opened.engine.end_run(&opened.owner, request);
    let ended = session.wait("learning", work).await?;
    session
        .output
        .show(&ended, |page| lessons::ended(page, &ended))?;
    Ok(Outcome::Done)
}
