//! The learning protocol: phases A to D over two tools, once for each arm, with the same seeds.
//!
//! A: the first tool, the first run with its documentation. B: a tool that is new. C: back to the first. D: other tasks
//! with both. All randomness is drawn from the seed and the place of the run, so that run n meets the same conditions
//! in every arm.

use std::collections::BTreeSet;

use super::advisor::{Account, Advisor, LessonUtilities, NoMemory, RunPlace, WorkingMemory};
use super::chance::Chance;
use super::error::LabResult;
use super::executor::{self, Company, Hint, Kit, Limits, Step};
use super::memory::Memory;
use super::rival::Rival;
use super::tool::{Level, Task, Tool};
use hindlore_errors::fingerprint::Fingerprinter;
use hindlore_primitives::ids::FingerprintId;

/// Actions for one step of a plan.
const TRIES: usize = 60;
/// Actions of a run for each step of its plan.
const STEPS_FOR_EACH: usize = 60;

/// The arm.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Arm {
    /// Control without memory.
    None,
    /// Control that remembers within the run only.
    WithinRun,
    /// Memory across runs: the product.
    Memory,
    /// The memory with the verdicts of the plain rule.
    Rival,
}

impl Arm {
    /// All arms, the controls first.
    pub const ALL: [Self; 4] = [Self::None, Self::WithinRun, Self::Memory, Self::Rival];

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "no memory",
            Self::WithinRun => "within the run",
            Self::Memory => "memory",
            Self::Rival => "plain rule",
        }
    }
}

/// A part of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// The first tool, with documentation in its first run.
    Bootstrap,
    /// A tool that is new.
    NewTool,
    /// Back to the first tool.
    Retention,
    /// Other tasks with both tools.
    OtherTasks,
}

impl Phase {
    /// All phases in order.
    pub const ALL: [Self; 4] = [
        Self::Bootstrap,
        Self::NewTool,
        Self::Retention,
        Self::OtherTasks,
    ];

    /// Letter in reports.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Bootstrap => "A",
            Self::NewTool => "B",
            Self::Retention => "C",
            Self::OtherTasks => "D",
        }
    }
}

/// One run of the protocol, planned.
#[derive(Clone, Copy, Debug)]
pub struct Planned<'a> {
    /// Its phase.
    pub phase: Phase,
    /// With what.
    pub tool: &'a Tool,
    /// The task.
    pub task: &'a Task,
    /// Whether the documentation may be read.
    pub with_docs: bool,
    /// Whether it is the first with this tool: nothing could be learned before.
    pub is_first: bool,
}

/// The figures of one run.
#[derive(Clone, PartialEq, Debug)]
pub struct RunMetrics {
    /// The phase.
    pub phase: Phase,
    /// The tool.
    pub tool: String,
    /// The task.
    pub task: String,
    /// Place in the protocol, from 1.
    pub number: usize,
    /// Nothing could be learned before it.
    pub is_first: bool,
    /// Passed or failed.
    pub passed: bool,
    /// Share of the goal that was reached.
    pub score: f64,
    /// Actions.
    pub steps: usize,
    /// Failed actions.
    pub errors: usize,
    /// Failed actions whose fingerprint an earlier run of this arm had raised.
    pub recurring: usize,
    /// The results of the advisor.
    pub account: Account,
}

/// All runs of one arm with one seed.
#[derive(Clone, PartialEq, Debug)]
pub struct ArmRuns {
    /// The arm.
    pub arm: Arm,
    /// The runs in order.
    pub runs: Vec<RunMetrics>,
    /// The utility of each lesson, in an arm that has lessons.
    pub lessons: Vec<LessonUtilities>,
}

/// Plans the protocol for two tools.
pub fn plan<'a>(first: &'a Tool, second: &'a Tool, seed: u64) -> Vec<Planned<'a>> {
    let mut chance = Chance::of(seed, "plan");
    let mut planned = Vec::new();
    let mut add = |phase, tool: &'a Tool, task: &'a Task, count: usize| {
        for at in 0..count {
            let is_first = at == 0 && matches!(phase, Phase::Bootstrap | Phase::NewTool);
            let with_docs = is_first && phase == Phase::Bootstrap;
            planned.push(Planned {
                phase,
                tool,
                task,
                with_docs,
                is_first,
            });
        }
    };
    let mut of = |tool: &'a Tool| {
        let mut order: Vec<&Task> = tool.tasks.iter().collect();
        chance.shuffle(&mut order);
        let other = order.get(1).copied().unwrap_or(order[0]);
        (order[0], other)
    };
    let ((task, other), (new_task, new_other)) = (of(first), of(second));
    add(Phase::Bootstrap, first, task, 4);
    add(Phase::NewTool, second, new_task, 4);
    add(Phase::Retention, first, task, 2);
    add(Phase::OtherTasks, first, other, 2);
    add(Phase::OtherTasks, second, new_other, 2);
    planned
}

/// Runs an arm through the protocol.
pub fn run_arm(
    arm: Arm,
    planned: &[Planned<'_>],
    level: Level,
    (seed, heeds): (u64, f64),
) -> LabResult<ArmRuns> {
    let mut advisor: Box<dyn Advisor> = match arm {
        Arm::None => Box::new(NoMemory),
        Arm::WithinRun => Box::new(WorkingMemory::default()),
        Arm::Memory => Box::new(Memory::new(seed)?),
        Arm::Rival => Box::new(Rival::new(seed)?),
    };
    let mut witness = Witness::default();
    let mut runs = Vec::with_capacity(planned.len());
    for (number, planned) in (1..).zip(planned) {
        let place = Place {
            number,
            level,
            seed,
            heeds,
        };
        runs.push(run_once(advisor.as_mut(), &mut witness, planned, &place)?);
    }
    Ok(ArmRuns {
        arm,
        runs,
        lessons: advisor.utilities()?,
    })
}

/// The position of a run: its place in the protocol, the level of its tool's messages, its seed, and the agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// From 1.
    pub number: usize,
    /// The level of the tool's messages.
    pub level: Level,
    /// The seed of the experiment.
    pub seed: u64,
    /// The chance that a hint is heeded, 0..=1.
    pub heeds: f64,
}

/// Carries out one run with an advisor.
pub fn run_once(
    advisor: &mut dyn Advisor,
    witness: &mut Witness,
    planned: &Planned<'_>,
    place: &Place,
) -> LabResult<RunMetrics> {
    let Planned { tool, task, .. } = *planned;
    let own = Chance::of(place.seed, &format!("run {}", place.number)).bits();
    let mut world = tool.world(task, place.level, own);
    let run_place = RunPlace {
        run: format!("{}-{}", place.seed, place.number),
        number: place.number as u64,
        domain: tool.domain.clone(),
        tool: tool.name.clone(),
        task: task.name.clone(),
        wanted: task.wanted.clone(),
        tells_plan: tool.tells_plan(),
    };
    let kit = Kit {
        habits: &tool.habits,
        docs: if planned.with_docs { &tool.docs } else { "" },
        limits: Limits {
            steps: STEPS_FOR_EACH * task.plan.len(),
            tries: TRIES,
        },
        heeds: place.heeds,
    };
    let hints = advisor.before_run(&run_place)?;
    witness.begin();
    let mut company = Watched {
        advisor: &mut *advisor,
        witness: &mut *witness,
    };
    let steps = executor::run(world.as_mut(), kit, hints, Chance::new(own), &mut company)?;
    let verdict = world.verdict();
    let account = advisor.after_run(verdict, steps)?;
    Ok(RunMetrics {
        phase: planned.phase,
        tool: tool.name.clone(),
        task: task.name.clone(),
        number: place.number,
        is_first: planned.is_first,
        passed: verdict.passed,
        score: verdict.score,
        steps,
        errors: witness.errors,
        recurring: witness.recurring,
        account,
    })
}

/// An advisor and the witness, who go along with a run.
struct Watched<'a> {
    advisor: &'a mut dyn Advisor,
    witness: &'a mut Witness,
}

impl Company for Watched<'_> {
    fn before(&mut self, intent: &str, action: &str) -> LabResult<Vec<Hint>> {
        self.advisor.before_action(intent, action)
    }

    fn after(&mut self, step: &Step) -> LabResult<Vec<Hint>> {
        self.witness.see(step);
        self.advisor.after_step(step)
    }
}

/// Watches an arm from outside: errors and recurrence are counted alike in every arm.
#[derive(Default)]
#[allow(
    missing_debug_implementations,
    reason = "buffers of a fingerprinter have nothing to show"
)]
pub struct Witness {
    fingerprinter: Fingerprinter,
    earlier: BTreeSet<FingerprintId>,
    present: BTreeSet<FingerprintId>,
    errors: usize,
    recurring: usize,
}

impl Witness {
    fn begin(&mut self) {
        self.earlier.append(&mut self.present);
        (self.errors, self.recurring) = (0, 0);
    }

    fn see(&mut self, step: &Step) {
        let is_failure = step.feedback.is_failure();
        if !is_failure {
            return;
        }
        let fine = self.fingerprinter.of(&step.evidence()).fine.id;
        self.errors += 1;
        self.recurring += usize::from(self.earlier.contains(&fine));
        self.present.insert(fine);
    }
}
