//! Command `runs end`: ends a run, which makes lessons and judges the ones it used.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Rule, Typed};
use crate::output::{Outcome, lessons};
use crate::session::Session;
use hindlore_api::verbs::runs::EndRun;

/// The flag for a run that failed.
const FAILED: &str = "failed";

pub(crate) const FORM: Form = Form::new(
    "runs.end",
    &[
        ("run", Typed::Word("ID")),
        ("passed", Typed::Told("It passed, by an evaluator")),
    ],
)
.with_flag(FAILED, "An evaluator says that it failed")
.with_rules(&[Rule::OneOf(&["passed", FAILED])]);

/// Ends a run.
pub(crate) async fn run(session: &Session, mut request: Request) -> CommandResult {
    if request.take_flag(FAILED) {
        request.set("passed", false);
    }
    let ended = session.answer::<EndRun>("learning", request).await?;
    session
        .output
        .show(&ended, |page| lessons::ended(page, &ended))?;
    Ok(Outcome::Done)
}
