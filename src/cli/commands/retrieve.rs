//! Command `retrieve`: bullets that answer a query, with reasons, or as text for a prompt.

use serde_json::Value;

use super::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::words::plural;
use crate::output::{Outcome, retrieval};
use crate::session::Session;
use hindlore_api::prompt::FENCE_TOKENS;
use hindlore_api::responses::RetrievalResponse;
use hindlore_api::verbs::retrieval::Retrieve;

pub(super) const FORM: Form = Form::new(
    "retrieve",
    &[
        ("query", Typed::Words("QUERY")),
        ("tags", Typed::Named("tag")),
        ("memory_types", Typed::Named("type")),
        ("min_score", Typed::Also("prune-threshold")),
        ("prompt", Typed::Bare("numbered")),
    ],
);

/// Retrieves.
pub(super) async fn run(session: &Session, mut request: Request) -> CommandResult {
    if request.get("query").and_then(Value::as_str) == Some("-") {
        let text = session.stdin().await?;
        request.set("query", text.trim());
    }
    if session.settings.switch("advice") {
        request.set("with_advice", true);
    }
    let request: Retrieve = request.read(session)?;
    let access = if request.peek {
        session.access_there()?
    } else {
        session.access_to_ask()?
    };
    let shown = session.wait("retrieving", access.answer(request)).await?;
    match &shown.prompt {
        Some(prompt) if !session.output.is_json() => session.output.text(&prompt.text)?,
        _ => session
            .output
            .show(&shown, |page| retrieval::answer(page, &shown))?,
    }
    if let Some(why) = &shown.not_recorded {
        session.warn(
            "not_recorded",
            format!("answered without a trace, and no feedback on it can be given: {why}"),
        );
    }
    if let Some(said) = beside(&shown) {
        session.output.note(&said);
    }
    Ok(Outcome::from_verb::<Retrieve>(&shown))
}

/// A note for people about an incomplete answer. A prompt is read by a program, which gets nothing if nothing
/// was found.
fn beside(shown: &RetrievalResponse) -> Option<String> {
    let beyond = shown.beyond_budget;
    match (beyond, shown.results.is_empty()) {
        (0, false) => None,
        (0, true) => shown.prompt.is_some().then(|| "nothing found".to_owned()),
        (_, true) => Some(format!(
            "{} found, and the budget has no room for any; the fence of a prompt alone takes about {FENCE_TOKENS} \
             tokens",
            plural(beyond, "bullet")
        )),
        (1, false) => Some("1 bullet was left out: the budget has no room for it".to_owned()),
        (_, false) => Some(format!(
            "{beyond} bullets were left out: the budget has no room for them"
        )),
    }
}
