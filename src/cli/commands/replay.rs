//! Command `replay`: rebuilds a memory from its events and compares.

use super::CommandResult;
use crate::api::problem::Problem;
use crate::api::responses::{MismatchResponse, ReplayResponse};
use crate::cli::output::{Outcome, Page, Tone};
use crate::cli::session::{OpenMemory, Session};
use crate::engine::EngineError;

/// Times that others may change the memory between the replay and the look.
const TRIES: usize = 8;

/// Replays a memory.
pub(crate) async fn run(session: &Session) -> CommandResult {
    let memory = session.open_there()?;
    let shown = compare(session, &memory).await?;
    session.output.show(&shown, |page| text(page, &shown))?;
    if shown.sound {
        Ok(Outcome::Done)
    } else {
        Err(Problem::new(
            "replay_differs",
            format!(
                "the memory {} is not what its events make of it",
                memory.key
            ),
        )
        .with_hint("`doctor verify` names the bullets that differ"))
    }
}

async fn compare(session: &Session, memory: &OpenMemory) -> Result<ReplayResponse, Problem> {
    for _ in 0..TRIES {
        let engine = &memory.engine;
        let replay = engine.replay(&memory.key);
        let mut replayed = session
            .wait_counting("replaying events", engine, replay)
            .await?;
        let view = memory.view().await?;
        if replayed.memory.clock() < view.clock {
            continue;
        }
        let replayed_digest = replayed.memory.digest();
        let replayed_content_digest = replayed.memory.content_digest();
        return Ok(ReplayResponse {
            sound: replayed.mismatches.is_empty()
                && replayed_digest == view.digest
                && replayed_content_digest == view.content_digest,
            digest: view.digest,
            replayed_digest,
            content_digest: view.content_digest,
            replayed_content_digest,
            revision: view.revision,
            clock: view.clock,
            from_clock: replayed.from_clock,
            events: replayed.events,
            deltas: replayed.deltas,
            mismatches: replayed
                .mismatches
                .iter()
                .map(MismatchResponse::from)
                .collect(),
        });
    }
    Err(EngineError::Contended(memory.key.clone()).into())
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
