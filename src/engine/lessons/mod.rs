//! The verbs of lessons: capture errors, end runs, retrieve advice, report outcomes.
//!
//! Each gathers from the store, lets the domain decide under the lock of the learner, and applies the
//! result in one write.

mod activate;
mod adopt;
mod ancestry;
mod answer;
mod before_action;
mod capture;
mod capture_all;
mod copy;
mod decide;
mod diagnosed;
mod end;
mod ending;
mod grown;
mod health;
mod idle;
mod import;
mod late_result;
mod learn_trace;
mod learned_elsewhere;
mod list;
mod names;
mod numbering;
mod outcome;
mod record;
mod redact;
mod reported;
mod requests;
mod resolve;
mod restore;
mod retention;
mod retrieve;
mod retrieved_lesson;
mod review;
mod rules;
mod session_start;
mod start;
pub(super) mod strike;
mod trace_archive;
mod trajectory;
mod trajectory_feedback;
mod trajectory_steps;
mod view;
mod working_set;

pub use answer::{Decided, EndedRun, Learned, PutAway, RejectedCandidate, Settled};
pub use capture::{Captured, CapturedStep};
pub use copy::CopiedLessons;
pub use health::LessonHealth;
pub use import::{LessonImport, LessonsImported};
pub use learn_trace::{Trace, TraceLearned};
pub use learned_elsewhere::LearnedElsewhere;
pub use list::{Conflicts, LessonDetail, Listed, RunDetail};
pub use outcome::{OutcomeReport, OutcomeTaken};
pub use requests::{
    About, EndRun, FitLessons, ImportedLesson, LessonCall, LessonRequest, StepDetail, StepInput,
};
pub use restore::RestoredLessons;
pub use retrieve::LessonsRetrieved;
pub use retrieved_lesson::RetrievedLesson;
pub use review::ReviewRequest;
pub use rules::LessonRules;
pub use start::{StartRun, StartedRun};
pub(super) use strike::Struck;
pub use trajectory_feedback::{FeedbackInput, FeedbackTaken, RELEARNING_MAX};
pub use trajectory_steps::{CompleteTrajectory, LoggedStep, StepLog};
