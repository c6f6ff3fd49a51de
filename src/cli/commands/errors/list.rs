//! Command `errors list`: the errors of a learner, newest first.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Rule};
use crate::output::{Outcome, lessons};
use crate::session::Session;
use hindlore_api::verbs::errors::ListErrors;

pub(crate) const FORM: Form = Form::new("errors.list", &[]).with_rules(&[
    Rule::OneOf(&["run", "fingerprint", "task", "domain"]),
    Rule::Needs("tool", "domain"),
]);

/// Lists errors.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ListErrors>("listing", request).await?;
    session
        .output
        .show(&shown, |page| lessons::errors(page, &shown.errors))?;
    Ok(Outcome::from_verb::<ListErrors>(&shown))
}
