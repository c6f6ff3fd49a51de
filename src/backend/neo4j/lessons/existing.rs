//! Reading the existing rows that a commit of lessons is compared with.

use serde::Deserialize;

use super::error_rows::FingerprintProperties;
use super::keys::{Keys, read_id};
use super::run_rows::{MeetingProperties, listed, read_all};
use crate::bolt::times::Moment;
use crate::bolt::transaction::Transaction;
use crate::bolt::values::Map;
use crate::error::Result;
use crate::statements::LESSON_KNOWN;
use hindlore_store::lessons::postings::LIVE;
use hindlore_store::lessons::projection::{
    CommitNames, ExistingFingerprint, ExistingLesson, ExistingRows,
};
use hindlore_store::lessons::transaction::LessonCommit;

#[derive(Deserialize)]
struct RunColumns {
    id: String,
    ended_at: Option<Moment>,
}

#[derive(Deserialize)]
struct FingerprintColumns {
    known: FingerprintProperties,
    live: bool,
}

#[derive(Deserialize)]
struct LessonColumns {
    id: String,
    triggers: Vec<String>,
    placed: Option<String>,
}

/// Reads those rows of a commit that exist, under the learner's lock.
pub(super) async fn read(
    tx: &mut Transaction,
    keys: &Keys,
    commit: &LessonCommit,
) -> Result<ExistingRows> {
    let names = CommitNames::new(commit);
    // Without a name no row can exist, which saves the request.
    if names.is_empty() {
        return Ok(ExistingRows::default());
    }
    let raised = names.raised.iter();
    let asked = Map::new()
        .texts("runs", names.runs.iter().map(|run| keys.run(run)))
        .texts("events", names.events.iter().map(|id| keys.id(id)))
        .texts(
            "fingerprints",
            names.fingerprints.iter().map(|id| keys.id(id)),
        )
        .texts("meetings", raised.map(|(run, id)| keys.meeting(run, *id)))
        .texts("lessons", names.lessons.iter().map(|id| keys.id(id)))
        .with("live", LIVE);
    let rows = tx.query(LESSON_KNOWN, asked).await?;
    let runs = listed(&rows, "runs", |run: RunColumns| {
        Ok((run.id, run.ended_at.map(|Moment(at)| at)))
    })?;
    let fingerprints = listed(&rows, "fingerprints", |one: FingerprintColumns| {
        let row = one.known.into_row()?;
        let is_live = one.live;
        Ok((row.fingerprint.id, ExistingFingerprint { row, is_live }))
    })?;
    let raised = listed(&rows, "meetings", |meeting: MeetingProperties| {
        let raised = meeting.into_raised()?;
        Ok(((raised.run, raised.fingerprint), raised.first_step))
    })?;
    let lessons = listed(&rows, "lessons", |lesson: LessonColumns| {
        let existing = ExistingLesson {
            triggers: read_all(&lesson.triggers)?,
            placement: lesson.placed,
            // The statements find a lesson's postings along its relationships, so none need be named.
            postings: Vec::new(),
        };
        Ok((read_id(&lesson.id)?, existing))
    })?;
    let events = listed(&rows, "events", |id: String| read_id(&id))?;
    Ok(ExistingRows {
        runs: runs.into_iter().collect(),
        events: events.into_iter().collect(),
        fingerprints: fingerprints.into_iter().collect(),
        raised: raised.into_iter().collect(),
        lessons: lessons.into_iter().collect(),
    })
}
