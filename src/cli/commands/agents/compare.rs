//! Command `compare`: the same trace through several memories, side by side; a model answers only if it is asked to.
//!
//! No memory; a transcript of the last messages; notes that only grow; the memory before decay; the classic one; this
//! engine. The three with bullets are real engines over temporary stores. The domain has no policy for the forgetting of the baseline, so it is decided
//! here, by ratio and helpful votes, and written as REMOVE.

mod answers;
mod built_in;
mod bullets;
mod page;
mod result;
mod trace;
mod transcript;

use crate::args::compare::CompareArgs;
use crate::commands::CommandResult;
use crate::input;
use crate::output::{Outcome, file};
use crate::session::Session;
use crate::temp_store::TempStore;
use bullets::{BulletMemory, Family};
use hindlore_api::comparison_page::comparison_page;
use hindlore_api::problem::Problem;
use hindlore_api::responses::compared::{ComparedMemory, ComparisonResponse, TraceResponse};
use trace::Trace;
use transcript::Transcript;

/// Maximum texts of an answer that are kept: notes show all of theirs to each query.
const RESULTS_MAX: usize = 50;

/// Compares.
pub(crate) async fn run(session: &Session, args: CompareArgs) -> CommandResult {
    let trace = match &args.file {
        Some(path) => trace::read(&input::text(path).await?)?,
        None => built_in::trace()?,
    };
    let own = args.file.is_none().then_some(built_in::MAX_BULLETS);
    let max_bullets = args.max_bullets.or(own);
    let without_engine = [
        Transcript::off(),
        Transcript::of_last(args.last),
        Transcript::notes(),
    ];
    let mut rows: Vec<ComparedMemory> = without_engine.map(|one| one.run(&trace)).into();
    let temp = TempStore::new()?;
    for family in Family::ALL {
        let memory = BulletMemory::new(family, &temp, max_bullets)?;
        rows.push(run_one(memory, &trace).await?);
    }
    let model = if args.answers {
        Some(answers::answered(session, &mut rows).await?)
    } else {
        None
    };
    let answers = rows.iter_mut().flat_map(|row| &mut row.answers);
    answers.for_each(|answer| answer.results.truncate(RESULTS_MAX));
    let source = args.file.as_ref().map(|path| path.display().to_string());
    let shown = ComparisonResponse {
        compare: "memories",
        trace: TraceResponse {
            origin: source.is_none().then_some(built_in::ORIGIN),
            file: source,
            steps: trace.steps.len(),
            deltas: trace.deltas(),
            messages: trace.messages(),
            retrievals: trace.queries(),
            pairs: trace.pairs.len(),
        },
        last: args.last,
        model,
        max_bullets,
        rows,
    };
    if let Some(path) = &args.html {
        let own = session.settings.text("store").unwrap_or_default();
        file::must_not_hold_a_store(path, own)?;
        file::replace(path, comparison_page(&shown).as_bytes())?;
    }
    session
        .output
        .show(&shown, |page| page::write(page, &shown))?;
    Ok(Outcome::Done)
}

async fn run_one(mut memory: BulletMemory, trace: &Trace) -> Result<ComparedMemory, Problem> {
    for (number, step) in (1..).zip(&trace.steps) {
        memory.take(number, step).await?;
    }
    memory.finish(trace).await
}
