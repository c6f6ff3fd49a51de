//! `doctor verify`: lists bullets that differ from the ones their events made.

use super::findings::{found as found_in, write};
use super::{keys, open, unsound};
use crate::args::doctor::VerifyArgs;
use crate::commands::CommandResult;
use crate::output::{Outcome, Tone};
use crate::session::Session;
use hindlore_api::responses::doctor::{MemoryFinding, VerificationResponse};

/// Verifies one memory or all.
pub(super) async fn run(session: &Session, args: VerifyArgs) -> CommandResult {
    let memory = open(session)?;
    let keys = if args.all {
        keys(session, &memory).await?
    } else {
        vec![memory.key.clone()]
    };
    let mut found = Vec::new();
    for (number, key) in (1..).zip(&keys) {
        let what = format!("memory {number} of {}: replaying events", keys.len());
        let work = memory.engine.verify(key);
        let verified = session
            .wait_counting(&what, || memory.engine.progress(), work)
            .await;
        found.push(match verified {
            Ok(verified) => found_in(key, &verified),
            // An unreadable memory must not stop the others.
            Err(problem) if args.all => MemoryFinding::unreadable(key, &problem),
            Err(problem) => return Err(problem),
        });
    }
    let bad: Vec<String> = found
        .iter()
        .filter(|one| !one.sound)
        .map(|one| one.memory.clone())
        .collect();
    let shown = VerificationResponse {
        sound: bad.is_empty(),
        memories: found,
    };
    session.output.show(&shown, |page| {
        shown.memories.iter().for_each(|one| write(page, one));
        if shown.memories.is_empty() {
            page.line(Tone::Faint, "there is no memory");
        }
    })?;
    if !bad.is_empty() {
        let names = bad.join(", ");
        return Err(unsound(format!("differs from its events: {names}")));
    }
    Ok(Outcome::found(!shown.memories.is_empty()))
}
