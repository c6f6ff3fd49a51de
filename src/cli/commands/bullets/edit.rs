//! Command `bullets edit`: changes the text or the properties of a bullet.

use std::path::Path;

use serde_json::Value;

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::input;
use crate::output::{Outcome, receipts};
use crate::session::Session;
use hindlore_api::verbs::bullet_changes::EditBullet;

pub(crate) const FORM: Form = Form::new(
    "bullets.edit",
    &[
        ("id", Typed::Word("ID")),
        ("text", Typed::Words("TEXT")),
        ("tags", Typed::Named("tag")),
        ("memory_type", Typed::Named("type")),
    ],
)
.with_after_help("`-` reads the text from stdin.");

/// Edits a bullet.
pub(crate) async fn run(session: &Session, mut request: Request) -> CommandResult {
    if request.get("text").and_then(Value::as_str) == Some("-") {
        let text = input::text(Path::new("-")).await?;
        request.set("text", text.trim());
    }
    let request: EditBullet = request.read(session)?;
    let access = session.access_there()?;
    let applied = session.wait("editing", access.answer(request)).await?;
    session
        .output
        .show(&applied, |page| receipts::applied(page, &applied))?;
    Ok(Outcome::from_verb::<EditBullet>(&applied))
}
