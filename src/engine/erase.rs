//! Verb: destroy what a learner's memories hold. The only verb that destroys.

use super::Engine;
use super::error::EngineResult;
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
        let mut lanes = self
            .shared
            .lanes
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        lanes.open.retain(|key, (_, lane)| {
            let hit = key.tenant() == tenant
                && key.learner() == learner
                && scope.is_none_or(|scope| key.scope() == scope);
            if hit {
                lane.queue.drop_owed();
                lane.forget();
            }
            !hit
        });
        Ok(erased)
    }
}
