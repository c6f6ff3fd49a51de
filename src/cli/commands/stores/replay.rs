//! Command `replay`: rebuilds a memory from its events and compares them.

use crate::commands::CommandResult;
use crate::form::{Form, Request};
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::ReplayResponse;
use hindlore_api::verb::Verb;
use hindlore_api::verbs::memory::ReplayMemory;

pub(crate) const FORM: Form = Form::new("replay", &[]);

/// Replays a memory.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: ReplayMemory = request.read(session)?;
    let access = session.access_there()?;
    let work = access.answer(request);
    let shown = session
        .wait_counting("replaying events", || access.progress(), work)
        .await?;
    session.output.show(&shown, |page| text(page, &shown))?;
    match ReplayMemory::fault(&shown, access.key()) {
        None => Ok(Outcome::Done),
        Some(fault) => Err(fault),
    }
}

fn text(page: &mut Page, shown: &ReplayResponse) {
    if shown.sound {
        page.line(Tone::Good, "the memory is what its events make of it")
    } else {
        page.line(Tone::Bad, "the memory is not what its events make of it")
    }
    page.field("digest", &shown.digest);
    page.field("replayed", &shown.replayed_digest);
    page.field("content digest", &shown.content_digest);
    page.field("replayed", &shown.replayed_content_digest);
    page.field(
        "events",
        format_args!(
            "{}, {} of them deltas, from tick {}",
            shown.events, shown.deltas, shown.from_clock
        ),
    );
    for mismatch in shown.mismatches.iter().take(20) {
        page.line(
            Tone::Bad,
            format_args!("tick {}: {}", mismatch.tick, mismatch.reason),
        );
    }
}
