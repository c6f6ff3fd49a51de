//! Answers and complaints: one JSON document or text for people, on the right stream.
//!
//! A reader who closes the pipe has seen enough, so that is the end of the output and no error.

pub(crate) mod bullets;
pub(crate) mod explanation;
pub(crate) mod file;
pub(crate) mod lessons;
mod page;
pub(crate) mod receipts;
pub(crate) mod retrieval;
mod width;
pub(crate) mod wrap;

use std::io::{self, ErrorKind, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use serde::Serialize;
use serde_json::json;

use super::args::Color;
use crate::api::problem::Problem;
pub(crate) use page::{Page, Tone};

/// Code of the problem that stdout was closed by its reader; it is never shown.
pub(crate) const CLOSED: &str = "stdout_closed";

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// It did what it was asked.
    Done,
    /// There was nothing that it was asked for.
    NothingFound,
    /// It ran another program, which ended with this exit code.
    Exit(u8),
    /// It ran another program, which this signal killed.
    Killed(i32),
}

impl Outcome {
    /// Done when something was found.
    pub(crate) fn found(is_found: bool) -> Self {
        match is_found {
            true => Self::Done,
            false => Self::NothingFound,
        }
    }
}

/// Where answers go, and in which form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    json: bool,
    color: Color,
}

impl Output {
    /// An output in the form that was asked for.
    pub(super) fn new(json: bool, color: Color) -> Self {
        Self { json, color }
    }

    /// Tells whether answers are JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Answers: `shape` as JSON, or what `text` puts on the page.
    pub(crate) fn show<T: Serialize>(
        &self,
        shape: &T,
        text: impl FnOnce(&mut Page),
    ) -> Result<(), Problem> {
        if self.json {
            let mut line = serde_json::to_vec(shape).map_err(|error| {
                Problem::new("internal_error", format!("the answer is not JSON: {error}"))
            })?;
            line.push(b'\n');
            return self.raw(&line);
        }
        let mut page = Page::new(width::of_terminal());
        text(&mut page);
        self.page(page)
    }

    /// Answers with a page that is written already, for those who read text.
    pub(crate) fn page(&self, page: Page) -> Result<(), Problem> {
        let mut out = AutoStream::new(io::stdout(), self.choice(io::stdout().is_terminal()));
        let written = out.write_all(page.finish().as_bytes());
        written.and_then(|()| out.flush()).map_err(unwritten)
    }

    /// Answers with bytes as they are.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Result<(), Problem> {
        let mut out = io::stdout().lock();
        let written = out.write_all(bytes);
        written.and_then(|()| out.flush()).map_err(unwritten)
    }

    /// Tells people something that is no result; programs do not get it.
    pub(crate) fn note(&self, text: &str) {
        if !self.json {
            // Nobody can be told when stderr is gone.
            let _ = writeln!(io::stderr(), "{}", page::harmless(text));
        }
    }

    /// Complains on stderr.
    pub(super) fn problem(&self, problem: &Problem) {
        if self.json {
            return problem_as_json(problem);
        }
        let mut page = Page::new(None);
        page.complaint(problem);
        let choice = self.choice(io::stderr().is_terminal());
        let _ = AutoStream::new(io::stderr(), choice).write_all(page.finish().as_bytes());
    }

    fn choice(&self, is_terminal: bool) -> ColorChoice {
        let is_refused = std::env::var_os("NO_COLOR").is_some_and(|no| !no.is_empty());
        match self.color {
            Color::Always => ColorChoice::Always,
            Color::Auto if is_terminal && !is_refused => ColorChoice::Auto,
            Color::Auto | Color::Never => ColorChoice::Never,
        }
    }
}

/// Complains on stderr in the shape that programs read.
pub(super) fn problem_as_json(problem: &Problem) {
    let _ = writeln!(io::stderr(), "{}", json!(problem.to_json()));
}

fn unwritten(error: io::Error) -> Problem {
    match error.kind() {
        ErrorKind::BrokenPipe => Problem::new(CLOSED, "the reader closed the pipe"),
        _ => Problem::new(
            "unwritten_output",
            format!("stdout cannot be written: {error}"),
        )
        .with_hint("check the disk; what the command did to the memory is done"),
    }
}
