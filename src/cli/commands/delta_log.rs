//! Command `delta log`: the deltas of a memory, newest first.

use super::CommandResult;
use crate::api::responses::{DeltaRow, DeltasResponse};
use crate::cli::args::delta::LogArgs;
use crate::cli::output::{Outcome, Page};
use crate::cli::session::Session;
use crate::engine::EngineError;
use crate::store::DeltaPage;

/// Lists deltas.
pub(crate) async fn run(session: &Session, args: LogArgs) -> CommandResult {
    let memory = session.open_there()?;
    let page = DeltaPage {
        below_revision: None,
        limit: args.limit,
    };
    let deltas = memory.engine.deltas(&memory.key, page).await?;
    // A memory has at least the delta that made it, so only one that is not there needs a second look.
    if deltas.is_empty() {
        let head = memory.engine.store().head(&memory.key).await?;
        head.ok_or_else(|| EngineError::NoMemory(memory.key.clone()))?;
    }
    let mut rows = Vec::with_capacity(deltas.len());
    for delta in &deltas {
        let undone_by = memory.engine.undone_by(&memory.key, delta).await?;
        rows.push(DeltaRow {
            undone_by: undone_by.map(|by| by.delta),
            ..DeltaRow::from(delta)
        });
    }
    let shown = DeltasResponse { deltas: rows };
    let headings = [
        "REV",
        "CLOCK",
        "AT",
        "DELTA",
        "CHANGES",
        "AUTHOR",
        "REASONING",
    ];
    session.output.show(&shown, |page| {
        let rows: Vec<Vec<String>> = shown.deltas.iter().map(|one| row(page, one)).collect();
        page.table(&headings, &rows);
    })?;
    Ok(Outcome::found(!shown.deltas.is_empty()))
}

/// Columns of a terminal from which the clock stands beside the revision.
const CLOCK_FROM: usize = 100;

fn row(page: &Page, delta: &DeltaRow) -> Vec<String> {
    let is_narrow = page.width().is_some_and(|width| width < CLOCK_FROM);
    let clock = (!is_narrow).then(|| delta.clock.to_string());
    vec![
        delta.revision.to_string(),
        clock.unwrap_or_default(),
        page.moment(delta.at),
        page.id(&delta.delta),
        changes(delta),
        delta.author.clone().unwrap_or_default(),
        delta.reasoning.clone().unwrap_or_default(),
    ]
}

/// What it did in a few words, such as `+2 ~1`.
fn changes(delta: &DeltaRow) -> String {
    let marks = [
        ("+", delta.added),
        ("~", delta.updated),
        ("-", delta.archived),
        ("revived ", delta.revived),
        ("rejected ", delta.rejected),
        ("merged ", delta.merged),
        ("linked ", delta.linked),
        ("refused ", delta.refused),
    ];
    let words = marks.iter().filter(|(_, count)| *count > 0);
    let words: Vec<String> = words
        .map(|(mark, count)| format!("{mark}{count}"))
        .collect();
    let undone = delta.undone_by.as_ref().map(|by| format!("undone by {by}"));
    words
        .into_iter()
        .chain(undone)
        .collect::<Vec<_>>()
        .join(" ")
}
