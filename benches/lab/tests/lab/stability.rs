//! The experiment over a few seeds: a result with them must hold with a hundred. `HINDLORE_LAB_SEEDS` sets another
//! number of seeds.

use std::sync::LazyLock;

use hindlore_lab::protocol::{Arm, Phase};
use hindlore_lab::report::{markdown, plots};
use hindlore_lab::stability::{Experiment, PairRuns, PlantedFate, SeedRuns, figures};

/// Default seeds of the experiment.
const SEEDS: u64 = 2;

static RUNS: LazyLock<Vec<PairRuns>> = LazyLock::new(|| {
    let named = std::env::var("HINDLORE_LAB_SEEDS").ok();
    let seeds = named.map_or(SEEDS, |named| named.parse().unwrap());
    let mut experiment = Experiment::new(1, seeds, None).unwrap();
    experiment.plants = false;
    experiment.run(&|_| {}).unwrap()
});

/// A domain with planted lessons.
fn planted(name: &str, first: u64, seeds: u64) -> PairRuns {
    let mut experiment = Experiment::new(first, seeds, None).unwrap();
    experiment.pairs.retain(|pair| pair.name == name);
    experiment.run(&|_| {}).unwrap().remove(0)
}

#[test]
fn an_agent_that_heeds_nothing_is_neither_helped_nor_disturbed() {
    let unheeded = RUNS.iter().find(|pair| pair.heeds == 0.0).unwrap();
    for control in [Arm::None, Arm::WithinRun, Arm::Rival] {
        assert_eq!(errors(unheeded, control), errors(unheeded, Arm::Memory));
    }
}

fn errors(pair: &PairRuns, arm: Arm) -> f64 {
    pair.seeds
        .iter()
        .map(|seed| seed.sum(arm, |run| run.errors as f64))
        .sum()
}

#[test]
fn memory_saves_errors_in_every_domain_against_both_controls() {
    assert_eq!(RUNS.len(), 7);
    // An agent that heeds nothing can be saved nothing.
    for pair in RUNS.iter().filter(|pair| pair.heeds > 0.0) {
        let with = errors(pair, Arm::Memory);
        for control in [Arm::None, Arm::WithinRun] {
            let without = errors(pair, control);
            assert!(
                with < without,
                "{}: {with} errors with memory, {without} in `{}`",
                pair.name,
                control.name()
            );
        }
    }
}

#[test]
fn every_arm_runs_the_whole_protocol() {
    for seed in RUNS.iter().flat_map(|pair| &pair.seeds) {
        for arm in &seed.arms {
            assert_eq!(arm.runs.len(), 14);
            assert!(
                Phase::ALL
                    .iter()
                    .all(|phase| arm.runs.iter().any(|run| run.phase == *phase))
            );
            let activations: u64 = arm.runs.iter().map(|run| run.account.activations).sum();
            let remembers = matches!(arm.arm, Arm::Memory | Arm::Rival);
            assert_eq!(activations > 0, remembers);
        }
    }
}

#[test]
fn figures_have_goals_and_the_report_shows_them_all() {
    let found = figures(&RUNS, 1);
    assert!(
        found
            .iter()
            .filter(|figure| figure.holds().is_some())
            .count()
            >= 7 * 3
    );
    let text = markdown(&found, &RUNS);
    assert!(found.iter().all(|figure| text.contains(&figure.name)));
    assert_eq!(plots(&RUNS).len(), 21);
}

#[test]
fn a_ban_of_what_works_goes_soon_and_right_lessons_stay() {
    let runs = planted("tables", 1, 3);
    let seeds = runs.seeds.iter();
    let fates: Vec<&PlantedFate> = seeds.flat_map(|seed| &seed.harm.planted).collect();
    let is_soon = |fate: &PlantedFate| fate.suppressed_after.is_some_and(|runs| runs <= 5);
    let tried: Vec<&PlantedFate> = fates
        .into_iter()
        .filter(|fate| fate.relevant_runs >= 5 || is_soon(fate))
        .collect();
    let (bans, others): (Vec<&PlantedFate>, Vec<&PlantedFate>) = tried
        .into_iter()
        .partition(|fate| fate.kind == "ban of what works");
    assert!(bans.len() >= 2 && others.len() >= 3, "{bans:?} {others:?}");
    for ban in bans {
        assert!(is_soon(ban), "{ban:?}");
    }
    let soon = others.iter().filter(|fate| is_soon(fate)).count();
    assert!(2 * soon >= others.len(), "{others:?}");
    let sum = |of: fn(&SeedRuns) -> usize| runs.seeds.iter().map(of).sum::<usize>();
    let (right, lost) = (
        sum(|seed| seed.harm.helpful),
        sum(|seed| seed.harm.helpful_suppressed),
    );
    assert!(
        20 * lost <= right,
        "{lost} of {right} right lessons were lost"
    );
    let (offered, kept) = (
        sum(|seed| seed.noise.right),
        sum(|seed| seed.noise.right_kept),
    );
    assert!(
        10 * kept >= 9 * offered && offered > 0,
        "{kept} of {offered}"
    );
    let (noise, left) = (
        sum(|seed| seed.noise.wrong),
        sum(|seed| seed.noise.wrong_kept),
    );
    assert!(
        noise > 2 * offered && 4 * left <= 3 * noise,
        "{left} of {noise}"
    );
}
