//! Command `session keep`: keeps the statements of the user in a chat.

use super::agent::messages;
use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, receipts};
use crate::session::Session;
use hindlore_api::verbs::chat_statements::KeepStatements;

pub(crate) const FORM: Form = Form::new(
    "session.keep",
    &[
        (
            "messages",
            Typed::FileOrStdin("FILE", "File with the messages as JSON; `-` reads stdin"),
        ),
        ("tags", Typed::Named("tag")),
    ],
);

/// Keeps the statements.
pub(crate) async fn run(session: &Session, mut request: Request) -> CommandResult {
    let messages = messages(&request.take_path("messages")).await?;
    request.set("messages", messages);
    let request: KeepStatements = request.read(session)?;
    let access = session.access_to_write().await?;
    let applied = session.wait("keeping", access.answer(request)).await?;
    session
        .output
        .show(&applied, |page| receipts::applied(page, &applied))?;
    Ok(Outcome::from_verb::<KeepStatements>(&applied))
}
