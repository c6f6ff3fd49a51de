//! Answers and complaints: one JSON document or text for people, on the right stream.
//!
//! A reader who closes the pipe has seen enough, so that is the end of the output and no error.

pub(crate) mod bullets;
pub(crate) mod explanation;
pub mod file;
pub(crate) mod lessons;
mod page;
mod prose;
pub(crate) mod receipts;
pub(crate) mod redacted;
pub(crate) mod retrieval;
mod table;
pub(crate) mod upgrades;
mod width;
pub(crate) mod words;
pub(crate) mod wrap;

use std::io::{self, ErrorKind, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use serde::Serialize;
use serde_json::json;

use super::args::{Color, CommonOptions};
use crate::api::catalog::Answer;
use crate::api::problem::Problem;
use crate::api::verb::Verb;
pub use page::{Page, Tone};

/// Code of the problem that stdout was closed by its reader; it is never shown.
pub(crate) const CLOSED: &str = "stdout_closed";

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It did what it was asked.
    Done,
    /// There was nothing that it was asked for.
    NothingFound,
    /// It did what it was asked, and what belongs to it is still to be done.
    Unfinished,
    /// It ran another program, which ended with this exit code.
    Exit(u8),
    /// It ran another program, which this signal killed.
    Killed(i32),
}

/// How a command ended, or why it could not be carried out.
pub type CommandResult = Result<Outcome, Problem>;

impl Outcome {
    /// How a verb ended: with nothing found where its answer is empty.
    pub(crate) fn of<V: Verb>(answer: &V::Answer) -> Self {
        Self::found(!V::is_empty(answer))
    }

    /// How a verb ended whose answer was shown; bad news is a failure.
    pub(crate) fn of_answer(answer: Answer) -> CommandResult {
        match answer.fault {
            Some(fault) => Err(fault),
            None => Ok(Self::found(!answer.is_empty)),
        }
    }

    /// Done when something was found.
    pub fn found(is_found: bool) -> Self {
        if is_found {
            Self::Done
        } else {
            Self::NothingFound
        }
    }
}

/// Where answers go, and in which form.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    json: bool,
    color: Color,
    full_ids: bool,
}

impl Output {
    /// An output in the form that was asked for.
    pub(super) fn new(options: &CommonOptions) -> Self {
        Self {
            json: options.json,
            color: options.color,
            full_ids: options.full_ids,
        }
    }

    /// An output before the arguments are understood.
    pub(super) fn of_raw(json: bool) -> Self {
        Self {
            json,
            color: Color::Auto,
            full_ids: false,
        }
    }

    /// The options that make another program answer in the same form.
    pub(crate) fn options(&self) -> impl Iterator<Item = String> {
        let color = self.color.to_possible_value();
        let color = color.map(|value| format!("--color={}", value.get_name()));
        let flags = [("--json", self.json), ("--full-ids", self.full_ids)];
        let given = flags.into_iter().filter(|(_, is_given)| *is_given);
        given.map(|(flag, _)| flag.to_owned()).chain(color)
    }

    /// An empty page for stdout: as wide as the terminal, and with short ids where a person reads it.
    pub(crate) fn new_page(&self) -> Page {
        let width = width::of_terminal();
        Page::new(width).with_short_ids(width.is_some() && !self.full_ids)
    }

    /// Tells whether a person reads stdout as it is written.
    pub(crate) fn is_on_terminal(&self) -> bool {
        !self.json && width::of_terminal().is_some()
    }

    /// Tells whether answers are JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Answers: `shape` as JSON, or what `text` puts on the page.
    pub fn show<T: Serialize>(
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
        let mut page = self.new_page();
        text(&mut page);
        self.page(page)
    }

    /// Answers with a page that is written already, for those who read text; what stands aside on it goes to
    /// stderr.
    pub(crate) fn page(&self, page: Page) -> Result<(), Problem> {
        let (text, aside) = page.finish();
        if !text.is_empty() {
            let mut out = AutoStream::new(io::stdout(), self.choice(io::stdout().is_terminal()));
            let written = out.write_all(text.as_bytes());
            written.and_then(|()| out.flush()).map_err(unwritten)?;
        }
        self.complain(&aside);
        Ok(())
    }

    /// Answers with a text that is meant for programs; on a terminal, lines are broken between words.
    pub(crate) fn text(&self, text: &str) -> Result<(), Problem> {
        match width::of_terminal() {
            None => self.raw(text.as_bytes()),
            Some(_) => {
                let mut page = self.new_page();
                text.lines().for_each(|line| page.line(Tone::Plain, line));
                self.page(page)
            }
        }
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
            let mut page = Page::new(width::of_errors());
            page.line(Tone::Plain, text);
            self.complain(&page.finish().0);
        }
    }

    /// Gives programs what they are to know beside the answer, as one document on stderr.
    pub(crate) fn notes(&self, notes: &[Problem]) {
        if self.json && !notes.is_empty() {
            let notes = notes.iter();
            let notes: Vec<_> = notes
                .map(|one| json!({"code": one.code, "message": one.message}))
                .collect();
            // Nobody can be told when stderr is gone.
            let _ = writeln!(io::stderr(), "{}", json!({"notes": notes}));
        }
    }

    /// Complains on stderr.
    pub(super) fn problem(&self, problem: &Problem) {
        if self.json {
            return problem_as_json(problem);
        }
        let mut page = Page::new(width::of_errors());
        page.complaint(problem);
        self.complain(&page.finish().0);
    }

    fn complain(&self, text: &str) {
        let choice = self.choice(io::stderr().is_terminal());
        // Nobody can be told when stderr is gone.
        let _ = AutoStream::new(io::stderr(), choice).write_all(text.as_bytes());
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
