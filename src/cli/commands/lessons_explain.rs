//! Command `lessons explain`: why a lesson was returned, and what came of it.

use serde_json::Value;

use super::{CommandResult, lessons_show};
use crate::api::problem::Problem;
use crate::api::responses::lessons::{ActivationResponse, LessonDetailResponse};
use crate::cli::args::lessons::ExplainArgs;
use crate::cli::output::{Outcome, Page, Tone};
use crate::cli::session::{OpenLessons, Session};
use crate::domain::lesson::ids::ActivationId;

/// Explains one use of a lesson, or a lesson by its uses and decisions.
pub(crate) async fn run(session: &Session, args: ExplainArgs) -> CommandResult {
    let opened = session.open_lessons_there()?;
    if args.id.starts_with("a_") {
        let activation = opened.activation_id(&args.id).await?;
        return one_use(session, &opened, activation).await;
    }
    if !args.id.starts_with("l_") {
        let message = format!(
            "`{}` is no id of a lesson or of a use of one",
            args.id.escape_debug()
        );
        return Err(Problem::new("invalid_id", message)
            .with_hint("lessons have ids such as l_…, their uses such as a_…"));
    }
    let lesson = opened.lesson_id(&args.id).await?;
    let work = opened.engine.lesson(&opened.owner, lesson);
    let shown = LessonDetailResponse::from(session.wait("reading", work).await?);
    session.output.show(&shown, |page| {
        page.line(Tone::Heading, shown.lesson.id);
        page.block(&shown.lesson.rule);
        page.gap();
        lessons_show::decisions(page, &shown);
        for activation in &shown.activations {
            page.gap();
            write(page, activation);
        }
    })?;
    Ok(Outcome::Done)
}

async fn one_use(session: &Session, opened: &OpenLessons, id: ActivationId) -> CommandResult {
    let work = opened.engine.activation(&opened.owner, id);
    let shown = ActivationResponse::from(session.wait("reading", work).await?);
    session.output.show(&shown, |page| write(page, &shown))?;
    Ok(Outcome::Done)
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
    page.field(
        "without it",
        format_args!(
            "the error came in {:.0} % of {} comparable cases",
            100.0 * outcome.baseline.rate,
            outcome.baseline.samples
        ),
    );
    page.field("came again", if outcome.recurred { "yes" } else { "no" });
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
