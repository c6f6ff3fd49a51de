//! The end of a run: outcomes are settled, lessons learned, and the gates decide.

use std::collections::{BTreeMap, BTreeSet};

use super::Current;
use super::keeper::{Keeper, owner};
use super::verdicts::{Advice, Verdict};
use crate::advisor::Account;
use crate::feedback::Verdict as Ending;
use mnemograph::domain::lesson::activation::{
    Activation, RetrievalChannel, Trigger, activation_id,
};
use mnemograph::domain::lesson::assertion::{self, Assertion, PriorEvidence};
use mnemograph::domain::lesson::attempt::subjects;
use mnemograph::domain::lesson::candidate::{Candidate, RunFacts, admit};
use mnemograph::domain::lesson::comparison::Arms;
use mnemograph::domain::lesson::contrast;
use mnemograph::domain::lesson::evidence::evidence;
use mnemograph::domain::lesson::evidence_row::{EvidenceRow, RowKind, Witness};
use mnemograph::domain::lesson::fingerprint::Level;
use mnemograph::domain::lesson::ids::{FingerprintId, LessonId};
use mnemograph::domain::lesson::lesson::{Lesson, NewLesson, Place, Status};
use mnemograph::domain::lesson::lifecycle::contests;
use mnemograph::domain::lesson::outcome::Outcome;
use mnemograph::domain::lesson::pattern::Reading;
use mnemograph::domain::lesson::promotion::decide;
use mnemograph::domain::lesson::quality::QualityRules;
use mnemograph::domain::lesson::run::{Followed, RunRecord};
use mnemograph::domain::lesson::utility::{Followings, Use, settle};
use mnemograph::domain::lesson::verdict_numbers::VerdictNumbers;
use mnemograph::domain::timestamp::Timestamp;

/// How a run ended.
pub(super) struct Ended {
    pub(super) place: Place,
    pub(super) at: Timestamp,
    pub(super) verdict: Ending,
    pub(super) steps: usize,
}

/// Takes a run in.
pub(super) fn end(keeper: &mut Keeper, mut current: Current, ended: Ended) -> Account {
    forget_unmet(keeper, &mut current);
    let judged = judged(keeper, &current);
    let followed = judged.iter().filter_map(|(lesson, verdict)| {
        Some(Followed {
            lesson: *lesson,
            step: verdict.followed?,
        })
    });
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
        followed: followed.collect(),
        subjects: subjects(current.trace.iter().map(|step| &step.action)),
        control: current.control,
        ended_at: ended.at,
    };
    let mut account = Account::default();
    let actions = current.verdicts.actions().clone();
    keeper.actions.insert(run.id.clone(), actions);
    outcomes(keeper, &current, (&run, &judged), &mut account);
    opportunities(keeper, &run);
    keeper.runs.push(run);
    for (kind, action) in current.verdicts.worked() {
        keeper.worked(kind, action);
    }
    learn(keeper, &current, &ended);
    gates(keeper, ended.at, &mut account);
    account
}

/// Advice about a kind of step that the run never came to was not active in it.
fn forget_unmet(keeper: &Keeper, current: &mut Current) {
    let verdicts = &current.verdicts;
    let is_met = |lesson: LessonId| {
        let kind = keeper.learned_in(lesson);
        kind.is_none_or(|kind| verdicts.came_to(&kind))
    };
    current.activations.retain(|one| is_met(one.lesson));
    current.in_force.retain(|row| is_met(row.lesson));
}

/// What the run says about every lesson that was returned in it or called for by an error of it. In a
/// control run nothing was returned, and what was withheld has no outcome.
fn judged(keeper: &Keeper, current: &Current) -> BTreeMap<LessonId, Verdict> {
    if current.control {
        return BTreeMap::new();
    }
    let returned: BTreeSet<LessonId> = current.in_force.iter().map(|row| row.lesson).collect();
    let is_called_for = |lesson: &Lesson| {
        let mut raised = current.occurrences.iter();
        lesson.status.is_live() && raised.any(|one| one.is_of(&lesson.triggers))
    };
    let relevant = keeper
        .lessons
        .values()
        .filter(|lesson| returned.contains(&lesson.id) || is_called_for(lesson));
    let judged = relevant.filter_map(|lesson| {
        let advice = keeper.advice(lesson)?;
        let works = |form: &Reading| {
            let about = advice.about.as_ref();
            keeper.has_worked(form, about) || current.verdicts.has_worked(form, about)
        };
        let known = PriorEvidence {
            wrong_works: works(&advice.claim.wrong),
            correct_works: advice.claim.correct.as_ref().is_some_and(works),
        };
        let mut verdict = current.verdicts.about(&advice, known);
        // Advice that its error called for, or that the run got stuck with, answers for what earlier runs showed.
        let is_stuck =
            returned.contains(&lesson.id) && current.verdicts.ended_in(advice.about.as_ref());
        let by_history = is_stuck || is_called_for(lesson);
        let is_refuted = (by_history && known.wrong_works)
            || is_contradicted(keeper, current, &advice, by_history);
        if !known.correct_works && is_refuted {
            verdict.testimony = assertion::Verdict::Refutes;
        }
        (verdict.testimony != assertion::Verdict::Silent).then_some((lesson.id, verdict))
    });
    judged.collect()
}

/// Tells whether the run took the side of a lesson that contradicts this one: what worked in such a step has
/// the form that the other prescribes. Asked of advice whose own correct form was never seen to work.
fn is_contradicted(keeper: &Keeper, current: &Current, advice: &Advice, by_history: bool) -> bool {
    let others = keeper.contradicting(advice.lesson);
    let right = others.filter_map(|other| other.claim.correct.map(|form| (form, other.about)));
    let mut right = right.filter(|(_, about)| about.is_none() || *about == advice.about);
    let about = advice.about.as_ref();
    right.any(|(form, _)| {
        let verdicts = &current.verdicts;
        let is_known = keeper.has_worked(&form, about);
        verdicts.has_worked(&form, about)
            || (is_known && (by_history || verdicts.holds(&form, about)))
    })
}

fn outcomes(
    keeper: &mut Keeper,
    current: &Current,
    (run, judged): (&RunRecord, &BTreeMap<LessonId, Verdict>),
    account: &mut Account,
) {
    let returned = current.activations.iter().filter(|one| !one.withheld);
    let returned: Vec<Activation> = returned.cloned().collect();
    account.activations += returned.len() as u64;
    let known: BTreeSet<LessonId> = returned.iter().map(|one| one.lesson).collect();
    let passed_over = judged
        .keys()
        .filter(|lesson| !known.contains(lesson))
        .filter_map(|lesson| passed_over(keeper.lessons.get(lesson)?, run));
    let passed_over: Vec<Activation> = passed_over.collect();
    for mut activation in returned.into_iter().chain(passed_over) {
        activation.outcome = outcome(keeper, &activation, (run, judged.get(&activation.lesson)));
        let is_followed = run
            .followed
            .iter()
            .any(|row| row.lesson == activation.lesson);
        if let Some(outcome) = activation.outcome.filter(|_| is_followed) {
            account.helped += u64::from(outcome.helped());
            account.harmed +=
                u64::from(!outcome.helped() && (outcome.utility < 0.0 || outcome.recurred));
        }
        let numbers = keeper.numbers.utility;
        if let Some(lesson) = keeper.lessons.get_mut(&activation.lesson) {
            lesson.take_outcome(&activation, &numbers);
        }
        for (lesson, contest) in contests(&activation) {
            if let Some(lesson) = keeper.lessons.get_mut(&lesson) {
                lesson.take_contest(contest);
            }
        }
        if known.contains(&activation.lesson) || activation.outcome.is_some() {
            keeper.activations.push(activation);
        }
    }
}

/// What came of advice: of what was followed and of what was refuted. Advice that changed nothing brought
/// nothing, and whatever came next was not its doing.
fn outcome(
    keeper: &Keeper,
    activation: &Activation,
    (run, verdict): (&RunRecord, Option<&Verdict>),
) -> Option<Outcome> {
    let (verdict, lesson) = (verdict?, keeper.lessons.get(&activation.lesson)?);
    let is_refuted = verdict.testimony == assertion::Verdict::Refutes;
    if verdict.followed.is_none() && !is_refuted {
        return None;
    }
    let claim = Assertion::of(&lesson.rule)?;
    let spoken_of = |run: &RunRecord| keeper.spoken_of(&claim, run);
    let history: Vec<RunRecord> = keeper.runs.iter().map(spoken_of).collect();
    let run = spoken_of(run);
    let kind = match (is_refuted, activation.moment) {
        (true, _) => RowKind::Failed,
        (false, Trigger::PreRun | Trigger::BeforeAction) => RowKind::Averted,
        (false, Trigger::OnError) => RowKind::Cured,
    };
    let of = Use {
        activation,
        lesson,
        run: &run,
        row: EvidenceRow {
            kind,
            witness: Witness::Adapter,
            followed_step: verdict.followed,
            needed: run.raised(&lesson.triggers),
        },
    };
    let followings = Followings {
        successes: usize::from(!is_refuted),
        failures: usize::from(is_refuted),
    };
    let baseline = Arms::new(lesson, &history, &keeper.numbers.gates).baseline(lesson);
    Some(settle(of, followings, baseline, &keeper.numbers.utility))
}

/// The place of advice in a run that raised its error and did not return it.
fn passed_over(lesson: &Lesson, run: &RunRecord) -> Option<Activation> {
    let mut raised = run.occurrences.iter();
    let first = raised.find(|one| one.is_of(&lesson.triggers))?;
    let trigger = match lesson.triggers.binary_search(&first.fine) {
        Ok(_) => (first.fine, Level::Fine),
        Err(_) => (first.coarse, Level::Coarse),
    };
    Some(Activation {
        id: activation_id(&run.id, lesson.id, Trigger::OnError, first.step),
        run: run.id.clone(),
        lesson: lesson.id,
        moment: Trigger::OnError,
        step: first.step,
        trigger: Some(trigger),
        lane: RetrievalChannel::Strict,
        score: 0.0,
        withheld: false,
        beat: Vec::new(),
        at: run.ended_at,
        outcome: None,
    })
}

/// A run that raised a trigger of a lesson without the lesson in force was an unused opportunity.
fn opportunities(keeper: &mut Keeper, run: &RunRecord) {
    for lesson in keeper.lessons.values_mut() {
        if run.raised(&lesson.triggers) && !run.had(lesson.id) {
            lesson.note_opportunity();
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
    let numbers = VerdictNumbers::new(&keeper.numbers);
    let decisions: Vec<_> = keeper
        .lessons
        .values()
        .filter_map(|lesson| {
            let claim = Assertion::of(&lesson.rule)?;
            let runs: Vec<RunRecord> = keeper
                .runs
                .iter()
                .map(|run| keeper.spoken_of(&claim, run))
                .collect();
            let rows = evidence(lesson, &runs, &keeper.activations, &numbers.gates);
            decide(lesson, rows, &numbers, at)
        })
        .collect();
    for decision in decisions {
        let lesson = keeper.lessons.get_mut(&decision.lesson);
        if !lesson.is_some_and(|lesson| lesson.take_decision(&decision)) {
            continue;
        }
        account.promoted += u64::from(decision.to == Status::Promoted);
        account.suppressed += u64::from(decision.to == Status::Suppressed);
        keeper.decisions.push(decision);
    }
}
