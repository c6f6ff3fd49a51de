//! Planted wrong lessons: how soon they are suppressed, and whether right ones suffer.
//!
//! A memory first learns from four runs. Then its own right lessons are turned into wrong ones: turned
//! round, exchanged for another error, and as a ban of what works. They claim to be reliable and are called
//! for by the errors that the task really meets.

use std::collections::BTreeSet;
use std::ops::Range;

use super::proof::Proof;
use crate::chance::Chance;
use crate::memory::{Memory, Planted};
use crate::protocol::{Phase, Place, Planned, Witness, run_once};
use crate::tool::{Level, Tool};
use mnemograph::domain::lesson::ids::LessonId;
use mnemograph::domain::lesson::lesson::{Lesson, Status};
use mnemograph::domain::lesson::rule::Rule;
use mnemograph::domain::timestamp::Timestamp;

/// Runs before anything is planted.
const LEARNING_RUNS: usize = 4;
/// Runs with planted lessons, at least.
const PLANTED_RUNS: usize = 12;
/// Runs with planted lessons, at most: a lesson that nothing calls for must not keep the experiment going.
const PLANTED_RUNS_MAX: usize = 48;
/// Relevant runs in which a planted lesson is to be suppressed.
pub(super) const SUPPRESSED_WITHIN: usize = 5;
/// How reliable a planted lesson claims to be.
const CLAIMED: f64 = 0.8;

/// What became of one planted lesson.
#[derive(Clone, PartialEq, Debug)]
pub struct PlantedFate {
    /// What kind of wrong it is.
    pub kind: &'static str,
    /// What it said.
    pub rule: String,
    /// Relevant runs until it was suppressed, without control runs, in which all lessons are withheld;
    /// absent when it was not.
    pub suppressed_after: Option<usize>,
    /// The same with the control runs that raised one of its fingerprints.
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

/// Runs the adversarial arm with one tool.
pub(super) fn run(tool: &Tool, level: Level, seed: u64) -> Harm {
    let mut memory = Memory::new(seed);
    let mut witness = Witness::default();
    let mut chance = Chance::of(seed, "adversary");
    let Some(task) = chance.one(&tool.tasks) else {
        return Harm::default();
    };
    let planned = Planned {
        phase: Phase::Bootstrap,
        tool,
        task,
        with_docs: false,
        is_first: false,
    };
    let mut number = 0;
    let mut run = |memory: &mut Memory, witness: &mut Witness| {
        number += 1;
        run_once(
            memory,
            witness,
            &planned,
            &Place {
                number: 1000 + number,
                level,
                seed,
            },
        );
    };
    for _ in 0..LEARNING_RUNS {
        run(&mut memory, &mut witness);
    }
    let proof = Proof::of(tool, task, seed);
    let planted = plant(&mut memory, &proof, &mut chance);
    let before = memory.keeper.runs.len();
    let mut suppressed_at: Vec<Option<usize>> = vec![None; planted.len()];
    for done in 0..PLANTED_RUNS_MAX {
        let is_open = |(id, at): (LessonId, Option<usize>)| {
            let runs = before..memory.keeper.runs.len();
            at.is_none() && relevant(&memory, id, runs).0 < SUPPRESSED_WITHIN
        };
        let mut fates = planted
            .iter()
            .map(|(id, _)| *id)
            .zip(suppressed_at.iter().copied());
        if done >= PLANTED_RUNS && !fates.any(is_open) {
            break;
        }
        run(&mut memory, &mut witness);
        for ((id, _), at) in planted.iter().zip(&mut suppressed_at) {
            let lesson = memory.keeper.lessons.get(id);
            let is_suppressed = lesson.is_some_and(|one| one.status == Status::Suppressed);
            if is_suppressed && at.is_none() {
                *at = Some(memory.keeper.runs.len());
            }
        }
    }
    let mut harm = suffered(&memory, &proof, &planted);
    harm.planted = planted
        .iter()
        .zip(suppressed_at)
        .filter_map(|(one, at)| fate(&memory, *one, before, at))
        .collect();
    harm
}

/// What became of a planted lesson; `before` and `suppressed_at` are places in the runs of the memory.
fn fate(
    memory: &Memory,
    (id, kind): (LessonId, &'static str),
    before: usize,
    suppressed_at: Option<usize>,
) -> Option<PlantedFate> {
    let lesson = memory.keeper.lessons.get(&id)?;
    Some(PlantedFate {
        kind,
        rule: lesson.rule.as_str().to_owned(),
        suppressed_after: suppressed_at.map(|at| relevant(memory, id, before..at).0),
        suppressed_after_all: suppressed_at.map(|at| relevant(memory, id, before..at).1),
        relevant_runs: relevant(memory, id, before..memory.keeper.runs.len()).0,
        retrieved: lesson.counts.retrieved,
    })
}

/// Runs among those given in which a lesson was active or one of its fingerprints was raised: those in which
/// lessons were not withheld, and all.
fn relevant(memory: &Memory, id: LessonId, runs: Range<usize>) -> (usize, usize) {
    let Some(lesson) = memory.keeper.lessons.get(&id) else {
        return (0, 0);
    };
    let runs = memory.keeper.runs[runs].iter();
    let relevant = runs.filter(|run| run.had(id) || run.raised(&lesson.triggers));
    relevant.fold((0, 0), |(open, all), run| {
        (open + usize::from(!run.control), all + 1)
    })
}

/// Counts the right lessons that the memory learned itself and returned, and those of them that were
/// suppressed. What is right is proved by the references of the tool.
fn suffered(memory: &Memory, proof: &Proof, planted: &[(LessonId, &'static str)]) -> Harm {
    let mut harm = Harm::default();
    let strange: BTreeSet<LessonId> = planted.iter().map(|(id, _)| *id).collect();
    let learned = memory.keeper.lessons.values();
    for lesson in learned.filter(|one| !strange.contains(&one.id) && one.counts.retrieved > 0) {
        let about = memory.keeper.learned_in(lesson.id);
        if proof.is_right(&lesson.rule, about.as_ref()) {
            harm.helpful += 1;
            harm.helpful_suppressed += usize::from(lesson.status == Status::Suppressed);
        }
    }
    harm
}

/// Plants one of each kind, made from a right lesson of the memory about something that the task needs.
fn plant(memory: &mut Memory, proof: &Proof, chance: &mut Chance) -> Vec<(LessonId, &'static str)> {
    let right: Vec<Lesson> = memory
        .keeper
        .lessons
        .values()
        .filter(|lesson| {
            let about = memory.keeper.learned_in(lesson.id);
            proof.is_needed(&lesson.rule, about.as_ref())
        })
        .cloned()
        .collect();
    let Some(model) = chance.one(&right) else {
        return Vec::new();
    };
    let (Some(wrong), Some(correct)) = (model.rule.wrong(), model.rule.correct()) else {
        return Vec::new();
    };
    let head = correct.split_whitespace().next().unwrap_or(correct);
    let rules = [
        ("turned round", Rule::contrast(correct, wrong)),
        (
            "one error for another",
            Rule::contrast(wrong, &format!("{correct} {head}")),
        ),
        (
            "ban of what works",
            Rule::failure(correct, "this never works"),
        ),
    ];
    let at = Timestamp::from_millis(1_700_000_000_000);
    let mut planted = Vec::new();
    for (kind, rule) in rules {
        let Some(rule) = rule else { continue };
        let lesson = Planted {
            rule,
            triggers: model.triggers.clone(),
            tags: model.tags.clone(),
            place: model.place.clone(),
            reliability: CLAIMED,
        };
        planted.extend(memory.keeper.plant(lesson, at).map(|id| (id, kind)));
    }
    planted
}
