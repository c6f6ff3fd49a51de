//! `analyze html`: the memory as a page to look at.

use super::export::{told, write_over};
use crate::args::analyze::HtmlArgs;
use crate::commands::CommandResult;
use crate::output::Outcome;
use crate::session::Session;
use hindlore_api::verbs::memory::DrawMemory;

/// Writes the page.
pub(crate) async fn run(session: &Session, args: HtmlArgs) -> CommandResult {
    let access = session.access_there()?;
    let drawn = access.answer(DrawMemory {}).await?;
    let Some(path) = &args.file else {
        if session.output.is_json() {
            session.output.show(&drawn, |_| ())?;
        } else {
            session.output.raw(drawn.html.as_bytes())?;
        }
        return Ok(Outcome::Done);
    };
    write_over(session, path, &drawn.html, args.yes).await?;
    told(session, path, drawn.bullets)
}
