//! Command `memory list`: the memories of a tenant.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::MemoryRow;
use hindlore_api::verbs::memory::ListMemories;

/// `--learner` selects the learner to list.
pub(crate) const FORM: Form = Form::new("memory.list", &[("only_learner", Typed::Hidden)]);

/// Shown for unreadable values.
const UNKNOWN: &str = "?";

/// Lists memories.
pub(crate) async fn run(session: &Session, mut request: Request) -> CommandResult {
    let key = session.key()?;
    let learner = session.settings.is_given("learner").then(|| key.learner());
    if let Some(learner) = learner {
        request.set("only_learner", learner);
    }
    let request: ListMemories = request.read(session)?;
    let access = session.access_there()?;
    let shown = session.wait("listing", access.answer(request)).await?;
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
            let said = format!("{learner}/{scope}: {what}; `hindlore doctor` says what to do");
            page.prose(Tone::Bad, 0, &said);
        }
    })?;
    if let Some(learner) = learner.filter(|_| !session.settings.is_flag("learner")) {
        let who = session.settings.origin("learner");
        let said = format!("only `{learner}` is listed, since the learner is set by {who}");
        session.output.note(&said);
    }
    Ok(Outcome::from_verb::<ListMemories>(&shown))
}

/// The row of a learner with lessons but no bullets.
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

/// A mode worth a column; the usual mode is not.
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
