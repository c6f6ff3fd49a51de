//! The erasing part of the contract, and its receipts.
//!
//! A server keeps its transaction logs for a while and does not overwrite freed records. No statement reaches either, so
//! the answer names both.

use async_trait::async_trait;

use super::erase::{Erase, ErasePiece};
use super::purge::{self, Whose};
use super::receipts::receipt;
use crate::bolt::values::{Map, count};
use crate::bolt::work::send;
use crate::error::{Failure, Result};
use crate::lessons::{Keys, Strike, behind};
use crate::statements::{ERASURES, ERASURES_OF, HELD, MENTIONS, SETTINGS};
use crate::store::Neo4jStore;
use hindlore_primitives::identity::KeyError;
use hindlore_store::{
    CascadeOrder, DecideCascade, EraseOrder, EraseReceipt, EraseStore, Erased, Erasure, ErrorKind,
    Mention, NotWiped, RECEIPTS_MAX, StoreError, StoreResult,
};

/// The settings for the retention and the size of transaction logs.
const RETENTION: &str = "db.tx_log.rotation.retention_policy";
const ROTATION: &str = "db.tx_log.rotation.size";

#[async_trait]
impl EraseStore for Neo4jStore {
    async fn held(&self, tenant: &str, learner: &str, scope: Option<&str>) -> StoreResult<Erased> {
        let whose = Whose::new(tenant, learner, scope).map_err(|error| invalid("held", &error))?;
        let rows = send(&self.executor, HELD, whose.named(&[])).await;
        let counted = rows.and_then(|rows| {
            let mut held = Erased::default();
            purge::count(&rows, &mut held)?;
            Ok(held)
        });
        counted.map_err(|failure| self.store_error("held", failure))
    }

    async fn erase(&self, order: EraseOrder) -> StoreResult<Erasure> {
        let whose = Whose::new(&order.tenant, &order.learner, order.scope.as_deref());
        let whose = whose.map_err(|error| invalid("erase", &error))?;
        let piece = ErasePiece {
            owner: whose.owner.clone(),
            memory: whose.memory.clone(),
        };
        while self.write("erase", piece.clone()).await? {}
        let task = Erase { whose, order };
        // Many strays take several transactions, and the last one knows that none is left.
        loop {
            let (receipt, is_all) = self.write("erase", task.clone()).await?;
            if is_all {
                return Ok(self.erasure(receipt).await);
            }
        }
    }

    async fn strike(&self, order: CascadeOrder, decide: DecideCascade) -> StoreResult<Erasure> {
        let task = Strike {
            keys: Keys::new(&order.owner),
            order,
            decide: Some(decide),
        };
        let receipt = self.write("strike", task).await?;
        Ok(self.erasure(receipt).await)
    }

    async fn mentions(&self, tenant: &str, learner: &str) -> StoreResult<Vec<Mention>> {
        let hash = EraseReceipt::hash_of_learner(tenant, learner);
        let asked = Map::new()
            .with("tenant", tenant)
            .with("learner", learner)
            .with("hash", hash);
        let rows = send(&self.executor, MENTIONS, asked).await;
        let counted = rows.and_then(|rows| {
            let row = rows
                .first()
                .ok_or_else(|| Failure::Damaged("no counts of an erased name".to_owned()))?;
            let count = |column| Ok::<u64, Failure>(row.get(column)?);
            Ok(Mention::of_counts([
                count("receipts")?,
                count("bullets")?,
                count("deltas")?,
                count("records")?,
            ]))
        });
        counted.map_err(|failure| self.store_error("mentions", failure))
    }

    /// Nothing can be wiped through statements.
    async fn wipe(&self) -> StoreResult<Option<NotWiped>> {
        Ok(None)
    }

    async fn beyond_reach(&self) -> StoreResult<Vec<String>> {
        Ok(vec![self.what_the_server_keeps().await])
    }

    async fn receipts(
        &self,
        tenant: &str,
        learner: Option<&str>,
    ) -> StoreResult<Vec<EraseReceipt>> {
        let (statement, start) = match learner {
            Some(learner) => (ERASURES_OF, EraseReceipt::hash_of_learner(tenant, learner)),
            None => (ERASURES, EraseReceipt::hash_of_tenant(tenant)),
        };
        let of = Map::new()
            .with("start", start.as_str())
            .with("behind", behind(&start))
            .with("limit", count(RECEIPTS_MAX));
        let rows = send(&self.executor, statement, of).await;
        let receipts = rows.and_then(|rows| {
            let receipts = rows.iter().map(receipt);
            receipts.collect::<Result<Vec<_>>>()
        });
        receipts.map_err(|failure| self.store_error("receipts", failure))
    }
}

impl Neo4jStore {
    /// The answer to an erase.
    async fn erasure(&self, receipt: Option<EraseReceipt>) -> Erasure {
        let notes = match &receipt {
            Some(_) => vec![self.what_the_server_keeps().await],
            None => Vec::new(),
        };
        Erasure {
            erased: receipt
                .as_ref()
                .map_or_else(Erased::default, |receipt| receipt.erased),
            receipt,
            notes,
            ..Erasure::default()
        }
    }

    async fn what_the_server_keeps(&self) -> String {
        let names = [RETENTION, ROTATION].map(str::to_owned);
        let rows = send(&self.executor, SETTINGS, Map::new().texts("names", names)).await;
        // Without the right to read settings the answer is only less exact.
        let rows = rows.unwrap_or_default();
        let set = |name: &str| {
            let named = |row: &&neo4rs::Row| row.get::<String>("name").is_ok_and(|own| own == name);
            let row = rows.iter().find(named)?;
            row.get::<String>("value").ok()
        };
        let logs = match (set(RETENTION), set(ROTATION)) {
            (Some(kept), Some(size)) => {
                format!(
                    "for {kept} ({RETENTION}), and the newest until it is {size} large ({ROTATION})"
                )
            }
            _ => format!("for as long as {RETENTION} says, which this user may not read"),
        };
        format!(
            "no query finds it any more, but the server keeps its transaction logs {logs}, does not overwrite \
             the records that it has freed until it needs the room, and touches no backup"
        )
    }
}

fn invalid(operation: &'static str, error: &KeyError) -> StoreError {
    StoreError::new(ErrorKind::Invalid, operation, error.to_string())
}
