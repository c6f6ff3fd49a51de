//! Command `lessons conflicts`: lessons that contradict each other, and their clusters.

use std::collections::BTreeMap;

use crate::commands::CommandResult;
use crate::form::{Form, Request};
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::runs::ConflictsResponse;
use hindlore_api::verbs::lessons::ListConflicts;
use hindlore_primitives::ids::LessonId;

pub(crate) const FORM: Form = Form::new("lessons.conflicts", &[]);

/// Lists conflicts.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ListConflicts>("listing", request).await?;
    session.output.show(&shown, |page| write(page, &shown))?;
    Ok(Outcome::from_verb::<ListConflicts>(&shown))
}

fn write(page: &mut Page, shown: &ConflictsResponse) {
    let rules: BTreeMap<LessonId, &str> = shown
        .lessons
        .iter()
        .map(|lesson| (lesson.id, lesson.rule.as_str()))
        .collect();
    let rule = |id: LessonId| rules.get(&id).copied().unwrap_or_default().to_owned();
    let rows: Vec<Vec<String>> = shown
        .conflicts
        .iter()
        .map(|pair| {
            let (first, second) = (pair.first, pair.second);
            vec![
                page.id(first),
                page.id(second),
                pair.reason.clone(),
                rule(first),
                rule(second),
            ]
        })
        .collect();
    page.table(
        &["ONE", "OTHER", "BECAUSE", "ONE SAYS", "OTHER SAYS"],
        &rows,
    );
    for cluster in shown.clusters.iter().filter(|cluster| cluster.len() > 2) {
        let ids: Vec<String> = cluster.iter().map(|id| page.id(id)).collect();
        page.line(Tone::Plain, format_args!("cluster: {}", ids.join(", ")));
    }
}
