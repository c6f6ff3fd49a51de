//! Reading the current state of a memory: its head, bullets and links. Always under its lock, because the server reads at
//! READ COMMITTED, without a snapshot: an unlocked read can see half of another transaction.

use std::collections::{BTreeMap, HashMap};

use neo4rs::Row;
use serde::Deserialize;
use serde_json::Value;

use super::events::{delta_id, delta_key, folded_place};
use super::links::{self, LinkRow};
use crate::bolt::times::{Moment, in_untyped};
use crate::bolt::transaction::Transaction;
use crate::bolt::values::{Map, bound};
use crate::error::{Failure, Result};
use crate::statements::{BULLETS, FIND, LINKS, LOCK, LOOK, Statement};
use crate::upkeep::bullets_by_hand;
use crate::upkeep::by_hand::Node;
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_store::{CatchUp, FoldedDelta, Head, Loaded, Position, StoredReceipt};

/// Ticks whose changes are read under the lock: a moment's work.
const FEW_TICKS: u64 = 64;
/// Reads that follow a busy memory before its lock is taken in any case.
const FOLLOWED_MAX: usize = 8;

/// The properties of a memory.
#[derive(Deserialize)]
pub(crate) struct HeadProperties {
    tenant: String,
    learner: String,
    scope: String,
    incarnation: String,
    access_clock: u64,
    revision: u64,
    origin_clock: u64,
    policy: String,
    created_at: Moment,
    /// Token of an unfinished copy into the memory.
    #[serde(default)]
    copying: Option<String>,
}

impl HeadProperties {
    /// True while a copy into the memory is unfinished.
    pub(crate) fn is_half_copied(&self) -> bool {
        self.copying.is_some()
    }

    pub(crate) fn head(&self) -> Result<Head> {
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
            policy: serde_json::from_str(&self.policy).map_err(|error| {
                let (tenant, learner, scope) = (&self.tenant, &self.learner, &self.scope);
                Failure::Damaged(format!(
                    "the memory `{tenant}/{learner}/{scope}`, whose {}",
                    unreadable_policy(&error)
                ))
            })?,
            created_at: self.created_at.0,
        })
    }
}

/// Reads the head of a memory from the column `head`; the error names the memory and the property that cannot be read.
pub(crate) fn head_in(row: &Row) -> Result<HeadProperties> {
    let error = match row.get::<Node<HeadProperties>>("head") {
        Ok(Node(head)) => return Ok(head),
        Err(error) => error,
    };
    // The typed read does not name the failed property, so read again without types.
    let properties: Properties = row.get("head")?;
    let name = ["tenant", "learner", "scope"].map(|part| text_of(&properties, part));
    let what = match wrong_in(&properties) {
        Some(property) => format!("{property} cannot be read"),
        None => format!("properties cannot be read ({error})"),
    };
    Err(Failure::Damaged(format!(
        "the memory `{}`, whose {what}",
        name.join("/")
    )))
}

/// Reads the key and the head of a memory in a listing; the inner `Err` names the property that cannot be read.
pub(crate) fn listed(row: &Row) -> Result<(MemoryKey, Result<Head, String>)> {
    let properties: Properties = row.get("head")?;
    let [tenant, learner, scope] = ["tenant", "learner", "scope"].map(|n| text_of(&properties, n));
    let key = MemoryKey::new(&tenant, &learner, &scope)
        .map_err(|error| Failure::Damaged(format!("a memory that cannot be: {error}")))?;
    if let Some(property) = wrong_in(&properties) {
        return Ok((key, Err(format!("its {property} cannot be read"))));
    }
    let policy = text_of(&properties, "policy");
    if let Err(error) = serde_json::from_str::<Policy>(&policy) {
        return Ok((key, Err(format!("its {}", unreadable_policy(&error)))));
    }
    Ok((key, Ok(head_in(row)?.head()?)))
}

type Properties = serde_json::Map<String, Value>;

fn unreadable_policy(error: &serde_json::Error) -> String {
    format!("`policy` cannot be read ({error})")
}

fn text_of(properties: &Properties, name: &str) -> String {
    let text = properties.get(name).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

/// The first property of a memory that is missing or of the wrong type.
fn wrong_in(properties: &Properties) -> Option<String> {
    let is_text = ["incarnation", "policy"].map(|name| (name, Value::is_string as fn(&_) -> _));
    let is_count = ["access_clock", "revision", "origin_clock"];
    let is_count = is_count.map(|name| (name, Value::is_u64 as fn(&_) -> _));
    let is_time: fn(&Value) -> bool = |value| in_untyped(value).is_some();
    let at = [("created_at", is_time)];
    let mut wanted = is_text.into_iter().chain(is_count).chain(at);
    let wrong = wanted.find(|(name, is_right)| !properties.get(*name).is_some_and(is_right));
    wrong.map(|(name, _)| format!("`{name}`"))
}

#[derive(Deserialize)]
struct ReceiptRow {
    delta: String,
    #[serde(default)]
    body_digest: String,
    receipt: Option<String>,
    /// The mark of a folded delta, and the text after it.
    marks: Option<String>,
}

impl ReceiptRow {
    fn stored(self) -> Result<StoredReceipt> {
        let delta = delta_id(&self.delta)?;
        let folded = self.marks.as_deref();
        let folded = folded.and_then(|marks| FoldedDelta::of(&delta).body_digest(marks));
        let receipt = self.receipt.as_deref().map(serde_json::from_str);
        Ok(StoredReceipt {
            delta,
            body_digest: folded.unwrap_or(self.body_digest),
            receipt: receipt.transpose()?,
        })
    }
}

/// How a memory is read.
#[derive(Clone, Copy)]
pub(crate) enum Access {
    /// Under its lock.
    Locked,
    /// Without a lock, because the database is read-only for everyone.
    ReadOnly,
}

impl Access {
    /// The statement that reads the head and the changes.
    pub(super) fn statement(self) -> Statement {
        match self {
            Self::Locked => LOCK,
            Self::ReadOnly => LOOK,
        }
    }
}

/// The parameters for reading the changes since `clock`.
pub(super) fn since(memory: &str, clock: u64, deltas: &[DeltaId]) -> Map {
    let deltas = deltas.iter().map(|id| {
        folded_place(memory, id)
            .with("key", delta_key(memory, id))
            .with("id", id.as_str())
    });
    Map::new()
        .with("memory", memory)
        .with("clock", bound(clock))
        .list("deltas", deltas.collect())
}

/// Reads the answer to [`since`].
pub(super) fn catch_up(rows: &[Row]) -> Result<Option<CatchUp>> {
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let receipts: Vec<ReceiptRow> = row.get("receipts")?;
    let receipts = receipts.into_iter().map(ReceiptRow::stored);
    Ok(Some(CatchUp {
        head: head_in(row)?.head()?,
        bullets: bullets_by_hand::read_list(row, "bullets")?,
        links: links::in_order(row.get::<Vec<LinkRow>>("links")?)?,
        receipts: receipts.collect::<Result<_>>()?,
    }))
}

/// Locks a memory and reads its head.
pub(crate) async fn hold(
    tx: &mut Transaction,
    access: Access,
    memory: &str,
) -> Result<Option<Head>> {
    // Above every clock, so that no change is read.
    let asked = since(memory, u64::MAX, &[]);
    let rows = tx.query(access.statement(), asked).await?;
    Ok(catch_up(&rows)?.map(|found| found.head))
}

/// Reads a whole memory, and holds its lock only at the end, for the changes made meanwhile. `before` was read under
/// the lock a moment ago, so every commit up to it is whole. Every change raises the tick of its item, so earlier reads
/// are exact where the last look names nothing newer; an erase or a copy gives the memory another incarnation. `None`
/// where there is no memory any more.
pub(super) async fn load_at_present(
    tx: &mut Transaction,
    access: Access,
    memory: &str,
    before: Head,
) -> Result<Option<Loaded>> {
    let (clock, incarnation) = (before.position.clock, before.position.incarnation.clone());
    let mut loaded = load(tx, memory, before).await?;
    let clock = follow(tx, memory, &mut loaded, clock).await?;
    let rows = tx
        .query(access.statement(), since(memory, clock, &[]))
        .await?;
    let Some(found) = catch_up(&rows)? else {
        return Ok(None);
    };
    // Another memory took the place, or a backup was restored: only a read under the lock is whole.
    if found.head.position.incarnation != incarnation || found.head.position.clock < clock {
        return load(tx, memory, found.head).await.map(Some);
    }
    merge(&mut loaded, found);
    Ok(Some(loaded))
}

/// Reads the changes since a clock, without the lock, until little is left to read under it; returns the clock up to
/// which nothing is missed. The newest commit may be read in halves; one is whole once a newer one has begun, since
/// both take the lock. So a clock that was seen counts when a later look has seen a newer one, and the changes were
/// read then.
async fn follow(
    tx: &mut Transaction,
    memory: &str,
    loaded: &mut Loaded,
    clock: u64,
) -> Result<u64> {
    let (mut whole, mut seen) = (clock, clock);
    for _ in 0..FOLLOWED_MAX {
        let rows = tx.query(FIND, Map::new().with("memory", memory)).await?;
        let head = rows.first().map(|row| head_in(row)?.head()).transpose()?;
        let now = head.filter(|head| head.position.incarnation == loaded.head.position.incarnation);
        let Some(now) = now.filter(|head| head.position.clock > whole + FEW_TICKS) else {
            break;
        };
        let rows = tx.query(LOOK, since(memory, whole, &[])).await?;
        let Some(found) = catch_up(&rows)? else {
            break;
        };
        merge(loaded, found);
        if now.position.clock > seen {
            whole = seen;
            seen = now.position.clock;
        }
    }
    Ok(whole)
}

/// Replaces earlier reads with newer ones. A bullet that changed while the index was passed over may have been read
/// twice: the later one counts.
fn merge(loaded: &mut Loaded, newer: CatchUp) {
    loaded.head = newer.head;
    let mut bullets: HashMap<BulletId, Bullet> = HashMap::with_capacity(loaded.bullets.len());
    for bullet in loaded.bullets.drain(..).chain(newer.bullets) {
        let known = bullets.get(&bullet.id);
        if known.is_none_or(|known| known.changed_tick <= bullet.changed_tick) {
            bullets.insert(bullet.id, bullet);
        }
    }
    loaded.bullets = bullets.into_values().collect();
    loaded
        .bullets
        .sort_unstable_by_key(|bullet| bullet.position);
    let mut links: BTreeMap<_, _> = loaded.links.drain(..).map(|one| (one.id, one)).collect();
    for link in newer.links {
        let known = links.get(&link.id);
        if known.is_none_or(|known| known.changed_tick <= link.changed_tick) {
            links.insert(link.id, link);
        }
    }
    loaded.links = links.into_values().collect();
}

/// Reads a whole memory: with its lock held, or to be brought up to date under the lock.
pub(crate) async fn load(tx: &mut Transaction, memory: &str, head: Head) -> Result<Loaded> {
    let of = || Map::new().with("memory", memory);
    let rows = tx.query(BULLETS, of()).await?;
    let bullets = bullets_by_hand::read_all(&rows, "bullet")?;
    let rows = tx.query(LINKS, of()).await?;
    let found = rows.iter().map(|row| {
        Ok(LinkRow {
            from: row.get("from_bullet")?,
            to: row.get("to_bullet")?,
            link: row.get("link")?,
        })
    });
    let links = links::in_order(found.collect::<Result<Vec<_>>>()?)?;
    Ok(Loaded {
        head,
        bullets,
        links,
    })
}
