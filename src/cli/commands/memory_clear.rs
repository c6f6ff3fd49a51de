//! Command `memory clear`: archives all bullets of a memory.

use super::CommandResult;
use crate::api::responses::DeltaApplied;
use crate::cli::args::memory::ClearArgs;
use crate::cli::consent;
use crate::cli::output::words::plural;
use crate::cli::output::{Outcome, receipts};
use crate::cli::session::Session;
use crate::engine::EngineError;

/// Clears a memory.
pub(crate) async fn run(session: &Session, args: ClearArgs) -> CommandResult {
    let memory = session.open_there()?;
    let view = memory.view().await?;
    let bullets = view.bullets.iter();
    let count = bullets
        .filter(|one| one.is_active() && !one.is_planted())
        .count();
    if count > 0 {
        let count = plural(count, "bullet");
        let question = format!("archive {count}, all of the memory {}", memory.key);
        consent::ask(question, args.yes).await?;
    }
    let work = memory.engine.clear(&memory.key, session.typed_author());
    let cleared = session.wait("clearing the memory", work).await?;
    let cleared = cleared.ok_or_else(|| EngineError::NoMemory(memory.key.clone()))?;
    let shown = DeltaApplied::from(cleared);
    session
        .output
        .show(&shown, |page| receipts::applied(page, &shown))?;
    Ok(Outcome::Done)
}
