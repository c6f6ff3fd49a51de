//! Command `lessons retrieve`: lessons that help before a run or after an error, with reasons.

use std::path::Path;

use serde_json::Value;

use crate::commands::CommandResult;
use crate::form::{Form, Request, Rule, Typed};
use crate::input;
use crate::output::{Outcome, lessons};
use crate::session::Session;
use hindlore_api::verbs::lesson_retrieval::RetrieveLessons;

pub(crate) const FORM: Form = Form::new(
    "lessons.retrieve",
    &[
        ("intent", Typed::Words("INTENT")),
        (
            "error",
            Typed::Told("The error, after a failed step; `-` reads it from stdin"),
        ),
        ("tags", Typed::Named("tag")),
        ("max_results", Typed::Named("max")),
        ("exact_only", Typed::Named("exact")),
        (
            "prompt",
            Typed::Told("As text for a prompt, fenced as data"),
        ),
    ],
)
.with_rules(&[
    Rule::Needs("exit_code", "error"),
    Rule::Needs("step", "error"),
    Rule::Needs("exact_only", "error"),
    Rule::Needs("budget", "prompt"),
]);

/// Retrieves.
pub(crate) async fn run(session: &Session, mut request: Request) -> CommandResult {
    if request.get("error").and_then(Value::as_str) == Some("-") {
        // Bytes, because a broken program may print anything.
        let bytes = input::bytes(Path::new("-")).await?;
        request.set("error", &*String::from_utf8_lossy(&bytes));
    }
    let request: RetrieveLessons = request.read(session)?;
    let access = session.access_of::<RetrieveLessons>().await?;
    let shown = session.wait("retrieving", access.answer(request)).await?;
    match &shown.prompt {
        Some(prompt) if !session.output.is_json() => session.output.raw(prompt.text.as_bytes())?,
        _ => {
            let weights = &access.options().lessons.numbers.retrieval;
            session
                .output
                .show(&shown, |page| lessons::found(page, &shown, weights))?;
        }
    }
    Ok(Outcome::from_verb::<RetrieveLessons>(&shown))
}
