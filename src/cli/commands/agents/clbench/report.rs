//! `clbench report`.

use super::pass::rows;
use crate::args::clbench::ReportArgs;
use crate::commands::CommandResult;
use crate::output::words::plural;
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_agents::agent::clbench::report::{Report, report};

/// Reports.
pub(super) async fn run(session: &Session, args: &ReportArgs) -> CommandResult {
    let all = rows(&args.file).await?;
    let baseline = match &args.baseline {
        Some(file) => Some(rows(file).await?),
        None => None,
    };
    let shown = report(&all, baseline.as_deref());
    session.output.show(&shown, |page| {
        if shown.overall.tasks == 0 {
            return ungraded(page, &shown);
        }
        write(page, &shown);
        if baseline.is_some() && shown.paired.is_none() {
            page.line(
                Tone::Bad,
                "no task is graded in both runs, so they cannot be compared",
            );
        }
    })?;
    Ok(Outcome::found(shown.overall.tasks > 0))
}

/// Explains a report over nothing.
fn ungraded(page: &mut Page, shown: &Report) {
    let rows = plural(shown.rows, "row");
    page.line(
        Tone::Bad,
        format_args!("there is nothing to report: none of {rows} is graded"),
    );
    if shown.failed > 0 {
        page.field("failed rows", shown.failed);
    }
    page.line(Tone::Faint, "run `clbench grade` on the rows first");
}

fn write(page: &mut Page, shown: &Report) {
    let all = shown.overall;
    page.line(
        Tone::Heading,
        format_args!("{} of {} graded tasks are solved", all.solved, all.tasks),
    );
    if shown.failed > 0 {
        page.field("failed rows", shown.failed);
    }
    page.field("judge disagreed with its list", shown.disagreements);
    let rows: Vec<Vec<String>> = shown
        .by_category
        .iter()
        .map(|(name, count)| {
            vec![
                name.clone(),
                count.tasks.to_string(),
                count.solved.to_string(),
            ]
        })
        .collect();
    page.table(&["CATEGORY", "TASKS", "SOLVED"], &rows);
    let rows: Vec<Vec<String>> = shown
        .errors
        .iter()
        .map(|one| {
            let published = one
                .published
                .map_or("-".to_owned(), |percent| format!("{percent:.1}"));
            vec![
                one.label.to_string(),
                one.tasks.to_string(),
                format!("{:.1}", one.percent),
                published,
            ]
        })
        .collect();
    page.table(&["ERROR", "TASKS", "PERCENT", "PUBLISHED"], &rows);
    page.line(Tone::Faint, format_args!("published: {}", shown.published));
    let rows: Vec<Vec<String>> = shown
        .by_dimension
        .iter()
        .map(|(dimension, count)| {
            vec![
                dimension.to_string(),
                count.tasks.to_string(),
                count.solved.to_string(),
            ]
        })
        .collect();
    page.table(&["REQUIREMENTS ABOUT", "NUMBER", "MET"], &rows);
    if let Some(paired) = &shown.paired {
        page.line(
            Tone::Plain,
            format_args!(
                "with memory {:+.1} points over {} tasks (95 % {:+.1} to {:+.1}); only with it {}, only without {}; exact p = {:.4}",
                paired.difference * 100.0,
                paired.tasks,
                paired.interval.0 * 100.0,
                paired.interval.1 * 100.0,
                paired.only_second,
                paired.only_first,
                paired.p
            ),
        );
    }
}
