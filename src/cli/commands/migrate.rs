//! Command `migrate`.

use super::CommandResult;
use crate::api::problem::Problem;
use crate::cli::args::migrate::MigrateArgs;
use crate::cli::session::Session;

/// Says that this command cannot be used yet.
pub(crate) async fn run(_session: &Session, _args: MigrateArgs) -> CommandResult {
    Err(Problem::new("not_built_yet", "`migrate` is not built yet")
        .with_hint("`mnemograph --help` lists the other commands"))
}
