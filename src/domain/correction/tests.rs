//! Turns of people, and the correction in each; `examples.txt` is the table.

use super::{TurnContext, correction};

const CONTEXTS: [TurnContext; 3] = [
    TurnContext::Ordinary,
    TurnContext::AfterFailure,
    TurnContext::AfterRefusal,
];

fn reads(turn: &str, context: TurnContext, expected: Option<&str>) {
    let found = correction(turn, context);
    assert_eq!(found.as_deref(), expected, "{turn:?} {context:?}");
}

/// The turns of a part of the table, each with its correction.
fn examples(part: &str) -> Vec<(&'static str, Option<&'static str>)> {
    let lines = include_str!("examples.txt").lines();
    let part = format!("{part}:");
    let lines = lines.skip_while(|line| **line != part).skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let found: Vec<_> = lines
        .map(|line| match line.split_once(" => ") {
            Some((turn, correction)) => (turn, Some(correction)),
            None => (line, None),
        })
        .collect();
    assert!(!found.is_empty(), "{part}");
    found
}

#[test]
fn a_practice_counts_in_every_context() {
    for (turn, expected) in examples("practices") {
        CONTEXTS
            .into_iter()
            .for_each(|context| reads(turn, context, expected));
    }
}

#[test]
fn an_order_counts_after_a_failure_a_refusal_or_a_contradiction() {
    for (turn, expected) in examples("orders") {
        reads(turn, TurnContext::Ordinary, None);
        reads(turn, TurnContext::AfterFailure, expected);
        reads(turn, TurnContext::AfterRefusal, expected);
        for opener in [
            "no, ",
            "No. ",
            "wrong, ",
            "that's wrong: ",
            "Actually, ",
            "I told you, ",
        ] {
            reads(&format!("{opener}{turn}"), TurnContext::Ordinary, expected);
        }
    }
}

#[test]
fn a_statement_counts_after_a_contradiction() {
    for (turn, expected) in examples("statements") {
        CONTEXTS
            .into_iter()
            .for_each(|context| reads(turn, context, expected));
    }
}

#[test]
fn tasks_questions_thanks_and_reports_are_no_corrections() {
    for (turn, _) in examples("none") {
        CONTEXTS
            .into_iter()
            .for_each(|context| reads(turn, context, None));
    }
    reads("", TurnContext::AfterFailure, None);
}

#[test]
fn output_code_and_long_texts_are_not_read() {
    let long = "Always run make fmt first. ".repeat(40);
    let many = "Look at it. ".repeat(8) + "We use pnpm here.";
    for turn in [
        "```\nalways run make fmt first\n```",
        "> never edit generated files",
        "error: use pnpm here",
        "hint: use --force instead of -f",
        "npm ERR! always run npm install first",
        "2026-01-05T12:00:00 never edit generated files",
        "    always run make fmt first",
        "Build failed:\nerror[E0308]: mismatched types\nalways use the right type",
        "if (x) { always(use(pnpm)); }",
        "<reminder>never edit generated files</reminder>",
        "{\"rule\": \"always run make fmt first\"}",
        long.as_str(),
        many.as_str(),
    ] {
        reads(turn, TurnContext::AfterFailure, None);
    }
    let around = "no, use pnpm here\n```\nnpm ERR! missing script\n```";
    let found = correction(around, TurnContext::Ordinary);
    assert_eq!(found.as_deref(), Some("use pnpm here"));
}
