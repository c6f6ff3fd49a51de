//! Command `compare`.

use super::CommandResult;
use crate::api::problem::Problem;
use crate::cli::args::compare::CompareArgs;
use crate::cli::session::Session;

/// Says that this command cannot be used yet.
pub(crate) async fn run(_session: &Session, _args: CompareArgs) -> CommandResult {
    Err(Problem::new("not_built_yet", "`compare` is not built yet")
        .with_hint("`mnemograph --help` lists the other commands"))
}
