//! Command `conflicts resolve`: a person decides about two that contradict each other.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Tone, receipts};
use crate::session::Session;
use hindlore_api::verbs::conflicts::ResolveConflict;
use hindlore_store::lessons::rows::Settled;

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
            let pair = &settled.pair;
            let others = |kept| {
                if kept == pair.first {
                    pair.second
                } else {
                    pair.first
                }
            };
            let said = match (settled.kept, settled.decision) {
                (Some(kept), _) => format!("kept {kept} and archived {}", others(kept)),
                (None, Some(Settled::Both)) => {
                    format!("{} and {} both stay", pair.first, pair.second)
                }
                (None, _) => format!("{} and {} are open again", pair.first, pair.second),
            };
            page.line(Tone::Good, said);
        }
    })?;
    Ok(Outcome::Done)
}
