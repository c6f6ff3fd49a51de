//! Decides a commit of records under the lock of their owner, and brings the decision's answer out.

use std::sync::{Arc, Mutex, PoisonError};

use super::error::{EngineError, EngineResult};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_store::Store;
use hindlore_store::records::{DecideRecords, RecordCommit, RecordReads, RecordsRead};

/// Decides a commit under the lock of an owner, and returns the result of the last decision.
pub(super) async fn decide_records<T: Send + 'static>(
    store: &Arc<dyn Store>,
    owner: &LearnerId,
    reads: RecordReads,
    decide: impl Fn(RecordsRead) -> EngineResult<(T, RecordCommit)> + Send + 'static,
) -> EngineResult<T> {
    let said: Arc<Mutex<Option<EngineResult<T>>>> = Arc::default();
    let say = said.clone();
    let decide: DecideRecords = Box::new(move |read| {
        let (answer, commit) = match decide(read) {
            Ok((answer, commit)) => (Ok(answer), commit),
            // A refused decision commits nothing, and the transaction of the store ends normally.
            Err(error) => (Err(error), RecordCommit::default()),
        };
        *say.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        commit
    });
    store.transact_records(owner, reads, decide).await?;
    let answer = said.lock().unwrap_or_else(PoisonError::into_inner).take();
    answer.unwrap_or(Err(EngineError::Stopped))
}
