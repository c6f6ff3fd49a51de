//! A noisy stream: of four lessons that are offered to a memory three are wrong or about something else.
//!
//! A teacher learns the task first, and a second one another tool. The first one's lessons that the references prove
//! right are offered as they are and turned wrong, and the second one's lessons are offered as though they belonged
//! here. A memory that begins with nothing is offered four of them before each run. Its contents in the end count.

use super::Ground;
use super::proof::Proof;
use super::wrong::{offered, turned};
use crate::chance::Chance;
use crate::error::LabResult;
use crate::memory::{Memory, learned_in};
use crate::protocol::{Planned, Witness, run_once};
use crate::tool::Tool;
use hindlore::lessons::ImportedLesson;
use hindlore_domain::lesson::lesson::{Lesson, Status};
use hindlore_primitives::ids::LessonId;

/// Runs of the teachers.
const TAUGHT_RUNS: usize = 4;
/// Lessons that are offered before a run: one right and three others.
const OFFERED: usize = 4;
/// Lessons that are offered in all, at most.
const OFFERED_MAX: usize = 50;
/// Runs of the memory.
const RUNS: usize = 18;
/// How reliable every offered lesson claims to be.
const CLAIMED: f64 = 0.6;

/// The offered lessons and the kept ones.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Noise {
    /// Right lessons that were offered.
    pub right: usize,
    /// Other lessons that were offered.
    pub wrong: usize,
    /// Right ones that are in use in the end.
    pub right_kept: usize,
    /// Other ones that are in use in the end.
    pub wrong_kept: usize,
    /// Right ones that are promoted in the end.
    pub right_promoted: usize,
    /// Other ones that are promoted in the end.
    pub wrong_promoted: usize,
}

/// Offers the stream to the product.
pub(super) fn run(ground: &Ground<'_>, other: &Tool) -> LabResult<Noise> {
    let mut chance = Chance::of(ground.seed, "noise");
    let Some(planned) = ground.task(&mut chance) else {
        return Ok(Noise::default());
    };
    let proof = Proof::of(ground.tool, planned.task, ground.seed);
    let strange = Ground {
        tool: other,
        ..*ground
    };
    let mut right = taught(ground, &planned)?;
    right.retain(|lesson| proof.is_needed(&lesson.rule, learned_in(&lesson.tags).as_ref()));
    let unrelated = match strange.task(&mut chance) {
        Some(planned) => taught(&strange, &planned)?,
        None => Vec::new(),
    };
    let stream = stream(&right, &unrelated, &mut chance);
    let memory = Memory::new(ground.seed.wrapping_add(1))?;
    tried(ground, &planned, (memory, stream))
}

/// The lessons that a memory has after a few runs, in an order that chance does not change.
fn taught(ground: &Ground<'_>, planned: &Planned<'_>) -> LabResult<Vec<Lesson>> {
    let mut memory = Memory::new(ground.seed)?;
    let mut witness = Witness::default();
    for number in 0..TAUGHT_RUNS {
        let place = ground.place(2 * number + 1);
        run_once(&mut memory, &mut witness, planned, &place)?;
    }
    let mut lessons = memory.lessons()?;
    lessons.retain(|lesson| lesson.rule.correct().is_some());
    lessons.sort_by_key(|lesson| lesson.id);
    Ok(lessons)
}

/// Whether each lesson is right, one right and three others in turn, as long as both last.
fn stream(
    right: &[Lesson],
    unrelated: &[Lesson],
    chance: &mut Chance,
) -> Vec<(bool, ImportedLesson)> {
    let as_own = |(model, lesson): (&Lesson, &Lesson)| offered(model, lesson.rule.clone(), CLAIMED);
    let turned = right
        .iter()
        .flat_map(turned)
        .map(|(_, lesson)| ImportedLesson {
            reliability: CLAIMED,
            ..lesson
        });
    let mut others: Vec<ImportedLesson> = turned.collect();
    others.extend(right.iter().cycle().zip(unrelated).map(as_own));
    chance.shuffle(&mut others);
    let mut own: Vec<&Lesson> = right.iter().collect();
    chance.shuffle(&mut own);
    let mut stream = Vec::new();
    for (lesson, three) in own.into_iter().zip(others.chunks_exact(OFFERED - 1)) {
        stream.push((true, offered(lesson, lesson.rule.clone(), CLAIMED)));
        stream.extend(three.iter().map(|other| (false, other.clone())));
    }
    stream.truncate(OFFERED_MAX);
    stream
}

/// Runs the task with the offers, and counts the kept ones.
fn tried(
    ground: &Ground<'_>,
    planned: &Planned<'_>,
    (mut memory, stream): (Memory, Vec<(bool, ImportedLesson)>),
) -> LabResult<Noise> {
    let mut witness = Witness::default();
    let mut taken: Vec<(bool, LessonId)> = Vec::new();
    let mut offers = stream.chunks(OFFERED);
    for number in 0..RUNS {
        let offer = offers.next().unwrap_or_default();
        let (is_right, lessons): (Vec<bool>, Vec<_>) = offer.iter().cloned().unzip();
        if !lessons.is_empty() {
            taken.extend(is_right.into_iter().zip(memory.take_in(lessons)?));
        }
        let place = ground.place(100 + number);
        run_once(&mut memory, &mut witness, planned, &place)?;
    }
    let lessons = memory.lessons()?;
    let status = |id: LessonId| {
        lessons
            .iter()
            .find(|one| one.id == id)
            .map(|one| one.status)
    };
    let count = |right: bool, fits: fn(Status) -> bool| {
        let some = taken.iter().filter(|(is_right, _)| *is_right == right);
        some.filter(|(_, id)| status(*id).is_some_and(fits)).count()
    };
    let is_promoted = |status: Status| status == Status::Promoted;
    Ok(Noise {
        right: count(true, |_| true),
        wrong: count(false, |_| true),
        right_kept: count(true, Status::is_live),
        wrong_kept: count(false, Status::is_live),
        right_promoted: count(true, is_promoted),
        wrong_promoted: count(false, is_promoted),
    })
}
