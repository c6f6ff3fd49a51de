//! The seal of a lesson: a hash of all that the engine wrote of it, by which a change that was made by hand is known.
//!
//! It is kept for the doctor alone. What is read is always what the properties say.

use neo4rs::Row;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::statements::Turn;
use crate::values::Map;
use mnemograph_domain::identity::{derived_hash, hex};
use mnemograph_domain::lesson::ids::{FingerprintId, LessonId};
use mnemograph_domain::lesson::lesson::{
    Contest, Counts, Lesson, Place, Reach, Status, UtilityPoint,
};
use mnemograph_domain::timestamp::Timestamp;

/// Bytes of a seal.
const SEAL_BYTES: usize = 16;
/// The seal of a lesson of which nobody knows what the engine wrote: no hash is like it.
const BROKEN: &str = "unknown";

/// All of a lesson but its owner, in the order in which older databases kept it as one text.
#[derive(Serialize, Deserialize)]
struct LessonText {
    id: LessonId,
    rule: String,
    reach: Reach,
    place: Place,
    status: Status,
    reliability: f64,
    impact: f64,
    counts: Counts,
    created_at: Timestamp,
    evidence_at: Timestamp,
    used_at: Option<Timestamp>,
    unused_opportunities: u32,
    restates: Option<LessonId>,
    triggers: Vec<FingerprintId>,
    tags: Vec<String>,
    source_runs: Vec<String>,
    history: Vec<UtilityPoint>,
    contests: Vec<Contest>,
}

impl LessonText {
    fn new(lesson: &Lesson) -> Self {
        let lesson = lesson.clone();
        Self {
            id: lesson.id,
            rule: lesson.rule.as_str().to_owned(),
            reach: lesson.reach,
            place: lesson.place,
            status: lesson.status,
            reliability: lesson.reliability,
            impact: lesson.impact,
            counts: lesson.counts,
            created_at: lesson.created_at,
            evidence_at: lesson.evidence_at,
            used_at: lesson.used_at,
            unused_opportunities: lesson.unused_opportunities,
            restates: lesson.restates,
            triggers: lesson.triggers,
            tags: lesson.tags,
            source_runs: lesson.source_runs,
            history: lesson.history,
            contests: lesson.contests,
        }
    }

    fn seal(&self) -> Result<String> {
        let text = serde_json::to_string(self)?;
        Ok(hex(&derived_hash(&["lesson", &text])[..SEAL_BYTES]))
    }
}

/// The seal of a lesson.
pub(super) fn seal(lesson: &Lesson) -> Result<String> {
    LessonText::new(lesson).seal()
}

/// What the statements of the migration `one_truth` write for the rows that they read.
pub(crate) const TURNS: &[Turn] = &[lesson_turn, decision_turn, learner_turn];

/// What only the text of a lesson said, sealed as the engine wrote it. A property that says something else than the text
/// was changed by hand, and a text that cannot be read leaves no more than its properties.
fn lesson_turn(row: &Row) -> Result<Map> {
    let body: Option<String> = row.get("body")?;
    let text = body.and_then(|body| serde_json::from_str::<LessonText>(&body).ok());
    let (history, contests, seal) = match text {
        Some(text) => (
            serde_json::to_string(&text.history)?,
            serde_json::to_string(&text.contests)?,
            text.seal()?,
        ),
        None => ("[]".to_owned(), "[]".to_owned(), BROKEN.to_owned()),
    };
    Ok(Map::new()
        .with("key", row.get::<String>("key")?)
        .with("history", history)
        .with("contests", contests)
        .with("seal", seal))
}

#[derive(Deserialize)]
struct DecisionText {
    numbers: serde_json::Value,
    evidence: serde_json::Value,
}

fn decision_turn(row: &Row) -> Result<Map> {
    let body: Option<String> = row.get("body")?;
    let text = body.and_then(|body| serde_json::from_str::<DecisionText>(&body).ok());
    let key = Map::new().with("key", row.get::<String>("key")?);
    // What cannot be read stays without the two, and is told when it is asked for.
    Ok(match text {
        Some(text) => key
            .with("numbers", text.numbers.to_string())
            .with("evidence", text.evidence.to_string()),
        None => key,
    })
}

fn learner_turn(row: &Row) -> Result<Map> {
    Ok(Map::new().with("key", row.get::<String>("key")?))
}
