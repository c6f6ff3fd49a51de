//! Command `doctor`.

use super::CommandResult;
use crate::api::problem::Problem;
use crate::cli::args::doctor::DoctorArgs;
use crate::cli::session::Session;

/// Says that this command cannot be used yet.
pub(crate) async fn run(_session: &Session, _args: DoctorArgs) -> CommandResult {
    Err(Problem::new("not_built_yet", "`doctor` is not built yet")
        .with_hint("`mnemograph --help` lists the other commands"))
}
