//! Reads the save file of the original programs: `{"bullets": [{… 23 fields …}], "access_clock": n}`.
//!
//! A saved memory is restored, so bullets are inserted whole, not added. A stored strength is kept, even 0;
//! only bullets saved before strengths existed get a baseline. The content hash is computed, not read. The learner and
//! the scope of a bullet only decide which memory takes it.

use serde_json::{Map, Value};

use super::moment::moment;
use super::record::{
    Unknown, content, count, document, fields, label, named, records, time, whole_number,
};
use super::{Format, Import};
use crate::fields::{Shape, Table};
use crate::json::Member;
use crate::problem::Problem;
use hindlore_domain::memory::bullet::{BulletId, Kind, MemoryType, Source, Status, normal_tags};
use hindlore_domain::memory::content::{CONTENT_MAX_CHARS_OF_ANY, Content};
use hindlore_domain::memory::delta::{DeltaId, Insertion, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::record::BulletRecord;
use hindlore_primitives::timestamp::Timestamp;

/// Strength of a bullet without votes saved before strengths existed.
const BASE_STRENGTH: f64 = 100.0;

/// The fields of a bullet.
pub(super) const BULLET: Table = &[
    ("id", Shape::Text),
    ("content", Shape::Text),
    ("helpful_count", Shape::Count),
    ("harmful_count", Shape::Count),
    ("created_at", Shape::Time),
    ("last_used", Shape::Time),
    ("tags", Shape::Texts),
    ("semantic_strength", Shape::Strength),
    ("episodic_strength", Shape::Strength),
    ("procedural_strength", Shape::Strength),
    ("semantic_last_access", Shape::Time),
    ("episodic_last_access", Shape::Time),
    ("procedural_last_access", Shape::Time),
    ("semantic_access_index", Shape::Count),
    ("episodic_access_index", Shape::Count),
    ("procedural_access_index", Shape::Count),
    ("learner_id", Shape::Text),
    ("topic", Shape::Text),
    ("concept", Shape::Text),
    ("memory_type", Shape::Text),
    ("ttl_days", Shape::Days),
    ("content_hash", Shape::Text),
    ("context_scope_id", Shape::Text),
    ("embedding", Shape::Vector),
];

/// Context for all bullets of a file.
struct File<'k> {
    key: &'k MemoryKey,
    delta: &'k DeltaId,
    clock: u64,
    saved_at: Option<Timestamp>,
    /// Learner of bullets that name none.
    user: Option<&'k str>,
}

/// Reads a classic memory file.
pub(super) fn read(input: &str, key: &MemoryKey, delta: &DeltaId) -> Result<Import, Problem> {
    let mut import = Import::default();
    read_into(&mut import, input, None, (key, delta))?;
    Ok(import)
}

/// Reads a classic memory file into an import, after its earlier records. Bullets without a learner belong to `user`.
pub(super) fn read_into(
    import: &mut Import,
    input: &str,
    user: Option<&str>,
    (key, delta): (&MemoryKey, &DeltaId),
) -> Result<(), Problem> {
    let document = document(Format::Classic, input, import)?;
    let bullets = records(Format::Classic, &document, "bullets")?;
    let saved_at = named(&document, "last_updated").and_then(|member| member.value().ok());
    let file = File {
        key,
        delta,
        clock: whole_number(Format::Classic, &document, "access_clock")?
            .unwrap_or(u64::try_from(bullets.len()).unwrap_or(u64::MAX)),
        saved_at: saved_at.as_ref().and_then(moment),
        user,
    };
    import.clock = import.clock.max(Some(file.clock));
    for member in &bullets {
        let ordinal = import.ordinal();
        let read = file.bullet(member, ordinal, &mut import.unknown);
        if let Ok(record) = &read {
            let learner = record.learner_id.as_deref();
            import.foreign_learners += u64::from(learner.is_some_and(|l| l != key.learner()));
        }
        let insertion = read.map(|bullet| {
            Operation::Insert(Box::new(Insertion {
                bullet,
                clock: file.clock,
            }))
        });
        import.add(member.line, insertion);
    }
    Ok(())
}

impl File<'_> {
    fn bullet(
        &self,
        member: &Member<'_>,
        ordinal: u64,
        unknown: &mut Unknown,
    ) -> Result<BulletRecord, String> {
        let object = fields(member, BULLET, unknown)?;
        let text = content(&object)?;
        let content =
            Content::parse(&text, CONTENT_MAX_CHARS_OF_ANY).map_err(|error| error.to_string())?;
        let tags: Vec<&str> = texts(&object, "tags");
        let memory_type = memory_type(&object, &tags);
        let last_access = time(&object, &component(memory_type, "last_access"));
        let last_used = time(&object, "last_used");
        let index = match count(&object, &component(memory_type, "access_index")) {
            0 => self.clock,
            index => index,
        };
        let id = label(&object, "id").or_else(|| member.name.clone());
        let mut record = BulletRecord {
            id: BulletId::derive(self.key, self.delta.as_str(), ordinal),
            helpful_count: count(&object, "helpful_count"),
            harmful_count: count(&object, "harmful_count"),
            created_at: time(&object, "created_at")
                .or(last_used)
                .or(last_access)
                .or(self.saved_at)
                .unwrap_or_default(),
            last_used,
            tags: normal_tags(&tags),
            learner_id: label(&object, "learner_id").or_else(|| self.user.map(str::to_owned)),
            context_scope_id: label(&object, "context_scope_id"),
            topic: label(&object, "topic"),
            concept: label(&object, "concept"),
            memory_type,
            ttl_days: whole(&object, "ttl_days"),
            kind: kind(memory_type, &tags),
            changed_tick: index.min(self.clock),
            position: ordinal,
            legacy_id: Some(
                id.filter(|id| !id.is_empty())
                    .unwrap_or_else(|| content.legacy_id()),
            ),
            embedding: object
                .get("embedding")
                .and_then(|list| serde_json::from_value(list.clone()).ok()),
            ..blank_record(content.as_str())
        };
        set_component(
            &mut record,
            strength(&object, memory_type),
            (last_access, index),
        );
        Ok(record)
    }
}

/// A record with `content` and nothing else.
pub(super) fn blank_record(content: &str) -> BulletRecord {
    BulletRecord {
        id: BulletId([0; 10]),
        content: content.to_owned(),
        helpful_count: 0,
        harmful_count: 0,
        neutral_count: 0,
        created_at: Timestamp::default(),
        last_used: None,
        tags: Vec::new(),
        semantic_strength: 0.0,
        episodic_strength: 0.0,
        procedural_strength: 0.0,
        semantic_last_access: None,
        episodic_last_access: None,
        procedural_last_access: None,
        semantic_access_index: None,
        episodic_access_index: None,
        procedural_access_index: None,
        learner_id: None,
        topic: None,
        concept: None,
        memory_type: MemoryType::Semantic,
        ttl_days: None,
        content_hash: None,
        context_scope_id: None,
        tenant: None,
        section: None,
        importance: 0.5,
        pinned: false,
        status: Status::Active,
        kind: Kind::Fact,
        source: Source::Import,
        created_tick: 0,
        changed_tick: 0,
        position: 0,
        holds_hash: true,
        merged_into: None,
        legacy_id: None,
        embedding: None,
    }
}

/// The memory type in the file; else that of the strongest component, else a tag naming one, else semantic.
fn memory_type(object: &Map<String, Value>, tags: &[&str]) -> MemoryType {
    if let Some(word) = label(object, "memory_type") {
        return MemoryType::from_word(&word.to_lowercase()).unwrap_or(MemoryType::Semantic);
    }
    let mut strongest = (0.0, None);
    for memory_type in MemoryType::ALL {
        let strength = stored_strength(object, *memory_type).unwrap_or_default();
        if strength > strongest.0 {
            strongest = (strength, Some(*memory_type));
        }
    }
    let tagged = || {
        tags.iter()
            .find_map(|tag| MemoryType::from_word(&tag.trim().to_lowercase()))
    };
    strongest.1.or_else(tagged).unwrap_or(MemoryType::Semantic)
}

/// Stored strength of the active component; the baseline if the bullet has none.
fn strength(object: &Map<String, Value>, memory_type: MemoryType) -> f64 {
    let has_any = MemoryType::ALL
        .iter()
        .any(|memory_type| stored_strength(object, *memory_type).is_some());
    if has_any {
        return stored_strength(object, memory_type).unwrap_or_default();
    }
    let balance = count(object, "helpful_count").saturating_sub(count(object, "harmful_count"));
    // Counts end at 2^53, where whole numbers are still exact.
    #[allow(clippy::cast_precision_loss)]
    let votes = balance as f64;
    BASE_STRENGTH + votes
}

fn stored_strength(object: &Map<String, Value>, memory_type: MemoryType) -> Option<f64> {
    object
        .get(&component(memory_type, "strength"))
        .and_then(Value::as_f64)
}

fn component(memory_type: MemoryType, field: &str) -> String {
    format!("{memory_type}_{field}")
}

/// Sets strength, last use, and access index of the active type.
pub(super) fn set_component(
    record: &mut BulletRecord,
    strength: f64,
    access: (Option<Timestamp>, u64),
) {
    let (last_access, index) = (access.0, Some(access.1));
    match record.memory_type {
        MemoryType::Semantic => {
            record.semantic_strength = strength;
            record.semantic_last_access = last_access;
            record.semantic_access_index = index;
        }
        MemoryType::Episodic => {
            record.episodic_strength = strength;
            record.episodic_last_access = last_access;
            record.episodic_access_index = index;
        }
        MemoryType::Procedural => {
            record.procedural_strength = strength;
            record.procedural_last_access = last_access;
            record.procedural_access_index = index;
        }
    }
}

/// The most likely kind for a memory type; seed bullets are recognised by their tag.
fn kind(memory_type: MemoryType, tags: &[&str]) -> Kind {
    let is_seed = tags
        .iter()
        .any(|tag| tag.eq_ignore_ascii_case(Kind::MetaStrategy.word()));
    match memory_type {
        _ if is_seed => Kind::MetaStrategy,
        MemoryType::Procedural => Kind::Strategy,
        MemoryType::Episodic => Kind::Experience,
        MemoryType::Semantic => Kind::Fact,
    }
}

fn texts<'o>(object: &'o Map<String, Value>, name: &str) -> Vec<&'o str> {
    let list = object.get(name).and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn whole(object: &Map<String, Value>, name: &str) -> Option<u32> {
    u32::try_from(object.get(name)?.as_u64()?).ok()
}

#[cfg(test)]
mod tests;
