//! Command `bullets list`: the bullets of a memory in the order in which they came.

use super::CommandResult;
use crate::cli::args::bullets::ListArgs;
use crate::cli::output::words::plural;
use crate::cli::output::{Outcome, bullets};
use crate::cli::session::Session;
use crate::domain::memory::bullet::Bullet;

/// Lists bullets.
pub(crate) async fn run(session: &Session, args: ListArgs) -> CommandResult {
    let view = session.open_there()?.view().await?;
    // A program gets all that is there and can tell; people are not shown as learned what nobody learned.
    let is_shown =
        |bullet: &&Bullet| !bullet.is_planted() || args.with_advice || session.output.is_json();
    let asked = view.bullets.iter();
    let asked = asked.filter(|bullet| args.status.admits(bullet.status));
    let (listed, advice): (Vec<_>, Vec<_>) = asked.partition(is_shown);
    let shown = bullets::show(&session.output, &view, &listed, args.limit)?;
    if !advice.is_empty() && session.output.is_on_terminal() {
        let count = plural(advice.len(), "piece");
        session.output.note(&format!(
            "{count} of general advice, planted in every new memory, left out; --with-advice lists them"
        ));
    }
    let learned = listed.iter().any(|bullet| !bullet.is_planted());
    if learned {
        Ok(shown)
    } else {
        Ok(Outcome::NothingFound)
    }
}
