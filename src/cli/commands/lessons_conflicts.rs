//! Command `lessons conflicts`: lessons that contradict each other, and the clusters that they form.

use std::collections::BTreeMap;

use super::CommandResult;
use crate::api::responses::runs::ConflictsResponse;
use crate::cli::args::lessons::ConflictArgs;
use crate::cli::output::{Outcome, Page, Tone};
use crate::cli::session::Session;
use crate::domain::lesson::ids::LessonId;
use crate::store::lessons::reading::ConflictPage;

/// Lists conflicts.
pub(crate) async fn run(session: &Session, args: ConflictArgs) -> CommandResult {
    let opened = session.open_lessons_there()?;
    let lesson = match &args.lesson {
        Some(raw) => Some(opened.lesson_id(raw).await?),
        None => None,
    };
    let page = ConflictPage {
        lesson,
        after: None,
        limit: args.limit,
    };
    let work = opened.engine.lesson_conflicts(&opened.owner, page);
    let shown = ConflictsResponse::from(session.wait("listing", work).await?);
    session.output.show(&shown, |page| write(page, &shown))?;
    Ok(Outcome::found(!shown.conflicts.is_empty()))
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
