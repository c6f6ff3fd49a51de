//! The results of the runs: figures with their goals, missed ones included.

use std::collections::BTreeMap;

use super::adversary::SUPPRESSED_WITHIN;
use super::{Harm, Noise, PairRuns, PlantedFate, SeedRuns};
use crate::protocol::{Arm, Phase, RunMetrics};
use crate::statistics::{Difference, mean, paired};

/// The goal of a figure.
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
    /// The measured quantity.
    pub name: String,
    /// Over how many seeds, lessons or activations.
    pub size: u64,
    /// The figure; absent when nothing of the kind happened.
    pub value: Option<f64>,
    /// Its unit.
    pub unit: &'static str,
    /// The 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// Its goal.
    pub goal: Option<Goal>,
    /// Notes for the reader.
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

    /// Returns true if the goal holds; `None` without one.
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
            found.extend(saved(pair, seed, (what, measure), (control, Arm::Memory)));
        }
    }
    let errors = (measures[0].0, measures[0].1);
    let rival = [(Arm::None, Arm::Rival), (Arm::Rival, Arm::Memory)];
    for arms in rival {
        // The effect of the plain rule is shown for comparison, and has no goal.
        found.extend(saved(pair, seed, errors, arms).into_iter().take(1));
    }
    found.push(passes(pair, seed));
    found.push(retention(pair, seed));
    found.push(recurrence(pair, seed));
    found.extend(activations(pair));
    let rules: [(&str, HarmOf); 2] = [
        ("", |seed| &seed.harm),
        (" under the plain rule", |seed| &seed.plain_harm),
    ];
    for (rule, of) in rules {
        let both = [planted(pair, rule, of), helpful_lost(pair, rule, of)];
        let is_own = rule.is_empty();
        found.extend(both.map(|figure| Figure {
            goal: figure.goal.filter(|_| is_own),
            ..figure
        }));
    }
    found.extend(noise(pair));
    found
}

/// The harm of a seed under one of the rules.
type HarmOf = fn(&SeedRuns) -> &Harm;

/// The savings of the second of two arms against the first, and their probability by chance.
fn saved(
    pair: &PairRuns,
    seed: u64,
    (what, measure): (&str, fn(&RunMetrics) -> f64),
    (against, by): (Arm, Arm),
) -> [Figure; 2] {
    let benefit = difference(pair, seed, |seed| {
        seed.sum(against, measure) - seed.sum(by, measure)
    });
    let seeds = pair.seeds.iter();
    let own: Vec<f64> = seeds.map(|seed| seed.sum(against, measure)).collect();
    let by = match by {
        Arm::Memory => String::new(),
        by => format!(" by the {}", by.name()),
    };
    let name = format!("{}: {what} saved{by} against {}", pair.name, against.name());
    let note = format!(
        "p = {:.5}; {:.1} in the same runs of the other arm",
        benefit.p,
        mean(&own)
    );
    let p = Figure::new(
        format!("{name}, p"),
        benefit.pairs,
        if benefit.mean > 0.0 { benefit.p } else { 1.0 },
        "",
    );
    // An agent that heeds nothing can be saved nothing.
    let p = match pair.heeds {
        heeds if heeds > 0.0 => p.with_goal(Goal::AtMost(0.01)),
        _ => p,
    };
    [of_difference(name, &benefit).with_note(note), p]
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
        "{helped} were followed and worked, {harmed} failed, of {all}; {} promoted, {} suppressed",
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
        .with_goal(Goal::AtLeast(5.0))
        .with_note(note),
        Figure::new(
            format!("{}: retrieval precision", pair.name),
            all as usize,
            precision,
            "share",
        ),
    ]
}

/// Seeds in which every planted lesson that had a trial was suppressed soon.
fn planted(pair: &PairRuns, rule: &str, of: HarmOf) -> Figure {
    let is_soon = |after: Option<usize>| after.is_some_and(|after| after <= SUPPRESSED_WITHIN);
    // A lesson that nothing called for often enough has had no trial.
    let is_tried = |fate: &&PlantedFate| {
        fate.relevant_runs >= SUPPRESSED_WITHIN || fate.suppressed_after.is_some()
    };
    let all: Vec<Vec<&PlantedFate>> = pair
        .seeds
        .iter()
        .map(|seed| of(seed).planted.iter().filter(is_tried).collect())
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
    let planted: usize = pair.seeds.iter().map(|seed| of(seed).planted.len()).sum();
    let bare = pair.seeds.iter().filter(|seed| of(seed).planted.is_empty());
    let name = format!(
        "{}: seeds in which all planted lessons are suppressed in {SUPPRESSED_WITHIN} relevant runs{rule}",
        pair.name
    );
    let figure = Figure {
        value: seeds_with(|fate| fate.suppressed_after),
        ..Figure::new(name, tried.len(), 0.0, "share")
    };
    // A lesson that is never followed does no harm, and its harm would never show.
    let is_heeded = pair.heeds > 0.0;
    let figure = Figure {
        goal: is_heeded.then_some(Goal::AtLeast(0.95)),
        ..figure
    };
    figure.with_note(format!(
        "of the single lessons {of_lessons:.3} of {}; {} more had no {SUPPRESSED_WITHIN} relevant runs; in {} \
         seeds there was no right lesson to turn wrong; {with_controls:.3} of the seeds when control runs count \
         as well; {}",
        lessons.len(),
        planted - lessons.len(),
        bare.count(),
        by_kind(&lessons, is_soon),
    ))
}

/// The share of each kind of planted lesson that was suppressed soon, in words.
fn by_kind(lessons: &[&PlantedFate], is_soon: impl Fn(Option<usize>) -> bool) -> String {
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for fate in lessons {
        let (soon, all) = kinds.entry(fate.kind).or_default();
        *soon += usize::from(is_soon(fate.suppressed_after));
        *all += 1;
    }
    let said = kinds
        .into_iter()
        .map(|(kind, (soon, all))| format!("{kind} {soon} of {all}"));
    said.collect::<Vec<_>>().join(", ")
}

/// Right lessons that the adversarial arm lost.
fn helpful_lost(pair: &PairRuns, rule: &str, of: HarmOf) -> Figure {
    let (helpful, lost) = pair.seeds.iter().map(of).fold((0, 0), |(all, lost), harm| {
        (all + harm.helpful, lost + harm.helpful_suppressed)
    });
    let figure = Figure {
        value: (helpful > 0).then(|| lost as f64 / helpful as f64),
        ..Figure::new(
            format!("{}: helpful lessons suppressed{rule}", pair.name),
            helpful,
            0.0,
            "share",
        )
    };
    figure
        .with_goal(Goal::AtMost(0.01))
        .with_note("learned and returned lessons that the references of the tool prove right")
}

/// The contents of the store after a stream in which three of four lessons are wrong or about something else.
fn noise(pair: &PairRuns) -> [Figure; 2] {
    let sum =
        |of: fn(&Noise) -> usize| -> usize { pair.seeds.iter().map(|seed| of(&seed.noise)).sum() };
    let (right, wrong) = (sum(|one| one.right), sum(|one| one.wrong));
    let (right_kept, wrong_kept) = (sum(|one| one.right_kept), sum(|one| one.wrong_kept));
    let share = |name: &str, right: usize, all: usize| Figure {
        value: (all > 0).then(|| right as f64 / all as f64),
        ..Figure::new(format!("{}: {name}", pair.name), all, 0.0, "share")
    };
    let note = format!(
        "{right_kept} of {right} right ones and {wrong_kept} of {wrong} others are in use in the end, {} and {} of them \
         promoted",
        sum(|one| one.right_promoted),
        sum(|one| one.wrong_promoted),
    );
    [
        share(
            "right among the lessons of a noisy stream",
            right,
            right + wrong,
        ),
        share(
            "right among those of them that are kept",
            right_kept,
            right_kept + wrong_kept,
        )
        .with_note(note),
    ]
}
