//! `import --formats`: the import formats, with an example of each, and the format of a delta.

use serde::Serialize;

use crate::output::{CommandResult, Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::import::{CLASSIC_LESSONS, Format};

/// A delta with every operation.
const DELTA: &str = r#"{"id": "d1", "reasoning": "why", "operations": [
  {"op": "ADD", "content": "Quote every path.", "section": "Shell", "tags": ["bash"], "helpful": 1},
  {"op": "UPDATE", "id": "b_…", "content": "Quote every path that may hold a blank."},
  {"op": "TAG", "id": "b_…", "helpful": 1},
  {"op": "REMOVE", "id": "b_…", "reason": "out of date"},
  {"op": "REJECT", "id": "b_…", "reason": "it is wrong"},
  {"op": "PIN", "id": "b_…", "on": true},
  {"op": "POLICY", "max_bullets": 50000}]}"#;

/// A line of lessons of the original program.
const LESSON: &str =
    r#"{"rule_text": "WRONG gt r --fmt csv → CORRECT gt r --format csv", "status": "candidate"}"#;

/// A format as it is shown.
#[derive(Serialize)]
struct Shown {
    format: &'static str,
    name: &'static str,
    files: &'static str,
    told_by: &'static str,
    example: &'static str,
}

/// All of it.
#[derive(Serialize)]
struct Formats {
    formats: Vec<Shown>,
    delta: &'static str,
}

/// Shows the formats.
pub(super) fn run(session: &Session) -> CommandResult {
    let mut formats: Vec<Shown> = Format::ALL.map(shown).into();
    formats.push(Shown {
        format: CLASSIC_LESSONS,
        name: "lessons and errors of the original program",
        files: "JSON Lines",
        told_by: "named by `--format` only",
        example: LESSON,
    });
    let formats = Formats {
        formats,
        delta: DELTA,
    };
    session
        .output
        .show(&formats, |page| write(page, &formats))?;
    Ok(Outcome::Done)
}

fn shown(format: Format) -> Shown {
    let about = format.about();
    Shown {
        format: format.word(),
        name: about.name,
        files: about.files,
        told_by: about.mark,
        example: about.example,
    }
}

fn write(page: &mut Page, all: &Formats) {
    page.line(
        Tone::Plain,
        "`import FILE…` tells the format from the text; `--format` decides it.",
    );
    for one in &all.formats {
        page.gap();
        page.line(Tone::Heading, format_args!("{}: {}", one.format, one.name));
        page.field("files", one.files);
        page.field("told by", one.told_by);
        example(page, one.example);
    }
    page.gap();
    page.line(
        Tone::Heading,
        "delta: changes of a memory, for `delta apply FILE` (all or nothing, once)",
    );
    example(page, all.delta);
}

fn example(page: &mut Page, text: &str) {
    for line in text.lines() {
        page.line(Tone::Faint, format_args!("    {line}"));
    }
}
