//! Conversions between values and columns.
//!
//! Every field has its own column and comes back bit for bit. A column that holds no valid value (an unknown word, a short
//! id) is reported as damage, never skipped.

use std::fmt::Display;
use std::str::FromStr;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Params, Row, Statement, Transaction, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::{Failure, Result};
use hindlore_domain::memory::bullet::{Bullet, BulletId, Counts};
use hindlore_domain::memory::content::{Content, ContentHash};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::link::{Link, LinkId};
use hindlore_primitives::timestamp::Timestamp;

/// Reads all rows of a statement.
pub(super) fn all<T>(
    tx: &Transaction<'_>,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>> {
    let mut statement = tx.prepare_cached(sql)?;
    let rows = statement.query_map(params, read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// A clock, a revision or a count; values above `i64::MAX` are refused, since SQLite's integers are signed.
#[derive(Clone, Copy)]
pub(super) struct Whole(pub(super) u64);

impl ToSql for Whole {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = i64::try_from(self.0).map_err(|_| {
            let text = format!("{} is above {}", self.0, i64::MAX);
            rusqlite::Error::ToSqlConversionFailure(text.into())
        })?;
        Ok(value.into())
    }
}

impl FromSql for Whole {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let number = value.as_i64()?;
        u64::try_from(number)
            .map(Self)
            .map_err(|_| FromSqlError::OutOfRange(number))
    }
}

/// A timestamp in milliseconds.
pub(super) struct Moment(pub(super) Timestamp);

impl ToSql for Moment {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.millis().into())
    }
}

impl FromSql for Moment {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_i64().map(|ms| Self(Timestamp::from_millis(ms)))
    }
}

/// The id of a bullet as its bytes.
pub(super) struct Id(pub(super) BulletId);

impl ToSql for Id {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Blob(&self.0.0)))
    }
}

impl FromSql for Id {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        <[u8; 10]>::column_result(value).map(|bytes| Self(BulletId(bytes)))
    }
}

/// A value stored as a word or as a checked id.
pub(super) struct Word<T>(pub(super) T);

impl<T: FromStr<Err = String>> FromSql for Word<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map(Self).map_err(other::<String>)
    }
}

/// The id of a delta.
pub(super) struct StoredDelta(pub(super) DeltaId);

impl FromSql for StoredDelta {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let parsed = DeltaId::known(value.as_str()?);
        parsed.map(Self).map_err(other::<String>)
    }
}

/// A value stored as JSON.
pub(super) struct Json<T>(pub(super) T);

impl<T: Serialize> ToSql for Json<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        serde_json::to_string(&self.0)
            .map(ToSqlOutput::from)
            .map_err(unwritable)
    }
}

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?)
            .map(Self)
            .map_err(other)
    }
}

/// An embedding: 32-bit floats, little-endian.
struct Floats(Vec<f32>);

impl FromSql for Floats {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let (numbers, rest) = value.as_blob()?.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(other("an embedding has a broken length"));
        }
        Ok(Self(
            numbers.iter().map(|b| f32::from_le_bytes(*b)).collect(),
        ))
    }
}

fn other<E: Display>(error: E) -> FromSqlError {
    FromSqlError::Other(error.to_string().into())
}

/// The columns of a bullet in the order of [`read_bullet`] and [`write_bullet`].
macro_rules! bullet_columns {
    () => {
        "id, content, content_hash, holds_hash, legacy_id, memory_type, kind, status, pinned, \
         helpful, harmful, neutral, strength, access_index, last_access, last_used, created_at, \
         created_tick, changed_tick, position, tags, section, topic, concept, ttl_days, importance, \
         source, merged_into, embedding"
    };
}
pub(super) use bullet_columns;

/// Reads a bullet from the columns of [`bullet_columns`]; the error names a bullet that cannot be read.
pub(super) fn read_bullet(row: &Row<'_>) -> Result<Bullet> {
    bullet_of(row).map_err(|error| match (unreadable(row, &error), row.get(0)) {
        (Some(what), Ok(Id(id))) => Failure::Damaged(format!("{what}, in the bullet `{id}`")),
        _ => error.into(),
    })
}

/// Turns a failed conversion into damage that names the column and the reason.
fn unreadable(row: &Row<'_>, error: &rusqlite::Error) -> Option<String> {
    use rusqlite::Error as E;
    let (column, why) = match error {
        E::FromSqlConversionFailure(column, _, why) => (*column, why.to_string()),
        E::IntegralValueOutOfRange(column, number) => {
            (*column, format!("{number} is out of range"))
        }
        E::InvalidColumnType(column, _, kind) => (*column, format!("it is of type {kind}")),
        E::Utf8Error(column, why) => (*column, why.to_string()),
        _ => return None,
    };
    let name = row.as_ref().column_name(column).ok()?;
    Some(format!("a value that cannot be read (`{name}`: {why})"))
}

fn bullet_of(row: &Row<'_>) -> rusqlite::Result<Bullet> {
    let content = row.get::<_, Text>(1)?.0;
    Ok(Bullet {
        id: row.get::<_, Id>(0)?.0,
        other_hash: content.other_hash(ContentHash(row.get(2)?)),
        content,
        holds_hash: row.get(3)?,
        legacy_id: row.get(4)?,
        memory_type: row.get::<_, Word<_>>(5)?.0,
        kind: row.get::<_, Word<_>>(6)?.0,
        status: row.get::<_, Word<_>>(7)?.0,
        pinned: row.get(8)?,
        counts: Counts {
            helpful: row.get::<_, Whole>(9)?.0,
            harmful: row.get::<_, Whole>(10)?.0,
            neutral: row.get::<_, Whole>(11)?.0,
        },
        strength: row.get(12)?,
        access_index: row.get::<_, Option<Whole>>(13)?.map(|w| w.0),
        last_access: row.get::<_, Option<Moment>>(14)?.map(|m| m.0),
        last_used: row.get::<_, Option<Moment>>(15)?.map(|m| m.0),
        created_at: row.get::<_, Moment>(16)?.0,
        created_tick: row.get::<_, Whole>(17)?.0,
        changed_tick: row.get::<_, Whole>(18)?.0,
        position: row.get::<_, Whole>(19)?.0,
        tags: row.get::<_, Json<_>>(20)?.0,
        section: row.get(21)?,
        topic: row.get(22)?,
        concept: row.get(23)?,
        ttl_days: row.get(24)?,
        importance: row.get(25)?,
        source: row.get::<_, Word<_>>(26)?.0,
        merged_into: row.get::<_, Option<Id>>(27)?.map(|id| id.0),
        embedding: row.get::<_, Option<Floats>>(28)?.map(|floats| floats.0),
    })
}

/// Executes a statement whose parameters are the columns of [`bullet_columns`] and then the memory.
pub(super) fn write_bullet(
    statement: &mut Statement<'_>,
    memory: i64,
    bullet: &Bullet,
) -> rusqlite::Result<usize> {
    let embedding = bullet.embedding.as_ref();
    let embedding: Option<Vec<u8>> =
        embedding.map(|floats| floats.iter().flat_map(|f| f.to_le_bytes()).collect());
    statement.execute(params![
        Id(bullet.id),
        bullet.content.as_str(),
        bullet.content_hash().0,
        bullet.holds_hash,
        bullet.legacy_id,
        bullet.memory_type.word(),
        bullet.kind.word(),
        bullet.status.word(),
        bullet.pinned,
        Whole(bullet.counts.helpful),
        Whole(bullet.counts.harmful),
        Whole(bullet.counts.neutral),
        bullet.strength,
        bullet.access_index.map(Whole),
        bullet.last_access.map(Moment),
        bullet.last_used.map(Moment),
        Moment(bullet.created_at),
        Whole(bullet.created_tick),
        Whole(bullet.changed_tick),
        Whole(bullet.position),
        Json(&bullet.tags),
        bullet.section,
        bullet.topic,
        bullet.concept,
        bullet.ttl_days,
        bullet.importance,
        bullet.source.word(),
        bullet.merged_into.map(Id),
        embedding,
        memory,
    ])
}

/// Reads a link from kind, from_bullet, to_bullet, reason, similarity, changed_tick, removed.
pub(super) fn read_link(row: &Row<'_>) -> rusqlite::Result<Link> {
    Ok(Link {
        id: LinkId {
            kind: row.get::<_, Word<_>>(0)?.0,
            from: row.get::<_, Id>(1)?.0,
            to: row.get::<_, Id>(2)?.0,
        },
        reason: row.get(3)?,
        similarity: row.get(4)?,
        changed_tick: row.get::<_, Whole>(5)?.0,
        removed: row.get(6)?,
    })
}

/// The failure to encode a value as JSON.
pub(super) fn unwritable(error: serde_json::Error) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(error.into())
}

/// A bullet's text, without the length limit: it was checked against the policy that held when it was written.
struct Text(Content);

impl FromSql for Text {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Content::parse(value.as_str()?, u32::MAX)
            .map(Self)
            .map_err(other)
    }
}
