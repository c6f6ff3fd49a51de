//! The audit trail of lessons: conflicts as relationships; sources, decisions and reviews as nodes.

use neo4rs::Row;
use serde::Deserialize;

use super::fields::{Fields, Properties};
use super::keys::{Keys, ordered, ordered_both, read_id};
use super::run_rows::{listed, read_all};
use crate::bolt::times::{Moment, date};
use crate::bolt::values::{Map, list_of, title};
use crate::error::Result;
use hindlore_domain::lesson::evidence::summary::Summary;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::lesson::promotion::Decision;
use hindlore_primitives::ids::LessonId;
use hindlore_store::lessons::rows::{Conflict, LessonSource, Review};
use hindlore_store::order_key::{falling, rising};

/// The properties of a conflict.
#[derive(Deserialize)]
pub(super) struct ConflictProperties {
    first: String,
    second: String,
    reason: String,
    at: Moment,
    #[serde(default)]
    settled: Option<String>,
}

impl ConflictProperties {
    pub(super) fn into_conflict(self) -> Result<Conflict> {
        let settled = self
            .settled
            .as_deref()
            .map(serde_json::from_str)
            .transpose()?;
        Ok(Conflict {
            settled,
            first: read_id(&self.first)?,
            second: read_id(&self.second)?,
            reason: self.reason,
            at: self.at.0,
        })
    }
}

/// A conflict as a row of `lessons/add_conflicts`.
pub(super) fn conflict_row(keys: &Keys, conflict: &Conflict) -> Result<Map> {
    let settled = conflict
        .settled
        .as_ref()
        .map(serde_json::to_string)
        .transpose()?;
    let (first, second) = (conflict.first, conflict.second);
    let properties = Map::new()
        .with("hindlore_pair", keys.pair(first, second))
        .with("tenant", keys.owner.tenant())
        .with("learner", keys.owner.learner())
        .with("title", title(&conflict.reason))
        .with("first", first.to_string())
        .with("second", second.to_string())
        .with("reason", conflict.reason.as_str())
        .with("at", date(conflict.at))
        .with("settled", settled);
    Ok(Map::new()
        .with("first", keys.id(first))
        .with("second", keys.id(second))
        .with("conflict", properties))
}

/// The properties of a source of a lesson.
#[derive(Deserialize)]
pub(super) struct SourceProperties {
    lesson: String,
    run: String,
    origin: String,
    steps: Vec<u32>,
    events: Vec<String>,
    at: Moment,
}

impl SourceProperties {
    pub(super) fn into_source(self) -> Result<LessonSource> {
        Ok(LessonSource {
            lesson: read_id::<LessonId>(&self.lesson)?,
            run: self.run,
            origin: read_id(&self.origin)?,
            steps: self.steps,
            events: read_all(&self.events)?,
            at: self.at.0,
        })
    }
}

/// A source as a row of `lessons/add_sources`.
pub(super) fn source_row(keys: &Keys, source: &LessonSource) -> Map {
    let (lesson, origin) = (source.lesson, source.origin.word());
    let order = format!(
        "{}{}{}",
        keys.id(lesson),
        rising(source.at),
        ordered_both(&source.run, origin)
    );
    let steps = source.steps.iter().map(|step| i64::from(*step));
    let caption = format!("{origin} · {}", source.run);
    let properties = keys
        .node(keys.source(lesson, &source.run, origin), &caption)
        .with("lesson", lesson.to_string())
        .with("run", source.run.as_str())
        .with("origin", origin)
        .with("steps", list_of(steps))
        .texts("events", source.events.iter().map(ToString::to_string))
        .with("at", date(source.at))
        .with("hindlore_by_lesson", order);
    Map::new()
        .with("lesson", keys.id(lesson))
        .with("run", keys.run(&source.run))
        .with("source", properties)
}

/// A decision as a row of `lessons/add_decisions`.
pub(super) fn decision_row(keys: &Keys, decision: &Decision) -> Result<Map> {
    let (id, summary) = (decision.id, &decision.summary);
    let caption = format!("{} → {}: {}", decision.from, decision.to, decision.reason);
    let order = format!("{}{}{id}", keys.id(decision.lesson), rising(decision.at));
    let in_time = format!("{}{}{id}", keys.key, falling(decision.at));
    let properties = keys
        .node(keys.id(id), &caption)
        .with("id", id.to_string())
        .with("lesson", decision.lesson.to_string())
        .with("from_status", decision.from.word())
        .with("to_status", decision.to.word())
        .with("cause", decision.cause.word())
        .with("reason", decision.reason.word())
        .whole("outcomes", summary.outcomes as u64)?
        .whole("relevant_runs", summary.relevant_runs as u64)?
        .whole("regressions", summary.regressions as u64)?
        .with("mean_utility", summary.mean)
        .with("lower", summary.lower)
        .with("upper", summary.upper)
        .with("recurrence_with", summary.recurrence_with)
        .with("recurrence_without", summary.recurrence_without)
        .with("proof", serde_json::to_string(&summary.proof)?)
        .with("at", date(decision.at))
        .with("hindlore_by_time", in_time)
        .with("numbers", serde_json::to_string(&decision.numbers)?)
        .with("evidence", serde_json::to_string(&decision.evidence)?)
        .with("hindlore_by_lesson", order);
    Ok(Map::new()
        .with("lesson", keys.id(decision.lesson))
        .with("decision", properties))
}

/// Reads a decision from its properties; its policy and its evidence are JSON.
pub(super) fn into_decision(properties: &Properties, owner: &LearnerId) -> Result<Decision> {
    let fields = Fields {
        of: properties,
        what: "decision",
        whose: owner,
    };
    Ok(Decision {
        id: fields.word("id")?,
        lesson: fields.word("lesson")?,
        from: fields.word("from_status")?,
        to: fields.word("to_status")?,
        cause: fields.word("cause")?,
        reason: fields.word("reason")?,
        summary: Summary {
            outcomes: fields.small("outcomes")?,
            relevant_runs: fields.small("relevant_runs")?,
            mean: fields.fraction("mean_utility")?,
            lower: fields.fraction("lower")?,
            upper: fields.fraction("upper")?,
            recurrence_with: fields.fraction_if_any("recurrence_with")?,
            recurrence_without: fields.fraction_if_any("recurrence_without")?,
            regressions: fields.small("regressions")?,
            proof: fields.json("proof")?,
        },
        numbers: fields.json("numbers")?,
        evidence: fields.json("evidence")?,
        at: fields.moment("at")?,
    })
}

/// The properties of a review.
#[derive(Deserialize)]
pub(super) struct ReviewProperties {
    id: String,
    lesson: String,
    from_status: String,
    to_status: String,
    author: Option<String>,
    note: Option<String>,
    at: Moment,
}

impl ReviewProperties {
    pub(super) fn into_review(self) -> Result<Review> {
        Ok(Review {
            id: self.id,
            lesson: read_id(&self.lesson)?,
            from: read_id(&self.from_status)?,
            to: read_id(&self.to_status)?,
            author: self.author,
            note: self.note,
            at: self.at.0,
        })
    }
}

/// A review as a row of `lessons/add_reviews`.
pub(super) fn review_row(keys: &Keys, review: &Review) -> Map {
    let caption = format!("{} → {}", review.from, review.to);
    let order = format!(
        "{}{}{}",
        keys.id(review.lesson),
        rising(review.at),
        ordered(&review.id)
    );
    let properties = keys
        .node(keys.review(&review.id), &caption)
        .with("id", review.id.as_str())
        .with("lesson", review.lesson.to_string())
        .with("from_status", review.from.word())
        .with("to_status", review.to.word())
        .with("author", review.author.clone())
        .with("note", review.note.clone())
        .with("at", date(review.at))
        .with("hindlore_by_lesson", order);
    Map::new()
        .with("lesson", keys.id(review.lesson))
        .with("review", properties)
}

/// Reads the conflicts in the first row, ascending by pair.
pub(super) fn conflicts_in(rows: &[Row]) -> Result<Vec<Conflict>> {
    let mut found = listed(rows, "conflicts", ConflictProperties::into_conflict)?;
    found.sort_unstable_by_key(|row| (row.first, row.second));
    Ok(found)
}
