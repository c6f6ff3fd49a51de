//! The row changes of a commit of lessons: pure rules that hold in every backend.
//!
//! A backend reads the rows in [`CommitNames`], passes them in as [`ExistingRows`], and writes the resulting
//! [`RowChanges`] as they are. The limit of tags, the values that count only once, the first step, the postings of a
//! lesson: all of it is decided here, so that no backend knows a threshold and two backends cannot drift apart. The
//! price is a read before each write, even where SQL could count in place.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::TAGS_MAX;
use super::postings::{Posting, placement, postings};
use super::rows::FingerprintRow;
use super::transaction::{LessonCommit, Raised};
use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_errors::fingerprint::Fingerprint;
use hindlore_primitives::ids::{EventId, FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;

/// The names of all rows that a commit must be compared with, each once.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct CommitNames<'c> {
    /// Runs of its steps and errors.
    pub runs: BTreeSet<&'c str>,
    /// Its error events.
    pub events: BTreeSet<EventId>,
    /// Its fingerprints: new ones, those of its errors, and the triggers of its lessons.
    pub fingerprints: BTreeSet<FingerprintId>,
    /// Pairs of run and fingerprint that its errors raise.
    pub raised: BTreeSet<(&'c str, FingerprintId)>,
    /// Its lessons.
    pub lessons: BTreeSet<LessonId>,
}

impl<'c> CommitNames<'c> {
    /// Collects the names in a commit.
    pub fn new(commit: &'c LessonCommit) -> Self {
        let mut names = Self::default();
        for step in &commit.steps {
            names.runs.insert(&step.run);
        }
        for error in &commit.errors {
            names.runs.insert(&error.run);
            names.events.insert(error.id);
            for fingerprint in levels(error) {
                names.fingerprints.insert(fingerprint.id);
                names.raised.insert((&error.run, fingerprint.id));
            }
        }
        for new in &commit.fingerprints {
            names.fingerprints.insert(new.fingerprint.id);
        }
        for lesson in &commit.lessons {
            names.lessons.insert(lesson.id);
            names.fingerprints.extend(&lesson.triggers);
        }
        names
    }

    /// True when no row of the commit can exist already.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.fingerprints.is_empty() && self.lessons.is_empty()
    }
}

/// An existing fingerprint.
#[derive(Clone, PartialEq, Debug)]
pub struct ExistingFingerprint {
    /// Its row.
    pub row: FingerprintRow,
    /// True when it triggers a live lesson, by its postings.
    pub is_live: bool,
}

/// An existing lesson.
#[derive(Clone, PartialEq, Debug)]
pub struct ExistingLesson {
    /// Its triggers.
    pub triggers: Vec<FingerprintId>,
    /// Digest of its postings ([`placement`]); `None` in a store that keeps none.
    pub placement: Option<String>,
    /// Its postings; empty in a store that finds them by the lesson itself.
    pub postings: Vec<Posting>,
}

/// The rows that already exist for a commit. Empty for a new learner.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ExistingRows {
    /// The end of each run, by id; `None` while it is open.
    pub runs: HashMap<String, Option<Timestamp>>,
    /// The error events.
    pub events: HashSet<EventId>,
    /// The fingerprints.
    pub fingerprints: BTreeMap<FingerprintId, ExistingFingerprint>,
    /// The first step that raised a fingerprint, by run and fingerprint.
    pub raised: BTreeMap<(String, FingerprintId), u32>,
    /// The lessons.
    pub lessons: HashMap<LessonId, ExistingLesson>,
}

/// A fingerprint to insert or to replace.
#[derive(Clone, PartialEq, Debug)]
pub struct FingerprintChange {
    /// The row after the commit.
    pub row: FingerprintRow,
    /// True when it must be inserted; the learner's counter then grows by one.
    pub is_new: bool,
    /// Its new tags; the counter of each grows by one.
    pub new_tags: Vec<String>,
    /// True when it triggered a live lesson before the commit. [`RowChanges::refreshed`] names the fingerprints for
    /// which the commit may change that.
    pub is_live: bool,
}

/// A fingerprint that a run raised for the first time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewRaised {
    /// The row.
    pub raised: Raised,
    /// When the run ended; `None` while it is open.
    pub ended_at: Option<Timestamp>,
}

/// A lesson whose postings change.
#[derive(Clone, PartialEq, Debug)]
pub struct PostingChange<'c> {
    /// The lesson.
    pub lesson: &'c Lesson,
    /// Postings to delete; empty in a store that finds them by the lesson itself.
    pub removed: Vec<Posting>,
    /// Postings to insert.
    pub added: Vec<Posting>,
}

/// The changes that a commit implies in addition to its own rows, in the order of the writes.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RowChanges<'c> {
    /// Fingerprints to insert or replace, ascending by id.
    pub fingerprints: Vec<FingerprintChange>,
    /// New errors, in the order of the commit.
    pub errors: Vec<&'c ErrorEvent>,
    /// Rows to insert, ascending by run, then by fingerprint.
    pub raised: Vec<NewRaised>,
    /// Existing rows whose first step moves to an earlier one.
    pub raised_earlier: Vec<Raised>,
    /// Lessons to insert or replace, ascending by id; the last one of duplicates.
    pub lessons: Vec<&'c Lesson>,
    /// Those lessons whose postings change.
    pub postings: Vec<PostingChange<'c>>,
    /// Fingerprints that may have gained their first live lesson or lost their last. Once the postings are written, the
    /// backend notes on their tags whether they trigger one.
    pub refreshed: BTreeSet<FingerprintId>,
}

/// The fingerprints that gain a tag, by tag, ascending.
pub fn by_new_tag(changes: &[FingerprintChange]) -> BTreeMap<&str, Vec<&FingerprintChange>> {
    let mut by_tag: BTreeMap<&str, Vec<&FingerprintChange>> = BTreeMap::new();
    for change in changes {
        for tag in &change.new_tags {
            by_tag.entry(tag).or_default().push(change);
        }
    }
    by_tag
}

/// Decides the row changes of a commit. `Err` has the reason why it is refused: a row of another owner, or a step or an error of
/// an unknown run.
pub fn project<'c>(
    owner: &LearnerId,
    commit: &'c LessonCommit,
    existing: ExistingRows,
) -> Result<RowChanges<'c>, String> {
    commit.check_owner(owner)?;
    let mut projection = Projection::new(existing);
    // Before the check, because a commit may bring the runs of its steps along.
    for run in &commit.runs {
        let ended_at = run.end.as_ref().map(|end| end.at);
        projection.runs.insert(run.id.clone(), ended_at);
    }
    projection.check_runs(commit)?;
    for new in &commit.fingerprints {
        projection.learn(&new.fingerprint, &new.tags);
    }
    let mut changes = RowChanges::default();
    for error in &commit.errors {
        // An event counts once, even when one commit holds it twice.
        if projection.events.insert(error.id) {
            projection.count(error);
            changes.errors.push(error);
        }
    }
    let by_id = commit.lessons.iter().map(|lesson| (lesson.id, lesson));
    changes.lessons = by_id.collect::<BTreeMap<_, _>>().into_values().collect();
    for lesson in &changes.lessons {
        let posted = projection.post(lesson, &mut changes.refreshed);
        changes.postings.extend(posted);
    }
    projection.into_changes(changes)
}

/// The fingerprints of an error: fine and coarse, or only one when both are the same.
pub fn levels(error: &ErrorEvent) -> impl Iterator<Item = &Fingerprint> {
    let (fine, coarse) = (&error.fingerprints.fine, &error.fingerprints.coarse);
    let coarse = Some(coarse).filter(|coarse| coarse.id != fine.id);
    [Some(fine), coarse].into_iter().flatten()
}

/// The existing rows with the changes of the commit so far.
struct Projection {
    runs: HashMap<String, Option<Timestamp>>,
    events: HashSet<EventId>,
    fingerprints: BTreeMap<FingerprintId, (FingerprintChange, bool)>,
    raised_before: BTreeMap<(String, FingerprintId), u32>,
    raised: BTreeMap<(String, FingerprintId), u32>,
    lessons: HashMap<LessonId, ExistingLesson>,
}

impl Projection {
    fn new(existing: ExistingRows) -> Self {
        let unchanged = |one: ExistingFingerprint| {
            let change = FingerprintChange {
                row: one.row,
                is_new: false,
                new_tags: Vec::new(),
                is_live: one.is_live,
            };
            (change, false)
        };
        let fingerprints = existing.fingerprints.into_iter();
        Self {
            runs: existing.runs,
            events: existing.events,
            fingerprints: fingerprints.map(|(id, one)| (id, unchanged(one))).collect(),
            // Kept twice, because only a difference from the stored step is a change.
            raised: existing.raised.clone(),
            raised_before: existing.raised,
            lessons: existing.lessons,
        }
    }

    /// Refuses steps and errors of unknown runs.
    fn check_runs(&self, commit: &LessonCommit) -> Result<(), String> {
        let of_errors = commit.errors.iter().map(|error| &error.run);
        let mut runs = of_errors.chain(commit.steps.iter().map(|step| &step.run));
        match runs.find(|run| !self.runs.contains_key(*run)) {
            None => Ok(()),
            Some(run) => Err(format!(
                "run `{run}` is not there, and a step or an error of it was given; write the run along with them"
            )),
        }
    }

    /// Adds a fingerprint if it is unknown, its missing tags up to [`TAGS_MAX`], and its text if it had none.
    fn learn(&mut self, fingerprint: &Fingerprint, tags: &[String]) -> &mut FingerprintRow {
        let new = || {
            let row = FingerprintRow {
                fingerprint: fingerprint.clone(),
                tags: Vec::new(),
                events: 0,
                runs: 0,
                first_at: None,
                last_at: None,
            };
            let change = FingerprintChange {
                row,
                is_new: true,
                new_tags: Vec::new(),
                is_live: false,
            };
            (change, true)
        };
        let (change, is_changed) = self.fingerprints.entry(fingerprint.id).or_insert_with(new);
        let row = &mut change.row;
        // Sorted before the cut, so that every backend keeps the same tags.
        let missing: BTreeSet<&String> =
            tags.iter().filter(|tag| !row.tags.contains(tag)).collect();
        let room = TAGS_MAX.saturating_sub(row.tags.len());
        let missing: Vec<String> = missing.into_iter().take(room).cloned().collect();
        if row.fingerprint.normalised.is_empty() && !fingerprint.normalised.is_empty() {
            row.fingerprint
                .normalised
                .clone_from(&fingerprint.normalised);
            *is_changed = true;
        }
        if !missing.is_empty() {
            row.tags.extend(missing.iter().cloned());
            row.tags.sort_unstable();
            change.new_tags.extend(missing);
            *is_changed = true;
        }
        &mut change.row
    }

    /// Counts a new error in its fingerprints, and keeps the first step of the run that raised each.
    fn count(&mut self, error: &ErrorEvent) {
        for fingerprint in levels(error) {
            let key = (error.run.clone(), fingerprint.id);
            let is_first_of_run = !self.raised.contains_key(&key);
            let first = self.raised.entry(key).or_insert(error.step);
            // Reports may arrive out of order, so a later one can bring an earlier step.
            *first = error.step.min(*first);
            let row = self.learn(fingerprint, &error.tags);
            row.events += 1;
            row.runs += u64::from(is_first_of_run);
            row.first_at = Some(row.first_at.map_or(error.at, |at| at.min(error.at)));
            row.last_at = Some(row.last_at.map_or(error.at, |at| at.max(error.at)));
            if let Some((_, is_changed)) = self.fingerprints.get_mut(&fingerprint.id) {
                *is_changed = true;
            }
        }
    }

    /// Decides the postings of a lesson; `None` when they stay as they are.
    fn post<'c>(
        &mut self,
        lesson: &'c Lesson,
        refreshed: &mut BTreeSet<FingerprintId>,
    ) -> Option<PostingChange<'c>> {
        let before = self.lessons.remove(&lesson.id);
        let old = before.as_ref().and_then(|old| old.placement.as_deref());
        if old == Some(&*placement(lesson)) {
            return None;
        }
        // An old trigger may lose its last live lesson, and a new one may gain its first.
        refreshed.extend(before.iter().flat_map(|old| &old.triggers));
        refreshed.extend(&lesson.triggers);
        for id in &lesson.triggers {
            // A trigger brings only its id; the text comes with the first error that has it.
            let normalised = String::new();
            self.learn(
                &Fingerprint {
                    id: *id,
                    normalised,
                },
                &[],
            );
        }
        Some(PostingChange {
            lesson,
            removed: before.map(|old| old.postings).unwrap_or_default(),
            added: postings(lesson),
        })
    }

    fn into_changes(self, mut changes: RowChanges<'_>) -> Result<RowChanges<'_>, String> {
        for ((run, fingerprint), first_step) in self.raised {
            let ended_at = self.runs.get(&run).copied().flatten();
            let key = (run, fingerprint);
            let before = self.raised_before.get(&key).copied();
            let raised = Raised {
                run: key.0,
                fingerprint,
                first_step,
            };
            match before {
                None => changes.raised.push(NewRaised { raised, ended_at }),
                Some(step) if step != first_step => changes.raised_earlier.push(raised),
                Some(_) => {}
            }
        }
        let fingerprints = self.fingerprints.into_values();
        let changed = fingerprints.filter(|(_, is_changed)| *is_changed);
        changes.fingerprints = changed.map(|(change, _)| change).collect();
        Ok(changes)
    }
}

#[cfg(test)]
mod tests;
