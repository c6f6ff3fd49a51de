//! The four memories side by side, for people.

use super::trace::Trace;
use crate::output::{Page, Tone};
use hindlore_api::responses::compared::{ComparedAnswer, ComparedMemory};

/// Maximum queries shown, the last ones; JSON has all.
const QUERIES_MAX: usize = 5;
/// Maximum texts per query.
const TEXTS_MAX: usize = 8;

/// Writes the comparison.
pub(super) fn write(page: &mut Page, trace: &Trace, rows: &[ComparedMemory]) {
    let (steps, deltas) = (trace.steps.len(), trace.deltas());
    let queries = trace.queries().count();
    page.line(Tone::Heading, "One trace, four memories");
    page.prose(
        Tone::Faint,
        0,
        &format!(
            "{steps} steps: {deltas} deltas, {} messages, {queries} queries",
            trace.messages()
        ),
    );
    page.gap();
    for row in rows {
        page.hanging(Tone::Plain, &format!("{:<12}", row.memory), row.about);
    }
    page.gap();
    figures(page, rows);
    let answers = rows.iter().map(|row| row.answers.len()).min().unwrap_or(0);
    for at in answers.saturating_sub(QUERIES_MAX)..answers {
        let side_by_side: Vec<&ComparedAnswer> = rows.iter().map(|row| &row.answers[at]).collect();
        query(page, &side_by_side);
        answered(page, rows, at);
    }
    if answers > QUERIES_MAX {
        page.gap();
        let more = answers - QUERIES_MAX;
        page.line(
            Tone::Faint,
            format_args!("{more} earlier queries are not shown; --json has all"),
        );
    }
}

fn figures(page: &mut Page, rows: &[ComparedMemory]) {
    let line = |name: &str, value: &dyn Fn(&ComparedMemory) -> String| {
        let cells: Vec<String> = rows
            .iter()
            .map(|row| format!("{:>10}", value(row)))
            .collect();
        format!("{name:<20}{}", cells.concat())
    };
    page.line(Tone::Heading, line("", &|row| row.memory.to_owned()));
    for (name, value) in [
        (
            "kept in the end",
            &(|row: &ComparedMemory| row.size.to_string()) as &dyn Fn(&ComparedMemory) -> String,
        ),
        ("put away", &|row| row.put_away.to_string()),
        ("near duplicates left", &|row| {
            row.near_duplicates.to_string()
        }),
        ("linked for review", &|row| row.kept_apart.to_string()),
        ("prompt, characters", &|row| {
            format!("{:.0}", row.prompt_chars)
        }),
        ("prompt, tokens", &|row| format!("{:.0}", row.prompt_tokens)),
        ("learning, ms", &|row| format!("{:.2}", row.learn_ms)),
        ("retrieval, ms", &|row| format!("{:.2}", row.retrieve_ms)),
    ] {
        page.line(Tone::Plain, line(name, value));
    }
    page.prose(
        Tone::Faint,
        0,
        "prompts and times are means; tokens are estimated; near duplicates are pairs above 0.85, \
         of which the engine keeps and links those that differ in what matters",
    );
}

/// Ranks of the returned texts in each memory; a transcript returns everything.
fn query(page: &mut Page, answers: &[&ComparedAnswer]) {
    let Some(first) = answers.first() else { return };
    page.gap();
    page.hanging(Tone::Heading, "> ", &first.query);
    page.line(Tone::Faint, "  transcript  baseline  classic  engine  text");
    for content in contents(answers) {
        let rank = |answer: &&ComparedAnswer| match answer.rank_of(content) {
            Some(rank) => rank.to_string(),
            None => "-".to_owned(),
        };
        let ranks: Vec<String> = answers.iter().map(rank).collect();
        let widths = [12, 10, 9, 8];
        let cells = ranks.iter().zip(widths);
        let cells: Vec<String> = cells
            .map(|(rank, width)| format!("{rank:>width$}"))
            .collect();
        let text = page.beginning(content, 41);
        page.line(Tone::Plain, format_args!("{}  {text}", cells.concat()));
    }
}

/// The model's answer with each memory, or why there is none.
fn answered(page: &mut Page, rows: &[ComparedMemory], at: usize) {
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

/// Texts returned by the memories with bullets, in the order of the last memory first.
fn contents<'a>(answers: &[&'a ComparedAnswer]) -> Vec<&'a str> {
    let mut contents: Vec<&str> = Vec::new();
    for answer in answers.iter().skip(1).rev() {
        for place in &answer.results {
            if !contents.contains(&place.content.as_str()) {
                contents.push(&place.content);
            }
        }
    }
    contents.truncate(TEXTS_MAX);
    contents
}
