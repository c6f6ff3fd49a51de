//! What `learn` itself has to say. stdout is the command's, so all of it is on stderr.

use std::io::{Write, stderr};

use super::command::Learned;
use crate::cli::output::{Page, Tone, lessons};
use crate::cli::session::Session;

/// Says one line.
pub(super) fn say(text: &str) {
    let mut page = Page::new(None);
    page.line(Tone::Plain, text);
    write(&page.plain());
}

/// Shows what was learned: to programs all of it, to people what helps when they asked for it.
pub(super) fn show(session: &Session, asked: bool, learned: &Learned) {
    if session.output.is_json() {
        if let Ok(line) = serde_json::to_string(learned) {
            write(&format!("{line}\n"));
        }
        return;
    }
    if !asked {
        return;
    }
    let mut page = Page::new(None);
    for hit in learned.hint.iter().flat_map(|hint| &hint.lessons) {
        page.line(Tone::Good, format_args!("hint: {}", hit.lesson.rule));
        let (score, parts) = (hit.score, lessons::parts(&hit.parts, &learned.weights));
        page.line(
            Tone::Faint,
            format_args!("      {} {score:.2} = {parts}; {}", hit.lesson.id, hit.path),
        );
    }
    let left = learned.ended.iter().flat_map(|ended| &ended.learned);
    for lesson in left.filter(|lesson| lesson.placement == "new") {
        page.line(
            Tone::Faint,
            format_args!("learned {}: {}", lesson.lesson, lesson.rule),
        );
    }
    write(&page.plain());
}

fn write(text: &str) {
    // Nobody can be told when stderr is gone.
    let _ = stderr().write_all(text.as_bytes());
}
