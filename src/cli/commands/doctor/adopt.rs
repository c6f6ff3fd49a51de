//! `doctor adopt`: what was changed by hand becomes a delta, and the memory is sound again.

use serde_json::json;

use super::findings::BulletFinding;
use super::open;
use crate::api::shapes::DeltaApplied;
use crate::cli::args::doctor::AdoptArgs;
use crate::cli::commands::CommandResult;
use crate::cli::consent;
use crate::cli::output::words::plural;
use crate::cli::output::{Outcome, Tone, receipts};
use crate::cli::session::Session;

/// Adopts.
pub(super) async fn run(session: &Session, args: AdoptArgs) -> CommandResult {
    let memory = open(session)?;
    // On the heap: two replays in one future would take much of a thread's stack.
    let look = Box::pin(memory.engine.verify(&memory.key));
    let found = session
        .wait_counting("replaying events", &memory.engine, look)
        .await?;
    let count = found.differences.len() + found.policy.len();
    if count > 0 {
        let changes = plural(count, "change");
        let question = format!(
            "make {changes} by hand part of the history of {}",
            memory.key
        );
        consent::ask(question, args.yes).await?;
    }
    let work = memory.engine.adopt(&memory.key, session.typed_author());
    let adopted = session.wait("adopting", work).await?;
    let differences: Vec<BulletFinding> =
        adopted.differences.iter().map(BulletFinding::of).collect();
    let applied = adopted.applied;
    let receipt = applied.map(DeltaApplied::from);
    let (rebased, is_any) = (adopted.rebased, receipt.is_some() || adopted.rebased);
    let document = json!({"adopted": differences, "receipt": receipt, "rebased": rebased});
    session.output.show(&document, |page| {
        if rebased {
            page.line(
                Tone::Good,
                "replays start from the stored state now, its clock and revision included",
            );
        }
        let Some(receipt) = &receipt else {
            if !rebased {
                page.line(Tone::Good, "nothing to adopt: the memory is sound");
            }
            differences.iter().for_each(|one| one.write(page));
            return;
        };
        page.line(Tone::Heading, "What was done by hand, and is history now");
        differences.iter().for_each(|one| one.write(page));
        page.gap();
        receipts::applied(page, receipt);
    })?;
    Ok(Outcome::found(is_any))
}
