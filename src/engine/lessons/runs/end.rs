//! Verb: end a run. It learns from the run, records the outcomes of its lessons, and applies the promotion gates.
//!
//! The contents of the run are read first, without the lock, because a run may be large and is rarely reported to while
//! it ends. Under the lock only the count of its changes is compared; if it changed, the run is read again.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::ending::{RunCompletion, facts};
use super::record::trace_of;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::answer::EndedRun;
use crate::lessons::decide::TRIES;
use crate::lessons::redact;
use crate::lessons::requests::EndRun;
use crate::lessons::steps::names::run_name;
use hindlore_domain::lesson::learning::candidate::Candidate;
use hindlore_domain::lesson::learning::watched_form::WorkedActions;
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_primitives::identity::hex;
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_store::lessons::rows::{OperationReceipt, RunContents};
use hindlore_store::lessons::transaction::{Ask, HistoryAsk, LessonCommit};

/// Fingerprints and lessons that an end looks at; the names of one request are bounded.
pub(super) const NAMES: usize = 1_000;

impl Engine {
    /// Ends a run; a run that has ended returns its first answer.
    ///
    /// # Errors
    /// `NoRun`; `Invalid` for a score outside 0..=1; `OperationReused` when it was ended with another result. A run
    /// that ended without a result accepts the first one that arrives late; its lessons are then judged again.
    pub async fn end_run(&self, owner: &LearnerId, request: EndRun) -> EngineResult<EndedRun> {
        // The sweep itself ends idle runs by this verb and must not start again.
        if !request.idle {
            self.end_idle_runs_but(owner, &[request.run.trim()]).await?;
        }
        self.end_one_run(owner, request).await
    }

    pub(super) async fn end_one_run(
        &self,
        owner: &LearnerId,
        mut request: EndRun,
    ) -> EngineResult<EndedRun> {
        request.run = run_name(self.redactor(), &request.run)?;
        if request
            .score
            .is_some_and(|score| !(0.0..=1.0).contains(&score))
        {
            return Err(EngineError::Invalid(
                "the score is not a number from 0 to 1; scale it".to_owned(),
            ));
        }
        let mut sweep = self.redactor().sweep();
        let (mut asked, notes) = self.asked_proposals(owner, &request).await?;
        for proposal in request.proposals.iter_mut().chain(&mut asked) {
            redact::rule(&mut sweep, &mut proposal.rule);
        }
        sweep.option(&mut request.error);
        let redacted = sweep.finish();
        if request.is_partial && request.passed.is_some() {
            return Err(EngineError::Invalid(
                "a run that was done in part has neither passed nor failed; leave `passed` out"
                    .to_owned(),
            ));
        }
        for _ in 0..TRIES {
            let contents = self.store().run(owner, &request.run).await?;
            let contents = contents.ok_or_else(|| EngineError::NoRun(request.run.clone()))?;
            if contents.row.end.is_some() {
                return self.ended_before(owner, request, &contents).await;
            }
            if let Some(ended) = self.try_end(owner, (&request, &asked), contents).await? {
                return Ok(EndedRun {
                    redacted,
                    notes,
                    ..ended
                });
            }
        }
        Err(EngineError::RunContended(request.run))
    }

    /// The lessons that a proposer sees in an open run with failures, and the reason where it gave none.
    async fn asked_proposals(
        &self,
        owner: &LearnerId,
        request: &EndRun,
    ) -> EngineResult<(Vec<Candidate>, Vec<String>)> {
        // An idle run is ended by a call about another one, which must not wait for a model.
        let Some(proposer) = self.rules().proposer.clone().filter(|_| !request.idle) else {
            return Ok(Default::default());
        };
        let run = self.trajectory(owner, &request.run).await?;
        if run.ended_at.is_some() || run.steps.iter().all(|step| !step.failed) {
            return Ok(Default::default());
        }
        Ok(match proposer.lessons(&run).await {
            Ok(found) => (found, Vec::new()),
            Err(why) => (
                Vec::new(),
                vec![format!(
                    "the model proposed no lesson, the rules did: {why}"
                )],
            ),
        })
    }

    /// Ends a run whose contents were read; absent when it moved on meanwhile.
    async fn try_end(
        &self,
        owner: &LearnerId,
        (request, asked): (&EndRun, &[Candidate]),
        contents: RunContents,
    ) -> EngineResult<Option<EndedRun>> {
        let mut trace = trace_of(&contents);
        let mut actions = WorkedActions::of(&trace);
        let near = self.lessons_near(owner, &contents, &actions).await?;
        if request.is_dated {
            let copied = self.copied_steps(owner, &contents, &near.lessons).await?;
            if !copied.is_empty() {
                trace.retain(|step| !copied.contains(&step.step));
                actions = WorkedActions::of(&trace);
            }
        }
        let ask = ask_for_end(&near, &contents);
        let ending = RunCompletion {
            replayed: self
                .replayed(owner, (&contents, &trace), &near.lessons)
                .await?,
            rules: self.rules().clone(),
            owner: owner.clone(),
            request: EndRun {
                proposals: [&request.proposals[..], asked].concat(),
                ..request.clone()
            },
            now: self.now(),
            trace,
            actions,
            contents,
        };
        let digest = digest_of(request);
        self.decide(owner, ask, move |gathered| {
            let known = &ending.contents.row;
            let unmoved = gathered
                .runs
                .iter()
                .any(|run| run.id == known.id && run.changes == known.changes);
            if !unmoved {
                return Ok((LessonCommit::default(), None));
            }
            let (mut commit, ended) = ending.decide(gathered);
            commit.receipt = Some(OperationReceipt {
                operation: operation_of(&ended.run),
                body_digest: digest.clone(),
                answer: facts(&ended)?,
                at: ending.now,
            });
            Ok((commit, Some(ended)))
        })
        .await
    }

    /// Reads the lessons that a run has to do with.
    async fn lessons_near(
        &self,
        owner: &LearnerId,
        contents: &RunContents,
        actions: &WorkedActions,
    ) -> EngineResult<Near> {
        // The newest errors first, so that the bound drops the oldest.
        let raised: BTreeSet<FingerprintId> = contents
            .errors
            .iter()
            .rev()
            .flat_map(|error| error.fingerprints.ids())
            .take(NAMES)
            .collect();
        let raised: Vec<FingerprintId> = raised.into_iter().collect();
        let active = contents.activations.iter().flat_map(|row| {
            let own = std::iter::once(row.activation.lesson);
            own.chain(row.activation.beat.iter().copied())
        });
        let active: BTreeSet<LessonId> = active.take(NAMES).collect();
        let active: Vec<LessonId> = active.into_iter().collect();
        let store = self.store();
        let mut lessons: Vec<Lesson> = store.lessons_ever_triggered_by(owner, &raised).await?;
        lessons.extend(store.lessons_by_id(owner, &active).await?.lessons);
        lessons.extend(self.lessons_contradicted(owner, actions).await?);
        Ok(Near {
            raised,
            active,
            lessons,
        })
    }
}

/// The lessons that a run has to do with.
struct Near {
    /// The fingerprints that it raised.
    raised: Vec<FingerprintId>,
    /// The lessons that were returned in it, and those that lost to them.
    active: Vec<LessonId>,
    /// Those, the lessons triggered by its errors, and those that its successes contradict, as read before the lock.
    lessons: Vec<Lesson>,
}

/// Names the rows that the end of a run needs. It is compared with all runs of its place, of every outcome:
/// comparing only with runs that raised the same error would bias the comparison.
fn ask_for_end(near: &Near, contents: &RunContents) -> Ask {
    let active = near.active.iter().copied();
    // The used lessons come first, so that the bound never drops one whose outcome is due.
    let ids: BTreeSet<LessonId> = active
        .chain(near.lessons.iter().map(|lesson| lesson.id))
        .take(NAMES)
        .collect();
    let ids: Vec<LessonId> = ids.into_iter().collect();
    Ask {
        runs: vec![contents.row.id.clone()],
        fingerprints: near.raised.clone(),
        triggered_by: near.raised.clone(),
        activations_of: ids.clone(),
        history: Some(HistoryAsk {
            place: contents.row.place.clone(),
        }),
        lessons: ids,
        ..Ask::default()
    }
}

/// The operation under which the end of a run is kept.
pub(crate) fn operation_of(run: &str) -> String {
    format!("end:{run}")
}

/// SHA-256 hex of the result that an end reports.
pub(super) fn digest_of(request: &EndRun) -> String {
    // Bits, so that equal digests mean exactly equal scores.
    let score = request.score.map(f64::to_bits);
    let mut says = format!("{:?} {score:?} {:?}", request.passed, request.steps);
    // Optional parts are added only where they are present, so that earlier digests stay valid.
    let has_more = request.is_partial || request.error.is_some() || !request.measured.is_empty();
    if has_more {
        let more = (request.is_partial, &request.error, &request.measured);
        says = format!("{says} {more:?}");
    }
    hex(&Sha256::digest(says))
}
