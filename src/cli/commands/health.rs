//! Command `health`: how well a learner's lessons work.

use super::CommandResult;
use crate::form::{Form, Request};
use crate::output::words::plural;
use crate::output::{Outcome, Tone, lessons};
use crate::session::Session;
use crate::session::unknown_names;
use hindlore_api::verbs::store::ShowHealth;

pub(super) const FORM: Form = Form::new("store.health", &[]);

/// Shows the health of the lessons.
pub(super) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ShowHealth>("counting", request).await?;
    let share = |share: Option<f64>| match share {
        Some(share) => format!("{:.1} % of followed advice", 100.0 * share),
        None => "no advice was followed yet".to_owned(),
    };
    let voice = session.voice();
    session.output.show(&shown, |page| {
        page.line(Tone::Heading, "lessons");
        page.field(
            "lessons",
            format_args!(
                "{} promoted, {} candidates, {} observed, {} refuted, {} suppressed, {} archived",
                shown.promoted,
                shown.candidates,
                shown.observed,
                shown.refuted,
                shown.suppressed,
                shown.archived
            ),
        );
        page.field("conflicts", shown.conflicts);
        page.field(
            "errors",
            format_args!(
                "{}, {}",
                shown.errors,
                plural(shown.fingerprints, "fingerprint")
            ),
        );
        page.field(
            "runs",
            format_args!(
                "{} open, {} ended, {} of them control runs",
                shown.open_runs, shown.ended_runs, shown.control_runs
            ),
        );
        page.field(
            "uses",
            format_args!(
                "{}: {} helped, {} harmed, {} not followed or not tried again; {} withheld",
                shown.activations, shown.helped, shown.harmed, shown.neutral, shown.withheld
            ),
        );
        page.field("helped", share(shown.precision));
        page.field("harmed", share(shown.pollution));
        for one in &shown.lessons {
            page.line(Tone::Plain, &one.lesson.advice);
            page.line(
                Tone::Faint,
                format_args!(
                    "   {}: shown {}, followed {}, helped {}, prevented {}, not followed {}, its wrong form worked {}",
                    one.lesson.id,
                    one.shown,
                    one.followed,
                    one.helped,
                    one.prevented,
                    one.not_followed,
                    one.wrong_form_worked
                ),
            );
        }
        for one in &shown.changes {
            let (at, said) = (page.moment(one.change.at), lessons::changed(one, &voice));
            page.field("changed", format_args!("{at} {said}"));
        }
    })?;
    unknown_names::note_absent(session).await?;
    Ok(Outcome::Done)
}
