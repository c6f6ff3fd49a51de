//! Injected input of a session: text read from stdin before, and engines that stay loaded.

use std::path::Path;
use std::sync::Arc;

use super::Session;
use crate::input;
#[cfg(unix)]
use crate::resident::Warm;
use hindlore_api::problem::Problem;

impl Session {
    /// A session whose stdin was read before.
    pub(crate) fn with_stdin(self, stdin: Option<Arc<str>>) -> Self {
        Self { stdin, ..self }
    }

    /// A session over engines that stay loaded.
    #[cfg(unix)]
    pub(crate) fn warmed(self, warm: Arc<Warm>) -> Self {
        Self {
            warm: Some(warm),
            ..self
        }
    }

    /// True if the engines stay loaded.
    pub(crate) fn is_warm(&self) -> bool {
        #[cfg(unix)]
        return self.warm.is_some();
        #[cfg(not(unix))]
        return false;
    }

    /// The text on stdin.
    pub(crate) async fn stdin(&self) -> Result<String, Problem> {
        match &self.stdin {
            Some(text) => Ok(text.as_ref().to_owned()),
            None => input::text(Path::new("-")).await,
        }
    }
}
