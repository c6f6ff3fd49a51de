//! Files of every format: whole, cut off anywhere, in other encodings, and foreign ones that must not be taken.

mod damage;
mod files;
mod guesses;
mod rows;
mod sessions;

use crate::{Format, Guess, Item, Outcome, Run, Step, Summary, guess, read};

/// A file and its expected reading.
struct File {
    name: &'static str,
    format: Format,
    bytes: &'static [u8],
    /// One line for each item.
    items: &'static str,
}

/// The result of reading a file.
struct Read {
    items: Vec<Item>,
    summary: Summary,
}

impl Read {
    fn steps(&self) -> Vec<&Step> {
        let steps = self.items.iter().filter_map(|item| match item {
            Item::Step(step) => Some(&**step),
            Item::Skipped(_) | Item::Ended { .. } | Item::Stated { .. } => None,
        });
        steps.collect()
    }

    /// One line for each item.
    fn shown(&self) -> String {
        self.items.iter().map(shown).collect()
    }
}

fn read_as(format: Format, bytes: &[u8]) -> Read {
    let mut items = Vec::new();
    let summary = read(format, bytes, &mut |item| items.push(item)).unwrap();
    Read { items, summary }
}

/// Reads bytes in the format that is guessed; nothing where they are no trace.
fn read_guessed(bytes: &[u8]) -> Option<Read> {
    match guess(bytes) {
        Guess::Trace(format) => Some(read_as(format, bytes)),
        Guess::Steps | Guess::Unknown => None,
    }
}

fn run(run: &Run) -> String {
    match run {
        Run::Named(name) => name.clone(),
        Run::Part(number) => format!("part {number}"),
    }
}

fn shown(item: &Item) -> String {
    let line = match item {
        Item::Skipped(skipped) => format!("skipped {}: {}", skipped.line, skipped.reason),
        Item::Ended { run: ended, passed } => format!("ended {}: {passed}", run(ended)),
        Item::Stated { run: of, reply } => format!("stated {}: {reply}", run(of)),
        Item::Step(step) => {
            let outcome = match step.outcome {
                Outcome::Worked => "worked",
                Outcome::Failed => "failed",
                Outcome::Refused => "refused",
                Outcome::Interrupted => "interrupted",
                Outcome::Unknown => "unknown",
            };
            let code = step.exit_code.map(|code| format!(" {code}"));
            format!(
                "{} step {} line {} | {} | {} | {outcome}{} | {}",
                run(&step.run),
                step.number,
                step.line,
                step.tool.as_deref().unwrap_or("-"),
                step.action.to_value(),
                code.unwrap_or_default(),
                step.error,
            )
        }
    };
    format!("{}\n", line.replace('\n', "⏎"))
}
