//! Which of the returned bullets go into a prompt.
//!
//! A token budget shows how many fit only once there is an answer, and the record of the answer is to say which
//! went in. So the caller's count is asked between ranking and writing.

use std::fmt;
use std::sync::Arc;

use crate::domain::memory::bullet::Bullet;

/// Counts how many of the returned bullets, best first, fit into a prompt; it also gets the id of the retrieval.
pub type FitPrompt = Arc<dyn Fn(&str, &[&Bullet]) -> usize + Send + Sync>;

/// Which of the returned bullets go into a prompt. A record counts them apart from being returned.
#[derive(Clone, Default)]
pub enum Injection {
    /// None.
    #[default]
    Nothing,
    /// All.
    All,
    /// The first ones, as many as fit. It is asked before the record is written, so one write carries both.
    Fitting(FitPrompt),
}

impl Injection {
    /// How many of the returned bullets go into a prompt.
    pub(super) fn count(&self, retrieval: &str, returned: &[&Bullet]) -> usize {
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
