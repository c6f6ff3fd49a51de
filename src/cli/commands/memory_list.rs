//! Command `memory list`: the memories of a tenant.

use std::collections::BTreeSet;

use super::CommandResult;
use crate::api::responses::{MemoriesResponse, MemoryRow};
use crate::cli::output::{Outcome, Page, Tone};
use crate::cli::session::Session;

/// In place of what cannot be read.
const UNKNOWN: &str = "?";

/// Lists memories.
pub(crate) async fn run(session: &Session) -> CommandResult {
    let memory = session.open_there()?;
    let learner = memory.key.learner();
    let learner = session.settings.is_given("learner").then_some(learner);
    let memories = memory.engine.memories(memory.key.tenant(), learner).await?;
    let with_memory: BTreeSet<&str> = memories.iter().map(|one| one.key.learner()).collect();
    let all = memory.engine.lesson_learners(memory.key.tenant()).await?;
    let lessons_only = all
        .into_iter()
        .filter(|name| learner.is_none_or(|asked| asked == name))
        .filter(|name| !with_memory.contains(name.as_str()))
        .collect();
    let shown = MemoriesResponse {
        memories: memories.iter().map(MemoryRow::from).collect(),
        lessons_only,
    };
    let headings = [
        "LEARNER", "SCOPE", "MODE", "REVISION", "CLOCK", "ACTIVE", "ARCHIVED", "REJECTED",
        "CREATED",
    ];
    session.output.show(&shown, |page| {
        let rows = shown.memories.iter().map(|one| row(page, one));
        let others = shown
            .lessons_only
            .iter()
            .map(|learner| without_memory(learner));
        let rows: Vec<Vec<String>> = rows.chain(others).collect();
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
    if let Some(learner) = learner.filter(|_| !session.settings.is_flag("learner")) {
        let who = session.settings.origin("learner");
        let said = format!("only `{learner}` is listed, since the learner is set by {who}");
        session.output.note(&said);
    }
    let is_found = !shown.memories.is_empty() || !shown.lessons_only.is_empty();
    Ok(Outcome::found(is_found))
}

/// A learner who has lessons, and no bullets in any scope.
fn without_memory(learner: &str) -> Vec<String> {
    vec![learner.to_owned(), "(lessons only)".to_owned()]
}

fn row(page: &Page, memory: &MemoryRow) -> Vec<String> {
    let number = |number: Option<u64>| number.map_or_else(|| UNKNOWN.to_owned(), |n| n.to_string());
    let created = memory.created_at.map(|at| page.moment(at));
    vec![
        memory.learner.clone(),
        memory.scope.clone(),
        mode(memory),
        number(memory.revision),
        number(memory.clock),
        memory.active.to_string(),
        some(memory.archived),
        some(memory.rejected),
        created.unwrap_or_else(|| UNKNOWN.to_owned()),
    ]
}

/// A mode that is worth a column: that of most memories is not.
fn mode(memory: &MemoryRow) -> String {
    match memory.mode {
        Some("engine") => String::new(),
        Some(other) => other.to_owned(),
        None => UNKNOWN.to_owned(),
    }
}

fn some(count: u64) -> String {
    match count {
        0 => String::new(),
        count => count.to_string(),
    }
}
