//! Command `digest`: the digests of a memory and where it stands.

use super::CommandResult;
use crate::api::responses::DigestResponse;
use crate::cli::output::Outcome;
use crate::cli::session::Session;

/// Prints the digests of a memory.
pub(crate) async fn run(session: &Session) -> CommandResult {
    let view = session.open_there()?.view().await?;
    let shown = DigestResponse {
        digest: view.digest,
        content_digest: view.content_digest,
        revision: view.revision,
        clock: view.clock,
        active: view.census.active,
        archived: view.census.archived,
        rejected: view.census.rejected,
    };
    session.output.show(&shown, |page| {
        page.field("digest", &shown.digest);
        page.field("content digest", &shown.content_digest);
        page.field("revision", shown.revision);
        page.field("clock", shown.clock);
        page.field("active", shown.active);
        page.field("archived", shown.archived);
        page.field("rejected", shown.rejected);
    })?;
    Ok(Outcome::Done)
}
