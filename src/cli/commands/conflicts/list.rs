//! Command `conflicts list`: bullets and lessons that contradict each other.

use crate::commands::CommandResult;
use crate::form::{Form, Request};
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::conflicts::{OpenConflictsResponse, SideResponse};
use hindlore_api::verbs::conflicts::ListOpenConflicts;

pub(crate) const FORM: Form = Form::new("conflicts.list", &[]);

/// Lists open conflicts.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let shown = session
        .answer::<ListOpenConflicts>("listing", request)
        .await?;
    session.output.show(&shown, |page| write(page, &shown))?;
    Ok(Outcome::from_verb::<ListOpenConflicts>(&shown))
}

fn write(page: &mut Page, shown: &OpenConflictsResponse) {
    if shown.bullets.is_empty() && shown.lessons.is_empty() {
        page.line(Tone::Faint, "nothing found");
        return;
    }
    for pair in &shown.bullets {
        let reason = pair
            .reason
            .as_deref()
            .unwrap_or("they contradict each other");
        page.line(Tone::Heading, format_args!("conflict: {reason}"));
        side(page, &pair.first);
        side(page, &pair.second);
        page.gap();
    }
    for pair in &shown.lessons {
        page.line(
            Tone::Heading,
            format_args!("conflict: {}", pair.pair.reason),
        );
        let (first, second) = (page.id(pair.pair.first), page.id(pair.pair.second));
        page.line(Tone::Plain, format_args!("{first}  {}", pair.first_rule));
        page.line(Tone::Plain, format_args!("{second}  {}", pair.second_rule));
        page.gap();
    }
    if shown.more {
        page.line(Tone::Faint, "there are more; raise --limit");
    }
}

fn side(page: &mut Page, side: &SideResponse) {
    let id = page.id(side.id);
    let (helpful, harmful) = (side.helpful, side.harmful);
    page.line(
        Tone::Plain,
        format_args!("{id}  [+{helpful}/-{harmful}]  {}", side.content),
    );
}
