//! The memories side by side, for people: the sources of the trace, the figures, and the limits of the comparison.

use crate::output::{Page, Tone};
use hindlore_api::comparison_page::figures;
use hindlore_api::responses::compared::{COMPARED_LIMITS, ComparedMemory, ComparisonResponse};

/// Columns of the names of the figures.
const NAME_WIDTH: usize = 25;
/// Least columns of a figure, and those before it.
const FIGURE_WIDTH: usize = 5;
const GAP: usize = 2;
/// Maximum queries shown with the answers of a model, the last ones; JSON has all.
const QUERIES_MAX: usize = 5;

/// Writes the comparison.
pub(super) fn write(page: &mut Page, shown: &ComparisonResponse) {
    let rows = &shown.rows;
    page.line(Tone::Heading, shown.title());
    page.prose(Tone::Faint, 0, &shown.trace.said());
    page.gap();
    for row in rows {
        page.hanging(Tone::Plain, &format!("{:<12}", row.memory), row.about);
    }
    page.gap();
    let line = |name: &str, cells: &[String]| {
        let cells = cells.iter().zip(rows).map(|(cell, row)| {
            let width = row.memory.len().max(FIGURE_WIDTH) + GAP;
            format!("{cell:>width$}")
        });
        format!("{name:<NAME_WIDTH$}{}", cells.collect::<String>())
    };
    let names: Vec<String> = rows.iter().map(|row| row.memory.to_owned()).collect();
    page.line(Tone::Heading, line("", &names));
    for (name, cells) in figures(rows) {
        page.line(Tone::Plain, line(&name, &cells));
    }
    page.prose(Tone::Faint, 0, COMPARED_LIMITS);
    let answers = rows.iter().map(|row| row.answers.len()).min().unwrap_or(0);
    if shown.model.is_some() {
        for at in answers.saturating_sub(QUERIES_MAX)..answers {
            answered(page, rows, at);
        }
    }
}

/// The model's answer with each memory, or why there is none.
fn answered(page: &mut Page, rows: &[ComparedMemory], at: usize) {
    page.gap();
    if let Some(first) = rows.first() {
        page.hanging(Tone::Heading, "> ", &first.answers[at].query);
    }
    for row in rows {
        let one = &row.answers[at];
        let mark = format!("  {:<12}", row.memory);
        if let Some(answer) = &one.answer {
            page.hanging(Tone::Good, &mark, answer);
        } else if let Some(why) = &one.unanswered {
            page.hanging(Tone::Bad, &mark, &format!("no answer: {why}"));
        }
    }
}
