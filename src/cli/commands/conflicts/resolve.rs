//! Command `conflicts resolve`: a person decides about two that contradict each other.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Tone, receipts};
use crate::session::Session;
use hindlore_api::verbs::conflicts::ResolveConflict;

pub(crate) const FORM: Form = Form::new(
    "conflicts.resolve",
    &[("one", Typed::Word("ONE")), ("other", Typed::Word("OTHER"))],
);

/// Records a decision.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session
        .answer::<ResolveConflict>("deciding", request)
        .await?;
    session.output.show(&shown, |page| {
        if let Some(applied) = &shown.applied {
            receipts::applied(page, applied);
        }
        if let Some(settled) = &shown.settled {
            let decision = settled.decision.map_or("open", |decision| decision.word());
            let pair = &settled.pair;
            page.line(
                Tone::Good,
                format_args!("{} and {}: {decision}", pair.first, pair.second),
            );
        }
    })?;
    Ok(Outcome::Done)
}
