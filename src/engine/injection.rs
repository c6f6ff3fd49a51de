//! Decides how many of the returned bullets go into a prompt.
//!
//! How many fit a token budget is known only once there is an answer, and the record of the answer must say
//! which went in. So the caller's count is taken between ranking and writing.

use std::fmt;
use std::sync::Arc;

use super::beside::Beside;
use crate::domain::memory::bullet::Bullet;

/// A returned bullet with what stands beside it.
pub type Shown<'b> = (&'b Bullet, &'b Beside);

/// Counts how many of the returned bullets, best first, fit a prompt. The first argument is the id of the
/// retrieval.
pub type FitPrompt = Arc<dyn Fn(&str, &[Shown<'_>]) -> usize + Send + Sync>;

/// How many of the returned bullets go into a prompt; counted apart from being returned.
#[derive(Clone, Default)]
pub enum Injection {
    /// None.
    #[default]
    Nothing,
    /// All.
    All,
    /// As many as fit, from the first. Called before the record is written, so that one write carries both.
    Fitting(FitPrompt),
}

impl Injection {
    /// Number of returned bullets that go into a prompt.
    pub(super) fn count(&self, retrieval: &str, returned: &[Shown<'_>]) -> usize {
        match self {
            Self::Nothing => 0,
            Self::All => returned.len(),
            Self::Fitting(fit) => fit(retrieval, returned),
        }
    }
}

impl fmt::Debug for Injection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nothing => "Nothing",
            Self::All => "All",
            Self::Fitting(_) => "Fitting",
        })
    }
}
