//! One thing that was looked at: its name, how it stands, and what to do.

use serde::Serialize;

use crate::cli::output::{Page, Tone};

/// Something that was looked at.
#[derive(Debug, Serialize)]
pub(super) struct Looked {
    /// What.
    pub(super) subject: String,
    /// `ok`, `note` or `error`.
    pub(super) state: &'static str,
    /// What was seen, and what to do.
    pub(super) message: String,
}

impl Looked {
    /// As it should be.
    pub(super) fn ok(subject: &str, message: impl Into<String>) -> Self {
        Self::new(subject, "ok", message)
    }

    /// Works, and somebody should know or mend it.
    pub(super) fn note(subject: &str, message: impl Into<String>) -> Self {
        Self::new(subject, "note", message)
    }

    /// Does not work, or will lose something.
    pub(super) fn error(subject: &str, message: impl Into<String>) -> Self {
        Self::new(subject, "error", message)
    }

    fn new(subject: &str, state: &'static str, message: impl Into<String>) -> Self {
        Self {
            subject: subject.to_owned(),
            state,
            message: message.into(),
        }
    }

    /// Writes it for people.
    pub(super) fn write(&self, page: &mut Page) {
        let tone = match self.state {
            "ok" => Tone::Good,
            "error" => Tone::Bad,
            _ => Tone::Plain,
        };
        let mark = format!("{:<6}", self.state);
        page.hanging(tone, &mark, &format!("{}: {}", self.subject, self.message));
    }
}
