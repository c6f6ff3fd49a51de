//! The maintenance part of the contract.

use async_trait::async_trait;
use rusqlite::{Row, Transaction, params};

use super::{check, costs, transfer};
use crate::error::{Failure, Result};
use crate::memory::{commit, state};
use crate::rows::Whole;
use crate::{EmbeddedStore, schema};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_store::{
    Cost, Finding, MaintenanceStore, MemoryCopy, MemorySummary, Position, Repairs, SchemaStatus,
    ShapeFault, StoreResult,
};

#[async_trait]
impl MaintenanceStore for EmbeddedStore {
    async fn tenants(&self) -> StoreResult<Vec<String>> {
        self.read("tenants", |tx| {
            let mut statement =
                tx.prepare("SELECT DISTINCT tenant FROM memories ORDER BY tenant")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    async fn memories(
        &self,
        tenant: &str,
        learner: Option<&str>,
    ) -> StoreResult<Vec<MemorySummary>> {
        let tenant = tenant.to_owned();
        let learner = learner.map(str::to_owned);
        self.read("memories", move |tx| list(tx, &tenant, learner.as_deref()))
            .await
    }

    async fn costs(&self, tenant: &str, learner: &str) -> StoreResult<Vec<Cost>> {
        let (tenant, learner) = (tenant.to_owned(), learner.to_owned());
        self.read("costs", move |tx| costs::costs(tx, &tenant, &learner))
            .await
    }

    async fn check(&self) -> StoreResult<Vec<Finding>> {
        self.read("check", check::check).await
    }

    /// Rows hold each thing once, so their form cannot contradict them.
    async fn shape(&self, _: &MemoryKey) -> StoreResult<Vec<ShapeFault>> {
        Ok(Vec::new())
    }

    /// Columns have types.
    async fn wrong_values(&self, _: &MemoryKey, _: BulletId) -> StoreResult<Vec<ShapeFault>> {
        Ok(Vec::new())
    }

    async fn repair(&self, key: &MemoryKey, repairs: &Repairs) -> StoreResult<()> {
        let (key, repairs) = (key.clone(), repairs.clone());
        self.write("repair", move |tx| {
            let Some((memory, _)) = state::place(tx, &key)? else {
                return Ok(());
            };
            commit::put_bullets(tx, memory, &repairs.bullets)?;
            commit::remove_links(tx, memory, &repairs.links.gone)?;
            commit::put_links(tx, memory, &repairs.links.put)
        })
        .await
    }

    /// Rows are deleted with their parents, so none outlives them.
    async fn lost(&self, _: &MemoryKey) -> StoreResult<Vec<String>> {
        Ok(Vec::new())
    }

    async fn restore(&self, _: &MemoryKey, _: Option<Policy>) -> StoreResult<()> {
        Ok(())
    }

    async fn schema(&self) -> StoreResult<SchemaStatus> {
        self.read("schema", schema::status).await
    }

    async fn migrate(&self) -> StoreResult<Vec<String>> {
        let store_error = |failure: Failure| failure.into_store_error("migrate", &self.path);
        let writer = self
            .writer
            .as_ref()
            .ok_or(Failure::ReadOnly)
            .map_err(store_error)?;
        writer.run(schema::apply_pending).await.map_err(store_error)
    }

    async fn copy_out(&self, key: &MemoryKey) -> StoreResult<Option<MemoryCopy>> {
        let key = key.clone();
        self.read("copy_out", move |tx| transfer::copy_out(tx, &key))
            .await
    }

    async fn copy_in(&self, copy: MemoryCopy, over: Option<Position>) -> StoreResult<()> {
        self.write("copy_in", move |tx| {
            transfer::copy_in(tx, &copy, over.as_ref())
        })
        .await
    }
}

fn list(tx: &Transaction<'_>, tenant: &str, learner: Option<&str>) -> Result<Vec<MemorySummary>> {
    // `bullets_changed` holds the status, so the counts read an index and no bullet.
    let mut statement = tx.prepare(
        "SELECT m.tenant, m.learner, m.scope, m.incarnation, m.clock, m.revision, m.origin_clock,
             m.policy, m.created_at,
             count(b.status) FILTER (WHERE b.status = 'active'),
             count(b.status) FILTER (WHERE b.status = 'archived'),
             count(b.status) FILTER (WHERE b.status = 'rejected')
         FROM memories m LEFT JOIN bullets b INDEXED BY bullets_changed ON b.memory = m.memory
         WHERE m.tenant = ?1 AND (?2 IS NULL OR m.learner = ?2)
         GROUP BY m.memory ORDER BY m.learner, m.scope",
    )?;
    let mut rows = statement.query(params![tenant, learner])?;
    let mut list = Vec::new();
    while let Some(row) = rows.next()? {
        list.push(summary(row)?);
    }
    Ok(list)
}

fn summary(row: &Row<'_>) -> Result<MemorySummary> {
    let number = |column| row.get::<_, Whole>(column).map(|whole| whole.0);
    let names: [String; 3] = [row.get(0)?, row.get(1)?, row.get(2)?];
    let key = MemoryKey::new(&names[0], &names[1], &names[2])
        .map_err(|error| Failure::Damaged(format!("a memory that cannot be: {error}")))?;
    Ok(MemorySummary {
        key,
        head: state::read_head(row, 3).map_err(|what| format!("its {what}")),
        active: number(9)?,
        archived: number(10)?,
        rejected: number(11)?,
    })
}
