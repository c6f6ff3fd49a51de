//! Verb: bring back all that a learner's lessons are, as an export has it.
//!
//! A learner without lessons gets all of them, equal to the export. A learner who has every row already, in any state,
//! is left alone. Rows of two histories are not mixed: the verdicts of one would rest on runs of the other.

use std::collections::BTreeSet;

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::redact;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_primitives::identity::parse_name;
use hindlore_redact::Redactions;
use hindlore_store::lessons::reading::LessonsCopy;

/// The result of restoring the lessons of an export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RestoredLessons {
    /// Lessons in any status.
    pub lessons: usize,
    /// Runs.
    pub runs: usize,
    /// Error events.
    pub errors: usize,
    /// The learner had all of it; nothing was written.
    pub was_there: bool,
    /// Secrets that were taken out of the texts.
    pub redacted: Redactions,
}

impl Engine {
    /// Brings back the lessons of an export.
    ///
    /// # Errors
    /// `Invalid` for rows that no capture could have written, and where the learner has lessons of its own.
    pub async fn restore_lessons(&self, mut copy: LessonsCopy) -> EngineResult<RestoredLessons> {
        let restored = self.restorable(&mut copy).await?;
        if restored.was_there {
            return Ok(restored);
        }
        let owner = copy.owner.clone();
        self.store().copy_lessons_in(copy.clone()).await?;
        if self.store().copy_lessons_out(&owner).await?.as_ref() != Some(&copy) {
            return Err(EngineError::Invalid(format!(
                "the lessons of {}/{} did not arrive as they left; erase them and import again",
                owner.tenant(),
                owner.learner()
            )));
        }
        Ok(restored)
    }

    /// Returns the result that [`Engine::restore_lessons`] would have, and writes nothing.
    pub async fn preview_restore(&self, mut copy: LessonsCopy) -> EngineResult<RestoredLessons> {
        self.restorable(&mut copy).await
    }

    /// Checks that the lessons can be taken, and takes their secrets out.
    async fn restorable(&self, copy: &mut LessonsCopy) -> EngineResult<RestoredLessons> {
        let faults = faults(copy);
        if let Some(first) = faults.first() {
            let more = faults.len() - 1;
            let more = match more {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            return Err(EngineError::Invalid(format!(
                "the lessons of the file cannot be taken: {first}{more}"
            )));
        }
        let mut restored = RestoredLessons {
            lessons: copy.lessons.len(),
            runs: copy.runs.len(),
            errors: copy.errors.len(),
            was_there: false,
            redacted: redact::learned(self.redactor(), copy),
        };
        let there = self.store().copy_lessons_out(&copy.owner).await?;
        if let Some(there) = there.filter(|there| !is_empty(there)) {
            let lacking = lacks(&there, copy);
            if lacking > 0 {
                return Err(mixed(&copy.owner, lacking));
            }
            restored.was_there = true;
        }
        Ok(restored)
    }
}

fn mixed(owner: &LearnerId, lacking: usize) -> EngineError {
    EngineError::Invalid(format!(
        "{}/{} has lessons of its own, without {lacking} rows of the file; import it as another --learner, or \
         erase these lessons first with `erase --all-scopes`",
        owner.tenant(),
        owner.learner()
    ))
}

fn is_empty(copy: &LessonsCopy) -> bool {
    names(copy).is_empty()
}

/// Number of rows of the file that the learner does not have.
fn lacks(there: &LessonsCopy, file: &LessonsCopy) -> usize {
    names(file).difference(&names(there)).count()
}

/// The identities of all rows but those that follow from others.
fn names(copy: &LessonsCopy) -> BTreeSet<String> {
    let fingerprints = copy
        .fingerprints
        .iter()
        .map(|row| row.fingerprint.id.to_string());
    let runs = copy.runs.iter().map(|row| format!("run {}", row.id));
    let steps = copy
        .steps
        .iter()
        .map(|row| format!("step {} {}", row.step, row.run));
    let errors = copy.errors.iter().map(|row| row.id.to_string());
    let lessons = copy.lessons.iter().map(|row| row.id.to_string());
    let activations = copy
        .activations
        .iter()
        .map(|row| row.activation.id.to_string());
    let decisions = copy.decisions.iter().map(|row| row.id.to_string());
    let reviews = copy.reviews.iter().map(|row| format!("review {}", row.id));
    let receipts = copy
        .receipts
        .iter()
        .map(|row| format!("receipt {}", row.operation));
    let known = fingerprints.chain(runs).chain(steps).chain(errors);
    let judged = lessons.chain(activations).chain(decisions);
    known.chain(judged).chain(reviews).chain(receipts).collect()
}

/// Values that no capture, lesson or verdict could have written.
fn faults(copy: &LessonsCopy) -> Vec<String> {
    let mut faults = Vec::new();
    let rows = copy.fingerprints.len()
        + copy.runs.len()
        + copy.steps.len()
        + copy.errors.len()
        + copy.lessons.len()
        + copy.activations.len()
        + copy.decisions.len()
        + copy.reviews.len()
        + copy.receipts.len();
    if names(copy).len() != rows {
        faults.push("a row stands twice".to_owned());
    }
    let runs: BTreeSet<&str> = copy.runs.iter().map(|run| run.id.as_str()).collect();
    let lessons: BTreeSet<_> = copy.lessons.iter().map(|lesson| lesson.id).collect();
    for run in &runs {
        faults.extend(parse_name("run", run).err().map(|error| error.to_string()));
    }
    for (run, step) in copy.steps.iter().map(|row| (&row.run, row.step)) {
        if !runs.contains(run.as_str()) {
            faults.push(format!(
                "step {step} is of the run `{run}`, which is not there"
            ));
        }
    }
    for error in &copy.errors {
        if !runs.contains(error.run.as_str()) {
            faults.push(format!(
                "`{}` is of the run `{}`, which is not there",
                error.id, error.run
            ));
        }
        let numbers = [error.progress, error.efficiency];
        if numbers
            .into_iter()
            .flatten()
            .any(|number| !number.is_finite())
        {
            faults.push(format!("`{}` has a number that is none", error.id));
        }
    }
    for lesson in &copy.lessons {
        if !(0.0..=1.0).contains(&lesson.reliability) || !lesson.impact.is_finite() {
            faults.push(format!(
                "the reliability of `{}` must lie in 0..=1",
                lesson.id
            ));
        }
    }
    let sources = copy.sources.iter().map(|row| row.lesson);
    let activations = copy.activations.iter().map(|row| row.activation.lesson);
    let decisions = copy.decisions.iter().map(|row| row.lesson);
    let reviews = copy.reviews.iter().map(|row| row.lesson);
    let pairs = copy
        .conflicts
        .iter()
        .flat_map(|row| [row.first, row.second]);
    let named = sources.chain(activations).chain(decisions).chain(reviews);
    let unknown = named.chain(pairs).find(|lesson| !lessons.contains(lesson));
    faults.extend(unknown.map(|lesson| format!("`{lesson}` is named, and is not there")));
    faults
}
