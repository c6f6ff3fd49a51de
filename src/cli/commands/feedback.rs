//! Command `feedback`: reports which retrieved bullets were used, helped, harmed or ignored.

use super::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::words::plural;
use crate::output::{Outcome, Tone, receipts};
use crate::session::Session;
use hindlore_api::problem::Problem;
use hindlore_api::verbs::retrieval::GiveFeedback;

pub(super) const FORM: Form = Form::new(
    "feedback",
    &[
        ("retrieval", Typed::Word("RETRIEVAL")),
        ("used", Typed::Many("ID")),
        ("helped", Typed::Many("ID")),
        ("harmed", Typed::Many("ID")),
        ("ignored", Typed::Many("ID")),
    ],
);

/// Gives feedback.
pub(super) async fn run(session: &Session, request: Request) -> CommandResult {
    let lists = ["used", "helped", "harmed", "ignored"];
    if lists.iter().all(|list| request.get(list).is_none()) {
        return Err(Problem::new("invalid_request", "the feedback names no bullet")
            .with_hint("name bullets with --used, --helped, --harmed or --ignored: ids, or numbers of the answer"));
    }
    let request: GiveFeedback = request.read(session)?;
    let access = session.access_there()?;
    let shown = session
        .wait("giving feedback", access.answer(request))
        .await?;
    session.output.show(&shown, |page| {
        let marked = plural(shown.marked, "bullet");
        page.line(Tone::Good, format_args!("marked {marked}"));
        for delta in &shown.deltas {
            receipts::applied(page, delta);
        }
    })?;
    Ok(Outcome::Done)
}
