//! Abstention: right and wrong refusals of a floor under the relevance.
//!
//! Three kinds of questions have no answer in a memory: those whose evidence was taken out, those that
//! rest on a false premise, and those that belong to another memory. A floor is good when it refuses
//! them and loses few of the questions that can be answered.

use std::collections::BTreeSet;

use crate::curve::Curve;
use crate::interval::mean;
use crate::report::{Goal, Report, Row};
use hindlore_domain::memory::policy::{Policy, Profile};

use super::collection::DataSet;
use super::measures::Measures;
use super::memories::MemoryOf;

/// Share of answerable questions that a floor may lose.
const LOST_MAX: f64 = 0.05;
/// Share of questions without evidence that a floor is to refuse.
const REFUSED_GOAL: f64 = 0.5;

/// The relevance of the best bullet, for every question of a set.
#[derive(Debug, Default)]
pub(super) struct Abstention {
    answerable: Vec<Answer>,
    /// Best relevance when the evidence is not there.
    removed: Vec<f64>,
    /// Best relevance for a question with a false premise.
    unanswerable: Vec<f64>,
    /// Best relevance for a question of another memory.
    foreign: Vec<f64>,
}

/// The ten best of an answerable question with their relevance, and the wanted ones.
#[derive(Debug)]
struct Answer {
    ranking: Vec<(f64, Vec<usize>)>,
    evidence: BTreeSet<usize>,
}

/// The effect of one floor.
#[derive(Clone, Copy, Debug)]
struct At {
    lost: f64,
    recall_5: f64,
    removed: f64,
    unanswerable: f64,
    foreign: f64,
}

impl Abstention {
    /// Asks every question of a set without a floor.
    pub(super) fn of(set: &DataSet, memories: &mut [MemoryOf]) -> Self {
        let mut found = Self::default();
        for memory in memories.iter_mut() {
            let policy = memory.policy().clone();
            memory.set_policy(Policy {
                floor: 0.0,
                ..policy
            });
        }
        for (at, collection) in set.collections.iter().enumerate() {
            for question in &collection.questions {
                let memory = &mut memories[at];
                let evidence = question.evidence.clone();
                let hits = memory.hits(&question.text, Profile::Engine);
                let places = memory.places(hits.iter().map(|hit| hit.id));
                let relevances = hits.iter().map(|hit| hit.parts.relevance);
                found
                    .removed
                    .push(memory.without(&evidence, |memory| best(memory, &question.text)));
                found.answerable.push(Answer {
                    ranking: relevances.zip(places).collect(),
                    evidence,
                });
                let others = memories
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != at);
                let foreign = others.map(|(_, other)| best(other, &question.text));
                found.foreign.extend(foreign);
            }
            let unanswerable = collection.unanswerable.iter();
            found
                .unanswerable
                .extend(unanswerable.map(|text| best(&memories[at], text)));
        }
        found
    }

    fn at(&self, floor: f64) -> At {
        let below = |relevances: &[f64]| {
            let below = relevances.iter().filter(|relevance| **relevance < floor);
            below.count() as f64 / relevances.len() as f64
        };
        let bests: Vec<f64> = self
            .answerable
            .iter()
            .map(|answer| answer.ranking.first().map_or(0.0, |(best, _)| *best))
            .collect();
        let recalls: Vec<f64> = self
            .answerable
            .iter()
            .map(|answer| {
                let kept = answer.ranking.iter().filter(|(found, _)| *found >= floor);
                let kept: Vec<Vec<usize>> = kept.map(|(_, places)| places.clone()).collect();
                Measures::of(&kept, &answer.evidence).recall_5
            })
            .collect();
        At {
            lost: below(&bests),
            recall_5: mean(&recalls),
            removed: below(&self.removed),
            unanswerable: below(&self.unanswerable),
            foreign: below(&self.foreign),
        }
    }

    /// The floor that refuses most questions without evidence among those that lose few answers.
    fn best_floor(&self) -> (f64, At) {
        let floors = (0..=1000).map(|step| f64::from(step) / 1000.0);
        let allowed = floors.map(|floor| (floor, self.at(floor)));
        let mut allowed = allowed.filter(|(_, at)| at.lost <= LOST_MAX);
        let first = allowed.next().unwrap_or((0.0, self.at(0.0)));
        allowed.fold(first, |best, next| {
            if next.1.removed > best.1.removed {
                next
            } else {
                best
            }
        })
    }

    /// Writes the goal, the shipped floor and the whole curve into a report.
    pub(super) fn report(&self, set: &DataSet, shipped: f64, report: &mut Report) {
        let (floor, best) = self.best_floor();
        let name = set.name;
        let asked = self.removed.len() as u64;
        let note = format!(
            "questions whose evidence was taken out; the best floor that loses at most {LOST_MAX} of the \
             answerable ones is {floor:.3}: it loses {:.3}, leaves recall@5 {:.3}, refuses {:.3} of foreign \
             questions",
            best.lost, best.recall_5, best.foreign
        );
        report.push(
            Row::measured(
                format!("{name} removed refused, best floor"),
                best.removed,
                "share",
            )
            .of_size(asked)
            .with_note(note)
            .with_goal(Goal::AtLeast(REFUSED_GOAL)),
        );
        let at = self.at(shipped);
        let figures = [
            ("answerable lost", at.lost, self.answerable.len()),
            ("recall@5", at.recall_5, self.answerable.len()),
            ("removed refused", at.removed, self.removed.len()),
            (
                "false premise refused",
                at.unanswerable,
                self.unanswerable.len(),
            ),
            ("foreign refused", at.foreign, self.foreign.len()),
        ];
        for (what, figure, count) in figures.into_iter().filter(|(_, _, count)| *count > 0) {
            let name = format!("{name} {what}, shipped floor {shipped}");
            report.push(Row::measured(name, figure, "share").of_size(count as u64));
        }
        report.curves.push(self.curve(name, shipped));
    }

    fn curve(&self, name: &str, shipped: f64) -> Curve {
        let title = format!("What a relevance floor keeps and refuses ({name})");
        let mut curve = Curve::new(
            &format!("floor-{name}"),
            &title,
            "floor",
            "share of questions",
        )
        .shipped_at(shipped);
        for step in 0..=35 {
            let floor = f64::from(step) / 50.0;
            let at = self.at(floor);
            curve.add("answerable lost", floor, at.lost);
            curve.add("recall@5", floor, at.recall_5);
            curve.add("evidence removed: refused", floor, at.removed);
            if !self.unanswerable.is_empty() {
                curve.add("false premise: refused", floor, at.unanswerable);
            }
            if !self.foreign.is_empty() {
                curve.add("foreign: refused", floor, at.foreign);
            }
        }
        curve
    }
}

fn best(memory: &MemoryOf, question: &str) -> f64 {
    let hits = memory.hits(question, Profile::Engine);
    let relevances = hits.iter().map(|hit| hit.parts.relevance);
    relevances.fold(0.0, f64::max)
}
