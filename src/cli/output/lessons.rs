//! Lessons, errors, and runs for people.

use super::page::{Page, Tone};
use super::redacted::redacted;
use super::words::plural;
use crate::shell::Spoken;
use hindlore_api::hint::{HintFormatter, worded};
use hindlore_api::responses::activations::ActivationResponse;
use hindlore_api::responses::decisions::{ChangedLessonResponse, DecidedResponse};
use hindlore_api::responses::ended::EndedRunResponse;
use hindlore_api::responses::errors::ErrorResponse;
use hindlore_api::responses::lesson_answers::{
    LessonHitResponse, RetrievedLessonsResponse, ScorePartsResponse,
};
use hindlore_api::responses::lessons::LessonResponse;
use hindlore_api::responses::place::PlaceResponse;
use hindlore_api::responses::reading::ReadingResponse;
use hindlore_domain::lesson::lesson::Status;
use hindlore_domain::lesson::lesson_policy::RetrievalNumbers;

/// Maximum characters of an error in a table.
const ERROR_CHARS: usize = 200;

/// Writes lessons as a table.
pub(crate) fn table(page: &mut Page, lessons: &[LessonResponse]) {
    let row = |lesson: &LessonResponse| {
        vec![
            page.id(lesson.id),
            lesson.status.to_string(),
            format!("{:.2}", lesson.reliability),
            format!(
                "{}/+{}/-{}",
                lesson.retrieved, lesson.helpful, lesson.harmful
            ),
            place(&lesson.place),
            lesson.rule.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = lessons.iter().map(row).collect();
    page.table(
        &["ID", "STATUS", "RELIABLE", "USED", "PLACE", "RULE"],
        &rows,
    );
}

/// Writes errors as a table.
pub(crate) fn errors(page: &mut Page, errors: &[ErrorResponse]) {
    let row = |error: &ErrorResponse| {
        let said = [&error.error, &error.reason];
        let said = said.into_iter().find(|text| !text.is_empty());
        vec![
            page.moment(error.at),
            error.run.clone(),
            error.step.to_string(),
            page.id(error.fingerprint),
            said.map(|text| text.chars().take(ERROR_CHARS).collect())
                .unwrap_or_default(),
        ]
    };
    let rows: Vec<Vec<String>> = errors.iter().map(row).collect();
    page.table(&["AT", "RUN", "STEP", "FINGERPRINT", "ERROR"], &rows);
}

/// Task, domain, and tool in brief.
pub(crate) fn place(place: &PlaceResponse) -> String {
    let parts = [&place.domain, &place.tool, &place.task];
    let named: Vec<&str> = parts.iter().filter_map(|part| part.as_deref()).collect();
    named.join(" / ")
}

/// Writes matching lessons, with reasons.
pub(crate) fn found(page: &mut Page, shown: &RetrievedLessonsResponse, weights: &RetrievalNumbers) {
    if shown.lessons.is_empty() {
        page.nothing_found();
    }
    for hit in &shown.lessons {
        one(page, hit, weights);
    }
    for one in &shown.put_away {
        page.line(Tone::Faint, changed(one, &Spoken::plain()));
    }
    if shown.withheld > 0 {
        let count = shown.withheld;
        page.line(
            Tone::Faint,
            format_args!(
                "{} withheld, since this is a control run",
                plural(count, "lesson")
            ),
        );
    }
    if shown.lessons.is_empty() {
        page.aside(|page| about_the_question(page, shown))
    } else {
        about_the_question(page, shown)
    }
    if !shown.left_out.is_empty() {
        page.aside(|page| {
            page.line(Tone::Heading, "left out");
            let left_out = shown.left_out.iter();
            let rows: Vec<Vec<String>> = left_out
                .map(|(id, reason)| vec![page.id(id), reason.clone()])
                .collect();
            page.table(&["ID", "BECAUSE"], &rows);
        });
    }
}

/// How the query was understood.
fn about_the_question(page: &mut Page, shown: &RetrievedLessonsResponse) {
    if let Some(fingerprint) = &shown.fingerprint {
        page.field("fingerprint", fingerprint);
    }
    if let Some(text) = &shown.normalised {
        page.field("normalised", text);
    }
    if !shown.asked_tags.is_empty() {
        page.field("tags", shown.asked_tags.join(", "));
    }
    redacted(page, shown.redacted.as_ref());
    notes(page, &shown.notes);
}

fn one(page: &mut Page, hit: &LessonHitResponse, weights: &RetrievalNumbers) {
    let (rank, id, score) = (hit.rank, page.id(hit.lesson.id), hit.score);
    page.line(
        Tone::Heading,
        format_args!("{rank}. {id}  {score:.3}  {}", hit.lesson.status),
    );
    page.block(&hit.lesson.rule);
    page.line(
        Tone::Faint,
        format_args!("   {}", parts(&hit.parts, weights)),
    );
    page.line(
        Tone::Faint,
        format_args!("   {} lane, {}", hit.lane, hit.path),
    );
    if let Some(change) = hit.change {
        let one = ChangedLessonResponse {
            lesson: hit.lesson.id,
            change,
        };
        let said = changed(&one, &Spoken::plain());
        page.line(Tone::Faint, format_args!("   {said}"));
    }
    if let Some(activation) = &hit.activation {
        page.line(Tone::Faint, format_args!("   this use is {activation}"));
    }
    page.gap();
}

/// The terms of a score.
pub(crate) fn parts(parts: &ScorePartsResponse, weights: &RetrievalNumbers) -> String {
    let terms = [
        (
            "fingerprint",
            parts.fingerprint_match,
            weights.fingerprint_weight,
        ),
        ("tags", parts.tag_overlap, weights.tag_weight),
        ("text", parts.text_similarity, weights.text_weight),
        ("reliability", parts.reliability, weights.reliability_weight),
        ("recency", parts.recency, weights.recency_weight),
    ];
    let terms = terms.map(|(name, part, weight)| format!("{name} {part:.2} x {weight}"));
    terms.join(", ")
}

/// Writes uses of lessons as a table.
pub(crate) fn activations(page: &mut Page, activations: &[ActivationResponse]) {
    let row = |use_of: &ActivationResponse| {
        let outcome = use_of.outcome.as_ref();
        let came =
            outcome.map(|it| format!("{}, utility {:+.3}", spaced(it.row.kind.word()), it.utility));
        vec![
            page.id(use_of.id),
            use_of.run.clone(),
            use_of.step.to_string(),
            use_of.moment.to_string(),
            format!("{:.3}", use_of.score),
            if use_of.withheld {
                "withheld".to_owned()
            } else {
                came.unwrap_or_else(|| "open".to_owned())
            },
        ]
    };
    let rows: Vec<Vec<String>> = activations.iter().map(row).collect();
    page.table(&["USE", "RUN", "STEP", "MOMENT", "SCORE", "OUTCOME"], &rows);
}

/// Writes the results of ending a run.
pub(crate) fn ended(page: &mut Page, ended: &EndedRunResponse) {
    let metrics = &ended.metrics;
    let what = match (ended.repeated, ended.idle) {
        (true, _) => "had ended before",
        (false, true) => "was idle and has ended",
        (false, false) => "has ended",
    };
    page.line(Tone::Good, format_args!("run {} {what}", ended.run));
    page.field(
        "steps",
        format_args!("{}, {} failed", metrics.steps, metrics.tool_errors),
    );
    for note in &ended.notes {
        page.line(Tone::Bad, note);
    }
    for learned in &ended.learned {
        let name = match (learned.status, learned.placement.as_str()) {
            (status, _) if !status.is_live() => status.word(),
            (_, "new") => "new lesson",
            _ => "lesson again",
        };
        page.field(name, format_args!("{}  {}", learned.lesson, learned.rule));
    }
    if let Some(playbook) = &ended.playbook {
        page.field(
            "playbook",
            format_args!(
                "{} version {}, {} added, {} updated",
                playbook.playbook,
                playbook.version,
                playbook.added.len(),
                playbook.updated.len()
            ),
        );
    }
    for settled in &ended.settled {
        let word = spaced(settled.row.word());
        page.field(
            "used",
            format_args!(
                "{}  {word}, utility {:+.3}",
                settled.lesson, settled.utility
            ),
        );
    }
    decided(page, &ended.decisions);
    for (first, second) in &ended.conflicts {
        page.field("conflict", format_args!("{first} contradicts {second}"));
    }
    for rejected in &ended.rejected {
        page.field(
            "turned away",
            format_args!("{} ({})", rejected.rule, rejected.reason),
        );
    }
}

/// Writes changes of status, each with the way back.
pub(crate) fn decided(page: &mut Page, decisions: &[DecidedResponse]) {
    for decision in decisions {
        page.field(
            "decided",
            format_args!(
                "{}  {} -> {}: {}",
                decision.lesson,
                decision.from,
                decision.to,
                spaced(decision.reason.word())
            ),
        );
        let back = back_from(decision.to);
        page.line(
            Tone::Faint,
            format_args!(
                "   to take it back: hindlore lessons review {} --to {back}",
                decision.lesson
            ),
        );
    }
}

/// The status that takes a change back.
fn back_from(to: Status) -> Status {
    match to {
        Status::Observed | Status::Candidate => Status::Suppressed,
        Status::Promoted | Status::Refuted | Status::Suppressed | Status::Archived => {
            Status::Candidate
        }
    }
}

/// A change of status in one line, with the way back.
pub(crate) fn changed(one: &ChangedLessonResponse, voice: &dyn HintFormatter) -> String {
    let (lesson, change) = (one.lesson, &one.change);
    let back = back_from(change.to);
    let line = format!(
        "{lesson} {} -> {}: {} · to take it back: <verb:lessons.review {lesson} --to {back}>",
        change.from,
        change.to,
        spaced(change.reason.word())
    );
    worded(&line, voice)
}

/// A word of the wire as people read it.
pub(crate) fn spaced(word: &str) -> String {
    word.replace('_', " ")
}

/// Writes the format of a trace and its skipped lines.
pub(crate) fn reading(page: &mut Page, reading: &ReadingResponse) {
    page.field("format", reading.format);
    for one in &reading.skipped {
        page.line(
            Tone::Bad,
            format_args!("skipped line {}: {}", one.line, one.reason),
        );
    }
}

/// Writes the notes about cut or replaced texts.
pub(crate) fn notes(page: &mut Page, notes: &[String]) {
    for note in notes {
        page.line(Tone::Faint, note);
    }
}
