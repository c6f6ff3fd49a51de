//! A comparison of memories as one HTML page that holds all it needs: for each query the texts and the answers side by
//! side. It has no script and makes no request; all texts are escaped.

use maud::{Markup, html};

use super::html_page::html_page;
use crate::responses::compared::{
    COMPARED_LIMITS, ComparedAnswer, ComparedMemory, ComparisonResponse, JudgedResponse,
};

/// The style of the columns, in addition to that of all pages.
const COLUMNS: &str = "table.memories{border-collapse:collapse;width:100%;table-layout:fixed}\
table.memories th,table.memories td{border:1px solid #8886;padding:.5em;text-align:left;vertical-align:top;overflow-wrap:anywhere}\
table.memories ol{margin:0;padding-left:1.4em}";
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Writes the page, complete from doctype to end.
pub fn comparison_page(shown: &ComparisonResponse) -> String {
    let queries = shown.rows.iter().map(|row| row.answers.len()).min();
    let title = shown.title();
    let body = html! {
        header {
            h1 { (title) }
            p.figures {
                (shown.trace.said())
                @if let Some(model) = &shown.model { " · answers of " b { (model) } }
            }
        }
        main {
            section { h2 { "The memories" } (table(&shown.rows)) p { (COMPARED_LIMITS) } }
            @for at in 0..queries.unwrap_or_default() { (query(&shown.rows, at)) }
        }
    };
    html_page(&title, POLICY, COLUMNS, &body)
}

/// The figures of each memory under a name, those against the judgements first.
pub fn figures(rows: &[ComparedMemory]) -> Vec<(String, Vec<String>)> {
    let judged = rows.first().and_then(|row| row.judged);
    let against = |(name, of, value): Judged| {
        let judged = judged.filter(|judged| of(judged) > 0)?;
        let cells = rows.iter().filter_map(|row| row.judged.as_ref());
        let cells = cells.map(|one| value(one).to_string()).collect();
        Some((format!("{name}, of {}", of(&judged)), cells))
    };
    let plain = |(name, value): Figure| {
        let cells = rows.iter().map(value).collect();
        (name.to_owned(), cells)
    };
    // Without judgements the words of the texts are all there is to count by.
    let by_words = judged.map_or(&BY_WORDS[..], |_| &[]);
    let against = JUDGED.into_iter().filter_map(against);
    let figures = FIGURES.iter().chain(by_words).copied();
    against.chain(figures.map(plain)).collect()
}

type Judged = (
    &'static str,
    fn(&JudgedResponse) -> usize,
    fn(&JudgedResponse) -> usize,
);

const JUDGED: [Judged; 4] = [
    (
        "helpful texts shown",
        |one| one.right,
        |one| one.right_shown,
    ),
    ("repetitions left", |one| one.same, |one| one.same_left),
    ("advice lost", |one| one.different, |one| one.different_lost),
    (
        "conflicts missed",
        |one| one.opposite,
        |one| one.opposite_unmarked,
    ),
];

type Figure = (&'static str, fn(&ComparedMemory) -> String);

const FIGURES: [Figure; 5] = [
    ("tokens in the prompt", |row| {
        format!("{:.0}", row.prompt_tokens)
    }),
    ("kept in the end", |row| row.size.to_string()),
    ("put away", |row| row.put_away.to_string()),
    ("learning, ms", |row| format!("{:.2}", row.learn_ms)),
    ("retrieval, ms", |row| format!("{:.2}", row.retrieve_ms)),
];

const BY_WORDS: [Figure; 2] = [
    ("near duplicates left", |row| {
        row.near_duplicates.to_string()
    }),
    ("linked for review", |row| row.kept_apart.to_string()),
];

fn table(rows: &[ComparedMemory]) -> Markup {
    html! {
        table.memories {
            thead {
                tr {
                    th {}
                    @for row in rows { th title=(row.about) { (row.memory) } }
                }
            }
            tbody {
                @for (name, cells) in figures(rows) {
                    tr { th { (name) } @for cell in cells { td { (cell) } } }
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
