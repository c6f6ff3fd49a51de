//! `learn -- COMMAND`: runs it, and writes down how it went.
//!
//! The command comes first: it is as it would be without us, and whatever befalls the memory changes neither its
//! output nor how it ends. A call without `--run` is a run of its own that ends with it. What helps is then looked
//! up without being recorded as a use; within `--run` it is a use like any other.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::timeout;

use super::alive::Alive;
use super::fate::Fate;
use super::intake;
use super::record::{Names, Record};
use super::{hint, known, report};
use crate::api::problem::Problem;
use crate::cli::args::learn::LearnArgs;
use crate::cli::child::{self, End, Look};
use crate::cli::commands::CommandResult;
use crate::cli::output::Outcome;
use crate::cli::redaction;
use crate::cli::session::Session;
use crate::cli::spool::{self, Spool};
use crate::domain::identity::parse_name;
use crate::engine::EngineError;
use crate::engine::clock::{SystemClock, WallClock, random_id};

/// How long the end of a command is held up by what is learned from it.
const PATIENCE: Duration = Duration::from_secs(1);
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
    let ended = tokio::task::spawn_blocking(move || child::run(&command, look)).await;
    drop(alive);
    let ended = ended.map_err(|_| {
        Problem::new("internal_error", "the command could not be waited for")
            .with_hint("this is a fault of the program; report it with what you called")
    })?;
    if let Some(why) = &ended.not_started {
        hint::say(&format!("learn: {why}"));
    }
    let fate = match session.key() {
        Ok(key) => {
            let record = Record::of(args, (&key, &names), &ended);
            learn(session, record, args.hint).await
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

/// Brings a call into the store, within a moment. It is written down first, so that it waits where the store does
/// not answer in time, or this process is ended.
async fn learn(session: &Session, record: Record, wants_hint: bool) -> Fate {
    let record = match redaction::read(&session.settings) {
        Ok(redactor) => record.without_secrets(&redactor),
        Err(problem) => return Fate::Lost(problem),
    };
    let spool = Spool::from_settings(&session.settings);
    let written = match &spool {
        Some(spool) => spool.put(&record.call, &record),
        None => Err(std::io::ErrorKind::NotFound.into()),
    };
    let aside = session.aside(BUSY);
    let runtime = Handle::current();
    let working = tokio::task::spawn_blocking(move || {
        runtime.block_on(async {
            intake::left_behind(&aside).await;
            let opened = aside.lessons_of(&record.tenant, &record.learner)?;
            let learned = intake::take(&opened, &record, wants_hint).await;
            aside.settle().await;
            learned
        })
    });
    let answer = match timeout(PATIENCE, working).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(EngineError::Stopped.into()),
        Err(_) => Err(Problem::new(
            "store_busy",
            "the store did not answer in time",
        )),
    };
    match (answer, written) {
        (Ok(learned), written) => {
            if let Ok(file) = written {
                spool::remove(&file);
            }
            Fate::Learned(Box::new(learned))
        }
        (Err(problem), Ok(_)) if intake::may_pass(session, &problem) => Fate::Waits,
        (Err(problem), Ok(file)) => {
            spool::remove(&file);
            Fate::Lost(problem)
        }
        (Err(problem), Err(_)) => Fate::Lost(problem),
    }
}
