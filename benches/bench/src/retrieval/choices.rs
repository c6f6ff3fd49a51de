//! What was chosen by measurement, varied one by one: constants, shares of neighbours, weights.

use crate::chance::Chance;
use crate::curve::Curve;
use crate::interval::mean;
use crate::report::Report;
use mnemograph::domain::memory::bullet::Counts;
use mnemograph::domain::memory::policy::{LinkShares, Policy, Profile, Weights};

use super::collection::DataSet;
use super::formula::{Constants, Corpus, SHIPPED};
use super::measures::Measures;
use super::memories::{MemoryOf, unlimited};
use super::{Figure, ask_profile};

/// The memories of the mixed-strength runs stand at this clock, so that bullets have faded in all degrees.
const CLOCK: u64 = 200;
const DRAWS: u64 = 5;
const SEED: u64 = 11;
/// Two relevances this near are taken as equal, two strengths this far apart as different.
const NEAR: f64 = 0.02;
const APART: f64 = 0.2;

/// Adds the curves of a set to a report.
pub(super) fn report(set: &DataSet, memories: &mut [MemoryOf], report: &mut Report) {
    let corpora: Vec<Corpus> = set.collections.iter().map(Corpus::new).collect();
    let shares = Policy::default().link_shares;
    let (name, figure, read) = match set.name {
        "bfcl" => ("bfcl", "P@1", (|of| of.precision_1) as Figure),
        name => (name, "recall@5", (|of| of.recall_5) as Figure),
    };
    let value = |constants: Constants, shares: LinkShares| {
        let measured: Vec<f64> = set
            .collections
            .iter()
            .zip(&corpora)
            .flat_map(|(collection, corpus)| {
                collection.questions.iter().map(move |question| {
                    let ranking = corpus.ranking(&question.text, constants, shares);
                    read(&Measures::of(&ranking, &question.evidence))
                })
            })
            .collect();
        mean(&measured)
    };
    let title = format!("Saturation k1 and length share b ({name})");
    let mut curve =
        Curve::new(&format!("k1-b-{name}"), &title, "k1", figure).shipped_at(SHIPPED.k1);
    for b in [0.2, 0.4, 0.75] {
        for k1 in [0.4, 0.6, 0.8, 1.0, 1.2, 1.6, 2.0] {
            curve.add(
                &format!("b = {b}"),
                k1,
                value(Constants { k1, b, ..SHIPPED }, shares),
            );
        }
    }
    report.curves.push(curve);
    if set
        .collections
        .iter()
        .any(|one| one.follows.contains(&true))
    {
        report
            .curves
            .push(neighbours(name, figure, |shares| value(SHIPPED, shares)));
    }
    report.curves.push(weights(set, memories, read));
}

fn neighbours(name: &str, figure: &str, value: impl Fn(LinkShares) -> f64) -> Curve {
    let title = format!("What a neighbour's relevance adds ({name})");
    let file = format!("neighbours-{name}");
    let shipped = Policy::default().link_shares.previous;
    let mut curve =
        Curve::new(&file, &title, "share of the turn before", figure).shipped_at(shipped);
    for next in [0.0, 0.15, 0.25, 0.35] {
        for step in 0..=10 {
            let previous = f64::from(step) / 20.0;
            let shares = LinkShares { previous, next };
            curve.add(
                &format!("share of the turn after = {next}"),
                previous,
                value(shares),
            );
        }
    }
    curve
}

/// Bullets of mixed strength: what weight on strength costs in recall, and how often the stronger of two
/// equally relevant bullets comes first.
fn weights(set: &DataSet, memories: &mut [MemoryOf], read: Figure) -> Curve {
    let title = format!(
        "Weight of strength, bullets of mixed strength ({})",
        set.name
    );
    let file = format!("weights-{}", set.name);
    let shipped = Profile::Engine.weights().strength;
    let mut curve = Curve::new(&file, &title, "weight of strength", "share").shipped_at(shipped);
    let figure = if set.name == "bfcl" {
        "P@1"
    } else {
        "recall@5"
    };
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

/// For pairs in the first ten that are equally relevant: 1 when the stronger stands first, else 0.
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
