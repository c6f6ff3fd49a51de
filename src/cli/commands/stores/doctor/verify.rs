//! `doctor verify`: lists bullets that differ from the ones their events made.

use super::findings::{found as found_in, write};
use super::{keys, open, unsound};
use crate::args::doctor::VerifyArgs;
use crate::commands::CommandResult;
use crate::output::words::plural;
use crate::output::{Outcome, Tone};
use crate::session::{OpenMemory, Session};
use hindlore_api::problem::Problem;
use hindlore_api::responses::doctor::{MemoryFinding, VerificationResponse};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;

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
            // A learner may have lessons and no memory.
            Err(problem) if problem.code == "no_memory" && is_learner(&memory).await? => continue,
            // An unreadable memory must not stop the others.
            Err(problem) if args.all => MemoryFinding::unreadable(key, &problem),
            Err(problem) => return Err(problem),
        });
    }
    let lessons = edited_lessons(&memory, (!args.all).then_some(&memory.key)).await?;
    let mut bad: Vec<String> = found
        .iter()
        .filter(|one| !one.sound)
        .map(|one| one.memory.clone())
        .collect();
    if !lessons.is_empty() {
        bad.push(plural(lessons.len(), "fault") + " of lessons");
    }
    let shown = VerificationResponse {
        sound: bad.is_empty(),
        memories: found,
        lessons,
    };
    session.output.show(&shown, |page| {
        shown.memories.iter().for_each(|one| write(page, one));
        for fault in &shown.lessons {
            page.line(Tone::Bad, fault);
        }
        if shown.memories.is_empty() && shown.lessons.is_empty() {
            page.line(Tone::Faint, "there is no memory, and no fault in a lesson");
        }
    })?;
    if !bad.is_empty() {
        let names = bad.join(", ");
        return Err(unsound(format!("differs from its events: {names}")));
    }
    Ok(Outcome::found(!shown.memories.is_empty()))
}

/// Returns true if the learner has lessons, errors or runs.
async fn is_learner(memory: &OpenMemory) -> Result<bool, Problem> {
    let learners = memory.engine.lesson_learners(memory.key.tenant()).await?;
    Ok(learners.iter().any(|one| one == memory.key.learner()))
}

/// The faults that the store finds in the lessons of a learner, or of the whole tenant.
async fn edited_lessons(
    memory: &OpenMemory,
    of: Option<&MemoryKey>,
) -> Result<Vec<String>, Problem> {
    let findings = memory.engine.check().await?;
    let is_asked = |owner: &LearnerId| match of {
        Some(key) => owner.tenant() == key.tenant() && owner.learner() == key.learner(),
        None => owner.tenant() == memory.key.tenant(),
    };
    let errors = findings
        .into_iter()
        .filter(|one| one.is_error && one.lessons_of.as_ref().is_some_and(is_asked));
    Ok(errors.map(|one| one.message).collect())
}
