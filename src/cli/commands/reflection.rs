//! Commands about reflections: their forms, and their output for people.

use super::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::words::plural;
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::reflections::ReflectionResponse;
use hindlore_api::verbs::reflections::{Reflect, ReflectBatch, ShowReflection};
use hindlore_domain::playbook::sentence;

pub(super) const REFLECT: Form = Form::new(
    "reflection.reflect",
    &[("trajectory", Typed::Word("TRAJECTORY"))],
);
pub(super) const BATCH: Form = Form::new("reflection.batch", &[]);
pub(super) const SHOW: Form = Form::new("reflection.show", &[("reflection", Typed::Word("ID"))]);

/// Reflects on one trajectory.
pub(super) async fn reflect(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<Reflect>("reflecting", request).await?;
    session
        .output
        .show(&shown, |page| match &shown.reflection {
            Some(reflection) => write(page, reflection),
            None => page.line(
                Tone::Plain,
                "there is nothing to learn: one action that worked, or none",
            ),
        })?;
    Ok(Outcome::from_verb::<Reflect>(&shown))
}

/// Reflects on many.
pub(super) async fn batch(session: &Session, request: Request) -> CommandResult {
    let shown = session
        .answer::<ReflectBatch>("reflecting", request)
        .await?;
    session.output.show(&shown, |page| {
        let of = plural(shown.looked_at, "ended trajectory").replace("trajectorys", "trajectories");
        page.line(
            Tone::Plain,
            format_args!("{of}, {} worth learning from", shown.worth_learning),
        );
        match &shown.reflection {
            Some(reflection) => write(page, reflection),
            None if !shown.enough => page.line(
                Tone::Plain,
                "too few to say anything; --min-trajectories says how many it takes",
            ),
            None => page.line(Tone::Plain, "they show nothing that could be advice"),
        }
    })?;
    Ok(Outcome::from_verb::<ReflectBatch>(&shown))
}

/// Shows one that was made.
pub(super) async fn show(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ShowReflection>("reading", request).await?;
    session.output.show(&shown, |page| write(page, &shown))?;
    Ok(Outcome::Done)
}

fn write(page: &mut Page, shown: &ReflectionResponse) {
    page.line(Tone::Heading, &shown.id);
    if shown.insights.is_empty() && shown.proposals.is_empty() {
        page.line(Tone::Plain, "its steps show nothing that could be advice");
    }
    for one in &shown.insights {
        let steps: Vec<String> = one.steps.iter().map(u32::to_string).collect();
        page.line(
            Tone::Plain,
            format_args!("{}: {}", one.category, sentence(&one.pattern, &one.context)),
        );
        page.line(Tone::Faint, format_args!("    steps {}", steps.join(", ")));
    }
    // Those of one trajectory are its insights again.
    for one in shown.proposals.iter().filter(|_| shown.batch) {
        page.line(
            Tone::Plain,
            format_args!("{}: {}", one.category, sentence(&one.pattern, &one.context)),
        );
        page.line(
            Tone::Faint,
            format_args!(
                "    {} of them: {}",
                one.support,
                one.trajectories.join(", ")
            ),
        );
    }
}
