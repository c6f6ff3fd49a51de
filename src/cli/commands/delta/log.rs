//! Command `delta log`: the deltas of a memory, newest first.

use crate::commands::CommandResult;
use crate::form::{Form, Request};
use crate::output::{Outcome, Page};
use crate::session::Session;
use hindlore_api::responses::DeltaRow;
use hindlore_api::verbs::deltas::ListDeltas;

pub(crate) const FORM: Form = Form::new("delta.log", &[]);

/// Lists deltas.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: ListDeltas = request.read(session)?;
    let access = session.access_there()?;
    let shown = session.wait("listing", access.answer(request)).await?;
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
    Ok(Outcome::from_verb::<ListDeltas>(&shown))
}

/// Terminal width from which the clock is shown next to the revision.
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

/// Its changes in brief, such as `+2 ~1`.
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
