//! Command `migrate`: the schema of a store, and copies to another store.

mod copy;
mod lessons;
pub(super) mod parts;
mod schema;

use crate::args::migrate::{MigrateArgs, MigrateCommand};
use crate::commands::CommandResult;
use crate::session::Session;

/// Shows, applies, or copies.
pub(crate) async fn run(session: &Session, args: MigrateArgs) -> CommandResult {
    match (args.what, args.from, args.to) {
        (Some(MigrateCommand::Apply), ..) => schema::apply(session).await,
        (None, Some(from), Some(to)) => {
            let stores = copy::Stores { from, to };
            copy::run(session, stores, args.all_learners, args.existing).await
        }
        _ => schema::status(session).await,
    }
}
