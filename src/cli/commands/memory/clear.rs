//! Command `memory clear`: archives all bullets of a memory.

use crate::commands::CommandResult;
use crate::confirm;
use crate::form::{Form, Request};
use crate::output::words::plural;
use crate::output::{Outcome, receipts};
use crate::session::Session;
use hindlore::BulletFilter;
use hindlore_api::verbs::memory::ClearMemory;
use hindlore_domain::memory::bullet::Status;

pub(crate) const FORM: Form = Form::new("memory.clear", &[]).with_flag("yes", "Do not ask");

/// Clears a memory.
pub(crate) async fn run(session: &Session, mut request: Request) -> CommandResult {
    let is_agreed = request.take_flag("yes");
    let request: ClearMemory = request.read(session)?;
    let access = session.access_there()?;
    let active = BulletFilter {
        kind: None,
        status: Some(Status::Active),
        learned_only: true,
        limit: 0,
    };
    let count = access
        .engine()?
        .list_bullets(access.key(), active)
        .await?
        .total;
    if count > 0 {
        let count = plural(count, "bullet");
        let question = format!("archive {count}, all of the memory {}", access.key());
        confirm::ask(question, is_agreed).await?;
    }
    let cleared = session
        .wait("clearing the memory", access.answer(request))
        .await?;
    session
        .output
        .show(&cleared, |page| receipts::applied(page, &cleared))?;
    Ok(Outcome::Done)
}
