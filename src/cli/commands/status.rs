//! Command `status`: what the memory did of late, who has it, and what waits for a person.

use super::CommandResult;
use super::stores::doctor::connected;
use crate::form::{Form, Request};
use crate::output::words::plural;
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::status::{ActivityResponse, StatusResponse};
use hindlore_api::verbs::status::ShowStatus;

pub(super) const FORM: Form = Form::new("status", &[]);

/// Shows it.
pub(super) async fn run(session: &Session, request: Request) -> CommandResult {
    let counts = session.answer::<ShowStatus>("counting", request).await?;
    let agents = connected()?;
    session.output.show(&counts, |page| {
        page.field("today", said(&counts.day));
        page.field("this week", said(&counts.week));
        match agents.as_slice() {
            [] => page.field(
                "agents",
                "none; `hindlore install claude-code` gives one the memory",
            ),
            agents => page.field("agents", agents.join(", ")),
        }
        waiting(page, &counts);
    })?;
    Ok(Outcome::Done)
}

fn said(counts: &ActivityResponse) -> String {
    format!(
        "{} kept; {} shown, {} followed, {} prevented",
        plural(counts.remembered, "note"),
        plural(counts.shown, "lesson"),
        counts.followed,
        plural(counts.prevented, "mistake"),
    )
}

fn waiting(page: &mut Page, counts: &StatusResponse) {
    if counts.proposals + counts.conflicts == 0 {
        return page.field("waiting", "nothing");
    }
    for (count, noun, command) in [
        (counts.proposals, "correction", "bullets proposed"),
        (counts.conflicts, "contradiction", "conflicts list"),
    ] {
        if count > 0 {
            let said = format!(
                "waiting: {}; `hindlore {command}` shows them",
                plural(count, noun)
            );
            page.line(Tone::Bad, said);
        }
    }
}
