//! Choices made by measurement, varied one by one: constants, shares of neighbours, weights.

use crate::chance::Chance;
use crate::curve::Curve;
use crate::interval::mean;
use crate::report::Report;
use hindlore_domain::memory::bullet::{Counts, Source};
use hindlore_domain::memory::policy::{LinkShares, Policy, Profile, Weights};

use super::collection::DataSet;
use super::formula::{Constants, Corpus, SHIPPED};
use super::measures::Measures;
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
    let (figure, read) = figure_of(set);
    let at = |words: usize| -> Vec<Corpus> {
        let collections = set.collections.iter();
        collections.map(|one| Corpus::new(one, words)).collect()
    };
    let corpora = at(SHIPPED.passage_words);
    let name = set.name.replace(' ', "-");
    let is_rules = set.name.starts_with("rules");
    if !is_rules {
        report.curves.push(saturation(set, &name, &corpora));
    }
    if set.name == "rules behind 70 words" {
        report.curves.push(unknown(set, &name, &corpora));
    }
    let mut follows = set.collections.iter().flat_map(|one| &one.follows);
    if follows.any(|follows| *follows) {
        let at = |shares: LinkShares| value(set, &corpora, read, Constants { shares, ..SHIPPED });
        report.curves.push(neighbours(&name, figure, at));
    }
    let mut sources = set.collections.iter().flat_map(|one| &one.sources);
    if sources.any(|source| *source == Source::Agent) {
        report.curves.push(agents(set, &name, &corpora));
        report.curves.push(passages(set, &name, at));
    }
    if set.name == "locomo" || set.name == "bfcl" {
        report.curves.push(weights(set, memories, read));
    }
}

/// The figure that a set is chosen by.
fn figure_of(set: &DataSet) -> (&'static str, Figure) {
    match set.name {
        "bfcl" => ("P@1", |of| of.precision_1),
        name if name.starts_with("rules") => ("one of 3", |of| of.found_3),
        _ => ("recall@5", |of| of.recall_5),
    }
}

/// The effect of repeats and length.
fn saturation(set: &DataSet, name: &str, corpora: &[Corpus]) -> Curve {
    let (figure, read) = figure_of(set);
    let title = format!("Saturation k1 and length share b ({})", set.name);
    let mut curve = Curve::new(&format!("k1-b-{name}"), &title, "k1", figure);
    for b in [0.2, 0.4, 0.75] {
        for k1 in [0.4, 0.6, 0.8, 1.0, 1.2, 1.6, 2.0] {
            let constants = Constants { k1, b, ..SHIPPED };
            curve.add(
                &format!("b = {b}"),
                k1,
                value(set, corpora, read, constants),
            );
        }
    }
    curve.shipped_at(SHIPPED.k1)
}

/// The mean of a figure over all questions of a set.
fn value(set: &DataSet, corpora: &[Corpus], read: Figure, constants: Constants) -> f64 {
    let collections = set.collections.iter().zip(corpora);
    let measured: Vec<f64> = collections
        .flat_map(|(collection, corpus)| {
            collection.questions.iter().map(move |question| {
                let ranking = corpus.ranking(&question.text, constants);
                read(&Measures::of(&ranking, &question.evidence))
            })
        })
        .collect();
    mean(&measured)
}

/// The effect of words of a question without a text, by sentence and for the whole alone.
fn unknown(set: &DataSet, name: &str, corpora: &[Corpus]) -> Curve {
    let (figure, read) = figure_of(set);
    let title = format!("What words without a text take away ({})", set.name);
    let x = "weight of an unknown word";
    let mut curve = Curve::new(&format!("unknown-{name}"), &title, x, figure);
    for (line, inner_sentence) in [
        ("whole question", 0.0),
        ("best sentence beside it", 1.0),
        ("best sentence, inner ones less", SHIPPED.inner_sentence),
    ] {
        for step in 0..=4 {
            let unknown = f64::from(step) / 4.0;
            let constants = Constants {
                unknown,
                unknown_of_several: unknown,
                inner_sentence,
                ..SHIPPED
            };
            curve.add(line, unknown, value(set, corpora, read, constants));
        }
    }
    curve.shipped_at(SHIPPED.unknown_of_several)
}

/// The weight of an agent's words relative to a person's.
fn agents(set: &DataSet, name: &str, corpora: &[Corpus]) -> Curve {
    let (figure, read) = figure_of(set);
    let title = format!("Weight of what an agent said ({})", set.name);
    let mut curve = Curve::new(&format!("agent-{name}"), &title, "weight", figure);
    for step in 1..=10 {
        let agent = f64::from(step) / 10.0;
        let constants = Constants { agent, ..SHIPPED };
        curve.add(figure, agent, value(set, corpora, read, constants));
    }
    curve.shipped_at(SHIPPED.agent)
}

/// How long a passage should be.
fn passages(set: &DataSet, name: &str, at: impl Fn(usize) -> Vec<Corpus>) -> Curve {
    let (figure, read) = figure_of(set);
    let title = format!("Words of a passage ({})", set.name);
    let file = format!("passages-{name}");
    let mut curve = Curve::new(&file, &title, "words; 0: whole texts", figure);
    for passage_words in [0, 40, 80, 120, 160, 240, 400] {
        let constants = Constants {
            passage_words,
            ..SHIPPED
        };
        let value = value(set, &at(passage_words), read, constants);
        curve.add(figure, passage_words as f64, value);
    }
    curve.shipped_at(SHIPPED.passage_words as f64)
}

fn neighbours(name: &str, figure: &str, value: impl Fn(LinkShares) -> f64) -> Curve {
    let title = format!("What a neighbour's relevance adds ({name})");
    let file = format!("neighbours-{name}");
    let shipped = SHIPPED.shares.previous;
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

/// Bullets of mixed strength: the cost of a weight on strength in recall, and how often the stronger of two equally
/// relevant bullets comes first.
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
