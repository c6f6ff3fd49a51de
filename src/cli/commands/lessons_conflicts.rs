//! Command `lessons conflicts`: lessons that contradict each other, and the clusters that they form.

use std::collections::BTreeMap;

use super::CommandResult;
use crate::api::shapes::runs::ConflictsShown;
use crate::cli::args::lessons::ConflictArgs;
use crate::cli::output::{Outcome, Page, Tone};
use crate::cli::session::{Session, id};
use crate::domain::lesson::ids::LessonId;
use crate::store::lessons::reading::ConflictPage;

/// Lists conflicts.
pub(crate) async fn run(session: &Session, args: ConflictArgs) -> CommandResult {
    let lesson = args.lesson.as_deref().map(|raw| id("lesson", raw));
    let page = ConflictPage {
        lesson: lesson.transpose()?,
        after: None,
        limit: args.limit,
    };
    let opened = session.open_lessons_there()?;
    let work = opened.engine.lesson_conflicts(&opened.owner, page);
    let shown = ConflictsShown::from(session.wait("listing", work).await?);
    session.output.show(&shown, |page| write(page, &shown))?;
    Ok(Outcome::found(!shown.conflicts.is_empty()))
}

fn write(page: &mut Page, shown: &ConflictsShown) {
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
                first.to_string(),
                second.to_string(),
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
        let ids: Vec<String> = cluster.iter().map(ToString::to_string).collect();
        page.line(Tone::Plain, format_args!("cluster: {}", ids.join(", ")));
    }
}
