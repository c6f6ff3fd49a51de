//! The save file of the original programs, with all 23 fields of each active bullet.
//!
//! Times are in UTC but without offset, as those programs write them: Python cannot compare times with and
//! without one.

use std::collections::HashSet;
use std::io::{self, Write};

use serde_json::{Map, Value, json};

use hindlore_domain::memory::bullet::{Bullet, MemoryType};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::timestamp::Timestamp;

/// Writes `ace_memory.json`: the active bullets of a memory at `clock`.
pub fn write_classic<'m>(
    out: &mut dyn Write,
    key: &MemoryKey,
    clock: u64,
    bullets: impl Iterator<Item = &'m Bullet>,
) -> io::Result<()> {
    let mut ids = HashSet::new();
    let mut newest = None;
    out.write_all(b"{\n\"bullets\": [")?;
    for (place, bullet) in bullets.filter(|bullet| bullet.is_active()).enumerate() {
        out.write_all(if place == 0 { b"\n" } else { b",\n" })?;
        let id = unique_id(bullet, &mut ids);
        serde_json::to_writer(&mut *out, &record(bullet, key, id))?;
        newest = newest.max(bullet.last_used).max(Some(bullet.created_at));
    }
    let saved_at = json!(newest.map(plain));
    writeln!(
        out,
        "\n],\n\"version\": \"1.0\",\n\"last_updated\": {saved_at},\n\"access_clock\": {clock}\n}}"
    )
}

/// The bullet's id in the original programs, else one in their style.
fn unique_id(bullet: &Bullet, taken: &mut HashSet<String>) -> String {
    let own = bullet.legacy_id.clone();
    let id = own.unwrap_or_else(|| bullet.content.legacy_id());
    if taken.insert(id.clone()) {
        return id;
    }
    // Two bullets would get the same id after a text changed; our own id is unique.
    let id = bullet.id.to_string();
    taken.insert(id.clone());
    id
}

fn record(bullet: &Bullet, key: &MemoryKey, id: String) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("id", json!(id));
    put("content", json!(bullet.content.as_str()));
    put("helpful_count", json!(bullet.counts.helpful));
    put("harmful_count", json!(bullet.counts.harmful));
    put("created_at", json!(plain(bullet.created_at)));
    put("last_used", json!(bullet.last_used.map(plain)));
    put("tags", json!(bullet.tags_with_type()));
    for memory_type in MemoryType::ALL {
        let is_active = *memory_type == bullet.memory_type;
        let strength = if is_active { bullet.strength } else { 0.0 };
        let last_access = bullet.last_access.filter(|_| is_active).map(plain);
        let index = bullet.access_index.filter(|_| is_active);
        put(&format!("{memory_type}_strength"), json!(strength));
        put(&format!("{memory_type}_last_access"), json!(last_access));
        put(&format!("{memory_type}_access_index"), json!(index));
    }
    put("learner_id", json!(key.learner()));
    put("topic", json!(bullet.topic));
    put("concept", json!(bullet.concept));
    put("memory_type", json!(bullet.memory_type.word()));
    put("ttl_days", json!(bullet.ttl_days));
    put("content_hash", json!(bullet.content_hash().to_hex()));
    put("context_scope_id", json!(key.scope()));
    Value::Object(fields)
}

/// A time without its offset.
pub(super) fn plain(moment: Timestamp) -> String {
    moment.to_string().trim_end_matches('Z').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::samples::{bullet, key};
    use crate::import::{Format, parse};
    use hindlore_domain::memory::bullet::Status;
    use hindlore_domain::memory::delta::{DeltaId, Operation};

    #[test]
    fn a_classic_file_has_the_23_fields_and_is_read_back() {
        let mut first = bullet(1, "Read \"first\"\nthen act");
        first.last_used = Timestamp::parse("2025-03-01T00:00:00Z");
        let mut gone = bullet(2, "gone");
        gone.status = Status::Archived;
        let bullets = [first.clone(), gone, bullet(3, "third")];
        let mut out = Vec::new();
        write_classic(&mut out, &key(), 9, bullets.iter()).unwrap();
        let value: Value = serde_json::from_slice(&out).unwrap();
        let saved = value["bullets"][0].as_object().unwrap();
        assert_eq!(saved.len(), 23);
        assert_eq!(saved["tags"], json!(["procedural", "api"]));
        assert_eq!(saved["created_at"], "2025-01-01T00:00:00.000");
        assert_eq!(value["last_updated"], "2025-03-01T00:00:00.000");
        let delta = DeltaId::parse("d").unwrap();
        let import = parse(Format::Classic, &out, &key(), &delta).unwrap();
        assert_eq!(
            (import.read, import.bad.len(), import.clock),
            (2, 0, Some(9))
        );
        assert_eq!(import.records[1].line, 4);
        let Operation::Insert(insertion) = &import.records[0].operation else {
            panic!("{import:?}");
        };
        let back = insertion.bullet.to_bullet(100).unwrap();
        assert_eq!(
            (back.strength, back.access_index),
            (first.strength, first.access_index)
        );
        assert_eq!(
            (&back.tags, back.counts.helpful),
            (&first.tags, first.counts.helpful)
        );
        assert_eq!(
            (back.content, back.last_used),
            (first.content, first.last_used)
        );
    }

    #[test]
    fn ids_stay_unique_and_an_empty_memory_is_valid() {
        let mut twins = [bullet(1, "a"), bullet(2, "b")];
        for twin in &mut twins {
            twin.legacy_id = Some("same".to_owned());
        }
        let mut out = Vec::new();
        write_classic(&mut out, &key(), 0, twins.iter()).unwrap();
        let value: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(value["bullets"][0]["id"], "same");
        assert_eq!(value["bullets"][1]["id"], twins[1].id.to_string());
        out.clear();
        write_classic(&mut out, &key(), 0, [].iter()).unwrap();
        assert_eq!(
            serde_json::from_slice::<Value>(&out).unwrap()["bullets"],
            json!([])
        );
    }
}
