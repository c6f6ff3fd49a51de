//! Command `lessons explain`: reason and result of the returns of a lesson.

use serde_json::Value;

use super::show;
use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::words::plural;
use crate::output::{Outcome, Page, Tone, lessons};
use crate::session::Session;
use hindlore_api::responses::activations::ActivationResponse;
use hindlore_api::responses::lessons::{ExplainedResponse, LessonDetailResponse};
use hindlore_api::responses::proofs::EvidenceRowResponse;
use hindlore_api::verbs::lessons::ExplainLesson;

pub(crate) const FORM: Form = Form::new("lessons.explain", &[("id", Typed::Word("ID"))]);

/// Explains one use of a lesson, or a lesson by its uses and decisions.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ExplainLesson>("reading", request).await?;
    session.output.show(&shown, |page| match &shown {
        ExplainedResponse::Lesson(lesson) => all_uses(page, lesson),
        ExplainedResponse::Use(one) => write(page, one),
    })?;
    Ok(Outcome::Done)
}

fn all_uses(page: &mut Page, shown: &LessonDetailResponse) {
    page.line(Tone::Heading, shown.lesson.id);
    page.block(&shown.lesson.rule);
    page.gap();
    show::decisions(page, shown);
    for activation in &shown.activations {
        page.gap();
        write(page, activation);
    }
}

fn write(page: &mut Page, shown: &ActivationResponse) {
    page.line(Tone::Heading, shown.id);
    page.field("lesson", shown.lesson);
    page.field(
        "returned",
        format_args!("{} in run {}, step {}", shown.moment, shown.run, shown.step),
    );
    page.field(
        "score",
        format_args!("{:.3}, {} lane", shown.score, shown.lane),
    );
    if let Value::Object(parts) = &shown.explanation {
        for (name, part) in parts {
            explained(page, name, part);
        }
    }
    if let Some(trigger) = shown.trigger {
        let level = shown.trigger_level.map_or("", |level| level.word());
        page.field("called by", format_args!("{trigger} {level}"));
    }
    if shown.withheld {
        page.field("withheld", "yes, the run is a control run");
    }
    let Some(outcome) = &shown.outcome else {
        return page.field("outcome", "open until the run ends");
    };
    page.field("row", said(&outcome.row));
    page.field(
        "outcome",
        format_args!(
            "utility {:+.3} = error reduction {:+.3}, step gain {:+.3}{}",
            outcome.utility,
            outcome.error_reduction,
            outcome.step_efficiency_gain,
            outcome
                .referee_score_gain
                .map_or_else(String::new, |gain| format!(", score gain {gain:+.3}"))
        ),
    );
    let samples = outcome.baseline.samples;
    if samples > 0 {
        let percent = 100.0 * outcome.baseline.rate;
        let runs = plural(samples, "comparable run");
        page.field(
            "without it",
            format_args!("the error came in {percent:.0} % of {runs}"),
        );
    }
    page.field("came again", if outcome.recurred { "yes" } else { "no" });
}

/// The actions after the advice, and their observer.
fn said(row: &EvidenceRowResponse) -> String {
    let kind = lessons::spaced(row.kind.word());
    match row.followed_step {
        Some(step) => format!(
            "{kind}: followed at step {step}, seen by the {}",
            row.witness
        ),
        None => kind,
    }
}

fn explained(page: &mut Page, name: &str, part: &Value) {
    match part {
        Value::Object(parts) => {
            let parts: Vec<String> = parts
                .iter()
                .map(|(name, part)| format!("{name} {part}"))
                .collect();
            page.field(name, parts.join(", "));
        }
        Value::String(text) => page.field(name, text),
        other => page.field(name, other),
    }
}
