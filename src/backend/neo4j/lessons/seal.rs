//! The seal of a lesson: a hash of everything that the engine wrote, which reveals an edit by hand.
//!
//! Only the doctor uses it. Reading a lesson always goes by its properties.

use neo4rs::Row;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::statements::Turn;
use crate::values::Map;
use hindlore_domain::identity::{derived_hash, hex};
use hindlore_domain::lesson::ids::{FingerprintId, LessonId};
use hindlore_domain::lesson::lesson::{
    Contest, Counts, Lesson, Place, Reach, Status, UtilityPoint,
};
use hindlore_domain::lesson::proof_state::ProofState;
use hindlore_domain::timestamp::Timestamp;

/// Bytes of a seal.
const SEAL_BYTES: usize = 16;
/// The seal of a lesson whose original is unknown; it equals no hash.
const BROKEN: &str = "unknown";

/// A lesson without its owner, in the field order of the text in older databases: seals must not change.
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
    /// Left out where it was never written, so that older seals hold.
    #[serde(default, skip_serializing_if = "is_unwritten")]
    proof: ProofState,
}

fn is_unwritten(proof: &ProofState) -> bool {
    *proof == ProofState::default()
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
            proof: lesson.proof,
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

/// The steps of the migration `one_truth`: from each row read to the row to write.
pub(crate) const TURNS: &[Turn] = &[lesson_turn, decision_turn, learner_turn];

/// Takes from a lesson's old text what no property holds, and seals the text as the engine wrote it. A property that
/// differs from the text was edited by hand and wins; an unreadable text leaves only the properties.
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
        .with("hindlore_key", row.get::<String>("key")?)
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
    let key = Map::new().with("hindlore_key", row.get::<String>("key")?);
    // An unreadable decision stays without the two properties; reading it reports the damage.
    Ok(match text {
        Some(text) => key
            .with("numbers", text.numbers.to_string())
            .with("evidence", text.evidence.to_string()),
        None => key,
    })
}

fn learner_turn(row: &Row) -> Result<Map> {
    Ok(Map::new().with("hindlore_key", row.get::<String>("key")?))
}
