//! `learn -- COMMAND`: runs it, and writes down how it went.
//!
//! The command comes first: it runs as it would without us, and failures of the memory change neither its output nor
//! how it ends. A call without `--run` is a run of its own that ends with it. Advice is then looked up without being
//! recorded as a use; within `--run` it is a use like any other.

use std::time::Duration;

use super::alive::Alive;
use super::ingest_result::Fate;
use super::into_store::{Patience, into_store};
use super::record::{Names, Record};
use super::{hint, known, report};
use crate::args::learn::LearnArgs;
use crate::commands::CommandResult;
use crate::output::Outcome;
use crate::session::Session;
use hindlore::EngineError;
use hindlore::clock::{SystemClock, WallClock, random_id};
use hindlore_api::problem::Problem;
use hindlore_child::{self, End, Look};
use hindlore_primitives::identity::parse_name;

/// Maximum delay of the end of a command by learning; an unoptimised program is slow.
const PATIENCE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });
/// How much of that is spent on a lock.
const BUSY: Duration = Duration::from_millis(700);

/// Runs a command and learns from it.
pub(super) async fn run(session: &Session, args: &LearnArgs) -> CommandResult {
    let names = names(args)?;
    let alive = Alive::begin(session, args, &names);
    if args.hint {
        known::say(session, args, &names).await;
    }
    let (command, look) = (args.command.clone(), look(args));
    let ended = tokio::task::spawn_blocking(move || hindlore_child::run(&command, look)).await;
    drop(alive);
    let ended = ended.map_err(|_| {
        Problem::new("internal_error", "the command could not be waited for")
            .with_hint("this is a fault of the program; report it with your call")
    })?;
    if let Some(why) = &ended.not_started {
        hint::say(&format!("learn: {why}"));
    }
    let fate = match session.key() {
        Ok(key) => {
            let record = Record::of(args, (&key, &names), &ended);
            let patience = Patience {
                whole: PATIENCE,
                lock: BUSY,
            };
            into_store(session, record, args.hint, patience).await
        }
        Err(problem) => Fate::Lost(problem),
    };
    if let Fate::Lost(problem) = &fate {
        hint::say(&format!("learn: nothing was learned: {problem}"));
    }
    if args.hint {
        hint::show(&fate, &session.voice());
    }
    if let Some(file) = &args.report {
        report::write(file, &report::Report::of(&names.run, &ended, &fate));
    }
    Ok(match ended.end() {
        End::Code(code) => Outcome::Exit(code),
        End::Signal(signal) => Outcome::Killed(signal),
    })
}

fn look(args: &LearnArgs) -> Look {
    if args.as_is { Look::Leave } else { Look::Watch }
}

/// The names of this call. A run that cannot be is refused before the command begins.
fn names(args: &LearnArgs) -> Result<Names, Problem> {
    let random = |prefix| random_id(prefix).map_err(|_| Problem::from(EngineError::Stopped));
    let run = match &args.run {
        Some(run) => parse_name("run", run).map_err(|error| {
            Problem::from(EngineError::Invalid(error.to_string()))
                .with_hint("nothing was run; name the run otherwise")
        })?,
        None => random("run")?,
    };
    Ok(Names {
        call: random("call")?,
        run,
        began: SystemClock.now(),
    })
}
