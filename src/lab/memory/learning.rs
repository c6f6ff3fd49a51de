//! The end of a run: outcomes are settled, lessons learned, and the gates decide.

use std::collections::{BTreeMap, BTreeSet};

use super::Current;
use super::keeper::{Keeper, owner};
use crate::domain::lesson::activation::Activation;
use crate::domain::lesson::candidate::{Candidate, RunFacts, admit};
use crate::domain::lesson::contrast;
use crate::domain::lesson::evidence::evidence;
use crate::domain::lesson::ids::{FingerprintId, LessonId};
use crate::domain::lesson::lesson::{Contest, Lesson, NewLesson, Place, Status, UtilityPoint};
use crate::domain::lesson::numbers::UtilityNumbers;
use crate::domain::lesson::promotion::decide;
use crate::domain::lesson::quality::QualityRules;
use crate::domain::lesson::run::RunRecord;
use crate::domain::lesson::utility::{Outcome, baseline, reliability, settle, utility};
use crate::domain::timestamp::Timestamp;
use crate::lab::advisor::Account;
use crate::lab::feedback::Verdict;

/// How a run ended.
pub(super) struct Ended {
    pub(super) place: Place,
    pub(super) at: Timestamp,
    pub(super) verdict: Verdict,
    pub(super) steps: usize,
}

/// Takes a run in.
pub(super) fn end(keeper: &mut Keeper, mut current: Current, ended: Ended) -> Account {
    let judged = std::mem::take(&mut current.verdicts).end();
    let run = RunRecord {
        id: current
            .place
            .as_ref()
            .map_or_else(String::new, |place| place.run.clone()),
        place: ended.place.clone(),
        passed: Some(ended.verdict.passed),
        score: None,
        steps: u32::try_from(ended.steps).unwrap_or(u32::MAX),
        occurrences: current.occurrences.clone(),
        in_force: current.in_force.clone(),
        followed: judged.followed,
        control: current.control,
        ended_at: ended.at,
    };
    let mut account = Account::default();
    outcomes(keeper, &current, (&run, &judged.refuted), &mut account);
    opportunities(keeper, &run);
    keeper.runs.push(run);
    learn(keeper, &current, &ended);
    gates(keeper, ended.at, &mut account);
    account
}

fn outcomes(
    keeper: &mut Keeper,
    current: &Current,
    (run, refuted): (&RunRecord, &BTreeSet<LessonId>),
    account: &mut Account,
) {
    let numbers = keeper.numbers.utility;
    for activation in current
        .activations
        .iter()
        .filter(|activation| !activation.withheld)
    {
        let Some(lesson) = keeper.lessons.get(&activation.lesson) else {
            continue;
        };
        let base = baseline(activation, lesson, run, &keeper.runs);
        let mut outcome = settle(activation, lesson, run, base, &numbers);
        account.activations += 1;
        let is_followed = run.advice_failed(lesson.id, activation.step).is_some();
        if is_followed {
            account.helped += u64::from(outcome.utility > 0.0);
            account.harmed += u64::from(outcome.utility < 0.0);
        } else if refuted.contains(&lesson.id) {
            fail(&mut outcome, &numbers);
        } else {
            // Advice that changed nothing brought nothing, and whatever came next was not its doing.
            keeper.activations.push(activation.clone());
            continue;
        }
        if let Some(lesson) = keeper.lessons.get_mut(&activation.lesson) {
            lesson.reliability = reliability(lesson.reliability, outcome.utility, &numbers);
            lesson.impact += outcome.utility;
            lesson.counts.helpful += u64::from(outcome.helped());
            lesson.counts.harmful += u64::from(!outcome.helped());
            lesson.history.push(UtilityPoint {
                activation: activation.id,
                utility: outcome.utility,
                reliability: lesson.reliability,
                at: outcome.at,
            });
        }
        if outcome.helped() {
            contests(keeper, activation, run.ended_at);
        }
        let mut settled = activation.clone();
        settled.outcome = Some(outcome);
        keeper.activations.push(settled);
    }
}

/// Values advice that was refuted before anybody followed it: it would have failed.
fn fail(outcome: &mut Outcome, numbers: &UtilityNumbers) {
    let n = outcome.baseline.samples as f64;
    outcome.recurred = true;
    outcome.error_reduction = (outcome.baseline.rate - 1.0) * n / (n + numbers.shrink);
    // How long the run took is nothing that it could have earned.
    outcome.step_efficiency_gain = outcome.step_efficiency_gain.min(0.0);
    outcome.utility = utility(
        outcome.error_reduction,
        outcome.step_efficiency_gain,
        outcome.referee_score_gain,
        numbers,
    );
}

/// A lesson that helped has won against those that were left out for contradicting it.
fn contests(keeper: &mut Keeper, activation: &Activation, at: Timestamp) {
    for loser in &activation.beat {
        for (lesson, other, won) in [
            (activation.lesson, *loser, true),
            (*loser, activation.lesson, false),
        ] {
            if let Some(lesson) = keeper.lessons.get_mut(&lesson) {
                lesson.contests.push(Contest {
                    other,
                    won,
                    activation: activation.id,
                    at,
                });
            }
        }
    }
}

/// A run that raised a trigger of a lesson without the lesson in force was an unused opportunity.
fn opportunities(keeper: &mut Keeper, run: &RunRecord) {
    for lesson in keeper.lessons.values_mut() {
        if run.raised(&lesson.triggers) && !run.had(lesson.id) {
            lesson.unused_opportunities += 1;
        }
    }
}

fn learn(keeper: &mut Keeper, current: &Current, ended: &Ended) {
    let proposals = contrast::learn(&current.trace, |id| {
        keeper.seen.get(&id).copied().unwrap_or(0)
    });
    let mut fingerprints: Vec<FingerprintId> = current
        .occurrences
        .iter()
        .flat_map(|one| [one.fine, one.coarse])
        .collect();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    let facts = RunFacts {
        fingerprints,
        steps: current.trace.iter().map(|step| step.step).collect(),
    };
    let (admitted, _) = admit(proposals, &facts, &QualityRules::standard());
    for candidate in admitted {
        if let Some(lesson) = lesson_from(&candidate, current, ended) {
            keeper.keep(lesson);
        }
    }
    for occurrence in &current.occurrences {
        *keeper.seen.entry(occurrence.fine).or_default() += 1;
    }
}

fn lesson_from(candidate: &Candidate, current: &Current, ended: &Ended) -> Option<Lesson> {
    let of_step: BTreeMap<u32, &Vec<String>> = current
        .tags
        .iter()
        .filter_map(|(at, tags)| Some((current.trace.get(*at)?.step, tags)))
        .collect();
    let tags = candidate
        .evidence_steps
        .iter()
        .filter_map(|step| of_step.get(step));
    Some(Lesson::new(NewLesson {
        owner: owner()?,
        rule: candidate.rule.clone(),
        triggers: candidate.triggers.clone(),
        tags: tags.flat_map(|tags| tags.iter().cloned()).collect(),
        reach: candidate.reach,
        place: Place {
            task: None,
            ..ended.place.clone()
        },
        source_run: current.place.as_ref().map(|place| place.run.clone()),
        at: ended.at,
    }))
}

fn gates(keeper: &mut Keeper, at: Timestamp, account: &mut Account) {
    let numbers = keeper.numbers.gates;
    let decisions: Vec<_> = keeper
        .lessons
        .values()
        .filter_map(|lesson| {
            let rows = evidence(lesson, &keeper.runs, &keeper.activations, &numbers);
            decide(lesson, rows, &numbers, at)
        })
        .collect();
    for decision in decisions {
        if let Some(lesson) = keeper.lessons.get_mut(&decision.lesson) {
            lesson.status = decision.to;
        }
        account.promoted += u64::from(decision.to == Status::Promoted);
        account.suppressed += u64::from(decision.to == Status::Suppressed);
        keeper.decisions.push(decision);
    }
}
