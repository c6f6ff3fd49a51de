//! Logs of builds, tests and shells: text that tools print for people.
//!
//! A log has no actions, so each diagnostic is a step without one: a failure and its words. A transcript of a shell
//! does have them. Each line is looked at once and only a diagnostic is kept, so that a log may have any length.

mod block;
mod ci;
mod compilers;
mod go_json;
pub(crate) mod markdown;
pub(crate) mod marks;
pub(crate) mod rules;
pub(crate) mod rustc_json;
mod tests_of;
pub(crate) mod transcript;
mod windows;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead};

use crate::collector::Out;
use crate::lines::{Line, Lines};
use crate::step::Action;
use crate::verdict::{Answer, Call};
use crate::wrapper::plain;
use block::Block;
pub(crate) use ci::bare;
use rules::Meaning;

/// Reported diagnostics that are remembered.
const SEEN_MAX: usize = 65_536;

/// A reader of lines.
pub(crate) trait TextLines {
    /// Takes the next line.
    fn line(&mut self, number: usize, line: &str, out: &mut Out<'_>);

    /// Ends the file.
    fn end(&mut self, out: &mut Out<'_>);
}

/// Feeds all lines of a source to a reader, as a terminal would show them.
pub(crate) fn feed<R: BufRead>(
    lines: &mut Lines<R>,
    reader: &mut dyn TextLines,
    out: &mut Out<'_>,
) -> io::Result<()> {
    while let Some(line) = lines.next()? {
        match line {
            Line::Text(text) => reader.line(lines.number, &plain(&text), out),
            Line::TooLong => out.skip(lines.number, "the line is too long"),
        }
    }
    Ok(())
}

/// Reads the diagnostics of a log.
#[derive(Default)]
pub(crate) struct Log {
    block: Option<Block>,
    /// A consequence of other diagnostics, which counts only where there are none.
    consequence: Option<Block>,
    /// The task of a playbook that is running.
    task: Option<String>,
    found: usize,
    seen: HashSet<u64>,
}

/// Counts the diagnostics of some lines.
pub(crate) fn diagnostics<'l>(lines: impl Iterator<Item = &'l str>) -> usize {
    let means_something = |line: &&str| !matches!(rules::meaning(bare(line)), Meaning::Nothing);
    lines.filter(means_something).count()
}

impl TextLines for Log {
    fn line(&mut self, number: usize, line: &str, out: &mut Out<'_>) {
        let line = bare(line);
        if let Some(block) = &mut self.block {
            if block.is_taken_back(line) {
                self.block = None;
                return;
            }
            if block.takes(line) {
                return;
            }
        }
        self.close(out);
        match rules::meaning(line) {
            Meaning::Nothing => {}
            Meaning::Task(name) => self.task = Some(name.to_owned()),
            Meaning::Consequence(rule) => {
                self.consequence
                    .get_or_insert_with(|| Block::new(rule, number, line));
            }
            Meaning::Begins(rule) => self.block = Some(Block::new(rule, number, line)),
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        self.close(out);
        if self.found == 0
            && let Some(block) = self.consequence.take()
        {
            self.tell(&block, out);
        }
    }
}

impl Log {
    /// Counts a diagnostic that was reported outside of this log.
    fn know_another(&mut self) {
        self.found += 1;
    }

    fn close(&mut self, out: &mut Out<'_>) {
        if let Some(block) = self.block.take() {
            self.tell(&block, out);
        }
    }

    /// Runners report a failure where it happens and once more in their summary.
    fn was_told(&mut self, name: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let has_room = self.seen.len() < SEEN_MAX;
        has_room && !self.seen.insert(hasher.finish())
    }

    fn tell(&mut self, block: &Block, out: &mut Out<'_>) {
        let Some(text) = block.text() else {
            return;
        };
        if tests_of::name(block).is_some_and(|name| self.was_told(&name)) {
            return;
        }
        self.found += 1;
        let action = match (&self.task, block.tool()) {
            (Some(task), Some("ansible")) => Action::Command(task.clone()),
            _ => Action::Unknown,
        };
        let call = Call {
            line: block.line,
            tool: block.tool().map(str::to_owned),
            action,
            ..Call::default()
        };
        out.step(call.answered(Answer {
            text,
            failed: Some(true),
            ..Answer::default()
        }));
    }
}
