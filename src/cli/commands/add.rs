//! Command `add`: puts one text in.

use std::path::Path;

use serde_json::Value;

use super::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::input;
use crate::output::{Outcome, receipts};
use crate::session::Session;
use hindlore_api::verbs::bullet_changes::AddBullet;

pub(super) const FORM: Form = Form::new(
    "bullets.add",
    &[
        ("text", Typed::Words("TEXT")),
        ("tags", Typed::Named("tag")),
        ("memory_type", Typed::Named("type")),
        ("pinned", Typed::Named("pin")),
    ],
)
.with_after_help("`-` reads the text from stdin. A file with many texts comes in by `import`.");

/// Adds the text.
pub(super) async fn run(session: &Session, mut request: Request) -> CommandResult {
    if request.get("text").and_then(Value::as_str) == Some("-") {
        let text = input::text(Path::new("-")).await?;
        request.set("text", text.trim());
    }
    let request: AddBullet = request.read(session)?;
    let access = session.access_to_write().await?;
    let applied = session.wait("adding", access.answer(request)).await?;
    session
        .output
        .show(&applied, |page| receipts::applied(page, &applied))?;
    Ok(Outcome::from_verb::<AddBullet>(&applied))
}
