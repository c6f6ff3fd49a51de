//! Verbs for operators: inspect a whole store, check it, and migrate it.
//!
//! They concern the store itself: they belong to no memory and change none.

use super::error::EngineResult;
use super::handle::Engine;
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::upgrade::is_older;
use crate::store::{Cost, Finding, SchemaStatus};

impl Engine {
    /// Lists the tenants of the store, ascending.
    pub async fn tenants(&self) -> EngineResult<Vec<String>> {
        Ok(self.store().tenants().await?)
    }

    /// Checks the store itself: integrity, schema, references.
    pub async fn check(&self) -> EngineResult<Vec<Finding>> {
        Ok(self.store().check().await?)
    }

    /// Counts the stored rows of a learner.
    pub async fn costs(&self, tenant: &str, learner: &str) -> EngineResult<Vec<Cost>> {
        Ok(self.store().costs(tenant, learner).await?)
    }

    /// Compares the store's schema with this engine's.
    pub async fn schema(&self) -> EngineResult<SchemaStatus> {
        Ok(self.store().schema().await?)
    }

    /// Applies the pending migrations and returns their names in order.
    pub async fn migrate_schema(&self) -> EngineResult<Vec<String>> {
        Ok(self.store().migrate().await?)
    }

    /// Lists the memories of all tenants that follow older rules of identity and merging.
    pub async fn memories_of_older_rules(&self) -> EngineResult<Vec<MemoryKey>> {
        let mut keys = Vec::new();
        for tenant in self.tenants().await? {
            let memories = self.memories(&tenant, None).await?;
            let older = memories.into_iter().filter(|memory| {
                let head = memory.head.as_ref();
                head.is_ok_and(|head| is_older(&head.policy))
            });
            keys.extend(older.map(|memory| memory.key));
        }
        Ok(keys)
    }
}
