//! The erasing part of the contract: one transaction with its receipt, then a wipe of the file.

use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::{Transaction, params};

use super::{transfer, wipe};
use crate::error::{Failure, Result};
use crate::rows::Whole;
use crate::{EmbeddedStore, lessons, records};
use hindlore_store::{
    CascadeOrder, DecideCascade, EraseOrder, EraseReceipt, EraseStore, Erased, Erasure, Mention,
    NotWiped, RECEIPTS_MAX, StoreResult,
};

#[async_trait]
impl EraseStore for EmbeddedStore {
    async fn held(&self, tenant: &str, learner: &str, scope: Option<&str>) -> StoreResult<Erased> {
        let (tenant, learner) = (tenant.to_owned(), learner.to_owned());
        let scope = scope.map(str::to_owned);
        self.read("held", move |tx| {
            held(tx, &tenant, &learner, scope.as_deref())
        })
        .await
    }

    async fn erase(&self, order: EraseOrder) -> StoreResult<Erasure> {
        let done = self.write("erase", move |tx| {
            let scope = order.scope.as_deref();
            let mut erased = destroy(tx, &order.tenant, &order.learner, scope)?;
            erased.records += order.elsewhere;
            receipted(tx, erased, || order.receipt(erased))
        });
        let erasure = done.await?;
        self.wiped(erasure).await
    }

    async fn strike(&self, order: CascadeOrder, mut decide: DecideCascade) -> StoreResult<Erasure> {
        let done = self.write("strike", move |tx| {
            let erased = lessons::strike(tx, &order.owner, &mut decide)?;
            receipted(tx, erased, || order.receipt(erased))
        });
        let erasure = done.await?;
        self.wiped(erasure).await
    }

    async fn mentions(&self, tenant: &str, learner: &str) -> StoreResult<Vec<Mention>> {
        let (tenant, learner) = (tenant.to_owned(), learner.to_owned());
        self.read("mentions", move |tx| mentions(tx, &tenant, &learner))
            .await
    }

    async fn wipe(&self) -> StoreResult<Option<NotWiped>> {
        let store_error = |failure: Failure| failure.into_store_error("wipe", &self.path);
        let writer = self
            .writer
            .as_ref()
            .ok_or(Failure::ReadOnly)
            .map_err(store_error)?;
        let presence = Arc::clone(&self.presence);
        let wiped = writer.run(move |connection| {
            presence.must_be_there()?;
            wipe::wipe(connection)
        });
        wiped.await.map_err(store_error)
    }

    async fn beyond_reach(&self) -> StoreResult<Vec<String>> {
        Ok(Vec::new())
    }

    async fn receipts(
        &self,
        tenant: &str,
        learner: Option<&str>,
    ) -> StoreResult<Vec<EraseReceipt>> {
        let tenant_hash = EraseReceipt::hash_of_tenant(tenant);
        let learner_hash = learner.map(|name| EraseReceipt::hash_of_learner(tenant, name));
        self.read("receipts", move |tx| {
            wipe::receipts(tx, &tenant_hash, learner_hash.as_deref(), RECEIPTS_MAX)
        })
        .await
    }
}

impl EmbeddedStore {
    /// Wipes the file after an erase. The erase is committed by then, so a failed wipe is reported, not returned as an
    /// error.
    async fn wiped(&self, mut erasure: Erasure) -> StoreResult<Erasure> {
        let Some(writer) = self.writer.as_ref() else {
            return Ok(erasure);
        };
        let is_owed = erasure.receipt.is_some();
        let presence = Arc::clone(&self.presence);
        let wiped = writer.run(move |connection| {
            presence.must_be_there()?;
            // A wipe that failed earlier is made up for, even if nothing was erased now.
            if is_owed || wipe::is_owed(connection)? {
                wipe::wipe(connection)
            } else {
                Ok(None)
            }
        });
        erasure.not_wiped = wiped.await.unwrap_or_else(|failure| {
            let error = failure.into_store_error("wipe", &self.path);
            Some(NotWiped {
                reason: format!("the file may still hold what was erased ({error})"),
                advice: "wipe it (`erase --wipe`)".to_owned(),
            })
        });
        if let Some(receipt) = &mut erasure.receipt {
            receipt.is_wiped = erasure.not_wiped.is_none();
        }
        Ok(erasure)
    }
}

/// Writes the receipt, unless nothing was erased.
fn receipted(
    tx: &Transaction<'_>,
    erased: Erased,
    receipt: impl FnOnce() -> EraseReceipt,
) -> Result<Erasure> {
    let receipt = (!erased.is_nothing()).then(receipt);
    if let Some(receipt) = &receipt {
        // In the same transaction, so that a crash cannot forget that the file needs a wipe.
        wipe::owe(tx, receipt)?;
    }
    Ok(Erasure {
        erased,
        receipt,
        ..Erasure::default()
    })
}

/// Deletes one memory, or all memories, lessons and records of a learner.
fn destroy(
    tx: &Transaction<'_>,
    tenant: &str,
    learner: &str,
    scope: Option<&str>,
) -> Result<Erased> {
    let memories: Vec<i64> = tx
        .prepare(
            "SELECT memory FROM memories
             WHERE tenant = ?1 AND learner = ?2 AND (?3 IS NULL OR scope = ?3)",
        )?
        .query_map(params![tenant, learner, scope], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let mut erased = Erased::default();
    for memory in memories {
        erased = erased.plus(&transfer::delete(tx, memory)?);
    }
    if scope.is_none() {
        lessons::erase(tx, tenant, learner, &mut erased)?;
        records::erase(tx, tenant, learner, &mut erased)?;
    }
    Ok(erased)
}

fn held(tx: &Transaction<'_>, tenant: &str, learner: &str, scope: Option<&str>) -> Result<Erased> {
    let sql = "WITH own AS (SELECT memory FROM memories
                 WHERE tenant = ?1 AND learner = ?2 AND (?3 IS NULL OR scope = ?3)),
             learned AS (SELECT learner FROM learners
                 WHERE tenant = ?1 AND name = ?2 AND ?3 IS NULL)
         SELECT (SELECT count(*) FROM own),
             (SELECT count(*) FROM bullets WHERE memory IN own),
             (SELECT count(*) FROM deltas WHERE memory IN own),
             (SELECT count(*) FROM retrievals WHERE memory IN own),
             (SELECT count(*) FROM lessons WHERE learner IN learned),
             (SELECT count(*) FROM runs WHERE learner IN learned),
             (SELECT count(*) FROM errors WHERE learner IN learned),
             0,
             (SELECT count(*) FROM records WHERE owner IN (SELECT owner FROM record_owners
                 WHERE tenant = ?1 AND learner = ?2 AND ?3 IS NULL))";
    let counts = tx.query_row(sql, params![tenant, learner, scope], |row| {
        let number = |at| row.get::<_, Whole>(at).map(|whole| whole.0);
        (0..9).map(number).collect::<rusqlite::Result<Vec<u64>>>()
    })?;
    Ok(Erased::from_counts(&counts))
}

fn mentions(tx: &Transaction<'_>, tenant: &str, learner: &str) -> Result<Vec<Mention>> {
    let sql = "WITH others AS (SELECT memory FROM memories WHERE tenant = ?1 AND learner <> ?2)
         SELECT (SELECT count(*) FROM erasures WHERE learner_hash = ?3),
             (SELECT count(*) FROM bullets WHERE memory IN others AND instr(content, ?2) > 0),
             (SELECT count(*) FROM deltas WHERE memory IN others
                 AND instr(coalesce(author, '') || coalesce(reasoning, '') || body, ?2) > 0),
             (SELECT count(*) FROM records WHERE instr(fields, ?2) > 0 AND owner IN
                 (SELECT owner FROM record_owners WHERE tenant = ?1 AND learner <> ?2))";
    let hash = EraseReceipt::hash_of_learner(tenant, learner);
    let counts = tx.query_row(sql, params![tenant, learner, hash], |row| {
        let number = |at| row.get::<_, Whole>(at).map(|whole| whole.0);
        Ok([number(0)?, number(1)?, number(2)?, number(3)?])
    })?;
    Ok(Mention::of_counts(counts))
}
