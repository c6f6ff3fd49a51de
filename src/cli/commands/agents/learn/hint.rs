//! The messages of `learn` itself. stdout is the command's, so all of them are on stderr.

use std::io::{Write, stderr};

use super::ingest_result::Fate;
use crate::output::redacted::redacted;
use crate::output::{Page, Tone, lessons};
use crate::shell::Spoken;
use hindlore_api::prompt::ways_out;
use hindlore_api::responses::decisions::ChangedLessonResponse;
use hindlore_api::responses::lesson_answers::{LessonHitResponse, RetrievedLessonsResponse};
use hindlore_api::verbs::lesson_retrieval::as_prompt;
use hindlore_primitives::ids::LessonId;

/// Prints one line.
pub(super) fn say(text: &str) {
    let mut page = Page::new(None);
    page.line(Tone::Plain, text);
    write(&page.plain());
}

/// Shows advice and new lessons.
pub(super) fn show(fate: &Fate, voice: &Spoken) {
    let mut page = Page::new(None);
    let learned = match fate {
        Fate::Learned(learned) => learned,
        Fate::Waits => {
            let text = "learn: the store is busy; what was learned waits for the next call";
            page.line(Tone::Faint, text);
            return write(&page.plain());
        }
        Fate::Lost(_) => return,
    };
    if let Some(hint) = &learned.hint {
        hints(&mut page, hint, voice);
    }
    redacted(&mut page, learned.step.redacted.as_ref());
    let left = learned.ended.iter().flat_map(|ended| &ended.learned);
    for lesson in left.filter(|lesson| lesson.placement == "new") {
        // One run is not enough to act on, and the reader shall not.
        let done = match lesson.status {
            status if status.is_live() => "learned",
            status => status.word(),
        };
        page.line(
            Tone::Faint,
            format_args!("{done} {}: {}", lesson.lesson, lesson.rule),
        );
    }
    if let Some(playbook) = &learned.playbook {
        let (name, version) = (&playbook.playbook, playbook.version);
        page.line(
            Tone::Faint,
            format_args!("playbook {name}, version {version}"),
        );
    }
    write(&page.plain());
}

/// Shows the known lessons about a command that is about to run.
pub(super) fn before(known: &RetrievedLessonsResponse, voice: &Spoken) {
    let mut page = Page::new(None);
    hints(&mut page, known, voice);
    write(&page.plain());
}

/// Writes lessons as hints. The reader may be a model: the texts of lessons are data.
fn hints(page: &mut Page, found: &RetrievedLessonsResponse, voice: &Spoken) {
    let ids: Vec<LessonId> = found.lessons.iter().map(|hit| hit.lesson.id).collect();
    for line in as_prompt(&found.lessons, None).text.lines() {
        page.line(Tone::Plain, line);
    }
    if !ids.is_empty() {
        page.line(Tone::Faint, ways_out(&ids, voice));
    }
    // After the block, since these lines are our own.
    let of_hit = |hit: &LessonHitResponse| {
        Some(ChangedLessonResponse {
            lesson: hit.lesson.id,
            change: hit.change?,
        })
    };
    let changed = found.lessons.iter().filter_map(of_hit);
    for one in changed.chain(found.put_away.iter().cloned()) {
        page.line(Tone::Plain, lessons::changed(&one, voice));
    }
}

fn write(text: &str) {
    // No message is possible when stderr is gone.
    let _ = stderr().write_all(text.as_bytes());
}
