//! The result that an evaluator reports after a run has ended: it counts once, and the dependent verdicts are computed
//! again.
//!
//! The observed actions of the run stay, so its rows keep their kinds. Their values depend on the score, and the
//! verdicts on the results of all runs: both are computed again, from the runs of that time.

use std::collections::BTreeSet;

use super::end::{NAMES, digest_of, operation_of};
use super::working_set::{LessonWorkingSet, with_settled};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::answer::{Decided, EndedRun};
use crate::lessons::requests::EndRun;
use crate::lessons::trajectories::retention::decide_trace;
use hindlore_domain::lesson::activation::Activation;
use hindlore_domain::lesson::evidence::evidence_row::Witness;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::lesson::run::RunRecord;
use hindlore_primitives::ids::LessonId;
use hindlore_redact::Redactions;
use hindlore_store::lessons::rows::{ActivationRow, RunContents, RunRow};
use hindlore_store::lessons::transaction::{Ask, Gathered, HistoryAsk, LessonCommit};

impl Engine {
    /// The answer of a run that has ended; a result that it lacks is taken in.
    pub(super) async fn ended_before(
        &self,
        owner: &LearnerId,
        request: EndRun,
        contents: &RunContents,
    ) -> EngineResult<EndedRun> {
        let ask = ask_of(&request, contents);
        let digest = digest_of(&request);
        let (rules, now) = (self.rules().clone(), self.now());
        self.decide(owner, ask, move |mut gathered| {
            let run = gathered.runs.pop();
            let Some(mut run) = run else {
                return Err(EngineError::NoRun(request.run.clone()));
            };
            let receipt = gathered.receipt.as_ref();
            let mut ended = match receipt {
                Some(receipt) => serde_json::from_str(&receipt.answer),
                None => without_receipt(&run),
            }
            .map_err(|error| EngineError::Invalid(format!("the receipt is damaged: {error}")))?;
            ended.repeated = true;
            // The idle sweep brings no result, so the first answer holds.
            if receipt.is_some_and(|receipt| receipt.body_digest == digest) || request.idle {
                return Ok((LessonCommit::default(), ended));
            }
            let is_new = take_result(&mut run, &request)
                .ok_or_else(|| EngineError::OperationReused(operation_of(&request.run)))?;
            if let Some(end) = &run.end {
                (ended.metrics.passed, ended.metrics.score) = (end.passed, end.score);
            }
            if !is_new {
                return Ok((LessonCommit::default(), ended));
            }
            if let Some(end) = run.end.as_mut() {
                end.metrics = serde_json::to_string(&ended.metrics).unwrap_or_default();
            }
            let mut commit = LessonCommit::default();
            let is_evidence = !gathered.activations.is_empty();
            decide_trace(&mut run, &rules.trajectories, is_evidence, now);
            if let Some(record) = run.record() {
                let judged = judge(&record, gathered, &rules, now);
                ended
                    .decisions
                    .extend(judged.decisions.iter().map(Decided::from));
                commit = judged;
            }
            commit.runs = vec![run];
            Ok((commit, ended))
        })
        .await
    }
}

/// The answer of a run whose receipt is no longer kept: its outcome, without the lists of its end.
fn without_receipt(run: &RunRow) -> serde_json::Result<EndedRun> {
    let end = run.end.as_ref();
    Ok(EndedRun {
        run: run.id.clone(),
        idle: end.is_some_and(|end| end.idle),
        repeated: true,
        metrics: serde_json::from_str(end.map_or("", |end| &end.metrics))?,
        learned: Vec::new(),
        rejected: Vec::new(),
        settled: Vec::new(),
        decisions: Vec::new(),
        conflicts: Vec::new(),
        notes: Vec::new(),
        redacted: Redactions::default(),
    })
}

/// Names the rows that a result bears on.
fn ask_of(request: &EndRun, contents: &RunContents) -> Ask {
    let active: BTreeSet<LessonId> = contents
        .activations
        .iter()
        .flat_map(|row| {
            let own = std::iter::once(row.activation.lesson);
            own.chain(row.activation.beat.iter().copied())
        })
        .take(NAMES)
        .collect();
    let active: Vec<LessonId> = active.into_iter().collect();
    Ask {
        operation: Some(operation_of(&request.run)),
        runs: vec![request.run.clone()],
        activations: contents
            .activations
            .iter()
            .map(|row| row.activation.id)
            .collect(),
        activations_of: active.clone(),
        lessons: active,
        history: Some(HistoryAsk {
            place: contents.row.place.clone(),
        }),
        ..Ask::default()
    }
}

/// Gives an ended run the result that it lacks. `Some(false)` when it has that very result; `None` when it has another.
fn take_result(run: &mut RunRow, request: &EndRun) -> Option<bool> {
    let end = run.end.as_mut()?;
    let agrees = |known: bool, given: bool, same: bool| !known || !given || same;
    let fits = agrees(
        end.passed.is_some(),
        request.passed.is_some(),
        end.passed == request.passed,
    ) && agrees(
        end.score.is_some(),
        request.score.is_some(),
        end.score == request.score,
    );
    let fields = &mut run.trajectory;
    let fits =
        fits && agrees(
            fields.is_partial || end.passed.is_some(),
            request.is_partial,
            fields.is_partial,
        ) && agrees(fields.is_partial, request.passed.is_some(), false)
            && agrees(
                fields.error.is_some(),
                request.error.is_some(),
                fields.error == request.error,
            )
            && agrees(
                !fields.measured.is_empty(),
                !request.measured.is_empty(),
                fields.measured == request.measured,
            );
    let before = (end.passed, end.score, fields.clone());
    end.passed = end.passed.or(request.passed);
    end.score = end.score.or(request.score);
    fields.is_partial |= request.is_partial;
    fields.error = fields.error.take().or_else(|| request.error.clone());
    if fields.measured.is_empty() {
        fields.measured = request.measured.clone();
    }
    let is_new = before != (end.passed, end.score, fields.clone());
    run.changes += u64::from(is_new);
    fits.then_some(is_new)
}

/// Values the rows of a run by its result, and lets the gates look at its lessons once more.
fn judge(
    run: &RunRecord,
    gathered: Gathered,
    rules: &crate::lessons::rules::LessonRules,
    now: hindlore_primitives::timestamp::Timestamp,
) -> LessonCommit {
    let mut working_set = LessonWorkingSet::new(gathered.lessons);
    let mut history = gathered.history;
    history.retain(|one| one.id != run.id);
    // At its own place in time, because it is judged by the runs before it.
    let place = history.partition_point(|one| (one.ended_at, &one.id) < (run.ended_at, &run.id));
    history.insert(place, run.clone());
    let known = with_settled(&gathered.activations, &[]);
    let own: Vec<Activation> = known
        .iter()
        .filter(|one| is_by_rules(one, run))
        .cloned()
        .collect();
    // Outcomes that came later are left out, so that the value is the one of that time.
    let was_known = |one: &&Activation| one.outcome.is_none_or(|it| it.at <= run.ended_at);
    let then: Vec<Activation> = known.iter().filter(was_known).cloned().collect();
    let revised: Vec<Activation> = working_set
        .settle(&own, &then, (run, &history[..=place]), rules)
        .into_iter()
        .filter(|one| !own.contains(one))
        .collect();
    for activation in &revised {
        working_set.revise_outcome(activation, rules);
    }
    working_set.judge(
        known
            .iter()
            .filter(|one| one.run == run.id)
            .map(|one| one.lesson),
    );
    let activations = with_settled(&gathered.activations, &revised);
    let decisions = working_set.apply_gates(&history, &activations, rules, now);
    let row_of = |activation: Activation| {
        let rows = gathered.activations.iter();
        let row = rows
            .clone()
            .find(|row| row.activation.id == activation.id)?;
        Some(ActivationRow {
            activation,
            ..row.clone()
        })
    };
    LessonCommit {
        lessons: working_set.changed(),
        revised: revised.into_iter().filter_map(row_of).collect(),
        decisions,
        ..LessonCommit::default()
    }
}

/// Returns true if the rules settled an activation; a value measured by a caller is not theirs to change.
fn is_by_rules(activation: &Activation, run: &RunRecord) -> bool {
    activation.run == run.id
        && activation
            .outcome
            .is_some_and(|outcome| outcome.row.witness != Witness::Caller)
}
