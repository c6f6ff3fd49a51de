//! Reads bullets whose properties a hand has changed to another type.

use neo4rs::{BoltType, Row};

use super::by_hand::{Properties, WrongType, found, mended};
use crate::error::Result;
use crate::memory::bullets::{BulletProperties, hash_of, in_order, parsed};
use hindlore_domain::memory::bullet::{Bullet, BulletId, Kind, MemoryType, Source, Status};
use hindlore_domain::memory::content::Content;

/// Hexadecimal digits of a memory's key, which begins the key of each of its bullets.
const MEMORY_DIGITS: usize = 32;

/// Reads the bullets in a column of rows, or of a list in the first row. One that cannot be read without guessing its text
/// is left out; a check names it.
pub(crate) fn read_all(rows: &[Row], column: &str) -> Result<Vec<Bullet>> {
    // Nearly all bullets are as the engine wrote them, so the slow way is rare.
    let fast = rows.iter().map(|row| row.get::<BulletProperties>(column));
    if let Ok(all) = fast.collect::<Result<Vec<_>, _>>()
        && let Ok(bullets) = in_order(all)
    {
        return Ok(bullets);
    }
    let slow = rows.iter().map(|row| Ok(row.get::<Properties>(column)?));
    Ok(whatever_is_there(slow.collect::<Result<Vec<_>>>()?))
}

/// Reads the bullets in a list, which is a column of a row.
pub(crate) fn read_list(row: &Row, column: &str) -> Result<Vec<Bullet>> {
    if let Ok(all) = row.get::<Vec<BulletProperties>>(column)
        && let Ok(bullets) = in_order(all)
    {
        return Ok(bullets);
    }
    Ok(whatever_is_there(row.get::<Vec<Properties>>(column)?))
}

fn whatever_is_there(found: Vec<Properties>) -> Vec<Bullet> {
    let read = found.into_iter().map(|one| {
        let (bullet, wrong) = read(one);
        for one in &wrong {
            tracing::warn!(?one, "a property of a bullet has another type");
        }
        bullet
    });
    let mut bullets: Vec<Bullet> = read.flatten().collect();
    bullets.sort_by_key(|bullet| bullet.position);
    bullets
}

/// Reads a bullet that may be edited by hand; `None` without a text or an id.
pub(super) fn read(properties: Properties) -> (Option<Bullet>, Vec<WrongType>) {
    let id = id_of(&properties);
    // Kept, because reading takes the properties, and the report shows the stored values.
    let stored = properties.clone();
    let (read, mut wrong) = mended::<BulletProperties>(properties);
    let (Ok(mut read), Some(id)) = (read, id) else {
        return (None, wrong);
    };
    read.id = id.to_string();
    let said = |name: &str| stored.get(name).map_or_else(|| "nothing".to_owned(), found);
    let mut note =
        |name: &str, expected: &str| match wrong.iter_mut().find(|one| one.property == name) {
            Some(one) => one.is_converted = false,
            None => wrong.push(WrongType {
                property: name.to_owned(),
                expected: expected.to_owned(),
                found: said(name),
                is_converted: false,
            }),
        };
    let is_id = matches!(stored.get("id"), Some(BoltType::String(text)) if text.value.parse::<BulletId>().is_ok());
    if !is_id {
        note("id", "the id of the bullet");
    }
    if let Err(error) = Content::parse(&read.content, u32::MAX) {
        note("content", &format!("a text ({error})"));
        return (None, wrong);
    }
    for (name, expected) in mend_words(&mut read) {
        note(name, expected);
    }
    let bullet = read.into_bullet().ok();
    (bullet, wrong)
}

/// Replaces invalid words by harmless ones; returns their names with the expected values. A bullet of unknown status is
/// archived, so that no agent gets a text that may have been rejected.
fn mend_words(read: &mut BulletProperties) -> Vec<(&'static str, &'static str)> {
    let mut wrong = Vec::new();
    let is_type = parsed::<MemoryType>(&read.memory_type).is_ok();
    let is_kind = parsed::<Kind>(&read.kind).is_ok();
    let is_status = parsed::<Status>(&read.status).is_ok();
    let is_source = parsed::<Source>(&read.source).is_ok();
    for (name, is_right, word, other) in [
        ("memory_type", is_type, &mut read.memory_type, "semantic"),
        ("kind", is_kind, &mut read.kind, "fact"),
        ("status", is_status, &mut read.status, "archived"),
        ("source", is_source, &mut read.source, "agent"),
    ] {
        if !is_right {
            other.clone_into(word);
            wrong.push((name, "one of its words"));
        }
    }
    let merged_into = read.merged_into.as_deref();
    if merged_into.is_some_and(|id| parsed::<BulletId>(id).is_err()) {
        read.merged_into = None;
        wrong.push(("merged_into", "the id of a bullet"));
    }
    if hash_of(&read.content_hash).is_err()
        && let Ok(content) = Content::parse(&read.content, u32::MAX)
    {
        read.content_hash = content.hash().to_hex();
        wrong.push(("content_hash", "64 hexadecimal digits"));
    }
    wrong
}

/// The id of a bullet, from the property or from the end of its key.
pub(super) fn id_of(properties: &Properties) -> Option<BulletId> {
    let text = |name: &str| match properties.get(name) {
        Some(BoltType::String(text)) => Some(text.value.as_str()),
        _ => None,
    };
    let own = text("id").and_then(|id| id.parse().ok());
    let of_key = || {
        let digits = text("hindlore_key")?.get(MEMORY_DIGITS..)?;
        format!("b_{digits}").parse().ok()
    };
    own.or_else(of_key)
}
