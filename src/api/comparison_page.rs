//! A comparison of memories as one HTML page that holds all it needs: for each query the texts and the answers side by
//! side. It has no script and makes no request; all texts are escaped.

use maud::{Markup, html};

use super::html_page::html_page;
use crate::responses::compared::{ComparedAnswer, ComparedMemory, ComparisonResponse};

const TITLE: &str = "One trace, four memories";
/// The style of the columns, in addition to that of all pages.
const COLUMNS: &str = "table.memories{border-collapse:collapse;width:100%;table-layout:fixed}\
table.memories th,table.memories td{border:1px solid #8886;padding:.5em;text-align:left;vertical-align:top;overflow-wrap:anywhere}\
table.memories ol{margin:0;padding-left:1.4em}";
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Writes the page, complete from doctype to end.
pub fn comparison_page(shown: &ComparisonResponse) -> String {
    let queries = shown.rows.iter().map(|row| row.answers.len()).min();
    let source = shown.trace.file.as_deref().unwrap_or("the built-in trace");
    let body = html! {
        header {
            h1 { (TITLE) }
            p.figures {
                (source) ": " b { (shown.trace.steps) } " steps, " b { (shown.trace.retrievals) } " queries"
                @if let Some(model) = &shown.model { " · answers of " b { (model) } }
            }
        }
        main {
            section { h2 { "The memories" } (figures(&shown.rows)) }
            @for at in 0..queries.unwrap_or_default() { (query(&shown.rows, at)) }
        }
    };
    html_page(TITLE, POLICY, COLUMNS, &body)
}

type Figure = (&'static str, fn(&ComparedMemory) -> String);

const FIGURES: [Figure; 8] = [
    ("kept in the end", |row| row.size.to_string()),
    ("put away", |row| row.put_away.to_string()),
    ("near duplicates left", |row| {
        row.near_duplicates.to_string()
    }),
    ("linked for review", |row| row.kept_apart.to_string()),
    ("prompt, characters", |row| {
        format!("{:.0}", row.prompt_chars)
    }),
    ("prompt, tokens", |row| format!("{:.0}", row.prompt_tokens)),
    ("learning, ms", |row| format!("{:.2}", row.learn_ms)),
    ("retrieval, ms", |row| format!("{:.2}", row.retrieve_ms)),
];

fn figures(rows: &[ComparedMemory]) -> Markup {
    html! {
        table.memories {
            thead {
                tr {
                    th {}
                    @for row in rows { th title=(row.about) { (row.memory) } }
                }
            }
            tbody {
                @for (name, value) in FIGURES {
                    tr { th { (name) } @for row in rows { td { (value(row)) } } }
                }
            }
        }
    }
}

fn query(rows: &[ComparedMemory], at: usize) -> Markup {
    let answers: Vec<&ComparedAnswer> = rows.iter().map(|row| &row.answers[at]).collect();
    let has_answers = answers
        .iter()
        .any(|answer| answer.answer.is_some() || answer.unanswered.is_some());
    html! {
        section {
            h2 { (answers[0].query) }
            table.memories {
                thead { tr { @for row in rows { th { (row.memory) } } } }
                tbody {
                    @if has_answers {
                        tr.answers { @for answer in &answers { td { (said(answer)) } } }
                    }
                    tr {
                        @for answer in &answers {
                            td { ol { @for text in &answer.results { li { (text.content) } } } }
                        }
                    }
                }
            }
        }
    }
}

fn said(answer: &ComparedAnswer) -> Markup {
    html! {
        @if let Some(text) = &answer.answer { b { (text) } }
        @else if let Some(why) = &answer.unanswered { em { "no answer: " (why) } }
    }
}
