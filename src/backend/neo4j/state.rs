//! Reading what a memory is now: its head, its bullets, its links, always under its lock, since the
//! server shows a commit to others bit by bit.

use neo4rs::Row;
use serde::Deserialize;

use super::bullets::{self, BulletProperties};
use super::error::{Failure, Work};
use super::executor::{Statement, Unit};
use super::links::{self, LinkProperties, LinkRow};
use super::statements::{BULLETS, LINKS, LOCK, LOOK};
use super::values::{Map, bound};
use crate::domain::memory::key::MemoryKey;
use crate::domain::timestamp::Timestamp;
use crate::store::{CatchUp, Head, Loaded, Position, StoredReceipt};

/// The properties of a memory.
#[derive(Deserialize)]
pub(super) struct HeadProperties {
    tenant: String,
    learner: String,
    scope: String,
    incarnation: String,
    access_clock: u64,
    revision: u64,
    origin_clock: u64,
    policy: String,
    created_at: i64,
    /// Who copies into the memory, until it is whole.
    #[serde(default)]
    copying: Option<String>,
}

impl HeadProperties {
    /// True while a copy into the memory has not ended.
    pub(super) fn is_half_copied(&self) -> bool {
        self.copying.is_some()
    }

    pub(super) fn head(&self) -> Work<Head> {
        if self.is_half_copied() {
            let memory = format!("`{}/{}/{}`", self.tenant, self.learner, self.scope);
            return Err(Failure::half_copied(memory));
        }
        Ok(Head {
            position: Position {
                incarnation: self.incarnation.clone(),
                clock: self.access_clock,
                revision: self.revision,
            },
            origin_clock: self.origin_clock,
            policy: serde_json::from_str(&self.policy)?,
            created_at: Timestamp::from_millis(self.created_at),
        })
    }

    pub(super) fn key(&self) -> Work<MemoryKey> {
        MemoryKey::new(&self.tenant, &self.learner, &self.scope)
            .map_err(|error| Failure::Damaged(format!("a memory that cannot be: {error}")))
    }
}

#[derive(Deserialize)]
struct ReceiptRow {
    body_digest: String,
    receipt: String,
}

/// How a memory is looked at.
#[derive(Clone, Copy)]
pub(super) enum Access {
    /// Under its lock.
    Locked,
    /// Without, since nobody may write to the database.
    ReadOnly,
}

impl Access {
    /// The statement that looks.
    pub(super) fn statement(self) -> Statement {
        match self {
            Self::Locked => LOCK,
            Self::ReadOnly => LOOK,
        }
    }
}

/// The parameters of a look at what changed since `clock`.
pub(super) fn since(memory: &str, clock: u64, deltas: Vec<String>) -> Map {
    Map::new()
        .with("memory", memory)
        .with("clock", bound(clock))
        .texts("deltas", deltas)
}

/// Reads a look.
pub(super) fn catch_up(rows: &[Row]) -> Work<Option<CatchUp>> {
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let receipts: Vec<ReceiptRow> = row.get("receipts")?;
    let receipts = receipts.into_iter().map(|stored| {
        Ok(StoredReceipt {
            body_digest: stored.body_digest,
            receipt: serde_json::from_str(&stored.receipt)?,
        })
    });
    let changed: Vec<BulletProperties> = row
        .get("bullets")
        .map_err(|error| bullets::unreadable(error, row.get("bullets")))?;
    Ok(Some(CatchUp {
        head: row.get::<HeadProperties>("head")?.head()?,
        bullets: bullets::in_order(changed)?,
        links: links::in_order(row.get::<Vec<LinkRow>>("links")?)?,
        receipts: receipts.collect::<Work<_>>()?,
    }))
}

/// Locks a memory and reads its head.
pub(super) async fn hold(unit: &mut Unit, access: Access, memory: &str) -> Work<Option<Head>> {
    let asked = since(memory, u64::MAX, Vec::new());
    let rows = unit.ask(access.statement(), asked).await?;
    Ok(catch_up(&rows)?.map(|found| found.head))
}

/// Reads a whole memory that is held.
pub(super) async fn load(unit: &mut Unit, memory: &str, head: Head) -> Work<Loaded> {
    let of = || Map::new().with("memory", memory);
    let rows = unit.ask(BULLETS, of()).await?;
    let found = rows.iter().map(|row| {
        row.get::<BulletProperties>("bullet")
            .map_err(|error| bullets::unreadable(error, row.get("bullet").map(|one| vec![one])))
    });
    let bullets = bullets::in_order(found.collect::<Work<Vec<_>>>()?)?;
    let rows = unit.ask(LINKS, of()).await?;
    let found = rows.iter().map(|row| {
        Ok(LinkRow {
            from: row.get("from_bullet")?,
            to: row.get("to_bullet")?,
            link: row.get::<LinkProperties>("link")?,
        })
    });
    let links = links::in_order(found.collect::<Work<Vec<_>>>()?)?;
    Ok(Loaded {
        head,
        bullets,
        links,
    })
}
