//! Verbs for operators: inspect a whole store, check it, and migrate it.
//!
//! They concern the store itself: they belong to no memory and change none.

use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_store::{Cost, Finding, SchemaStatus};

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
}
