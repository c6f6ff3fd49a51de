//! The maintenance part of the contract.

use async_trait::async_trait;
use neo4rs::Row;

use super::transfer::{CopyIn, CopyOut};
use super::{check, costs, missing_nodes, shape, wrong_types};
use crate::bolt::values::{Map, owner_key};
use crate::bolt::work::send;
use crate::error::Result;
use crate::memory::state;
use crate::schema;
use crate::statements::{MEMORIES, MEMORIES_OF, TENANTS};
use crate::store::Neo4jStore;
use hindlore_domain::memory::bullet::{BulletId, Status};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_store::{
    Cost, ErrorKind, Finding, MaintenanceStore, MemoryCopy, MemorySummary, Position, SchemaStatus,
    StoreError, StoreResult,
};
use hindlore_store::{Repairs, ShapeFault};

#[async_trait]
impl MaintenanceStore for Neo4jStore {
    async fn tenants(&self) -> StoreResult<Vec<String>> {
        let rows = send(&self.executor, TENANTS, Map::new().with("least", "")).await;
        let names = rows.and_then(|rows| {
            let names = rows.iter().map(|row| Ok(row.get::<String>("tenant")?));
            names.collect::<Result<Vec<_>>>()
        });
        let mut names = names.map_err(|failure| self.store_error("tenants", failure))?;
        names.sort_unstable();
        Ok(names)
    }

    async fn memories(
        &self,
        tenant: &str,
        learner: Option<&str>,
    ) -> StoreResult<Vec<MemorySummary>> {
        let words = Map::new()
            .with("active", Status::Active.word())
            .with("archived", Status::Archived.word())
            .with("rejected", Status::Rejected.word());
        let rows = match learner {
            Some(learner) => {
                let of = words.with("owner", owner_key(tenant, learner));
                send(&self.executor, MEMORIES_OF, of).await
            }
            None => send(&self.executor, MEMORIES, words.with("tenant", tenant)).await,
        };
        let list = rows.and_then(|rows| rows.iter().map(summary).collect::<Result<Vec<_>>>());
        let mut list = list.map_err(|failure| self.store_error("memories", failure))?;
        list.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(list)
    }

    async fn costs(&self, tenant: &str, learner: &str) -> StoreResult<Vec<Cost>> {
        costs::costs(self, tenant, learner).await
    }

    async fn lost(&self, key: &MemoryKey) -> StoreResult<Vec<String>> {
        missing_nodes::lost(self, key).await
    }

    async fn restore(&self, key: &MemoryKey, policy: Option<Policy>) -> StoreResult<()> {
        missing_nodes::restore(self, key, policy).await
    }

    async fn check(&self) -> StoreResult<Vec<Finding>> {
        check::check(self).await
    }

    async fn shape(&self, key: &MemoryKey) -> StoreResult<Vec<ShapeFault>> {
        shape::faults(self, key).await
    }

    async fn wrong_values(
        &self,
        key: &MemoryKey,
        bullet: BulletId,
    ) -> StoreResult<Vec<ShapeFault>> {
        wrong_types::faults(self, key, Some(bullet)).await
    }

    async fn repair(&self, key: &MemoryKey, repairs: &Repairs) -> StoreResult<()> {
        shape::repair(self, key, repairs).await
    }

    async fn schema(&self) -> StoreResult<SchemaStatus> {
        let status = schema::status(&self.executor, self.migrations()).await;
        status.map_err(|failure| self.store_error("schema", failure))
    }

    async fn migrate(&self) -> StoreResult<Vec<String>> {
        let mut applied = Box::pin(self.apply_migrations()).await?;
        let mended = schema::mend(&self.executor, self.migrations()).await;
        applied.extend(mended.map_err(|failure| self.store_error("migrate", failure))?);
        Ok(applied)
    }

    async fn copy_out(&self, key: &MemoryKey) -> StoreResult<Option<MemoryCopy>> {
        let task = |access| CopyOut {
            key: key.clone(),
            access,
        };
        let copy = self.look_with("copy_out", task).await?;
        // A copy would take the empty value in the place of an unreadable one for the written one.
        let wrong = wrong_types::faults(self, key, None).await?;
        let is_unreadable = |one: &ShapeFault| one.value.is_some_and(|value| !value.is_converted);
        if let Some(fault) = wrong.into_iter().find(is_unreadable) {
            return Err(StoreError::new(
                ErrorKind::Damaged,
                "copy_out",
                fault.message,
            ));
        }
        Ok(copy)
    }

    async fn copy_in(&self, copy: MemoryCopy, over: Option<Position>) -> StoreResult<()> {
        self.write("copy_in", CopyIn { copy, over }).await
    }
}

/// Reads a row of the listing. A memory with an unreadable property is listed with the reason; it does not hide others.
fn summary(row: &Row) -> Result<MemorySummary> {
    let (key, head) = state::listed(row)?;
    Ok(MemorySummary {
        key,
        head,
        active: row.get("active")?,
        archived: row.get("archived")?,
        rejected: row.get("rejected")?,
    })
}
