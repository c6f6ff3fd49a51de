//! Command `bullets list`: bullets of a memory in order of insertion.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::words::plural;
use crate::output::{Outcome, bullets};
use crate::session::Session;
use hindlore_api::verbs::bullets::ListBullets;

pub(crate) const FORM: Form = Form::new(
    "bullets.list",
    &[(
        "learned_only",
        Typed::Unless(
            "with-advice",
            "List the general advice, too, that was planted in the memory",
        ),
    )],
);

/// Lists bullets.
pub(crate) async fn run(session: &Session, mut request: Request) -> CommandResult {
    // Programs get all bullets, with a field that marks seeds; people see only learned ones by default.
    if request.get("learned_only").is_none() {
        request.set("learned_only", !session.output.is_json());
    }
    let request: ListBullets = request.read(session)?;
    let access = session.access_there()?;
    let shown = session.wait("listing", access.answer(request)).await?;
    bullets::show(&session.output, &shown)?;
    if shown.advice_left_out > 0 && session.output.is_on_terminal() {
        let count = plural(shown.advice_left_out, "piece");
        session.output.note(&format!(
            "{count} of general advice, planted in every new memory, left out; --with-advice lists them"
        ));
    }
    Ok(Outcome::from_verb::<ListBullets>(&shown))
}
