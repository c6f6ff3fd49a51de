//! The experiment over a few seeds: what holds with five must hold with a hundred.

use std::sync::LazyLock;

use mnemograph_lab::protocol::{Arm, Phase};
use mnemograph_lab::report::{markdown, plots};
use mnemograph_lab::stability::{Experiment, PairRuns, figures};

static RUNS: LazyLock<Vec<PairRuns>> = LazyLock::new(|| {
    let experiment = Experiment::new(1, 5, None).unwrap();
    experiment.run(&|_| {}).unwrap()
});

fn errors(pair: &PairRuns, arm: Arm) -> f64 {
    pair.seeds
        .iter()
        .map(|seed| seed.sum(arm, |run| run.errors as f64))
        .sum()
}

#[test]
fn memory_saves_errors_in_every_domain_against_both_controls() {
    assert_eq!(RUNS.len(), 4);
    for pair in RUNS.iter() {
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
            assert_eq!(activations > 0, arm.arm == Arm::Memory);
        }
        assert!(seed.harm.planted.len() <= 3);
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
            >= 4 * 8
    );
    let text = markdown(&found, &RUNS);
    assert!(found.iter().all(|figure| text.contains(&figure.name)));
    assert_eq!(plots(&RUNS).len(), 12);
}

#[test]
fn what_earlier_runs_showed_speaks_against_planted_lessons() {
    // Seeds in which runs came to nothing where a planted lesson was called for, so that they alone show nothing.
    let (mut tried, mut bans) = (0, 0);
    for first in [43, 49] {
        let mut experiment = Experiment::new(first, 3, None).unwrap();
        experiment.pairs.retain(|pair| pair.name == "web");
        let runs = experiment.run(&|_| {}).unwrap();
        let seeds = runs.iter().flat_map(|pair| &pair.seeds);
        for fate in seeds.flat_map(|seed| &seed.harm.planted) {
            if fate.relevant_runs < 5 {
                continue;
            }
            // A ban names no form that could be followed and fail: only the comparison of runs speaks against it,
            // and that takes more of them.
            if fate.kind == "ban of what works" {
                bans += usize::from(fate.suppressed_after.is_some());
                continue;
            }
            let after = fate.suppressed_after;
            assert!(after.is_some_and(|runs| runs <= 5), "{fate:?}");
            tried += 1;
        }
    }
    assert!(tried >= 9, "{tried} were called for often enough");
    assert!(bans >= 2, "{bans} bans were suppressed");
}
