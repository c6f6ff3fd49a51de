//! The door for a language model: it may propose lessons and insights from a run, and decides nothing.
//!
//! Its proposals pass the checks that all others pass. Where no proposer is set, or it returns nothing, the rules work
//! alone.

use std::fmt::Debug;
use std::pin::Pin;

use hindlore_domain::lesson::learning::candidate::Candidate;
use hindlore_domain::reflection::Insight;
use hindlore_domain::trajectory::Trajectory;

/// The future answer of a proposer; `Err` has the reason why it gave none.
pub type Proposed<'a, T> = Pin<Box<dyn Future<Output = Result<Vec<T>, String>> + Send + 'a>>;

/// Proposes lessons and insights from a run.
pub trait Proposer: Send + Sync + Debug {
    /// Its name, which is kept with a reflection.
    fn name(&self) -> String;

    /// Proposes lessons from a run with failures that is about to end.
    fn lessons<'a>(&'a self, run: &'a Trajectory) -> Proposed<'a, Candidate>;

    /// Proposes the insights from a run.
    fn insights<'a>(&'a self, run: &'a Trajectory) -> Proposed<'a, Insight>;
}
