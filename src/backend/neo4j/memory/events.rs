//! Deltas and retrievals as nodes; their changes and returned bullets as relationships.

use std::sync::Arc;

use neo4rs::BoltType;
use serde::Deserialize;

use super::bullets::parsed;
use super::origins::seal;
use crate::bolt::times::{Moment, date};
use crate::bolt::values::{Map, bullet_key, list_of, memory_names, part_key, title};
use crate::error::{Failure, Result};
use crate::upkeep::by_hand::Mended;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{CountChange, DeltaId, Origin};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::receipt::ChangeRecord;
use hindlore_store::form::compact;
use hindlore_store::{DeltaRecord, FoldedDelta, RetrievalRecord, Returned};

/// The kinds of feedback on a returned bullet.
const FEEDBACK: [&str; 4] = ["used", "helped", "harmed", "ignored"];

/// The memory that rows belong to, and the request that writes them.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) key: &'a MemoryKey,
    pub(crate) memory: &'a str,
    /// Random token by which a request whose answer was lost recognises its own rows.
    pub(crate) request: &'a str,
}

impl Place<'_> {
    /// The properties that all events of a request share.
    pub(super) fn common(&self) -> Map {
        memory_names(self.key)
            .with("hindlore_memory", self.memory)
            .with("request", self.request)
    }

    fn event(&self, caption: String) -> Map {
        self.common().with("title", caption)
    }
}

/// The key of a delta.
pub(crate) fn delta_key(memory: &str, id: &DeltaId) -> String {
    part_key(memory, &format!("delta:{id}"))
}

/// The key of the bucket of a folded delta, and the beginning of its mark there.
pub(super) fn folded_place(memory: &str, id: &DeltaId) -> Map {
    let place = FoldedDelta::of(id);
    Map::new()
        .with("bucket", bucket_key(memory, place.bucket))
        .with("mark", place.mark)
}

/// The key of a bucket of folded deltas.
pub(super) fn bucket_key(memory: &str, bucket: u8) -> String {
    part_key(memory, &format!("folded:{bucket}"))
}

/// The key of a retrieval.
pub(super) fn retrieval_key(memory: &str, id: &str) -> String {
    part_key(memory, &format!("retrieval:{id}"))
}

#[derive(Deserialize)]
pub(super) struct DeltaProperties {
    id: String,
    tick: u64,
    revision: u64,
    at: Moment,
    author: Option<String>,
    instance: String,
    engine_version: String,
    reasoning: Option<String>,
    body: String,
    body_digest: String,
    receipt: String,
    policy_before: Option<String>,
}

/// A change as read from its relationship.
#[derive(Deserialize)]
pub(super) struct ChangeRow {
    pub(super) bullet: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) change: Mended<ChangeProperties>,
}

#[derive(Deserialize)]
pub(super) struct ChangeProperties {
    helpful: i64,
    harmful: i64,
    neutral: i64,
    #[serde(default)]
    fields: bool,
    before: Option<String>,
}

impl DeltaProperties {
    pub(super) fn into_delta(self, changes: Vec<ChangeRow>) -> Result<DeltaRecord> {
        let changes = changes.into_iter().map(ChangeRow::into_change);
        let mut changes = changes.collect::<Result<Vec<_>>>()?;
        changes.sort_by_key(|change| change.bullet);
        let policy = self.policy_before.as_deref();
        Ok(DeltaRecord {
            id: delta_id(&self.id)?,
            tick: self.tick,
            revision: self.revision,
            at: self.at.0,
            origin: Origin {
                author: self.author,
                instance: self.instance,
                engine_version: self.engine_version,
            },
            reasoning: self.reasoning,
            body: Arc::new(self.body),
            body_digest: self.body_digest,
            receipt: serde_json::from_str(&self.receipt)?,
            changes,
            policy_before: policy.map(serde_json::from_str).transpose()?,
        })
    }
}

impl ChangeRow {
    pub(super) fn into_change(self) -> Result<ChangeRecord> {
        let Mended(change) = self.change;
        let before = change.before.as_deref();
        Ok(ChangeRecord {
            bullet: parsed(&self.bullet)?,
            kind: parsed(&self.kind)?,
            before: before.map(serde_json::from_str).transpose()?,
            counts: CountChange {
                helpful: change.helpful,
                harmful: change.harmful,
                neutral: change.neutral,
            },
            fields: change.fields,
        })
    }
}

/// Parses the id of a delta.
pub(super) fn delta_id(text: &str) -> Result<DeltaId> {
    DeltaId::known(text).map_err(|error| Failure::Damaged(format!("a delta where {error}")))
}

/// A delta as a row of `events/create_deltas`, with the changes that fit into its request.
pub(super) fn delta_row(place: Place<'_>, delta: &DeltaRecord, changes: Vec<Map>) -> Result<Map> {
    let policy = delta.policy_before.as_ref().map(serde_json::to_string);
    let origin = &delta.origin;
    let properties = place
        .event(format!(
            "{} · revision {}",
            title(delta.id.as_str()),
            delta.revision
        ))
        .with("hindlore_key", delta_key(place.memory, &delta.id))
        .with("id", delta.id.as_str())
        .whole("tick", delta.tick)?
        .whole("revision", delta.revision)?
        .with("at", date(delta.at))
        .with("author", origin.author.clone())
        .with("instance", origin.instance.as_str())
        .with("engine_version", origin.engine_version.as_str())
        .with("seal", seal(delta))
        .with("reasoning", delta.reasoning.clone())
        .with("body", delta.body.as_str())
        .with("body_digest", delta.body_digest.as_str())
        .with("state_digest", delta.receipt.digest.as_str())
        .with("receipt", serde_json::to_string(&delta.receipt)?)
        .with("policy_before", policy.transpose()?);
    let row = Map::new()
        .with("delta", properties)
        .list("changes", changes);
    // Each delta is related to the one before it; the creation has none.
    match delta.revision.checked_sub(1) {
        Some(previous) => row.whole("previous", previous),
        None => Ok(row),
    }
}

/// A change as a row of `events/create_deltas` and `events/extend_delta`.
pub(crate) fn change_row(memory: &str, change: &ChangeRecord) -> Result<Map> {
    Ok(Map::new()
        .with("bullet", bullet_key(memory, change.bullet))
        .with("type", change.kind.word())
        .with("change", change_properties(change)?))
}

/// The properties of the relationship between a delta and a changed bullet.
pub(super) fn change_properties(change: &ChangeRecord) -> Result<Map> {
    let before = change.before.as_deref().map(compact).transpose()?;
    Ok(Map::new()
        .with("helpful", change.counts.helpful)
        .with("harmful", change.counts.harmful)
        .with("neutral", change.counts.neutral)
        .flag("fields", change.fields)
        .with("before", before))
}

/// These properties as a list, in the order of `bullets/add`.
pub(super) fn change_by_place(change: &ChangeRecord) -> Result<BoltType> {
    let before = change.before.as_deref().map(compact).transpose()?;
    Ok(list_of([
        BoltType::from(change.counts.helpful),
        change.counts.harmful.into(),
        change.counts.neutral.into(),
        change.fields.then_some(true).into(),
        before.into(),
    ]))
}

#[derive(Deserialize)]
pub(super) struct RetrievalProperties {
    id: String,
    tick: u64,
    revision: u64,
    ranked_at: u64,
    at: Moment,
    profile: String,
    query: String,
    parameters: String,
}

/// A returned bullet as read from its relationship.
#[derive(Deserialize)]
pub(super) struct ReturnedRow {
    bullet: String,
    mark: Mended<ReturnedProperties>,
}

#[derive(Deserialize)]
struct ReturnedProperties {
    rank: u64,
    score: f64,
    #[serde(default)]
    injected: bool,
    #[serde(default)]
    used: bool,
    #[serde(default)]
    helped: bool,
    #[serde(default)]
    harmed: bool,
    #[serde(default)]
    ignored: bool,
}

impl RetrievalProperties {
    pub(super) fn into_retrieval(self, mut rows: Vec<ReturnedRow>) -> Result<RetrievalRecord> {
        // Relationships come in no order of their own.
        rows.sort_by_key(|row| row.mark.0.rank);
        let returned = rows.into_iter().map(|row| {
            let Mended(mark) = row.mark;
            Ok(Returned {
                bullet: parsed(&row.bullet)?,
                score: mark.score,
                injected: mark.injected,
                used: mark.used,
                helped: mark.helped,
                harmed: mark.harmed,
                ignored: mark.ignored,
            })
        });
        Ok(RetrievalRecord {
            id: self.id,
            tick: self.tick,
            revision: self.revision,
            ranked_at: self.ranked_at,
            at: self.at.0,
            profile: parsed(&self.profile)?,
            query: self.query,
            parameters: self.parameters,
            returned: returned.collect::<Result<_>>()?,
        })
    }
}

/// The properties of a retrieval, except its tick.
pub(super) fn retrieval_properties(place: Place<'_>, retrieval: &RetrievalRecord) -> Result<Map> {
    place
        .event(title(&retrieval.query))
        .with("hindlore_key", retrieval_key(place.memory, &retrieval.id))
        .with("id", retrieval.id.as_str())
        .with("at", date(retrieval.at))
        .with("profile", retrieval.profile.word())
        .with("query", retrieval.query.as_str())
        .with("parameters", retrieval.parameters.as_str())
        .whole("revision", retrieval.revision)?
        .whole("ranked_at", retrieval.ranked_at)
}

/// A retrieval as a row of `events/create_retrievals`.
pub(super) fn retrieval_row(place: Place<'_>, retrieval: &RetrievalRecord) -> Result<Map> {
    let returned = (0..).zip(&retrieval.returned).map(|(rank, one)| {
        Map::new()
            .with("bullet", bullet_key(place.memory, one.bullet))
            .with("mark", mark_properties(rank, one))
    });
    let properties = retrieval_properties(place, retrieval)?.whole("tick", retrieval.tick)?;
    Ok(Map::new()
        .with("retrieval", properties)
        .list("returned", returned.collect()))
}

/// The properties of a returned bullet, without unset marks.
pub(super) fn mark_properties(rank: i64, returned: &Returned) -> Map {
    marks(returned.injected, feedback(returned))
        .with("rank", rank)
        .with("score", returned.score)
}

/// The marks of a returned bullet; `None` when none is set.
pub(super) fn marks_of(returned: &Returned) -> Option<Map> {
    let feedback = feedback(returned);
    let is_marked = returned.injected || feedback.contains(&true);
    is_marked.then(|| marks(returned.injected, feedback))
}

/// The feedback, in the order of `FEEDBACK`.
fn feedback(returned: &Returned) -> [bool; 4] {
    [
        returned.used,
        returned.helped,
        returned.harmed,
        returned.ignored,
    ]
}

/// The marks that are set. The feedback is there a second time as a list of words, which reveals an edit of one of
/// these marks.
pub(super) fn marks(injected: bool, feedback: [bool; 4]) -> Map {
    let said = FEEDBACK.into_iter().zip(feedback);
    let said: Vec<_> = said.filter(|(_, is_set)| *is_set).collect();
    let marks = Map::new().flag("injected", injected);
    if said.is_empty() {
        return marks;
    }
    let words = said.iter().map(|(name, _)| (*name).to_owned());
    let marks = marks.texts("told", words);
    said.iter()
        .fold(marks, |marks, (name, _)| marks.with(name, true))
}

/// The part of a bullet's key after its memory's key.
pub(super) fn bullet_part(id: BulletId) -> String {
    bullet_key("", id)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However a returned bullet is written, its words match its marks of feedback.
    #[test]
    fn feedback_is_written_twice() {
        for set in 0_u8..32 {
            let is_set = |bit: u8| set & 1 << bit != 0;
            let returned = Returned {
                bullet: BulletId([7; 10]),
                score: 0.5,
                injected: is_set(4),
                used: is_set(0),
                helped: is_set(1),
                harmed: is_set(2),
                ignored: is_set(3),
            };
            let said = (0..).zip(FEEDBACK).filter(|(bit, _)| is_set(*bit));
            let said: Vec<_> = said.map(|(_, name)| name.to_owned()).collect();
            let ways = [Some(mark_properties(0, &returned)), marks_of(&returned)];
            assert_eq!(ways[1].is_some(), set > 0);
            for way in ways.into_iter().flatten() {
                let BoltType::Map(map) = BoltType::from(way) else {
                    panic!("no map");
                };
                let words: Option<Vec<String>> = map.get("told").ok();
                assert_eq!(words.unwrap_or_default(), said);
                let flags = FEEDBACK.map(|name| map.get(name).unwrap_or(false));
                assert_eq!(flags, feedback(&returned));
                assert_eq!(map.get("injected").unwrap_or(false), returned.injected);
            }
        }
    }
}
