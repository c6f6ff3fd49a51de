//! `doctor repair`: reverts manual edits in the form of a memory; a dry run first.

use super::open;
use crate::args::doctor::RepairArgs;
use crate::commands::CommandResult;
use crate::output::{Outcome, Tone};
use crate::session::Session;
use hindlore_api::responses::doctor::RepairedResponse;

/// Repairs, or lists the repairs.
pub(super) async fn run(session: &Session, args: &RepairArgs) -> CommandResult {
    let memory = open(session)?;
    let work = memory.engine.repair(&memory.key, !args.yes);
    let repaired = session
        .wait_counting("replaying events", || memory.engine.progress(), work)
        .await?;
    let shown = RepairedResponse {
        memory: memory.key.to_string(),
        repaired: args.yes,
        faults: repaired.repairable,
        left: repaired.left,
    };
    session.output.show(&shown, |page| {
        let what = if shown.repaired {
            "repaired"
        } else {
            "would repair"
        };
        for fault in &shown.faults {
            page.hanging(Tone::Good, &format!("{what}: "), fault);
        }
        for fault in &shown.left {
            page.hanging(Tone::Bad, "left: ", fault);
        }
        if shown.faults.is_empty() && shown.left.is_empty() {
            page.line(Tone::Good, "nothing to repair");
        } else if !shown.repaired && !shown.faults.is_empty() {
            page.line(Tone::Plain, "`hindlore doctor repair --yes` does it");
        }
    })?;
    Ok(Outcome::found(!shown.faults.is_empty()))
}
