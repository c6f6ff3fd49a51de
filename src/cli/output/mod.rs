//! Answers and errors: one JSON document or text for people, on the right stream.
//!
//! A reader who closes the pipe has seen enough, so that ends the output without an error.

pub(crate) mod bullets;
pub(crate) mod explanation;
pub mod file;
pub(crate) mod lessons;
mod page;
mod pager;
mod prose;
pub(crate) mod receipts;
pub(crate) mod redacted;
pub(crate) mod retrieval;
mod table;
mod width;
pub(crate) mod words;
pub(crate) mod wrap;

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use serde::Serialize;
use serde_json::json;

use super::args::{Color, CommonOptions};
use hindlore_api::catalog::Answer;
use hindlore_api::problem::Problem;
use hindlore_api::verb::Verb;
pub use page::{Page, Tone};

/// Code of the problem that stdout was closed by its reader; never shown.
pub(crate) const CLOSED: &str = "stdout_closed";

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Success.
    Done,
    /// Nothing was found.
    NothingFound,
    /// Success, but follow-up work remains.
    Unfinished,
    /// Another program ran and exited with this code.
    Exit(u8),
    /// Another program ran and was killed by this signal.
    Killed(i32),
}

/// The outcome of a command, or why it failed.
pub type CommandResult = Result<Outcome, Problem>;

impl Outcome {
    /// The outcome of a verb: nothing found if its answer is empty.
    pub(crate) fn from_verb<V: Verb>(answer: &V::Answer) -> Self {
        Self::found(!V::is_empty(answer))
    }

    /// The outcome of a verb whose answer was shown; bad news is a failure.
    pub(crate) fn from_answer(answer: Answer) -> CommandResult {
        match answer.fault {
            Some(fault) => Err(fault),
            None => Ok(Self::found(!answer.is_empty)),
        }
    }

    /// Done if anything was found.
    pub fn found(is_found: bool) -> Self {
        if is_found {
            Self::Done
        } else {
            Self::NothingFound
        }
    }
}

/// Destination and form of answers.
#[derive(Clone, Debug)]
pub struct Output {
    json: bool,
    color: Color,
    full_ids: bool,
    /// Collects the output to the streams, if another process has them.
    kept: Option<Arc<Mutex<Kept>>>,
}

/// The output of a command.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// To stdout.
    pub(crate) out: Vec<u8>,
    /// To stderr.
    pub(crate) err: Vec<u8>,
}

/// One of the streams.
#[derive(Clone, Copy)]
enum Stream {
    Out,
    Err,
}

impl Output {
    /// An output in the requested form.
    pub(super) fn new(options: &CommonOptions) -> Self {
        Self {
            json: options.json,
            color: options.color,
            full_ids: options.full_ids,
            kept: None,
        }
    }

    /// An output for use before the arguments are parsed.
    pub(super) fn of_raw(json: bool) -> Self {
        Self {
            json,
            color: Color::Auto,
            full_ids: false,
            kept: None,
        }
    }

    /// The output for another process, which has the streams.
    pub(crate) fn keeping(self, kept: Arc<Mutex<Kept>>) -> Self {
        Self {
            kept: Some(kept),
            ..self
        }
    }

    /// Writes to a stream without colours, as they are.
    fn write(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        if let Some(kept) = &self.kept {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            match stream {
                Stream::Out => kept.out.extend_from_slice(bytes),
                Stream::Err => kept.err.extend_from_slice(bytes),
            }
            return Ok(());
        }
        match stream {
            Stream::Out => {
                let mut out = io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
            Stream::Err => io::stderr().write_all(bytes),
        }
    }

    /// Writes a text with colours, as far as the stream takes them.
    fn write_styled(&self, stream: Stream, text: &str) -> io::Result<()> {
        match stream {
            _ if self.kept.is_some() => {
                let mut styled = AutoStream::new(Vec::new(), self.choice(false));
                styled.write_all(text.as_bytes())?;
                self.write(stream, &styled.into_inner())
            }
            Stream::Out => {
                let choice = match self.choice(io::stdout().is_terminal()) {
                    ColorChoice::Auto => AutoStream::choice(&io::stdout()),
                    chosen => chosen,
                };
                let mut styled = AutoStream::new(Vec::new(), choice);
                styled.write_all(text.as_bytes())?;
                let bytes = styled.into_inner();
                if pager::shows(&String::from_utf8_lossy(&bytes)) {
                    return Ok(());
                }
                let mut out = io::stdout().lock();
                out.write_all(&bytes).and_then(|()| out.flush())
            }
            Stream::Err => {
                let choice = self.choice(io::stderr().is_terminal());
                AutoStream::new(io::stderr(), choice).write_all(text.as_bytes())
            }
        }
    }

    /// Options that make another program answer in the same form.
    pub(crate) fn options(&self) -> impl Iterator<Item = String> {
        let color = self.color.to_possible_value();
        let color = color.map(|value| format!("--color={}", value.get_name()));
        let flags = [("--json", self.json), ("--full-ids", self.full_ids)];
        let given = flags.into_iter().filter(|(_, is_given)| *is_given);
        given.map(|(flag, _)| flag.to_owned()).chain(color)
    }

    /// An empty page for stdout; on a terminal, limited to its width and with short ids.
    pub(crate) fn new_page(&self) -> Page {
        let width = width::of_terminal();
        Page::new(width).with_short_ids(width.is_some() && !self.full_ids)
    }

    /// True if stdout is a terminal.
    pub(crate) fn is_on_terminal(&self) -> bool {
        !self.json && width::of_terminal().is_some()
    }

    /// True if answers are JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Answers with `shape` as JSON, or with the page written by `text`.
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

    /// Answers readers of text with a finished page; its asides go to stderr.
    pub(crate) fn page(&self, page: Page) -> Result<(), Problem> {
        let (text, aside) = page.finish();
        if !text.is_empty() {
            self.write_styled(Stream::Out, &text).map_err(unwritten)?;
        }
        self.complain(&aside);
        Ok(())
    }

    /// Answers with a text meant for programs; on a terminal, lines break between words.
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

    /// Answers with raw bytes.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Result<(), Problem> {
        self.write(Stream::Out, bytes).map_err(unwritten)
    }

    /// Notes something for people that is not part of the result; programs do not get it.
    pub(crate) fn note(&self, text: &str) {
        if !self.json {
            let mut page = Page::new(width::of_errors());
            page.line(Tone::Plain, text);
            self.complain(&page.finish().0);
        }
    }

    /// Sends programs notes on the answer, as one document on stderr.
    pub(crate) fn notes(&self, notes: &[Problem]) {
        if self.json && !notes.is_empty() {
            let notes = notes.iter();
            let notes: Vec<_> = notes
                .map(|one| json!({"code": one.code, "message": one.message}))
                .collect();
            // If stderr is gone, there is nowhere left to report it.
            let notes = format!("{}\n", json!({"notes": notes}));
            let _ = self.write(Stream::Err, notes.as_bytes());
        }
    }

    /// Reports a problem on stderr.
    pub(super) fn problem(&self, problem: &Problem) {
        if self.json {
            let line = format!("{}\n", json!(problem.to_json()));
            // If stderr is gone, there is nowhere left to report it.
            let _ = self.write(Stream::Err, line.as_bytes());
            return;
        }
        let mut page = Page::new(width::of_errors());
        page.complaint(problem);
        self.complain(&page.finish().0);
    }

    fn complain(&self, text: &str) {
        // If stderr is gone, there is nowhere left to report it.
        let _ = self.write_styled(Stream::Err, text);
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

fn unwritten(error: io::Error) -> Problem {
    match error.kind() {
        ErrorKind::BrokenPipe => Problem::new(CLOSED, "the reader closed the pipe"),
        _ => Problem::new(
            "unwritten_output",
            format!("stdout cannot be written: {error}"),
        )
        .with_hint("check the disk; the changes of the command to the memory are kept"),
    }
}
