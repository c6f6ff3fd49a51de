//! Takes calls into the store: the one that has just ended, and those that waited for the store.
//!
//! A call counts once however often it is taken in, so that several processes may do it at the same time.

use std::path::Path;
use std::time::{Duration, Instant};

use super::hint;
use super::ingest_result::Learned;
use super::owed::Owed;
use super::record::Record;
use crate::session::{OpenLessons, Session};
use crate::spool::{self, Spool, Waiting};
use hindlore::EngineError;
use hindlore::lessons::Trace;
use hindlore_api::problem::Problem;
use hindlore_api::responses::playbooks::PlaybookChangedResponse;

/// How long a call that waits is left to its own process.
const OWN: Duration = Duration::from_secs(3);
/// How long a command waits for the lock of a file before it leaves those that wait where they are.
const BUSY: Duration = Duration::from_millis(600);
/// The code of a problem: the run has ended.
pub(in crate::commands) const ENDED: &str = "run_ended";
/// The code of a problem: the call was taken in before, as one of another run.
pub(in crate::commands) const TAKEN: &str = "operation_reused";
/// Parts of a session that are tried for a call whose run has ended.
const PARTS_MAX: usize = 8;

/// Takes one call in; answers with advice if `wants_hint` is set and the command failed.
///
/// A call of a session whose run has ended meanwhile belongs to the next one: the agent may rest while a sub-agent works.
pub(in crate::commands) async fn take(
    opened: &OpenLessons,
    record: &Record,
    wants_hint: bool,
) -> Result<Learned, Problem> {
    let mut later: Option<Record> = None;
    for _ in 0..PARTS_MAX {
        let present = later.as_ref().unwrap_or(record);
        let next = match take_as_it_is(opened, present, wants_hint).await {
            Err(problem) if problem.code == ENDED => present.in_next_part().ok_or(problem)?,
            taken => return taken,
        };
        later = Some(next);
    }
    take_as_it_is(opened, later.as_ref().unwrap_or(record), wants_hint).await
}

async fn take_as_it_is(
    opened: &OpenLessons,
    record: &Record,
    wants_hint: bool,
) -> Result<Learned, Problem> {
    let (engine, owner) = (&opened.engine, &opened.owner);
    let trace = Trace {
        call: Some(record.call.clone()),
        steps: vec![record.step()],
        wants_hint,
        stays_open: (!record.is_alone).then(|| record.run.clone()),
        passed: record.is_alone.then(|| !record.failed()),
        ..Trace::default()
    };
    let learned = engine.learn_trace(owner, trace).await?;
    let captured = learned.captured.steps.into_iter().next();
    let mut captured = captured.ok_or(EngineError::Stopped)?;
    captured.redacted.add(&record.redacted);
    let playbook = match &record.playbook {
        Some(playbook) => curated(opened, record, playbook).await,
        None => None,
    };
    Ok(Learned {
        playbook,
        step: captured.into(),
        hint: learned.hint.map(Into::into),
        ended: learned.ended.into_iter().next().map(Into::into),
    })
}

/// The playbook after it was curated with the run. The call itself is in the store by then: a failure here is reported,
/// and loses nothing.
async fn curated(
    opened: &OpenLessons,
    record: &Record,
    playbook: &str,
) -> Option<PlaybookChangedResponse> {
    let into = (playbook, None);
    let changed = opened
        .engine
        .curate_from_trajectory(&opened.owner, &record.run, into);
    match changed.await {
        Ok(changed) => changed.map(Into::into),
        Err(error) => {
            let problem = Problem::from(error);
            hint::say(&format!(
                "learn: the playbook `{playbook}` stays as it is: {problem}"
            ));
            None
        }
    }
}

/// Which waiting calls are taken in.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::commands) struct Which<'f> {
    /// Those that waited at least that long; younger ones are left to their own process.
    pub(in crate::commands) age: Duration,
    /// Only those that began to wait before this one.
    pub(in crate::commands) before: Option<&'f Path>,
    /// No further one after this moment.
    pub(in crate::commands) until: Option<Instant>,
}

/// The results of the waiting calls.
#[derive(Debug, Default)]
pub(in crate::commands) struct Taken {
    /// True if none of them waits any more.
    pub(in crate::commands) is_all: bool,
    /// The lost calls, with reasons.
    pub(in crate::commands) lost: Vec<String>,
    /// Why the others keep waiting, if the store gave a reason.
    pub(in crate::commands) refused: Option<Problem>,
}

/// Takes in waiting calls, before a command looks at runs, errors or lessons; calls that cannot be taken in now keep
/// waiting, and hopeless ones are named on stderr.
pub(in crate::commands) async fn before(session: &Session) {
    say_lost(waiting(&session.aside(BUSY), Which::default()).await);
}

/// Takes in calls that their own process has left.
pub(super) async fn left_behind(session: &Session) {
    let which = Which {
        age: OWN,
        ..Which::default()
    };
    say_lost(waiting(session, which).await);
}

fn say_lost(taken: Taken) {
    for lost in taken.lost {
        hint::say(&format!("learn: {lost}"));
    }
}

/// Takes in waiting calls, oldest first: a run learns from the order of its calls.
pub(in crate::commands) async fn waiting(session: &Session, which: Which<'_>) -> Taken {
    let mut taken = Taken {
        is_all: true,
        ..Taken::default()
    };
    let Some(spool) = Spool::from_settings(&session.settings) else {
        return taken;
    };
    let (waiting, broken) = spool.waiting::<Owed>(which.age);
    for file in broken {
        let lost = format!("{} was no whole record and is lost", file.display());
        taken.lost.push(lost);
    }
    let is_meant = |one: &Waiting<Owed>| which.before.is_none_or(|own| one.file.as_path() < own);
    let mut waiting = waiting.into_iter().filter(is_meant).peekable();
    while let Some(one) = waiting.next() {
        let (tenant, learner) = one.said.owner();
        let opened = match session.lessons_of(tenant, learner) {
            Ok(opened) => opened,
            Err(problem) => {
                (taken.is_all, taken.refused) = (false, Some(problem));
                break;
            }
        };
        let ended = match &one.said {
            Owed::Call(record) => take(&opened, record, false).await.map(drop),
            Owed::End(end) => end.take(&opened).await.map(drop),
        };
        match ended {
            Ok(()) => spool::remove(&one.file),
            Err(problem) if problem.code == TAKEN => spool::remove(&one.file),
            // A call that waits for the store is still good.
            Err(problem) if is_of_store(&problem) => {
                (taken.is_all, taken.refused) = (false, Some(problem));
                break;
            }
            Err(problem) => {
                spool::remove(&one.file);
                let run = one.said.run();
                let lost = format!("a call of the run `{run}` is lost: {problem}");
                taken.lost.push(lost);
            }
        }
        // After each call, so that every process takes in one at least.
        if which.until.is_some_and(|until| Instant::now() >= until) {
            taken.is_all = waiting.peek().is_none();
            break;
        }
    }
    session.settle().await;
    taken
}

/// True for a fault of the store rather than of the call.
pub(in crate::commands) fn is_of_store(problem: &Problem) -> bool {
    let is_of_request = matches!(problem.code, "store_invalid" | "store_unexpected");
    (problem.code.starts_with("store_") && !is_of_request)
        || matches!(problem.code, "contended" | "stopped")
}

/// True for a fault that may be gone at the next call.
pub(in crate::commands) fn may_pass(session: &Session, problem: &Problem) -> bool {
    match problem.code {
        "store_busy" | "store_half_copied" | "store_unknown_outcome" | "contended" | "stopped" => {
            true
        }
        // A server comes back; a file that cannot be opened is another matter.
        "store_unavailable" => session.names_a_server().unwrap_or(false),
        _ => false,
    }
}
