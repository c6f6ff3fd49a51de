//! Command `delta undo`: takes back what a delta did.

use super::CommandResult;
use crate::api::responses::DeltaApplied;
use crate::cli::args::delta::UndoArgs;
use crate::cli::output::{Outcome, receipts};
use crate::cli::session::Session;

/// Undoes a delta.
pub(crate) async fn run(session: &Session, args: UndoArgs) -> CommandResult {
    let memory = session.open_there()?;
    let id = memory.delta_id(&args.id).await?;
    let author = session.typed_author();
    let work = memory
        .engine
        .undo_delta(&memory.key, &id, author, args.force);
    let undone = session.wait("undoing the delta", work).await?;
    let shown = DeltaApplied::from(undone);
    session
        .output
        .show(&shown, |page| receipts::applied(page, &shown))?;
    Ok(Outcome::Done)
}
