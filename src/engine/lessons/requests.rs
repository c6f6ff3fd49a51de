//! The requests of the lesson verbs, as plain types.

use super::advice::retrieved_lesson::RetrievedLesson;
use crate::memory::retrieval::injection::Fit;
use hindlore_domain::lesson::event::StepReport;
use hindlore_domain::lesson::learning::candidate::Candidate;
use hindlore_domain::lesson::learning::locality::visible_in;
use hindlore_domain::lesson::lesson::{Counts, Lesson, Place, Reach, Status};
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_domain::lesson::rule::Rule;
use hindlore_domain::trajectory::{Metrics, StepKind};
use hindlore_errors::fingerprint::Evidence;
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;
use serde_json::Value;

/// The report of an adapter about one step, with the fields that only learning needs.
#[derive(Clone, PartialEq, Debug)]
pub struct StepInput {
    /// The step.
    pub report: StepReport,
    /// The step of the plan, where the adapter names it.
    pub plan_step: Option<String>,
    /// The lessons whose advice it was taken on.
    pub followed: Vec<LessonId>,
    /// Its details as a step of a trajectory.
    pub detail: StepDetail,
    /// The scope in which it was taken; absent if unknown.
    pub scope: Option<String>,
}

/// The details of a step of a trajectory, apart from its action.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct StepDetail {
    /// Its time is that of the trace: a copy of the step has the same.
    pub is_dated: bool,
    /// Its id within the run; the same id twice counts once.
    pub id: Option<String>,
    /// Its kind.
    pub kind: StepKind,
    /// A description in words; empty if the action is enough.
    pub description: String,
    /// Further data of the caller, at most 64 kB as JSON.
    pub metadata: Option<Value>,
}

/// The description of a run as a trajectory.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct About {
    /// The type of its task.
    pub task_type: Option<String>,
    /// The agent that does it.
    pub agent: Option<String>,
    /// The user it is done for.
    pub user: Option<String>,
    /// The run that it is a part of.
    pub parent: Option<String>,
    /// The scope that it is done in.
    pub scope: Option<String>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct EndRun {
    /// The run.
    pub run: String,
    /// Passed or failed, if an evaluator judged it.
    pub passed: Option<bool>,
    /// The score of an evaluator or a referee, 0..=1.
    pub score: Option<f64>,
    /// Steps taken; the highest reported one when absent.
    pub steps: Option<u32>,
    /// Lessons that a model or a person proposes, in addition to those that the run itself shows.
    pub proposals: Vec<Candidate>,
    /// True when it is ended because nothing was reported of it any more.
    pub idle: bool,
    /// True when its steps have the times of the trace; steps that an earlier run holds are then no new evidence.
    pub is_dated: bool,
    /// True when a part of the task was done; then neither `passed` nor failed.
    pub is_partial: bool,
    /// Why it failed, in the caller's words.
    pub error: Option<String>,
    /// Measurements of the caller.
    pub measured: Metrics,
}

/// When lessons are asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum LessonCall {
    /// Before a run.
    PreRun,
    /// At the start of a session: the lessons worth knowing at its place.
    SessionStart,
    /// Before an action: only lessons whose wrong form it has.
    BeforeAction {
        /// The action that is about to be taken.
        action: Value,
        /// The lessons that the reader knows.
        known: KnownLessons,
    },
    /// After a failed step.
    OnError {
        /// Its number, from 1.
        step: u32,
        /// The failure.
        evidence: Evidence,
        /// The exit code of a process.
        exit_code: Option<i32>,
    },
}

/// The lessons that a reader knows from earlier in its session.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct KnownLessons {
    /// Lessons that it has seen; before an action they are returned again only to refuse it.
    pub shown: Vec<LessonId>,
    /// Lessons that have refused an action; each does so once.
    pub refused: Vec<LessonId>,
}

/// Chooses lessons, the best first; the result holds the places of those that are shown, in their order.
pub type FitLessons = Fit<dyn Fn(&[RetrievedLesson]) -> Vec<usize> + Send + Sync>;

/// A question for lessons.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonRequest {
    /// The run that asks; without one nothing is written down and nothing is withheld.
    pub run: Option<String>,
    /// When.
    pub call: LessonCall,
    /// The task intent; after an error, further context.
    pub text: String,
    /// Tags in addition to those of the error.
    pub tags: Vec<String>,
    /// Task, domain and tool; missing parts are taken from the run.
    pub place: Place,
    /// The most lessons; the configured number when absent.
    pub max_results: Option<usize>,
    /// How they are ordered.
    pub mode: RankingMode,
    /// Only lessons that the fingerprint itself triggers: one read.
    pub exact_only: bool,
    /// Which of the lessons are shown; absent for all. The others are not written down as uses.
    pub fit: Option<FitLessons>,
    /// The scope that asks; lessons of others are shown only for a reason. Without one all are shown.
    pub scope: Option<String>,
}

impl LessonRequest {
    /// Keeps the lessons that the asking scope may see.
    pub(super) fn confine(&self, lessons: &mut Vec<Lesson>) {
        if let Some(scope) = &self.scope {
            *lessons = visible_in(std::mem::take(lessons), scope);
        }
    }
}

/// A lesson of another program.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportedLesson {
    /// The rule.
    pub rule: Rule,
    /// The fingerprints that call for it; those of another kind are kept as they are.
    pub triggers: Vec<FingerprintId>,
    /// Tags of the kind of failure; derived from the rule when empty.
    pub tags: Vec<String>,
    /// How far it reaches.
    pub reach: Reach,
    /// Where it was learned.
    pub place: Place,
    /// Its status.
    pub status: Status,
    /// How far it may be relied on, 0..=1.
    pub reliability: f64,
    /// Uses and outcomes.
    pub counts: Counts,
    /// Sum of its utilities.
    pub impact: f64,
    /// The runs that it was learned from.
    pub source_runs: Vec<String>,
    /// When it was learned.
    pub created_at: Option<Timestamp>,
    /// When its evidence last changed.
    pub evidence_at: Option<Timestamp>,
}
