//! Command `memory list`: the memories of a tenant.

use super::CommandResult;
use crate::api::shapes::{MemoriesShown, MemoryRow};
use crate::cli::output::{Outcome, Tone};
use crate::cli::session::Session;

/// In place of what cannot be read.
const UNKNOWN: &str = "?";

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
        for memory in &shown.memories {
            let Some(what) = &memory.unreadable else {
                continue;
            };
            let (learner, scope) = (&memory.learner, &memory.scope);
            let said = format!("{learner}/{scope}: {what}; `mnemograph doctor` says what to do");
            page.prose(Tone::Bad, 0, &said);
        }
    })?;
    Ok(Outcome::found(!shown.memories.is_empty()))
}

fn row(memory: &MemoryRow) -> Vec<String> {
    let number = |number: Option<u64>| number.map_or_else(|| UNKNOWN.to_owned(), |n| n.to_string());
    let created = memory.created_at.map(|at| at.to_string());
    vec![
        memory.learner.clone(),
        memory.scope.clone(),
        memory.mode.unwrap_or(UNKNOWN).to_owned(),
        number(memory.revision),
        number(memory.clock),
        memory.active.to_string(),
        memory.archived.to_string(),
        memory.rejected.to_string(),
        created.unwrap_or_else(|| UNKNOWN.to_owned()),
    ]
}
