//! Choices made by measurement, varied one by one: shares of neighbours, and weights.

use crate::chance::Chance;
use crate::curve::Curve;
use crate::interval::mean;
use crate::report::Report;
use hindlore_domain::memory::bullet::Counts;
use hindlore_domain::memory::policy::{LinkShares, Policy, Profile, Weights};

use super::collection::DataSet;
use super::memories::{MemoryOf, unlimited};
use super::{Figure, ask_profile};

/// The clock of the memories of the mixed-strength runs, so that bullets have faded in all degrees.
const CLOCK: u64 = 200;
const DRAWS: u64 = 5;
const SEED: u64 = 11;
/// Two relevances this near are taken as equal, two strengths this far apart as different.
const NEAR: f64 = 0.02;
const APART: f64 = 0.2;

/// Adds the curves of a set to a report.
pub(super) fn report(set: &DataSet, memories: &mut [MemoryOf], report: &mut Report) {
    let mut follows = set.collections.iter().flat_map(|one| &one.follows);
    if follows.any(|follows| *follows) {
        report.curves.push(neighbours(set, memories));
    }
    if let Some((figure, read)) = figure_of(set) {
        report.curves.push(weights(set, memories, figure, read));
    }
}

/// The figure by which a set chooses weights, if it does.
fn figure_of(set: &DataSet) -> Option<(&'static str, Figure)> {
    match set.name {
        "bfcl" => Some(("P@1", |of| of.precision_1)),
        "locomo" => Some(("recall@5", |of| of.recall_5)),
        _ => None,
    }
}

/// What is found with each share of the turn before and of the turn after.
fn neighbours(set: &DataSet, memories: &mut [MemoryOf]) -> Curve {
    let title = format!("What a neighbour's relevance adds ({})", set.name);
    let file = format!("neighbours-{}", set.name);
    let x = "share of the turn before";
    let mut curve = Curve::new(&file, &title, x, "recall@5");
    let shipped = unlimited().link_shares.previous;
    for next in [0.0, 0.15, 0.25, 0.35] {
        for step in 0..=10 {
            let previous = f64::from(step) / 20.0;
            for memory in memories.iter_mut() {
                memory.set_policy(Policy {
                    link_shares: LinkShares { previous, next },
                    ..unlimited()
                });
            }
            let measures = ask_profile(set, memories, Profile::Engine);
            let found: Vec<f64> = measures.iter().map(|of| of.recall_5).collect();
            let line = format!("share of the turn after = {next}");
            curve.add(&line, previous, mean(&found));
        }
    }
    curve.shipped_at(shipped)
}

/// Bullets of mixed strength: the cost of a weight on strength in recall, and how often the stronger of two equally
/// relevant bullets comes first.
fn weights(set: &DataSet, memories: &mut [MemoryOf], figure: &str, read: Figure) -> Curve {
    let title = format!(
        "Weight of strength, bullets of mixed strength ({})",
        set.name
    );
    let file = format!("weights-{}", set.name);
    let shipped = Profile::Engine.weights().strength;
    let mut curve = Curve::new(&file, &title, "weight of strength", "share").shipped_at(shipped);
    for strength in [0.0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3] {
        let memory_type = Profile::Engine.weights().memory_type;
        let weights = Weights {
            relevance: 1.0 - strength - memory_type,
            strength,
            memory_type,
        };
        let (mut found, mut ordered) = (Vec::new(), Vec::new());
        for draw in 0..DRAWS {
            let mut chance = Chance::new(SEED + draw);
            for memory in memories.iter_mut() {
                memory.set_policy(Policy {
                    weights: Some(weights),
                    ..unlimited()
                });
                mix(memory, &mut chance);
            }
            let measures = ask_profile(set, memories, Profile::Engine);
            found.extend(measures.iter().map(read));
            ordered.extend(stronger_first(set, memories));
        }
        curve.add(figure, strength, mean(&found));
        curve.add("stronger of two equals first", strength, mean(&ordered));
    }
    curve
}

/// Gives every bullet votes and an age of its own.
fn mix(memory: &mut MemoryOf, chance: &mut Chance) {
    memory.set_clock(CLOCK);
    memory.change_all(|bullet| {
        bullet.counts = Counts {
            helpful: chance.below(8) as u64,
            harmful: chance.below(4) as u64,
            neutral: 0,
        };
        bullet.access_index = Some(CLOCK - chance.below(30) as u64);
    });
}

/// For pairs in the first ten that are equally relevant: 1 when the stronger comes first, else 0.
fn stronger_first(set: &DataSet, memories: &[MemoryOf]) -> Vec<f64> {
    let mut seen = Vec::new();
    for (collection, memory) in set.collections.iter().zip(memories) {
        for question in &collection.questions {
            let hits = memory.hits(&question.text, Profile::Engine);
            for (at, first) in hits.iter().enumerate() {
                for second in &hits[at + 1..] {
                    let relevance = (first.parts.relevance - second.parts.relevance).abs();
                    let strength = first.parts.strength - second.parts.strength;
                    if relevance < NEAR && strength.abs() > APART {
                        seen.push(f64::from(u8::from(strength > 0.0)));
                    }
                }
            }
        }
    }
    seen
}
