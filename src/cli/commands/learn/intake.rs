//! Takes calls into the store: the one that has just ended, and those that waited for the store.
//!
//! A call counts once however often it is taken in, so that several processes may do it at the same time.

use std::time::Duration;

use super::fate::Learned;
use super::hint;
use super::record::Record;
use crate::api::problem::Problem;
use crate::api::responses::playbooks::PlaybookChangedResponse;
use crate::cli::session::{OpenLessons, Session};
use crate::cli::spool::{self, Spool};
use crate::engine::EngineError;
use crate::engine::lessons::Trace;

/// How long a call that waits is left to its own process.
const OWN: Duration = Duration::from_secs(3);
/// How long a command waits for the lock of a file before it leaves those that wait where they are.
const BUSY: Duration = Duration::from_millis(600);

/// Takes one call in; answers with what helps where `wants_hint` and the command failed.
pub(super) async fn take(
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
        weights: engine.options().lessons.numbers.retrieval.clone(),
    })
}

/// The playbook after what the run shows was taken into it. The call itself is in the store by then: what goes wrong
/// here is told, and loses nothing.
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

/// Takes in what waits, before a command looks at runs, errors or lessons; what cannot be taken in now goes on
/// waiting, what never can is named on stderr.
pub(in crate::cli::commands) async fn before(session: &Session) {
    take_waiting(&session.aside(BUSY), Duration::ZERO).await;
}

/// The same for whoever has little time, and an engine's settings of its own.
pub(in crate::cli::commands) async fn all_waiting(session: &Session) {
    take_waiting(session, Duration::ZERO).await;
}

/// The same for calls that their own process has left.
pub(super) async fn left_behind(session: &Session) {
    take_waiting(session, OWN).await;
}

async fn take_waiting(session: &Session, age: Duration) {
    let Some(spool) = Spool::from_settings(&session.settings) else {
        return;
    };
    let (waiting, broken) = spool.waiting::<Record>(age);
    for file in broken {
        hint::say(&format!(
            "learn: {} was no whole record and is lost",
            file.display()
        ));
    }
    for one in waiting {
        let record = &one.said;
        let opened = session.lessons_of(&record.tenant, &record.learner);
        let taken = match &opened {
            Ok(opened) => take(opened, record, false).await.map(drop),
            Err(_) => return,
        };
        match taken {
            Ok(()) => spool::remove(&one.file),
            Err(problem) if may_pass(session, &problem) => break,
            Err(problem) => {
                spool::remove(&one.file);
                hint::say(&format!(
                    "learn: a call of the run `{}` is lost: {problem}",
                    record.run
                ));
            }
        }
    }
    session.settle().await;
}

/// True for what may be otherwise at the next call.
pub(super) fn may_pass(session: &Session, problem: &Problem) -> bool {
    match problem.code {
        "store_busy" | "store_half_copied" | "store_unknown_outcome" | "contended" | "stopped" => {
            true
        }
        // A server comes back; a file that cannot be opened is another matter.
        "store_unavailable" => session.names_a_server().unwrap_or(false),
        _ => false,
    }
}
