//! Brings a call into the store within a moment. It is written to a file first, so that it waits where the store does
//! not answer in time, or this process is ended.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::timeout;

use super::ingest;
use super::ingest_result::Fate;
use super::record::Record;
use crate::redaction;
use crate::session::Session;
use crate::spool::{self, Spool};
use hindlore::EngineError;
use hindlore_api::problem::Problem;

/// Maximum wait for the store.
#[derive(Clone, Copy, Debug)]
pub(in crate::commands) struct Patience {
    /// In all.
    pub(in crate::commands) whole: Duration,
    /// For the lock of a file.
    pub(in crate::commands) lock: Duration,
}

/// Brings a call into the store; with `wants_hint` a failed one is answered with advice.
pub(in crate::commands) async fn into_store(
    session: &Session,
    record: Record,
    wants_hint: bool,
    patience: Patience,
) -> Fate {
    let record = match redaction::read(&session.settings) {
        Ok(redactor) => record.without_secrets(&redactor),
        Err(problem) => return Fate::Lost(problem),
    };
    let spool = Spool::from_settings(&session.settings);
    let written = match &spool {
        Some(spool) => spool.put(&record.call, &record),
        None => Err(std::io::ErrorKind::NotFound.into()),
    };
    let aside = session.aside(patience.lock);
    let runtime = Handle::current();
    let working = tokio::task::spawn_blocking(move || {
        runtime.block_on(async {
            ingest::left_behind(&aside).await;
            let opened = aside.lessons_of(&record.tenant, &record.learner)?;
            let learned = ingest::take(&opened, &record, wants_hint).await;
            aside.settle().await;
            learned
        })
    });
    let answer = match timeout(patience.whole, working).await {
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
        (Err(problem), Ok(_)) if ingest::may_pass(session, &problem) => Fate::Waits,
        (Err(problem), Ok(file)) => {
            spool::remove(&file);
            Fate::Lost(problem)
        }
        (Err(problem), Err(_)) => Fate::Lost(problem),
    }
}
