//! Command `bullets reject`: a text that must not come back by learning.

use super::CommandResult;
use crate::cli::args::bullets::RejectArgs;
use crate::cli::session::Session;
use crate::domain::memory::delta::{BulletRef, Operation, Removal};

/// Rejects a bullet.
pub(crate) async fn run(session: &Session, args: RejectArgs) -> CommandResult {
    let operation = Operation::Reject(Removal {
        id: BulletRef(args.id.clone()),
        reason: Some(args.reason.clone()),
    });
    let reasoning = Some(args.reason);
    session.change_bullet(&args.id, operation, reasoning).await
}
