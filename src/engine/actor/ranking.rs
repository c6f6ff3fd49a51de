//! Ranks a query on the snapshot of a memory in the caller's own task, so that concurrent callers do not wait
//! for each other.

use std::time::Duration;

use super::loading::hypothetical;
use super::memory_answer::MemoryAnswer;
use super::open_memory::OpenMemory;
use super::snapshot::Snapshot;
use crate::error::EngineResult;
use hindlore_domain::memory::query::Query;
use hindlore_primitives::timestamp::Timestamp;

impl OpenMemory {
    /// Ranks on the newest state on disk, or on a new memory if there is none.
    pub(crate) async fn rank_latest(&self, query: &Query) -> EngineResult<MemoryAnswer> {
        let now = self.context.now();
        let answer = self
            .read_latest(|snapshot| rank(snapshot, query, now))
            .await?;
        Ok(answer.unwrap_or_else(|| {
            let memory = hypothetical(&self.context, &self.key, now).memory;
            MemoryAnswer::rank(&memory, None, query, now)
        }))
    }

    /// Ranks on the snapshot if the store confirmed it within `window`, else on the newest state.
    pub(crate) async fn rank_recent(
        &self,
        query: &Query,
        window: Duration,
    ) -> EngineResult<MemoryAnswer> {
        let now = self.context.now();
        match self.try_read_recent(window, |snapshot| rank(snapshot, query, now)) {
            Some(answer) => Ok(answer),
            None => self.rank_latest(query).await,
        }
    }

    /// Ranks on the snapshot, if one is available. Recording it later shows whether the answer still holds.
    pub(crate) fn rank_speculatively(&self, query: &Query) -> Option<MemoryAnswer> {
        let now = self.context.now();
        self.try_read_settled(|snapshot| rank(snapshot, query, now))
    }
}

fn rank(snapshot: &Snapshot, query: &Query, now: Timestamp) -> MemoryAnswer {
    MemoryAnswer::rank(&snapshot.memory, Some(&snapshot.incarnation), query, now)
}
