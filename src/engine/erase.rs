//! Verb: destroy what a learner's memories hold. The only verb that destroys.

use std::sync::PoisonError;

use super::Engine;
use super::error::EngineResult;
use crate::domain::memory::key::MemoryKey;
use crate::store::Erased;

impl Engine {
    /// Erases all memories of a learner, or one scope of them, with their history.
    pub async fn erase(
        &self,
        tenant: &str,
        learner: &str,
        scope: Option<&str>,
    ) -> EngineResult<Erased> {
        let erased = self.store().erase(tenant, learner, scope).await?;
        let is_erased = |key: &MemoryKey| {
            key.tenant() == tenant
                && key.learner() == learner
                && scope.is_none_or(|scope| key.scope() == scope)
        };
        let closed: Vec<_> = {
            let mut lanes = self
                .shared
                .lanes
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let closed = lanes.open.extract_if(|key, _| is_erased(key));
            closed.map(|(_, (_, lane))| lane).collect()
        };
        for lane in closed {
            lane.queue.drop_owed();
            // Whoever decides something at the moment may take long, and all would wait at the lock.
            let _turn = lane.turn.lock().await;
            lane.forget();
        }
        Ok(erased)
    }
}
