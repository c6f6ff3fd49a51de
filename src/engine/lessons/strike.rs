//! The rows that depend on an erased run, error or lesson, and which of them are erased with it. Pure.
//!
//! Rows about the erased thing itself are erased: the steps, errors and activations of a run; the step of an error and
//! its place in the end of its run; the sources, conflicts, uses, decisions and reviews of a lesson; every kept answer
//! that names it. So are texts that only it brought: those of a fingerprint without other errors, and tags without
//! other bearers. Lessons learned from a run or an error stay, because they may rest on others as well; they are
//! listed, so that the caller can erase them too. The numbers of a lesson stay: they identify no one.

use std::collections::BTreeSet;

use serde_json::Value;

use hindlore_domain::lesson::event::ErrorEvent;
use hindlore_domain::lesson::learning::attempt::subjects;
use hindlore_domain::lesson::learning::candidate::Origin;
use hindlore_primitives::ids::{EventId, FingerprintId, LessonId};
use hindlore_store::Erased;
use hindlore_store::lessons::reading::LessonsCopy;
use hindlore_store::lessons::rows::LessonSource;

/// All lessons of a learner without the erased one.
pub(crate) struct Struck {
    pub(crate) left: LessonsCopy,
    pub(crate) erased: Erased,
    /// Lessons that were learned from it and stay.
    pub(crate) resting: Vec<LessonId>,
}

/// Takes a run away; none when it is not there.
pub(crate) fn run(mut all: LessonsCopy, id: &str) -> Option<Struck> {
    let before = counted(&all);
    all.runs.iter().find(|run| run.id == id)?;
    let resting = resting(&all, |source| source.run == id && is_learned(source.origin));
    let errors: Vec<EventId> = all
        .errors
        .iter()
        .filter(|error| error.run == id)
        .map(|error| error.id)
        .collect();
    for error in errors {
        take_error(&mut all, error);
    }
    all.runs.retain(|run| run.id != id);
    for run in &mut all.runs {
        let parent = &mut run.trajectory.parent;
        *parent = parent.take().filter(|parent| parent != id);
    }
    all.steps.retain(|step| step.run != id);
    all.activations.retain(|row| row.activation.run != id);
    all.sources
        .retain(|source| source.run != id || !is_learned(source.origin));
    for lesson in &mut all.lessons {
        lesson.source_runs.retain(|run| run != id);
        lesson.proof.supports.retain(|support| support.run != id);
    }
    for decision in &mut all.decisions {
        decision.evidence.outcomes.retain(|row| row.run != id);
        decision.evidence.runs.retain(|row| row.run != id);
        decision.evidence.supports.retain(|row| row.run != id);
        decision.evidence.needs.retain(|run| run != id);
    }
    // An answer is JSON; the quoted form matches no part of a longer name.
    let named = serde_json::to_string(id).unwrap_or_default();
    let end = super::runs::end::operation_of(id);
    all.receipts
        .retain(|receipt| receipt.operation != end && !receipt.answer.contains(&named));
    Some(Struck::of(all, &before, resting))
}

/// Takes an error away; none when it is not there.
pub(crate) fn error(mut all: LessonsCopy, id: EventId) -> Option<Struck> {
    let before = counted(&all);
    all.errors.iter().find(|error| error.id == id)?;
    let resting = resting(&all, |source| source.events.contains(&id));
    take_error(&mut all, id);
    Some(Struck::of(all, &before, resting))
}

/// Takes a lesson away; none when it is not there.
pub(crate) fn lesson(mut all: LessonsCopy, id: LessonId) -> Option<Struck> {
    let before = counted(&all);
    let at = all.lessons.iter().position(|lesson| lesson.id == id)?;
    let gone = all.lessons.remove(at);
    all.sources.retain(|source| source.lesson != id);
    all.conflicts
        .retain(|conflict| conflict.first != id && conflict.second != id);
    all.activations.retain(|row| row.activation.lesson != id);
    all.decisions.retain(|decision| decision.lesson != id);
    all.reviews.retain(|review| review.lesson != id);
    for lesson in &mut all.lessons {
        lesson.restates = lesson.restates.filter(|other| *other != id);
        lesson.contests.retain(|contest| contest.other != id);
    }
    for decision in &mut all.decisions {
        decision.evidence.contests.retain(|one| one.other != id);
    }
    for step in &mut all.steps {
        step.followed.retain(|lesson| *lesson != id);
    }
    for run in &mut all.runs {
        // An end that has read the run must see that its contents changed.
        run.changes += 1;
        if let Some(end) = &mut run.end {
            end.in_force.retain(|row| row.lesson != id);
            end.followed.retain(|row| row.lesson != id);
        }
    }
    let (named, rule) = (id.to_string(), serde_json::to_string(gone.rule.as_str()));
    let rule = rule.unwrap_or_else(|_| named.clone());
    all.receipts
        .retain(|receipt| !receipt.answer.contains(&named) && !receipt.answer.contains(&rule));
    forget_prints(&mut all, &gone.triggers, &[]);
    Some(Struck::of(all, &before, Vec::new()))
}

impl Struck {
    fn of(left: LessonsCopy, before: &Erased, resting: Vec<LessonId>) -> Self {
        let after = counted(&left);
        let erased = Erased {
            lessons: before.lessons - after.lessons,
            runs: before.runs - after.runs,
            errors: before.errors - after.errors,
            ..Erased::default()
        };
        Self {
            left,
            erased,
            resting,
        }
    }
}

fn counted(all: &LessonsCopy) -> Erased {
    Erased {
        lessons: all.lessons.len() as u64,
        runs: all.runs.len() as u64,
        errors: all.errors.len() as u64,
        ..Erased::default()
    }
}

/// A source that came from a file has the name of the file where others have a run.
fn is_learned(origin: Origin) -> bool {
    origin != Origin::Import
}

fn resting(all: &LessonsCopy, is_of: impl Fn(&LessonSource) -> bool) -> Vec<LessonId> {
    let sources = all.sources.iter().filter(|source| is_of(source));
    let lessons: BTreeSet<LessonId> = sources.map(|source| source.lesson).collect();
    lessons.into_iter().collect()
}

/// Takes an error away, with the step that it is about.
fn take_error(all: &mut LessonsCopy, id: EventId) {
    let Some(at) = all.errors.iter().position(|error| error.id == id) else {
        return;
    };
    let gone = all.errors.remove(at);
    let is_last_of_step = !all
        .errors
        .iter()
        .any(|error| (&error.run, error.step) == (&gone.run, gone.step));
    if is_last_of_step {
        all.steps
            .retain(|step| (&step.run, step.step) != (&gone.run, gone.step));
    }
    take_from_end(all, &gone);
    for source in &mut all.sources {
        let had = source.events.contains(&id);
        source.events.retain(|event| *event != id);
        if had && is_last_of_step && source.run == gone.run {
            source.steps.retain(|step| *step != gone.step);
        }
    }
    let named = id.to_string();
    all.receipts
        .retain(|receipt| !receipt.answer.contains(&named));
    forget_prints(all, &gone.fingerprints.ids(), &gone.tags);
}

/// Takes an error out of the end of its run.
fn take_from_end(all: &mut LessonsCopy, gone: &ErrorEvent) {
    let Some(run) = all.runs.iter_mut().find(|run| run.id == gone.run) else {
        return;
    };
    run.changes += 1;
    let Some(end) = &mut run.end else {
        return;
    };
    let (fine, coarse) = (gone.fingerprints.fine.id, gone.fingerprints.coarse.id);
    let place = end
        .occurrences
        .iter()
        .position(|one| (one.step, one.fine, one.coarse) == (gone.step, fine, coarse));
    // One place only: an equal one belongs to another error.
    if let Some(at) = place {
        end.occurrences.remove(at);
    }
    let own = all.steps.iter().filter(|step| step.run == gone.run);
    let actions: Vec<Value> = own
        .map(|step| serde_json::from_str(&step.action).unwrap_or_default())
        .collect();
    end.subjects = subjects(&actions);
}

/// Forgets the texts and tags of fingerprints that nothing speaks of any more: a fingerprint without errors and
/// lessons goes, one that a lesson waits for is known by its identity only. `tags` go from those that stay,
/// unless another error or a lesson bears them.
fn forget_prints(all: &mut LessonsCopy, ids: &[FingerprintId], tags: &[String]) {
    for id in ids {
        let borne: Vec<&ErrorEvent> = all
            .errors
            .iter()
            .filter(|error| error.fingerprints.ids().contains(id))
            .collect();
        let awaited: Vec<_> = all
            .lessons
            .iter()
            .filter(|lesson| lesson.triggers.contains(id))
            .collect();
        if borne.is_empty() && awaited.is_empty() {
            all.fingerprints.retain(|row| row.fingerprint.id != *id);
            continue;
        }
        let kept: BTreeSet<&String> = borne
            .iter()
            .flat_map(|error| &error.tags)
            .chain(awaited.iter().flat_map(|lesson| &lesson.tags))
            .collect();
        let has_text = !borne.is_empty();
        let row = all
            .fingerprints
            .iter_mut()
            .find(|row| row.fingerprint.id == *id);
        if let Some(row) = row {
            row.tags
                .retain(|tag| kept.contains(tag) || (has_text && !tags.contains(tag)));
            if !has_text {
                row.fingerprint.normalised.clear();
            }
        }
    }
}
