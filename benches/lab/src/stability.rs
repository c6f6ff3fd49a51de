//! The experiment: many seeds, several pairs of tools, four arms, planted lessons, noise; and its results.

mod adversary;
mod figures;
mod noise;
mod proof;
mod wrong;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::chance::Chance;
use super::error::LabResult;
use super::generate;
use super::memory::Memory;
use super::protocol::{Arm, ArmRuns, Phase, Place, Planned, plan, run_arm};
use super::rival::Rival;
use super::tool::{Level, Tool};
pub use adversary::{Harm, PlantedFate};
pub use figures::{Figure, Goal, figures};
pub use noise::Noise;

/// Where the numbers of runs apart from the protocol begin.
const APART: usize = 1_000;
/// The chance that an agent heeds a hint, with the suffix for the name of its pair.
const AGENTS: &[(f64, &str)] = &[(1.0, ""), (0.5, ", half heeded"), (0.0, ", unheeded")];

/// Two tools, the first learned first; `None` generates both from the seed.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Its name in reports.
    pub name: String,
    /// The tools.
    pub tools: Option<(Tool, Tool)>,
    /// The chance that the agent heeds a hint, 0..=1.
    pub heeds: f64,
}

/// The parts to run.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The first seed.
    pub seed: u64,
    /// How many seeds.
    pub seeds: u64,
    /// With what.
    pub pairs: Vec<Pair>,
    /// Whether planted lessons and noise are tried as well, which takes most of the time.
    pub plants: bool,
}

/// All that one seed gave with one pair.
#[derive(Clone, PartialEq, Debug)]
pub struct SeedRuns {
    /// The seed.
    pub seed: u64,
    /// The level of the tools' messages.
    pub level: Level,
    /// Each arm, in the order of [`Arm::ALL`].
    pub arms: Vec<ArmRuns>,
    /// The results of planted lessons.
    pub harm: Harm,
    /// The results under the plain rule.
    pub plain_harm: Harm,
    /// The kept part of a stream of mostly wrong lessons.
    pub noise: Noise,
}

/// All seeds with one pair.
#[derive(Clone, PartialEq, Debug)]
pub struct PairRuns {
    /// The name of the pair.
    pub name: String,
    /// The chance that the agent heeds a hint, 0..=1.
    pub heeds: f64,
    /// By seed.
    pub seeds: Vec<SeedRuns>,
}

impl Experiment {
    /// The pairs that come with the program, and one generated for each seed; with a tool of one's own,
    /// that tool and a generated one.
    pub fn new(seed: u64, seeds: u64, own: Option<Tool>) -> LabResult<Self> {
        let mut pairs = Vec::new();
        match own {
            Some(tool) => {
                let other = generate::tool(seed.wrapping_add(1))?;
                pairs.push(Pair {
                    name: tool.name.clone(),
                    tools: Some((tool, other)),
                    heeds: 1.0,
                });
            }
            None => {
                let mut by_domain: BTreeMap<String, Vec<Tool>> = BTreeMap::new();
                for tool in Tool::built_in()? {
                    by_domain.entry(tool.domain.clone()).or_default().push(tool);
                }
                for (name, tools) in by_domain {
                    pairs.extend(of_domain(&name, tools));
                }
                pairs.push(Pair {
                    name: "generated".to_owned(),
                    tools: None,
                    heeds: 1.0,
                });
            }
        }
        Ok(Self {
            seed,
            seeds,
            pairs,
            plants: true,
        })
    }

    /// Runs everything, the seeds on all processors; `progress` receives each step.
    pub fn run(&self, progress: &(dyn Fn(&str) + Sync)) -> LabResult<Vec<PairRuns>> {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let mut all = Vec::new();
        for pair in &self.pairs {
            let next = AtomicU64::new(0);
            let work = || -> LabResult<Vec<SeedRuns>> {
                let mut done = Vec::new();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= self.seeds {
                        return Ok(done);
                    }
                    progress(&format!("{}: seed {} of {}", pair.name, at + 1, self.seeds));
                    done.push(self.run_seed(pair, at)?);
                }
            };
            let parts: Vec<LabResult<Vec<SeedRuns>>> = std::thread::scope(|scope| {
                let started: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
                let ended = started.into_iter().map(|one| one.join());
                ended
                    .map(|part| part.unwrap_or_else(|broken| std::panic::resume_unwind(broken)))
                    .collect()
            });
            let mut seeds: Vec<SeedRuns> = Vec::new();
            for part in parts {
                seeds.extend(part?);
            }
            // The assignment of seeds to threads is chance, their results are not.
            seeds.sort_by_key(|one| one.seed.wrapping_sub(self.seed));
            all.push(PairRuns {
                name: pair.name.clone(),
                heeds: pair.heeds,
                seeds,
            });
        }
        Ok(all)
    }
}

/// A domain with the agents that try it. An agent around a shell may be any; where the plan is known it heeds its hook.
fn of_domain(name: &str, tools: Vec<Tool>) -> Vec<Pair> {
    let is_bare = tools.iter().all(|tool| !tool.tells_plan());
    let mut tools = tools.into_iter();
    let tools = tools.next().zip(tools.next());
    let agents = AGENTS.iter().take(if is_bare { AGENTS.len() } else { 1 });
    let pairs = agents.map(|(heeds, words)| Pair {
        name: format!("{name}{words}"),
        tools: tools.clone(),
        heeds: *heeds,
    });
    pairs.collect()
}

impl Experiment {
    fn run_seed(&self, pair: &Pair, at: u64) -> LabResult<SeedRuns> {
        let seed = self.seed.wrapping_add(at);
        let generated;
        let (first, second) = match &pair.tools {
            Some((first, second)) => (first, second),
            None => {
                let mut chance = Chance::of(seed, "generated pair");
                generated = (
                    generate::tool(chance.bits())?,
                    generate::tool(chance.bits())?,
                );
                (&generated.0, &generated.1)
            }
        };
        let level = Level::ALL[(at % Level::ALL.len() as u64) as usize];
        let planned: Vec<Planned<'_>> = plan(first, second, seed);
        let arms = Arm::ALL.iter();
        let arms = arms.map(|arm| run_arm(*arm, &planned, level, (seed, pair.heeds)));
        let ground = Ground {
            tool: first,
            level,
            seed,
            heeds: pair.heeds,
        };
        let mut runs = SeedRuns {
            seed,
            level,
            arms: arms.collect::<LabResult<_>>()?,
            harm: Harm::default(),
            plain_harm: Harm::default(),
            noise: Noise::default(),
        };
        if self.plants {
            runs.harm = adversary::run(&ground, &mut Memory::new(seed)?)?;
            runs.plain_harm = adversary::run(&ground, &mut Rival::new(seed)?)?;
            runs.noise = noise::run(&ground, second)?;
        }
        Ok(runs)
    }
}

/// Where planted and offered lessons are tried.
#[derive(Clone, Copy, Debug)]
struct Ground<'a> {
    tool: &'a Tool,
    level: Level,
    seed: u64,
    heeds: f64,
}

impl<'a> Ground<'a> {
    /// A task of the tool.
    fn task(&self, chance: &mut Chance) -> Option<Planned<'a>> {
        Some(Planned {
            phase: Phase::Bootstrap,
            tool: self.tool,
            task: chance.one(&self.tool.tasks)?,
            with_docs: false,
            is_first: false,
        })
    }

    /// The place of a run apart from the protocol.
    fn place(&self, number: usize) -> Place {
        Place {
            number: APART + number,
            level: self.level,
            seed: self.seed,
            heeds: self.heeds,
        }
    }
}

impl SeedRuns {
    /// Sum over the runs of an arm in which something could have been learned before.
    pub fn sum(&self, arm: Arm, of: impl Fn(&super::protocol::RunMetrics) -> f64) -> f64 {
        let runs = self
            .arms
            .iter()
            .filter(|runs| runs.arm == arm)
            .flat_map(|runs| &runs.runs);
        runs.filter(|run| !run.is_first).map(of).sum()
    }

    /// Mean over the runs of an arm in a phase.
    pub fn mean(
        &self,
        arm: Arm,
        phase: Phase,
        of: impl Fn(&super::protocol::RunMetrics) -> f64,
    ) -> f64 {
        let runs = self
            .arms
            .iter()
            .filter(|runs| runs.arm == arm)
            .flat_map(|runs| &runs.runs);
        let values: Vec<f64> = runs
            .filter(|run| run.phase == phase && !run.is_first)
            .map(of)
            .collect();
        super::statistics::mean(&values)
    }
}
