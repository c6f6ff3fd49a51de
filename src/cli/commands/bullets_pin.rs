//! Command `bullets pin`: keeps a bullet, or lets it go again.

use super::CommandResult;
use crate::cli::args::bullets::PinArgs;
use crate::cli::session::Session;
use crate::domain::memory::delta::{Operation, PinChange};

/// Pins a bullet, or takes the pin off.
pub(crate) async fn run(session: &Session, args: PinArgs) -> CommandResult {
    let on = !args.off;
    let operation = |id| Operation::Pin(PinChange { id, on });
    session.change_bullet(&args.id, operation, None).await
}
