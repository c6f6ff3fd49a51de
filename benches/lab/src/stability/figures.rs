//! What the runs amount to: figures with their goals, missed ones included.

use super::adversary::SUPPRESSED_WITHIN;
use super::{PairRuns, PlantedFate, SeedRuns};
use crate::protocol::{Arm, Phase, RunMetrics};
use crate::statistics::{Difference, mean, paired};

/// What a figure is to reach.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Goal {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
}

/// One figure of the experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// What was measured.
    pub name: String,
    /// Over how many seeds, lessons or activations.
    pub size: u64,
    /// The figure; absent when nothing of the kind happened.
    pub value: Option<f64>,
    /// Its unit.
    pub unit: &'static str,
    /// The 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// What it is to reach.
    pub goal: Option<Goal>,
    /// What a reader must know.
    pub note: Option<String>,
}

impl Figure {
    fn new(name: String, size: usize, value: f64, unit: &'static str) -> Self {
        Self {
            name,
            size: size as u64,
            value: Some(value),
            unit,
            interval: None,
            goal: None,
            note: None,
        }
    }

    fn with_goal(mut self, goal: Goal) -> Self {
        self.goal = Some(goal);
        self
    }

    fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Tells whether the goal holds; `None` without one.
    pub fn holds(&self) -> Option<bool> {
        Some(match (self.goal?, self.value) {
            (_, None) => false,
            (Goal::AtLeast(limit), Some(value)) => value >= limit,
            (Goal::AtMost(limit), Some(value)) => value <= limit,
        })
    }
}

/// All figures, pair by pair.
pub fn figures(all: &[PairRuns], seed: u64) -> Vec<Figure> {
    all.iter().flat_map(|pair| of_pair(pair, seed)).collect()
}

fn of_pair(pair: &PairRuns, seed: u64) -> Vec<Figure> {
    let mut found = Vec::new();
    type Measure = fn(&RunMetrics) -> f64;
    let measures: [(&str, Measure); 2] = [
        ("errors", |run| run.errors as f64),
        ("steps", |run| run.steps as f64),
    ];
    for (what, measure) in measures {
        for control in [Arm::None, Arm::WithinRun] {
            let benefit = difference(pair, seed, |seed| {
                seed.sum(control, measure) - seed.sum(Arm::Memory, measure)
            });
            let own: Vec<f64> = pair
                .seeds
                .iter()
                .map(|seed| seed.sum(control, measure))
                .collect();
            let name = format!("{}: {what} saved against {}", pair.name, control.name());
            let note = format!(
                "p = {:.5}; the control has {:.1} in the same runs",
                benefit.p,
                mean(&own)
            );
            found.push(of_difference(name.clone(), &benefit).with_note(note));
            let p = Figure::new(
                format!("{name}, p"),
                benefit.pairs,
                if benefit.mean > 0.0 { benefit.p } else { 1.0 },
                "",
            );
            found.push(p.with_goal(Goal::AtMost(0.01)));
        }
    }
    found.push(passes(pair, seed));
    found.push(retention(pair, seed));
    found.push(recurrence(pair, seed));
    found.extend(activations(pair));
    found.extend(harm(pair));
    found
}

fn difference(pair: &PairRuns, seed: u64, of: impl Fn(&SeedRuns) -> f64) -> Difference {
    let differences: Vec<f64> = pair.seeds.iter().map(of).collect();
    paired(&differences, seed)
}

fn of_difference(name: String, difference: &Difference) -> Figure {
    Figure {
        interval: Some([difference.low, difference.high]),
        ..Figure::new(name, difference.pairs, difference.mean, "")
    }
}

fn passes(pair: &PairRuns, seed: u64) -> Figure {
    let passed = |run: &RunMetrics| f64::from(u8::from(run.passed));
    let gained = difference(pair, seed, |seed| {
        seed.sum(Arm::Memory, passed) - seed.sum(Arm::None, passed)
    });
    of_difference(
        format!("{}: passes gained against no memory", pair.name),
        &gained,
    )
    .with_note(format!("of 12 runs; p = {:.5}", gained.p))
}

/// Errors after the second tool was learned minus errors before, as far as the control does not move.
fn retention(pair: &PairRuns, seed: u64) -> Figure {
    let errors = |run: &RunMetrics| run.errors as f64;
    let moved = |seed: &SeedRuns, arm| {
        seed.mean(arm, Phase::Retention, errors) - seed.mean(arm, Phase::Bootstrap, errors)
    };
    let delta = difference(pair, seed, |seed| {
        moved(seed, Arm::Memory) - moved(seed, Arm::None)
    });
    of_difference(
        format!("{}: errors with the first tool after the second", pair.name),
        &delta,
    )
    .with_goal(Goal::AtMost(0.0))
    .with_note(format!(
        "change of errors a run from phase A to phase C, against that of the control; p = {:.5}",
        delta.p
    ))
}

fn recurrence(pair: &PairRuns, seed: u64) -> Figure {
    let recurring = |run: &RunMetrics| run.recurring as f64;
    let control: Vec<f64> = pair
        .seeds
        .iter()
        .map(|seed| seed.sum(Arm::None, recurring))
        .collect();
    let saved = difference(pair, seed, |seed| {
        seed.sum(Arm::None, recurring) - seed.sum(Arm::Memory, recurring)
    });
    of_difference(format!("{}: recurring errors saved", pair.name), &saved).with_note(format!(
        "of {:.1} that recur without memory; p = {:.5}",
        mean(&control),
        saved.p
    ))
}

fn activations(pair: &PairRuns) -> Vec<Figure> {
    let memory = pair
        .seeds
        .iter()
        .flat_map(|seed| &seed.arms)
        .filter(|runs| runs.arm == Arm::Memory);
    let accounts: Vec<_> = memory
        .flat_map(|runs| &runs.runs)
        .map(|run| run.account)
        .collect();
    let sum = |of: fn(&crate::advisor::Account) -> u64| accounts.iter().map(of).sum::<u64>();
    let (all, helped, harmed) = (
        sum(|one| one.activations),
        sum(|one| one.helped),
        sum(|one| one.harmed),
    );
    let ratio = helped as f64 / harmed.max(1) as f64;
    let note = format!(
        "{helped} helped, {harmed} harmed of {all}, the others changed no action; {} promoted, {} suppressed",
        sum(|one| one.promoted),
        sum(|one| one.suppressed)
    );
    let precision = helped as f64 / all.max(1) as f64;
    vec![
        Figure::new(
            format!("{}: activations that help for each that harms", pair.name),
            all as usize,
            ratio,
            "",
        )
        .with_goal(Goal::AtLeast(2.0))
        .with_note(note),
        Figure::new(
            format!("{}: retrieval precision", pair.name),
            all as usize,
            precision,
            "share",
        ),
    ]
}

fn harm(pair: &PairRuns) -> Vec<Figure> {
    vec![planted(pair), helpful_lost(pair)]
}

/// Seeds in which every planted lesson that had a trial was suppressed soon.
fn planted(pair: &PairRuns) -> Figure {
    let is_soon = |after: Option<usize>| after.is_some_and(|after| after <= SUPPRESSED_WITHIN);
    // A lesson that nothing called for often enough has had no trial.
    let is_tried = |fate: &&PlantedFate| {
        fate.relevant_runs >= SUPPRESSED_WITHIN || fate.suppressed_after.is_some()
    };
    let all: Vec<Vec<&PlantedFate>> = pair
        .seeds
        .iter()
        .map(|seed| seed.harm.planted.iter().filter(is_tried).collect())
        .collect();
    let tried: Vec<&Vec<&PlantedFate>> = all.iter().filter(|fates| !fates.is_empty()).collect();
    let lessons: Vec<&PlantedFate> = tried
        .iter()
        .flat_map(|fates| fates.iter().copied())
        .collect();
    let share = |soon: usize, of: usize| (of > 0).then(|| soon as f64 / of as f64);
    let seeds_with = |after: fn(&PlantedFate) -> Option<usize>| {
        let all_soon = |fates: &&&Vec<&PlantedFate>| fates.iter().all(|fate| is_soon(after(fate)));
        share(tried.iter().filter(all_soon).count(), tried.len())
    };
    let soon = lessons.iter().filter(|fate| is_soon(fate.suppressed_after));
    let of_lessons = share(soon.count(), lessons.len()).unwrap_or_default();
    let with_controls = seeds_with(|fate| fate.suppressed_after_all).unwrap_or_default();
    let planted: usize = pair.seeds.iter().map(|seed| seed.harm.planted.len()).sum();
    let bare = pair
        .seeds
        .iter()
        .filter(|seed| seed.harm.planted.is_empty());
    let name = format!(
        "{}: seeds in which all planted lessons are suppressed in {SUPPRESSED_WITHIN} relevant runs",
        pair.name
    );
    let figure = Figure {
        value: seeds_with(|fate| fate.suppressed_after),
        ..Figure::new(name, tried.len(), 0.0, "share")
    };
    figure.with_goal(Goal::AtLeast(0.95)).with_note(format!(
        "of the single lessons {of_lessons:.3} of {}; {} more had no {SUPPRESSED_WITHIN} relevant runs; in {} \
         seeds there was no right lesson to turn wrong; {with_controls:.3} of the seeds when control runs, \
         which withhold all lessons, count as well",
        lessons.len(),
        planted - lessons.len(),
        bare.count(),
    ))
}

/// Right lessons that the adversarial arm lost.
fn helpful_lost(pair: &PairRuns) -> Figure {
    let (helpful, lost) = pair.seeds.iter().fold((0, 0), |(all, lost), seed| {
        (all + seed.harm.helpful, lost + seed.harm.helpful_suppressed)
    });
    let figure = Figure {
        value: (helpful > 0).then(|| lost as f64 / helpful as f64),
        ..Figure::new(
            format!("{}: helpful lessons suppressed", pair.name),
            helpful,
            0.0,
            "share",
        )
    };
    figure
        .with_goal(Goal::AtMost(0.02))
        .with_note("learned and returned lessons that the references of the tool prove right")
}
