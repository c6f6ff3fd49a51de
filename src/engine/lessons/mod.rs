//! The verbs of lessons: capture errors, end runs, retrieve advice, report outcomes.
//!
//! Each gathers from the store, lets the domain decide under the lock of the learner, and applies the
//! result in one write.

mod activity;
mod advice;
mod answer;
mod decide;
mod exchange;
mod find_lesson;
mod health;
mod list;
mod outcome;
mod redact;
mod requests;
mod resolve;
mod review;
mod rules;
mod runs;
mod state;
mod steps;
pub(super) mod strike;
mod trajectories;

pub use activity::{Activity, Waiting};
pub use advice::retrieve::LessonsRetrieved;
pub use advice::retrieved_lesson::RetrievedLesson;
pub use answer::{Decided, EndedRun, Learned, PutAway, RejectedCandidate, Settled};
pub use exchange::copy::CopiedLessons;
pub use exchange::import::{LessonImport, LessonsImported};
pub use exchange::learned_elsewhere::LearnedElsewhere;
pub use exchange::restore::RestoredLessons;
pub use health::{LessonHealth, LessonUses};
pub use list::{Conflicts, LessonDetail, Listed, RunDetail};
pub use outcome::{OutcomeReport, OutcomeTaken};
pub use requests::{
    About, EndRun, FitLessons, ImportedLesson, KnownLessons, LessonCall, LessonRequest, StepDetail,
    StepInput,
};
pub use review::ReviewRequest;
pub use rules::LessonRules;
pub use runs::start::{StartRun, StartedRun};
pub use state::AgentReply;
pub use steps::capture::{Captured, CapturedStep};
pub(super) use strike::Struck;
pub use trajectories::trace::{Trace, TraceLearned};
pub use trajectories::trace_learner::{TraceEnd, TraceLearner};
pub use trajectories::trajectory_feedback::{FeedbackInput, FeedbackTaken, RELEARNING_MAX};
pub use trajectories::trajectory_steps::{CompleteTrajectory, LoggedStep, StepLog};
