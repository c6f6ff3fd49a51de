//! Writing the uses of lessons down: one activation for each lesson that a run got, or would have got if it
//! were no control run.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::retrieve::LessonsRetrieved;
use super::retrieved_lesson::RetrievedLesson;
use crate::error::EngineResult;
use crate::handle::Engine;
use crate::lessons::answer::PutAway;
use crate::lessons::requests::{LessonCall, LessonRequest};
use crate::lessons::runs::start::{check_open, new_run, note};
use crate::lessons::steps::names::filled;
use hindlore_domain::lesson::activation::{Activation, Trigger, activation_id};
use hindlore_domain::lesson::lesson::{LearnerId, Lesson};
use hindlore_domain::lesson::lesson_policy::GateNumbers;
use hindlore_domain::lesson::retrieval::walk::Path;
use hindlore_errors::fingerprint::{Fingerprints, Level};
use hindlore_primitives::ids::{ActivationId, FingerprintId, LessonId};
use hindlore_store::lessons::rows::{ActivationRow, RunRow};
use hindlore_store::lessons::transaction::{Ask, Gathered, LessonCommit};

impl Engine {
    /// Writes the uses down, under the lock: a lesson that was put out of use meanwhile is not returned.
    /// Without a run there is nothing to write.
    pub(super) async fn activate(
        &self,
        owner: &LearnerId,
        request: LessonRequest,
        mut answer: LessonsRetrieved,
    ) -> EngineResult<LessonsRetrieved> {
        let (rules, now) = (self.rules().clone(), self.now());
        let Some(run) = request.run else {
            for hit in &mut answer.lessons {
                hit.change = hit.lesson.proof.untold;
            }
            return Ok(answer);
        };
        let raised: Vec<FingerprintId> = answer
            .fingerprints
            .iter()
            .flat_map(Fingerprints::ids)
            .collect();
        let (moment, step) = match &request.call {
            LessonCall::PreRun | LessonCall::SessionStart => (Trigger::PreRun, 0),
            LessonCall::OnError { step, .. } => (Trigger::OnError, *step),
            // The steps that follow show whether the warning was heeded.
            LessonCall::BeforeAction { .. } => {
                // A run is read whole, and only a use needs its step.
                let known = if answer.lessons.is_empty() {
                    None
                } else {
                    self.store().run(owner, &run).await?
                };
                (Trigger::BeforeAction, known.map_or(0, |run| run.row.steps))
            }
        };
        let ids: Vec<LessonId> = answer.lessons.iter().map(|hit| hit.lesson.id).collect();
        let activation = |id: &LessonId| activation_id(&run, *id, moment, step);
        let ask = Ask {
            runs: vec![run.clone()],
            activations: ids.iter().map(activation).collect(),
            lessons: ids,
            triggered_by: raised,
            ..Ask::default()
        };
        self.decide(owner, ask, move |mut gathered| {
            let known = gathered.runs.pop();
            let mut row = known.unwrap_or_else(|| new_run(&run, &rules, now));
            check_open(&row)?;
            row.place = filled(&row.place, &request.place);
            row.trajectory.scope = row.trajectory.scope.or_else(|| request.scope.clone());
            note(&mut row, now);
            let gates = &rules.numbers.gates;
            Ok(commit_uses(
                row,
                (moment, step),
                gates,
                gathered,
                answer.clone(),
            ))
        })
        .await
    }
}

fn commit_uses(
    run: RunRow,
    (moment, step): (Trigger, u32),
    gates: &GateNumbers,
    gathered: Gathered,
    mut answer: LessonsRetrieved,
) -> (LessonCommit, LessonsRetrieved) {
    let known: BTreeSet<ActivationId> = gathered
        .activations
        .iter()
        .map(|row| row.activation.id)
        .collect();
    let (live, others): (Vec<Lesson>, Vec<Lesson>) = gathered
        .lessons
        .into_iter()
        .partition(|lesson| lesson.status.is_live());
    let mut lessons: BTreeMap<LessonId, Lesson> =
        live.into_iter().map(|lesson| (lesson.id, lesson)).collect();
    let mut commit = LessonCommit::default();
    for mut lesson in others {
        // A person who suppressed it knows already; everyone else gets the notice once.
        if let Some(change) = lesson.proof.untold.take() {
            answer.put_away.push(PutAway {
                lesson: lesson.id,
                rule: lesson.rule.clone(),
                change,
            });
            commit.lessons.push(lesson);
        }
    }
    let mut withheld: BTreeSet<LessonId> = BTreeSet::new();
    answer
        .lessons
        .retain(|hit| lessons.contains_key(&hit.lesson.id));
    for hit in &mut answer.lessons {
        let lesson = lessons.get_mut(&hit.lesson.id);
        let proof = lesson
            .as_deref()
            .map_or(&hit.lesson.proof, |lesson| &lesson.proof);
        let is_withheld = run.control && proof.is_withheld(moment, gates);
        let activation = activation_of(&run, hit, (moment, step), is_withheld);
        hit.activation = Some(activation.activation.id);
        if is_withheld {
            withheld.insert(hit.lesson.id);
        }
        // The same use was asked for before; it counts once.
        if known.contains(&activation.activation.id) {
            continue;
        }
        // The run never sees a withheld lesson, so that neither counts a use nor gives its notice.
        if let Some(lesson) = lesson.filter(|_| !is_withheld) {
            hit.change = lesson.proof.untold.take();
            lesson.note_use(&activation.activation);
            commit.lessons.push(lesson.clone());
        }
        commit.activations.push(activation);
    }
    answer.control = run.control;
    answer.run = Some(run.id.clone());
    answer.withheld = withheld.len();
    answer
        .lessons
        .retain(|hit| !withheld.contains(&hit.lesson.id));
    commit.runs.push(run);
    (commit, answer)
}

/// The record of one use. A lesson that was reached by the fingerprint itself is in force for that; one
/// that was reached otherwise is in force for its own triggers.
fn activation_of(
    run: &RunRow,
    hit: &RetrievedLesson,
    (moment, step): (Trigger, u32),
    withheld: bool,
) -> ActivationRow {
    let (trigger, triggers): (Option<(FingerprintId, Level)>, _) = match &hit.path {
        Path::Exact { fingerprint, level } => (Some((*fingerprint, *level)), vec![*fingerprint]),
        _ => (None, hit.lesson.triggers.clone()),
    };
    let activation = Activation {
        id: activation_id(&run.id, hit.lesson.id, moment, step),
        run: run.id.clone(),
        lesson: hit.lesson.id,
        moment,
        step,
        // Only after an error did the run itself raise that fingerprint.
        trigger: trigger.filter(|_| moment == Trigger::OnError),
        lane: hit.lane,
        score: hit.score,
        withheld,
        beat: hit.beat.clone(),
        at: run.last_at,
        outcome: None,
    };
    ActivationRow {
        activation,
        triggers,
        explanation: explanation(hit).to_string(),
    }
}

/// Why a lesson was returned, as it is kept with its activation.
fn explanation(hit: &RetrievedLesson) -> Value {
    let parts = &hit.parts;
    json!({
        "path": hit.path.to_string(),
        "score": hit.score,
        "parts": {
            "fingerprint_match": parts.fingerprint_match,
            "tag_overlap": parts.tag_overlap,
            "text_similarity": parts.text_similarity,
            "reliability": parts.reliability,
            "recency": parts.recency,
        },
    })
}
