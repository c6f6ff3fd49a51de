//! Planted wrong lessons: how soon they are suppressed, and whether right ones suffer.
//!
//! A memory first learns from four runs. Then its own right lessons are turned into wrong ones: reversed, exchanged for
//! another error, and as a ban of the working form. They claim to be reliable and are triggered by the errors of the
//! task.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Ground;
use super::proof::Proof;
use super::wrong::turned;
use crate::chance::Chance;
use crate::error::LabResult;
use crate::memory::{Memory, Remembering, learned_in};
use crate::protocol::{Planned, Witness, run_once};
use hindlore_domain::lesson::lesson::{Lesson, Status};
use hindlore_primitives::ids::{FingerprintId, LessonId};

/// Runs before anything is planted.
const LEARNING_RUNS: usize = 4;
/// Runs with planted lessons, at least.
const PLANTED_RUNS: usize = 12;
/// Runs with planted lessons, at most: a lesson that nothing calls for must not keep the experiment going.
const PLANTED_RUNS_MAX: usize = 24;
/// Relevant runs in which a planted lesson is to be suppressed.
pub(super) const SUPPRESSED_WITHIN: usize = 5;

/// The result of one planted lesson.
#[derive(Clone, PartialEq, Debug)]
pub struct PlantedFate {
    /// Its kind of fault.
    pub kind: &'static str,
    /// Its rule.
    pub rule: String,
    /// Relevant runs until it was suppressed, without control runs, in which all lessons are withheld;
    /// absent when it was not.
    pub suppressed_after: Option<usize>,
    /// The number with the control runs that raised one of its fingerprints.
    pub suppressed_after_all: Option<usize>,
    /// Relevant runs in all, without control runs.
    pub relevant_runs: usize,
    /// Times that it was returned.
    pub retrieved: u64,
}

/// The adversarial arm of one seed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Harm {
    /// The planted lessons.
    pub planted: Vec<PlantedFate>,
    /// Learned and returned lessons whose correct form is one of the tool's references, and the wrong one none.
    pub helpful: usize,
    /// Of those, the suppressed ones.
    pub helpful_suppressed: usize,
}

/// Runs the adversarial arm with one memory.
pub(super) fn run(ground: &Ground<'_>, advisor: &mut dyn Remembering) -> LabResult<Harm> {
    let mut chance = Chance::of(ground.seed, "adversary");
    let Some(planned) = ground.task(&mut chance) else {
        return Ok(Harm::default());
    };
    let mut runs = Runs {
        ground,
        planned,
        witness: Witness::default(),
        done: 0,
    };
    for _ in 0..LEARNING_RUNS {
        runs.next(advisor)?;
    }
    let proof = Proof::of(ground.tool, planned.task, ground.seed);
    let planted = plant(advisor.memory(), &proof, &mut chance)?;
    let before = advisor.memory().runs().len();
    let suppressed_at = runs.watched(advisor, &planted)?;
    let lessons = advisor.memory().lessons()?;
    let mut harm = suffered(&lessons, &proof, &planted);
    let fates = planted
        .iter()
        .zip(suppressed_at)
        .filter_map(|((id, kind), at)| {
            let lesson = named(&lessons, *id)?;
            Some(fate(advisor.memory(), (lesson, *kind), before, at))
        });
    harm.planted = fates.collect();
    Ok(harm)
}

/// Runs of one task, one after the other.
struct Runs<'a> {
    ground: &'a Ground<'a>,
    planned: Planned<'a>,
    witness: Witness,
    done: usize,
}

impl Runs<'_> {
    fn next(&mut self, advisor: &mut dyn Remembering) -> LabResult<()> {
        self.done += 1;
        let place = self.ground.place(self.done);
        run_once(advisor, &mut self.witness, &self.planned, &place)?;
        Ok(())
    }

    /// Continues until every planted lesson had its trial; returns the number of runs after which each was suppressed.
    fn watched(
        &mut self,
        advisor: &mut dyn Remembering,
        planted: &[(LessonId, &'static str)],
    ) -> LabResult<Vec<Option<usize>>> {
        let before = advisor.memory().runs().len();
        let mut suppressed_at: Vec<Option<usize>> = vec![None; planted.len()];
        for done in 0..PLANTED_RUNS_MAX {
            let lessons = advisor.memory().lessons()?;
            let is_open = |(id, at): (LessonId, Option<usize>)| {
                let all = before..advisor.memory().runs().len();
                at.is_none()
                    && relevant(advisor.memory(), named(&lessons, id), all).0 < SUPPRESSED_WITHIN
            };
            let ids = planted.iter().map(|(id, _)| *id);
            let mut fates = ids.zip(suppressed_at.iter().copied());
            if done >= PLANTED_RUNS && !fates.any(is_open) {
                break;
            }
            self.next(advisor)?;
            let lessons = advisor.memory().lessons()?;
            for ((id, _), at) in planted.iter().zip(&mut suppressed_at) {
                let lesson = named(&lessons, *id);
                let is_out = lesson.is_some_and(|one| is_out(one.status));
                if is_out && at.is_none() {
                    *at = Some(advisor.memory().runs().len());
                }
            }
        }
        Ok(suppressed_at)
    }
}

/// Evidence has taken a lesson out of use.
fn is_out(status: Status) -> bool {
    matches!(status, Status::Suppressed | Status::Refuted)
}

fn named(lessons: &[Lesson], id: LessonId) -> Option<&Lesson> {
    lessons.iter().find(|lesson| lesson.id == id)
}

/// The result of a planted lesson; `before` and `suppressed_at` are places in the runs of the memory.
fn fate(
    memory: &Memory,
    (lesson, kind): (&Lesson, &'static str),
    before: usize,
    suppressed_at: Option<usize>,
) -> PlantedFate {
    let until = |at: usize| relevant(memory, Some(lesson), before..at);
    PlantedFate {
        kind,
        rule: lesson.rule.as_str().to_owned(),
        suppressed_after: suppressed_at.map(|at| until(at).0),
        suppressed_after_all: suppressed_at.map(|at| until(at).1),
        relevant_runs: until(memory.runs().len()).0,
        retrieved: lesson.counts.retrieved,
    }
}

/// Runs among those given in which a lesson was active or one of its fingerprints was raised: those in which
/// lessons were not withheld, and all.
fn relevant(memory: &Memory, lesson: Option<&Lesson>, runs: Range<usize>) -> (usize, usize) {
    let Some(lesson) = lesson else {
        return (0, 0);
    };
    let raises = |id: &FingerprintId| lesson.triggers.contains(id);
    let runs = memory.runs()[runs].iter();
    let relevant = runs.filter(|run| run.had.contains(&lesson.id) || run.raised.iter().any(raises));
    relevant.fold((0, 0), |(open, all), run| {
        (open + usize::from(!run.is_control), all + 1)
    })
}

/// Counts the right lessons that the memory learned itself and returned, and those of them that were suppressed. The
/// references of the tool prove which are right.
fn suffered(lessons: &[Lesson], proof: &Proof, planted: &[(LessonId, &'static str)]) -> Harm {
    let mut harm = Harm::default();
    let strange: BTreeSet<LessonId> = planted.iter().map(|(id, _)| *id).collect();
    let own = lessons.iter().filter(|one| !strange.contains(&one.id));
    for lesson in own.filter(|one| one.counts.retrieved > 0) {
        if proof.is_right(&lesson.rule, learned_in(&lesson.tags).as_ref()) {
            harm.helpful += 1;
            harm.helpful_suppressed += usize::from(is_out(lesson.status));
        }
    }
    harm
}

/// Plants one of each kind, made from a right lesson of the memory about something that the task needs.
fn plant(
    memory: &Memory,
    proof: &Proof,
    chance: &mut Chance,
) -> LabResult<Vec<(LessonId, &'static str)>> {
    let mut right = memory.lessons()?;
    right.retain(|lesson| proof.is_needed(&lesson.rule, learned_in(&lesson.tags).as_ref()));
    // The order of arrival of lessons is no evidence.
    right.sort_by_key(|lesson| lesson.id);
    let Some(model) = chance.one(&right) else {
        return Ok(Vec::new());
    };
    let (kinds, lessons): (Vec<_>, Vec<_>) = turned(model).into_iter().unzip();
    let ids = memory.take_in(lessons)?;
    Ok(ids.into_iter().zip(kinds).collect())
}
