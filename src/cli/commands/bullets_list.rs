//! Command `bullets list`: the bullets of a memory in the order in which they came.

use super::CommandResult;
use crate::api::shapes::{BulletShown, BulletsShown};
use crate::cli::args::bullets::ListArgs;
use crate::cli::output::{Outcome, bullets};
use crate::cli::session::Session;

/// Lists bullets.
pub(crate) async fn run(session: &Session, args: ListArgs) -> CommandResult {
    let view = session.open()?.view().await?;
    let listed: Vec<_> = view
        .bullets
        .iter()
        .filter(|bullet| args.status.admits(bullet.status))
        .collect();
    let shown = BulletsShown {
        total: listed.len(),
        bullets: listed
            .into_iter()
            .take(args.limit)
            .map(BulletShown::from)
            .collect(),
        revision: view.revision,
        clock: view.clock,
    };
    session
        .output
        .show(&shown, |page| bullets::table(page, &shown.bullets))?;
    if shown.total > shown.bullets.len() {
        let (listed, total) = (shown.bullets.len(), shown.total);
        session
            .output
            .note(&format!("{listed} of {total} bullets; --limit shows more"));
    }
    Ok(Outcome::found(!shown.bullets.is_empty()))
}
