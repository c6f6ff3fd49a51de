//! The JSON form of the lists of an ended run in all backends: which failure and which lesson at which step.
//!
//! The lists are read together with their run; for look-ups the same facts are also rows of their own. The form belongs
//! to the contract because a run that moves between two backends must come back the same. Fields may be added with a
//! default; none may change its meaning.

use serde::{Deserialize, Serialize};

use super::rows::RunEnd;
use hindlore_domain::lesson::run::{Followed, InForce, Occurrence};
use hindlore_primitives::ids::{FingerprintId, LessonId};

/// The three lists of an ended run as texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunLists {
    /// Failures: an array of `[step, fine, coarse]`.
    pub occurrences: String,
    /// Lessons in force: an array of `[lesson, from_step, [fingerprint, …]]`.
    pub in_force: String,
    /// Steps on advice: an array of `[lesson, step]`.
    pub followed: String,
}

#[derive(Serialize, Deserialize)]
struct OccurrenceText(u32, FingerprintId, FingerprintId);

#[derive(Serialize, Deserialize)]
struct InForceText(LessonId, u32, Vec<FingerprintId>);

#[derive(Serialize, Deserialize)]
struct FollowedText(LessonId, u32);

impl RunLists {
    /// The form of a run's end.
    ///
    /// # Errors
    /// When a value has no JSON form; each of these has one.
    pub fn new(end: &RunEnd) -> Result<Self, serde_json::Error> {
        let occurrences = end
            .occurrences
            .iter()
            .map(|row| OccurrenceText(row.step, row.fine, row.coarse));
        let in_force = end
            .in_force
            .iter()
            .map(|row| InForceText(row.lesson, row.from_step, row.triggers.clone()));
        let followed = end
            .followed
            .iter()
            .map(|row| FollowedText(row.lesson, row.step));
        Ok(Self {
            occurrences: serde_json::to_string(&occurrences.collect::<Vec<_>>())?,
            in_force: serde_json::to_string(&in_force.collect::<Vec<_>>())?,
            followed: serde_json::to_string(&followed.collect::<Vec<_>>())?,
        })
    }

    /// Reads the failures.
    ///
    /// # Errors
    /// When the text is not this form.
    pub fn occurrences(text: &str) -> Result<Vec<Occurrence>, serde_json::Error> {
        let rows: Vec<OccurrenceText> = serde_json::from_str(text)?;
        let read = |OccurrenceText(step, fine, coarse)| Occurrence { step, fine, coarse };
        Ok(rows.into_iter().map(read).collect())
    }

    /// Reads the lessons in force.
    ///
    /// # Errors
    /// When the text is not this form.
    pub fn in_force(text: &str) -> Result<Vec<InForce>, serde_json::Error> {
        let rows: Vec<InForceText> = serde_json::from_str(text)?;
        let read = |InForceText(lesson, from_step, triggers)| InForce {
            lesson,
            from_step,
            triggers,
        };
        Ok(rows.into_iter().map(read).collect())
    }

    /// Reads the steps on advice.
    ///
    /// # Errors
    /// When the text is not this form.
    pub fn followed(text: &str) -> Result<Vec<Followed>, serde_json::Error> {
        let rows: Vec<FollowedText> = serde_json::from_str(text)?;
        let read = |FollowedText(lesson, step)| Followed { lesson, step };
        Ok(rows.into_iter().map(read).collect())
    }
}
