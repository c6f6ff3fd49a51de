//! Receipts of erases as nodes.

use neo4rs::Row;
use serde::Deserialize;

use crate::bolt::times::{Moment, date};
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, bound, list_of};
use crate::error::{Failure, Result};
use crate::statements::{ERASURE, RECORD_ERASURE};
use hindlore_store::order_key::falling;
use hindlore_store::{EraseReceipt, Erased, Extent};

/// Reads a receipt from a row.
pub(super) fn receipt(row: &Row) -> Result<EraseReceipt> {
    row.get::<ReceiptProperties>("receipt")?.receipt()
}

/// Writes a receipt, or adds to the counts of an existing one with the same id; returns it with its counts. `None` when
/// nothing was erased, now or before.
pub(crate) async fn record(
    tx: &mut Transaction,
    mut receipt: EraseReceipt,
) -> Result<Option<EraseReceipt>> {
    let key = Map::new().with("key", receipt.id.as_str());
    let rows = if receipt.erased.is_nothing() {
        tx.query(ERASURE, key).await?
    } else {
        let counts = list_of(receipt.erased.counts().map(|(_, count)| bound(count)));
        let of = key
            .with("properties", properties(&receipt))
            .with("counts", counts);
        tx.query(RECORD_ERASURE, of).await?
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
        .with("at", date(receipt.at))
        .with("author", receipt.author.clone())
        .with("extent", receipt.extent.word())
        .with("tenant_hash", receipt.tenant_hash.as_str())
        .with("learner_hash", receipt.learner_hash.as_str())
        .with("subject_hash", receipt.subject_hash.as_str())
        .with(
            "hindlore_by_tenant",
            format!("{}{order}", receipt.tenant_hash),
        )
        .with(
            "hindlore_by_learner",
            format!("{}{order}", receipt.learner_hash),
        )
}

#[derive(Deserialize)]
struct ReceiptProperties {
    id: String,
    at: Moment,
    author: Option<String>,
    extent: String,
    tenant_hash: String,
    learner_hash: String,
    subject_hash: String,
    counts: Vec<u64>,
}

impl ReceiptProperties {
    fn receipt(self) -> Result<EraseReceipt> {
        let extent = Extent::from_word(&self.extent);
        let extent = extent.ok_or_else(|| {
            Failure::Damaged(format!("a receipt of an erase of `{}`", self.extent))
        })?;
        Ok(EraseReceipt {
            id: self.id,
            at: self.at.0,
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
