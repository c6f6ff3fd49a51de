//! `doctor adopt`: turns manual edits into a delta, after which the memory is sound.

use super::findings::write_bullet;
use super::open;
use crate::args::doctor::AdoptArgs;
use crate::commands::CommandResult;
use crate::confirm;
use crate::output::words::plural;
use crate::output::{Outcome, Page, Tone, receipts};
use crate::session::{OpenMemory, Session};
use hindlore::Adopted;
use hindlore_api::problem::Problem;
use hindlore_api::responses::DeltaApplied;
use hindlore_api::responses::doctor::AdoptedResponse;
use hindlore_domain::lesson::lesson::LearnerId;

/// Adopts.
pub(super) async fn run(session: &Session, args: AdoptArgs) -> CommandResult {
    let memory = open(session)?;
    ask(session, &memory, &args).await?;
    let owner = LearnerId::new(memory.key.tenant(), memory.key.learner())?;
    let lessons = memory.engine.adopt_lessons(&owner).await?;
    let begun_anew = match args.reason.filter(|_| args.rebase) {
        None => None,
        Some(reason) => {
            let author = session.typed_author();
            let work = memory.engine.rebase(&memory.key, author, &reason);
            session.wait("adopting", work).await?
        }
    };
    let found = begun_anew.as_ref().map(|anew| anew.found.clone());
    let adopted = match begun_anew {
        Some(anew) => Adopted {
            differences: Vec::new(),
            applied: Some(anew.applied),
            rebased: true,
        },
        None => differences_of(session, &memory, !lessons.is_empty()).await?,
    };
    let shown = AdoptedResponse {
        adopted: adopted.differences.iter().map(Into::into).collect(),
        receipt: adopted.applied.map(DeltaApplied::from),
        lessons,
        rebased: adopted.rebased,
        unreplayable: found,
    };
    let is_any = shown.receipt.is_some() || shown.rebased || !shown.lessons.is_empty();
    session.output.show(&shown, |page| {
        if !is_any {
            page.line(Tone::Good, "nothing to adopt: the memory is sound");
        }
        told(page, &shown);
    })?;
    Ok(Outcome::found(is_any))
}

fn told(page: &mut Page, shown: &AdoptedResponse) {
    for lesson in &shown.lessons {
        let said = format_args!("the lesson {lesson} is taken as it stands");
        page.line(Tone::Good, said);
    }
    let found = shown.unreplayable.as_deref();
    if shown.rebased {
        told_anew(page, found);
    }
    if shown.receipt.is_some() && found.is_none() {
        page.line(Tone::Heading, "What was done by hand, and is history now");
    }
    shown.adopted.iter().for_each(|one| write_bullet(page, one));
    if let Some(receipt) = &shown.receipt {
        page.gap();
        receipts::applied(page, receipt);
    }
}

/// Reports the new start of replays, and the events that could not be replayed.
fn told_anew(page: &mut Page, found: Option<&str>) {
    page.line(
        Tone::Good,
        "replays start from the stored state now, its clock and revision included",
    );
    if let Some(found) = found {
        page.prose(Tone::Plain, 2, found);
    }
}

/// Verifies before asking, so that the question names the number of differences. For a history that cannot be
/// replayed it has no number.
async fn ask(session: &Session, memory: &OpenMemory, args: &AdoptArgs) -> Result<(), Problem> {
    // Boxed: two replays in one future would need much of a thread's stack.
    let look = Box::pin(memory.engine.verify(&memory.key));
    let looked = session
        .wait_counting("replaying events", || memory.engine.progress(), look)
        .await;
    let count = looked.map_or(0, |found| found.differences.len() + found.policy.len());
    let question = match (args.rebase, count) {
        (true, _) => format!(
            "make the stored memory {} the state from which replays start",
            memory.key
        ),
        (false, 0) => return Ok(()),
        (false, count) => format!(
            "make {} by hand part of the history of {}",
            plural(count, "change"),
            memory.key
        ),
    };
    confirm::ask(question, args.yes).await
}

/// Adopts the changes that a delta can express; a learner with adopted lessons may have no memory.
async fn differences_of(
    session: &Session,
    memory: &OpenMemory,
    has_lessons: bool,
) -> Result<Adopted, Problem> {
    let work = memory.engine.adopt(&memory.key, session.typed_author());
    match session.wait("adopting", work).await {
        Err(problem) if problem.code == "no_memory" && has_lessons => Ok(Adopted {
            differences: Vec::new(),
            applied: None,
            rebased: false,
        }),
        adopted => adopted,
    }
}
