//! Command `lessons show`: everything known about a lesson.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::words::plural;
use crate::output::{Outcome, Page, Tone, lessons};
use crate::session::Session;
use hindlore_api::responses::decisions::DecisionResponse;
use hindlore_api::responses::lessons::LessonDetailResponse;
use hindlore_api::verbs::lessons::ShowLesson;

pub(crate) const FORM: Form = Form::new("lessons.show", &[("id", Typed::Word("ID"))]);

/// Shows one lesson.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ShowLesson>("reading", request).await?;
    session.output.show(&shown, |page| {
        about(page, &shown);
        evidence(page, &shown);
        decisions(page, &shown);
        if !shown.activations.is_empty() {
            page.gap();
            lessons::activations(page, &shown.activations);
        }
    })?;
    Ok(Outcome::Done)
}

fn about(page: &mut Page, shown: &LessonDetailResponse) {
    let lesson = &shown.lesson;
    page.line(Tone::Heading, lesson.id);
    page.block(&lesson.rule);
    page.gap();
    page.field("status", lesson.status);
    page.field(
        "reliability",
        format_args!("{:.3}, impact {:+.3}", lesson.reliability, lesson.impact),
    );
    page.field(
        "used",
        format_args!(
            "returned {}, helped {}, harmed {}",
            lesson.retrieved, lesson.helpful, lesson.harmful
        ),
    );
    page.field(
        "reach",
        format_args!("{} {}", lesson.reach, lessons::place(&lesson.place)),
    );
    if !lesson.tags.is_empty() {
        page.field("tags", lesson.tags.join(", "));
    }
    if let Some(other) = lesson.restates {
        page.field("says again", other);
    }
    page.field("learned", lesson.created_at);
    page.field("evidence", lesson.evidence_at);
}

fn evidence(page: &mut Page, shown: &LessonDetailResponse) {
    page.gap();
    let rows: Vec<Vec<String>> = shown
        .trigger_rows
        .iter()
        .map(|row| {
            vec![
                page.id(row.id),
                row.events.to_string(),
                row.runs.to_string(),
                row.normalised.clone(),
            ]
        })
        .collect();
    page.table(&["TRIGGER", "ERRORS", "RUNS", "NORMALISED"], &rows);
    page.gap();
    let rows: Vec<Vec<String>> = shown
        .sources
        .iter()
        .map(|source| {
            let steps: Vec<String> = source.steps.iter().map(ToString::to_string).collect();
            vec![
                source.run.clone(),
                source.origin.to_string(),
                steps.join(", "),
            ]
        })
        .collect();
    page.table(&["LEARNED IN", "FROM", "STEPS"], &rows);
    for conflict in &shown.conflicts {
        let other = if conflict.first == shown.lesson.id {
            conflict.second
        } else {
            conflict.first
        };
        page.field("contradicts", format_args!("{other}: {}", conflict.reason));
    }
}

/// The evidence of a decision: both proofs in words, each only if it has rows.
fn proofs(decision: &DecisionResponse) -> Vec<String> {
    let (summary, proof) = (&decision.summary, &decision.summary.proof);
    let followed = proof.successes + proof.failures;
    let mut lines = Vec::new();
    if followed > 0 {
        lines.push(format!(
            "followed in {}: worked in {}, failed in {}; its rate lies in {:.2} to {:.2}",
            plural(followed, "run"),
            proof.successes,
            proof.failures,
            summary.lower,
            summary.upper
        ));
    }
    if let (Some(with), Some(without)) = (summary.recurrence_with, summary.recurrence_without) {
        lines.push(format!(
            "the error came in {:.0} % of {} with it, in {:.0} % of {} without",
            100.0 * with,
            plural(proof.with_runs, "run"),
            100.0 * without,
            proof.without_runs
        ));
    }
    let rows = decision.evidence.outcomes.len() + decision.evidence.runs.len();
    let rows = rows + decision.evidence.supports.len();
    lines.push(format!(
        "{rows} rows of evidence, utility {:+.3}",
        proof.utility
    ));
    lines
}

/// Decisions of the rules and of people, with their evidence.
pub(crate) fn decisions(page: &mut Page, shown: &LessonDetailResponse) {
    let taught: Vec<&str> = shown
        .proof
        .supports
        .iter()
        .map(|support| support.run.as_str())
        .collect();
    if !taught.is_empty() {
        page.field("taught anew", taught.join(", "));
    }
    for decision in &shown.decisions {
        page.field(
            "decided",
            format_args!(
                "{} -> {}: {} at {}",
                decision.from,
                decision.to,
                lessons::spaced(decision.reason.word()),
                decision.at
            ),
        );
        for line in proofs(decision) {
            page.line(Tone::Faint, format_args!("   {line}"));
        }
    }
    for review in &shown.reviews {
        page.field(
            "reviewed",
            format_args!(
                "{} -> {} by {}: {}",
                review.from,
                review.to,
                review.author.as_deref().unwrap_or("somebody"),
                review.note.as_deref().unwrap_or("no reason given")
            ),
        );
    }
}
