//! Command `erase`: destroys what the memories of a learner hold.

use super::CommandResult;
use crate::api::problem::Problem;
use crate::api::shapes::ErasedShown;
use crate::cli::args::memory::EraseArgs;
use crate::cli::consent;
use crate::cli::output::Outcome;
use crate::cli::session::Session;
use crate::cli::spool::Spool;

/// Erases one memory of a learner, or all.
pub(crate) async fn run(session: &Session, args: EraseArgs) -> CommandResult {
    if !session.settings.is_flag("learner") {
        return Err(Problem::new("needs_learner", "erase needs --learner")
            .with_hint("name the learner on the command line; no setting stands in for it"));
    }
    let memory = session.open()?;
    let (tenant, learner) = (memory.key.tenant(), memory.key.learner());
    let scope = (!args.all_scopes).then(|| memory.key.scope());
    let what = match scope {
        Some(_) => format!("erasing the memory {}", memory.key),
        None => format!("erasing all memories and lessons of {tenant}/{learner}"),
    };
    consent::ask(what, args.yes).await?;
    let work = memory.engine.erase(tenant, learner, scope);
    let shown = ErasedShown::from(session.wait("erasing", work).await?);
    if let (None, Some(spool)) = (scope, Spool::of(&session.settings)) {
        spool.forget(tenant, learner);
    }
    session.output.show(&shown, |page| {
        page.field("memories", shown.memories);
        page.field("bullets", shown.bullets);
        page.field("deltas", shown.deltas);
        page.field("retrievals", shown.retrievals);
        page.field("lessons", shown.lessons);
        page.field("runs", shown.runs);
        page.field("errors", shown.errors);
    })?;
    let any = shown.memories + shown.lessons + shown.runs > 0;
    Ok(Outcome::found(any))
}
