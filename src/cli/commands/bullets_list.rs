//! Command `bullets list`: the bullets of a memory in the order in which they came.

use super::CommandResult;
use crate::cli::args::bullets::ListArgs;
use crate::cli::output::bullets;
use crate::cli::session::Session;

/// Lists bullets.
pub(crate) async fn run(session: &Session, args: ListArgs) -> CommandResult {
    let view = session.open_there()?.view().await?;
    let listed: Vec<_> = view
        .bullets
        .iter()
        .filter(|bullet| args.status.admits(bullet.status))
        .collect();
    bullets::show(&session.output, &view, &listed, args.limit)
}
