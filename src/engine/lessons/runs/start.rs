//! Verb: begin a run. Every verb that names an unknown run begins it too; this verb adds details.

use super::ancestry::check_ancestors;
use crate::clock::random_id;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::lessons::redact;
use crate::lessons::requests::About;
use crate::lessons::rules::LessonRules;
use crate::lessons::steps::names::{checked_about, checked_place, filled, run_name};
use hindlore_domain::lesson::activation::is_control;
use hindlore_domain::lesson::lesson::{LearnerId, Place};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_redact::Redactions;
use hindlore_store::lessons::rows::RunRow;
use hindlore_store::lessons::trajectory::TrajectoryFields;
use hindlore_store::lessons::transaction::{Ask, LessonCommit};

/// The longest intent that is kept, in bytes.
const INTENT_MAX_BYTES: usize = 4 * 1_024;

/// A run to begin.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct StartRun {
    /// Its name; a random one when absent.
    pub id: Option<String>,
    /// Task, domain and tool.
    pub place: Place,
    /// The goal.
    pub intent: String,
    /// How many steps it may take.
    pub allowed_steps: Option<u32>,
    /// Its description as a trajectory.
    pub about: About,
}

/// A run that is open now.
#[derive(Clone, PartialEq, Debug)]
pub struct StartedRun {
    /// The run.
    pub run: RunRow,
    /// It had begun before; missing details were added.
    pub was_there: bool,
    /// The secrets that were taken out of the request.
    pub redacted: Redactions,
}

impl Engine {
    /// Begins a run; an open run gets its missing details and stays otherwise unchanged.
    ///
    /// # Errors
    /// `RunEnded`; `NoRun` for an unknown parent; `Invalid` for a name that cannot be, a parent that is a part of the run,
    /// or one that is nested too deep.
    pub async fn start_run(
        &self,
        owner: &LearnerId,
        mut request: StartRun,
    ) -> EngineResult<StartedRun> {
        let spoken: Vec<&str> = request.id.iter().map(String::as_str).collect();
        self.end_idle_runs_but(owner, &spoken).await?;
        let id = match &request.id {
            Some(id) => run_name(self.redactor(), id)?,
            None => random_id("run").map_err(|_| EngineError::Stopped)?,
        };
        let mut sweep = self.redactor().sweep();
        sweep.text(&mut request.intent);
        redact::place(&mut sweep, &mut request.place);
        redact::about(&mut sweep, &mut request.about);
        let redacted = sweep.finish();
        let place = checked_place(request.place)?;
        let about = checked_about(request.about)?;
        let ancestors = self.ancestors(owner, &id, about.parent.as_deref()).await?;
        let (rules, now) = (self.rules().clone(), self.now());
        let ask = Ask {
            runs: std::iter::once(&id).chain(&ancestors).cloned().collect(),
            ..Ask::default()
        };
        let end = request.intent.floor_char_boundary(INTENT_MAX_BYTES);
        let intent = request.intent[..end].trim().to_owned();
        self.decide(owner, ask, move |mut gathered| {
            let place_of = |run: &RunRow| run.id == id;
            let known = gathered.runs.iter().position(place_of);
            // Taken out, so that only its ancestors are left to check.
            let known = known.map(|at| gathered.runs.remove(at));
            check_ancestors(&gathered.runs, &ancestors)?;
            let was_there = known.is_some();
            let mut run = known.unwrap_or_else(|| new_run(&id, &rules, now));
            check_open(&run)?;
            run.place = filled(&run.place, &place);
            if run.intent.is_empty() {
                run.intent.clone_from(&intent);
            }
            run.allowed_steps = run.allowed_steps.or(request.allowed_steps);
            take_about(&mut run.trajectory, &about);
            note(&mut run, now);
            let commit = LessonCommit {
                runs: vec![run.clone()],
                ..LessonCommit::default()
            };
            let redacted = redacted.clone();
            let started = StartedRun {
                run,
                was_there,
                redacted,
            };
            Ok((commit, started))
        })
        .await
    }
}

/// Fills the missing details of a run.
fn take_about(fields: &mut TrajectoryFields, about: &About) {
    for (own, given) in [
        (&mut fields.task_type, &about.task_type),
        (&mut fields.agent, &about.agent),
        (&mut fields.user, &about.user),
        (&mut fields.parent, &about.parent),
        (&mut fields.scope, &about.scope),
    ] {
        if own.is_none() {
            own.clone_from(given);
        }
    }
}

/// A run that nothing is known of yet.
pub(crate) fn new_run(id: &str, rules: &LessonRules, now: Timestamp) -> RunRow {
    RunRow {
        id: id.to_owned(),
        place: Place::default(),
        intent: String::new(),
        // Derived from the id, so that every instance and every retry agrees on it.
        control: is_control(id, rules.control_seed, rules.numbers.control_rate),
        allowed_steps: None,
        steps: 0,
        changes: 0,
        started_at: now,
        last_at: now,
        end: None,
        trajectory: TrajectoryFields::default(),
    }
}

/// Takes note of a report about a run.
pub(crate) fn note(run: &mut RunRow, now: Timestamp) {
    run.changes += 1;
    // Reports may arrive out of order, and a clock may be set back.
    run.last_at = run.last_at.max(now);
}

pub(crate) fn check_open(run: &RunRow) -> EngineResult<()> {
    match run.end {
        None => Ok(()),
        Some(_) => Err(EngineError::RunEnded(run.id.clone())),
    }
}
