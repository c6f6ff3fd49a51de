//! Command `bullets reject`: a text that must not come back by learning.

use super::CommandResult;
use crate::cli::args::bullets::RejectArgs;
use crate::cli::session::Session;
use crate::domain::memory::delta::{Operation, Removal};

/// Rejects a bullet.
pub(crate) async fn run(session: &Session, args: RejectArgs) -> CommandResult {
    let reasoning = Some(args.reason);
    let reason = reasoning.clone();
    let operation = |id| Operation::Reject(Removal { id, reason });
    session.change_bullet(&args.id, operation, reasoning).await
}
