//! Command `memory list`: the memories of a tenant.

use super::CommandResult;
use crate::api::shapes::{MemoriesShown, MemoryRow};
use crate::cli::output::Outcome;
use crate::cli::session::Session;

/// Lists memories.
pub(crate) async fn run(session: &Session) -> CommandResult {
    let memory = session.open_there()?;
    let learner = memory.key.learner();
    let learner = session.settings.is_given("learner").then_some(learner);
    let memories = memory.engine.memories(memory.key.tenant(), learner).await?;
    let shown = MemoriesShown {
        memories: memories.iter().map(MemoryRow::from).collect(),
    };
    let headings = [
        "LEARNER", "SCOPE", "MODE", "REVISION", "CLOCK", "ACTIVE", "ARCHIVED", "REJECTED",
        "CREATED",
    ];
    session.output.show(&shown, |page| {
        let rows: Vec<Vec<String>> = shown.memories.iter().map(row).collect();
        page.table(&headings, &rows);
    })?;
    Ok(Outcome::found(!shown.memories.is_empty()))
}

fn row(memory: &MemoryRow) -> Vec<String> {
    vec![
        memory.learner.clone(),
        memory.scope.clone(),
        memory.mode.to_owned(),
        memory.revision.to_string(),
        memory.clock.to_string(),
        memory.active.to_string(),
        memory.archived.to_string(),
        memory.rejected.to_string(),
        memory.created_at.to_string(),
    ]
}
