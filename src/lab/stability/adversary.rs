//! Planted wrong lessons: how soon they are suppressed, and whether right ones suffer.
//!
//! A memory first learns from four runs. Then its own right lessons are turned into wrong ones: turned
//! round, exchanged for another error, and as a ban of what works. They claim to be reliable and are called
//! for by the errors that the task really meets.

use std::collections::BTreeSet;

use crate::domain::lesson::ids::LessonId;
use crate::domain::lesson::lesson::{Lesson, Status};
use crate::domain::lesson::pattern::Reading;
use crate::domain::lesson::rule::Rule;
use crate::domain::timestamp::Timestamp;
use crate::lab::chance::Chance;
use crate::lab::memory::{Memory, Planted};
use crate::lab::protocol::{Phase, Place, Planned, Witness, run_once};
use crate::lab::tool::{Level, Tool};

/// Runs before anything is planted.
const LEARNING_RUNS: usize = 4;
/// Runs with planted lessons.
const PLANTED_RUNS: usize = 12;
/// How reliable a planted lesson claims to be.
const CLAIMED: f64 = 0.8;

/// What became of one planted lesson.
#[derive(Clone, PartialEq, Debug)]
pub struct PlantedFate {
    /// What kind of wrong it is.
    pub kind: &'static str,
    /// What it said.
    pub rule: String,
    /// Relevant runs until it was suppressed; absent when it was not.
    pub suppressed_after: Option<usize>,
    /// Relevant runs in all.
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
    let planted = plant(&mut memory, &mut chance);
    let before = memory.keeper.runs.len();
    let mut suppressed_at: Vec<Option<usize>> = vec![None; planted.len()];
    for _ in 0..PLANTED_RUNS {
        run(&mut memory, &mut witness);
        for ((id, ..), at) in planted.iter().zip(&mut suppressed_at) {
            let is_suppressed = memory
                .keeper
                .lessons
                .get(id)
                .is_some_and(|one| one.status == Status::Suppressed);
            if is_suppressed && at.is_none() {
                *at = Some(memory.keeper.runs.len());
            }
        }
    }
    let mut harm = suffered(&memory, tool, &planted);
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
    let relevant = |until: usize| {
        let runs = memory.keeper.runs[before..until].iter();
        runs.filter(|run| run.had(id) || run.raised(&lesson.triggers))
            .count()
    };
    Some(PlantedFate {
        kind,
        rule: lesson.rule.as_str().to_owned(),
        suppressed_after: suppressed_at.map(relevant),
        relevant_runs: relevant(memory.keeper.runs.len()),
        retrieved: lesson.counts.retrieved,
    })
}

/// Counts the right lessons that the memory learned itself and returned, and those of them that were
/// suppressed. What is right is read off the references of the tool, which no arm ever sees.
fn suffered(memory: &Memory, tool: &Tool, planted: &[(LessonId, &'static str)]) -> Harm {
    let references: Vec<Reading> = tool
        .tasks
        .iter()
        .filter_map(|task| tool.reference(task).ok())
        .flatten()
        .map(|line| Reading::of(&line))
        .collect();
    let is_of_reference = |form: Option<&str>| {
        let form = form.map(Reading::of);
        form.is_some_and(|form| references.iter().any(|line| form.fits(line)))
    };
    let mut harm = Harm::default();
    let strange: BTreeSet<LessonId> = planted.iter().map(|(id, _)| *id).collect();
    let learned = memory.keeper.lessons.values();
    for lesson in learned.filter(|one| !strange.contains(&one.id) && one.counts.retrieved > 0) {
        let rule = &lesson.rule;
        if is_of_reference(rule.correct()) && !is_of_reference(rule.wrong()) {
            harm.helpful += 1;
            harm.helpful_suppressed += usize::from(lesson.status == Status::Suppressed);
        }
    }
    harm
}

/// Plants one of each kind, made from a right lesson of the memory.
fn plant(memory: &mut Memory, chance: &mut Chance) -> Vec<(LessonId, &'static str)> {
    let right: Vec<Lesson> = memory
        .keeper
        .lessons
        .values()
        .filter(|lesson| lesson.rule.wrong().is_some() && lesson.rule.correct().is_some())
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
