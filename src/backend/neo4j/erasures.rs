//! The erasing part of the contract, and the receipts.
//!
//! A server keeps what it has written in its transaction logs for a while, and does not overwrite the records that
//! it frees. No statement reaches either, so the answer says what there is.

use async_trait::async_trait;
use serde::Deserialize;

use super::Neo4jStore;
use super::erase::{Erase, ErasePiece};
use super::error::{Failure, Work};
use super::executor::Unit;
use super::lessons::{Keys, Strike, behind};
use super::statements::{ERASURE, ERASURES, ERASURES_OF, HELD, RECORD_ERASURE, SETTINGS};
use super::sweep::{self, Whose};
use super::values::{Map, bound, count, list_of};
use super::work::send;
use mnemograph_domain::identity::KeyError;
use mnemograph_domain::timestamp::Timestamp;
use mnemograph_store::order_key::falling;
use mnemograph_store::{
    DecideStrike, EraseOrder, EraseReceipt, EraseStore, Erased, Erasure, ErrorKind, Extent,
    NotWiped, RECEIPTS_MAX, StoreError, StoreResult, StrikeOrder,
};

/// How long the server keeps its transaction logs, and when it begins another.
const RETENTION: &str = "db.tx_log.rotation.retention_policy";
const ROTATION: &str = "db.tx_log.rotation.size";

#[async_trait]
impl EraseStore for Neo4jStore {
    async fn held(&self, tenant: &str, learner: &str, scope: Option<&str>) -> StoreResult<Erased> {
        let whose = Whose::of(tenant, learner, scope).map_err(|error| invalid("held", &error))?;
        let rows = send(&self.executor, HELD, whose.named(&[])).await;
        let counted = rows.and_then(|rows| {
            let mut held = Erased::default();
            sweep::count(&rows, &mut held)?;
            Ok(held)
        });
        counted.map_err(|failure| self.told("held", failure))
    }

    async fn erase(&self, order: EraseOrder) -> StoreResult<Erasure> {
        let whose = Whose::of(&order.tenant, &order.learner, order.scope.as_deref());
        let whose = whose.map_err(|error| invalid("erase", &error))?;
        let piece = ErasePiece {
            owner: whose.owner.clone(),
            memory: whose.memory.clone(),
        };
        while self.write("erase", piece.clone()).await? {}
        let task = Erase { whose, order };
        loop {
            let (receipt, is_all) = self.write("erase", task.clone()).await?;
            if is_all {
                return Ok(self.erasure(receipt).await);
            }
        }
    }

    async fn strike(&self, order: StrikeOrder, decide: DecideStrike) -> StoreResult<Erasure> {
        let task = Strike {
            keys: Keys::of(&order.owner),
            order,
            decide: Some(decide),
        };
        let receipt = self.write("strike", task).await?;
        Ok(self.erasure(receipt).await)
    }

    /// There is nothing that could be wiped from here.
    async fn wipe(&self) -> StoreResult<Option<NotWiped>> {
        Ok(None)
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
            let receipts = rows.iter().map(|row| {
                let properties: ReceiptProperties = row.get("receipt")?;
                properties.receipt()
            });
            receipts.collect::<Work<Vec<_>>>()
        });
        receipts.map_err(|failure| self.told("receipts", failure))
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
            not_wiped: None,
            notes,
        }
    }

    async fn what_the_server_keeps(&self) -> String {
        let names = [RETENTION, ROTATION].map(str::to_owned);
        let rows = send(&self.executor, SETTINGS, Map::new().texts("names", names)).await;
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

/// Writes a receipt down, or adds to what is there of it; gives it with its counts. Absent when nothing was destroyed,
/// neither now nor under this id before.
pub(super) async fn record(
    unit: &mut Unit,
    mut receipt: EraseReceipt,
) -> Work<Option<EraseReceipt>> {
    let key = Map::new().with("key", receipt.id.as_str());
    let rows = if receipt.erased.is_nothing() {
        unit.ask(ERASURE, key).await?
    } else {
        let counts = list_of(receipt.erased.counts().map(|(_, count)| bound(count)));
        let of = key
            .with("properties", properties(&receipt))
            .with("counts", counts);
        unit.ask(RECORD_ERASURE, of).await?
    };
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let counts: Vec<u64> = row.get("counts")?;
    receipt.erased = Erased::from_counts(&counts);
    receipt.is_wiped = true;
    Ok(Some(receipt))
}

fn properties(receipt: &EraseReceipt) -> Map {
    let order = format!("{}{}", falling(receipt.at), receipt.id);
    Map::new()
        .with("id", receipt.id.as_str())
        .with("title", format!("erased: {}", receipt.extent.word()))
        .with("at", receipt.at.millis())
        .with("author", receipt.author.clone())
        .with("extent", receipt.extent.word())
        .with("tenant_hash", receipt.tenant_hash.as_str())
        .with("learner_hash", receipt.learner_hash.as_str())
        .with("subject_hash", receipt.subject_hash.as_str())
        .with("by_tenant", format!("{}{order}", receipt.tenant_hash))
        .with("by_learner", format!("{}{order}", receipt.learner_hash))
}

#[derive(Deserialize)]
struct ReceiptProperties {
    id: String,
    at: i64,
    author: Option<String>,
    extent: String,
    tenant_hash: String,
    learner_hash: String,
    subject_hash: String,
    counts: Vec<u64>,
}

impl ReceiptProperties {
    fn receipt(self) -> Work<EraseReceipt> {
        let extent = Extent::of_word(&self.extent);
        let extent = extent.ok_or_else(|| {
            Failure::Damaged(format!("a receipt of an erase of `{}`", self.extent))
        })?;
        Ok(EraseReceipt {
            id: self.id,
            at: Timestamp::from_millis(self.at),
            author: self.author,
            extent,
            tenant_hash: self.tenant_hash,
            learner_hash: self.learner_hash,
            subject_hash: self.subject_hash,
            erased: Erased::from_counts(&self.counts),
            is_wiped: true,
        })
    }
}
