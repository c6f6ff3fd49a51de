//! What a commit is compared with, and what follows from the comparison for fingerprints: their texts,
//! tags and counts are decided here, in process, and then written as they are to be.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::Deserialize;

use super::events::FingerprintProperties;
use super::gather::{MeetingProperties, keys_of};
use super::keys::{Keys, LIVE, read_id};
use super::learned::placed;
use super::rows::{ending, listed, read_all};
use crate::error::{Failure, Work};
use crate::executor::Unit;
use crate::statements::LESSON_KNOWN;
use crate::values::Map;
use mnemograph_domain::lesson::event::ErrorEvent;
use mnemograph_domain::lesson::fingerprint::Fingerprint;
use mnemograph_domain::lesson::ids::{EventId, FingerprintId, LessonId};
use mnemograph_domain::lesson::lesson::Lesson;
use mnemograph_domain::timestamp::Timestamp;
use mnemograph_store::lessons::TAGS_MAX;
use mnemograph_store::lessons::rows::FingerprintRow;
use mnemograph_store::lessons::transaction::{LessonCommit, Raised};

/// A fingerprint with what this commit makes of it.
pub(super) struct Print {
    pub(super) row: FingerprintRow,
    /// True when it triggers a live lesson, as far as it is written.
    pub(super) is_live: bool,
    pub(super) is_new: bool,
    pub(super) is_changed: bool,
    /// Tags that it gets.
    pub(super) new_tags: Vec<String>,
}

/// What is there of that which a commit brings; the empty one is that of a new learner.
#[derive(Default)]
pub(super) struct Known {
    /// By key, with the place among ended runs of those that have ended.
    runs: HashMap<String, Option<String>>,
    events: HashSet<EventId>,
    prints: BTreeMap<FingerprintId, Print>,
    /// By run and fingerprint.
    meetings: BTreeMap<(String, FingerprintId), u32>,
    lessons: HashMap<LessonId, (Vec<FingerprintId>, Option<String>)>,
}

#[derive(Deserialize)]
struct KnownRun {
    key: String,
    id: String,
    ended_at: Option<i64>,
}

#[derive(Deserialize)]
struct KnownPrint {
    known: FingerprintProperties,
    live: bool,
}

#[derive(Deserialize)]
struct KnownLesson {
    id: String,
    triggers: Vec<String>,
    placed: Option<String>,
}

/// The two fingerprints of an error, or the one that both are.
fn prints_of(error: &ErrorEvent) -> impl Iterator<Item = &Fingerprint> {
    let (fine, coarse) = (&error.fingerprints.fine, &error.fingerprints.coarse);
    let coarse = Some(coarse).filter(|coarse| coarse.id != fine.id);
    [Some(fine), coarse].into_iter().flatten()
}

/// Reads what is there.
pub(super) async fn read(unit: &mut Unit, keys: &Keys, commit: &LessonCommit) -> Work<Known> {
    let runs = commit.errors.iter().map(|error| &error.run);
    let runs: Vec<&String> = runs
        .chain(commit.steps.iter().map(|step| &step.run))
        .collect();
    let prints = commit
        .errors
        .iter()
        .flat_map(prints_of)
        .map(|print| print.id);
    let named = commit.fingerprints.iter().map(|new| new.fingerprint.id);
    let triggers = commit
        .lessons
        .iter()
        .flat_map(|lesson| lesson.triggers.iter().copied());
    let prints: Vec<FingerprintId> = prints.chain(named).chain(triggers).collect();
    let met = commit
        .errors
        .iter()
        .flat_map(|error| prints_of(error).map(move |print| (&error.run, print.id)));
    let met: Vec<(&String, FingerprintId)> = met.collect();
    if runs.is_empty() && prints.is_empty() && commit.lessons.is_empty() {
        return Ok(Known::default());
    }
    let asked = Map::new()
        .texts("runs", keys_of(&runs, |run| keys.run(run)))
        .texts("events", keys_of(&commit.errors, |error| keys.id(error.id)))
        .texts("fingerprints", keys_of(&prints, |id| keys.id(id)))
        .texts(
            "meetings",
            keys_of(&met, |(run, id)| keys.meeting(run, *id)),
        )
        .texts(
            "lessons",
            keys_of(&commit.lessons, |lesson| keys.id(lesson.id)),
        )
        .with("live", LIVE);
    let rows = unit.ask(LESSON_KNOWN, asked).await?;
    let runs = listed(&rows, "runs", |run: KnownRun| {
        let at = run.ended_at.map(Timestamp::from_millis);
        Ok((run.key, at.map(|at| ending(at, &run.id))))
    })?;
    let prints = listed(&rows, "fingerprints", |print: KnownPrint| {
        let print = Print {
            row: print.known.into_row()?,
            is_live: print.live,
            is_new: false,
            is_changed: false,
            new_tags: Vec::new(),
        };
        Ok((print.row.fingerprint.id, print))
    })?;
    let meetings = listed(&rows, "meetings", MeetingProperties::into_raised)?;
    let lessons = listed(&rows, "lessons", |lesson: KnownLesson| {
        let triggers = read_all(&lesson.triggers)?;
        Ok((read_id(&lesson.id)?, (triggers, lesson.placed)))
    })?;
    Ok(Known {
        runs: runs.into_iter().collect(),
        events: listed(&rows, "events", |id: String| read_id(&id))?
            .into_iter()
            .collect(),
        prints: prints.into_iter().collect(),
        meetings: meetings
            .into_iter()
            .map(|one| ((one.run, one.fingerprint), one.first_step))
            .collect(),
        lessons: lessons.into_iter().collect(),
    })
}

/// The lessons of a commit, of one that comes twice the last.
pub(super) fn last_of_each(commit: &LessonCommit) -> impl Iterator<Item = &Lesson> {
    let by_id = commit.lessons.iter().map(|lesson| (lesson.id, lesson));
    by_id.collect::<BTreeMap<_, _>>().into_values()
}

/// What a commit comes to beside what is there.
pub(super) struct Step<'c> {
    pub(super) prints: BTreeMap<FingerprintId, Print>,
    /// Errors that are not there.
    pub(super) errors: Vec<&'c ErrorEvent>,
    /// Meetings that are not there, with the place of their run among ended ones.
    pub(super) meetings: Vec<(Raised, Option<String>)>,
    /// Meetings that began at an earlier step than is written.
    pub(super) earlier: Vec<Raised>,
    /// Lessons whose relationships change.
    pub(super) placed: Vec<&'c Lesson>,
    /// Fingerprints that may trigger another number of live lessons than before.
    pub(super) touched: BTreeSet<FingerprintId>,
}

impl Known {
    /// Compares a commit with what is there.
    pub(super) fn compare<'c>(mut self, keys: &Keys, commit: &'c LessonCommit) -> Work<Step<'c>> {
        for run in &commit.runs {
            let ended = run.end.as_ref().map(|end| ending(end.at, &run.id));
            self.runs.insert(keys.run(&run.id), ended);
        }
        self.check_runs(keys, commit)?;
        for new in &commit.fingerprints {
            self.know(&new.fingerprint, &new.tags);
        }
        let old = self.meetings.clone();
        let mut errors = Vec::new();
        for error in &commit.errors {
            if self.events.insert(error.id) {
                self.note(error);
                errors.push(error);
            }
        }
        let mut placed_now = Vec::new();
        let mut touched = BTreeSet::new();
        for lesson in last_of_each(commit) {
            let before = self.lessons.get(&lesson.id);
            if before.is_some_and(|(_, old)| old.as_deref() == Some(&placed(lesson))) {
                continue;
            }
            touched.extend(before.into_iter().flat_map(|(triggers, _)| triggers));
            touched.extend(&lesson.triggers);
            for id in &lesson.triggers {
                let normalised = String::new();
                self.know(
                    &Fingerprint {
                        id: *id,
                        normalised,
                    },
                    &[],
                );
            }
            placed_now.push(lesson);
        }
        let changed = self
            .meetings
            .into_iter()
            .filter(|(met, step)| old.get(met) != Some(step));
        let changed = changed.map(|((run, fingerprint), first_step)| Raised {
            run,
            fingerprint,
            first_step,
        });
        let is_old = |met: &Raised| old.contains_key(&(met.run.clone(), met.fingerprint));
        let (earlier, new): (Vec<Raised>, Vec<Raised>) = changed.partition(is_old);
        let ended = |met: &Raised| self.runs.get(&keys.run(&met.run)).cloned().flatten();
        Ok(Step {
            prints: self.prints,
            errors,
            meetings: new
                .into_iter()
                .map(|met| (met.clone(), ended(&met)))
                .collect(),
            earlier,
            placed: placed_now,
            touched,
        })
    }

    /// Nothing is written down of a run that nobody has begun.
    fn check_runs(&self, keys: &Keys, commit: &LessonCommit) -> Work<()> {
        let of_errors = commit.errors.iter().map(|error| &error.run);
        let mut runs = of_errors.chain(commit.steps.iter().map(|step| &step.run));
        match runs.find(|run| !self.runs.contains_key(&keys.run(run))) {
            None => Ok(()),
            Some(run) => Err(Failure::Refused(format!(
                "run `{run}` is not there, and a step or an error of it was given; write the run along with them"
            ))),
        }
    }

    /// Makes a fingerprint unless it is there; gives it the tags and the text that it lacks.
    fn know(&mut self, fingerprint: &Fingerprint, tags: &[String]) {
        let print = self.prints.entry(fingerprint.id).or_insert_with(|| Print {
            row: FingerprintRow {
                fingerprint: fingerprint.clone(),
                tags: Vec::new(),
                events: 0,
                runs: 0,
                first_at: None,
                last_at: None,
            },
            is_live: false,
            is_new: true,
            is_changed: false,
            new_tags: Vec::new(),
        });
        let row = &mut print.row;
        let missing: BTreeSet<&String> =
            tags.iter().filter(|tag| !row.tags.contains(tag)).collect();
        let room = TAGS_MAX.saturating_sub(row.tags.len());
        let missing: Vec<String> = missing.into_iter().take(room).cloned().collect();
        if row.fingerprint.normalised.is_empty() && !fingerprint.normalised.is_empty() {
            row.fingerprint
                .normalised
                .clone_from(&fingerprint.normalised);
            print.is_changed = true;
        }
        print.is_changed |= !missing.is_empty();
        row.tags.extend(missing.iter().cloned());
        row.tags.sort_unstable();
        print.new_tags.extend(missing);
    }

    /// Takes a new error into its fingerprints: text, tags, counts, and the run that met them.
    fn note(&mut self, error: &ErrorEvent) {
        for fingerprint in prints_of(error) {
            self.know(fingerprint, &error.tags);
            let met = (error.run.clone(), fingerprint.id);
            let is_first = !self.meetings.contains_key(&met);
            let step = self.meetings.entry(met).or_insert(error.step);
            *step = error.step.min(*step);
            if let Some(print) = self.prints.get_mut(&fingerprint.id) {
                let row = &mut print.row;
                row.events += 1;
                row.runs += u64::from(is_first);
                row.first_at = Some(row.first_at.map_or(error.at, |at| at.min(error.at)));
                row.last_at = Some(row.last_at.map_or(error.at, |at| at.max(error.at)));
                print.is_changed = true;
            }
        }
    }
}
