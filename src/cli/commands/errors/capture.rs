//! Command `errors capture`: records steps of runs, the failed ones as errors.

use serde_json::Value;

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::input;
use crate::output::{Outcome, Page, Tone, lessons, redacted};
use crate::session::Session;
use hindlore::clock::{SystemClock, WallClock};
use hindlore_api::responses::errors::CaptureResponse;
use hindlore_api::traces::read_trace;
use hindlore_api::verbs::errors::{CaptureErrors, capture};
use hindlore_domain::sharing::object::Object;

pub(crate) const FORM: Form = Form::new(
    "errors.capture",
    &[(
        "steps",
        Typed::FileOrStdin("FILE", "File to read; `-` reads stdin"),
    )],
)
.with_after_help(
    "FILE is a trace, of which the format is told from its content: a session of Claude Code or Codex, a conversation \
     with calls of tools, an event log of OpenHands, a trajectory of SWE-agent, results of tau-bench, spans of \
     OpenTelemetry, diagnostics of rustc as JSON, a transcript of a shell, or the log of a build. Or it is JSON of our \
     own form: one step, a list of steps, or one step a line. A step has any of run, step, error, action, state, \
     state_after, reason, exit_code, hard_failure, failed_constraints, progress, no_progress, efficiency, wasteful, \
     unsafe_action, allowed_steps, task, domain, tool, tags, plan_step, followed and at. `progress` is how much nearer \
     the goal came, in any unit: zero or less twice in a row is a failure, and so is unsafe_action alone. A step without \
     `step` gets the next number of its run; one with the number of another action is refused.",
);

/// Captures steps.
pub(crate) async fn run(session: &Session, mut request: Request) -> CommandResult {
    let bytes = input::bytes(&request.take_path("steps")).await?;
    request.set("steps", Value::Array(Vec::new()));
    let request: CaptureErrors = request.read(session)?;
    // Read as bytes: broken text is replaced and reported, and a truncated last line is skipped.
    let read = read_trace(&bytes, &request.defaults(SystemClock.now()))?;
    let access = session.access_of::<CaptureErrors>().await?;
    let work = access.within::<CaptureErrors, _, _>(Object::Learner, |context| async move {
        capture(&context, read, request.call.as_deref()).await
    });
    let shown = session
        .wait_counting("capturing", || access.progress(), work)
        .await?;
    session.output.show(&shown, |page| write(page, &shown))?;
    Ok(Outcome::from_verb::<CaptureErrors>(&shown))
}

fn write(page: &mut Page, shown: &CaptureResponse) {
    let of = &shown.captured;
    page.line(Tone::Good, format_args!("{} errors are new", of.captured));
    page.field("known already", of.repeated);
    page.field("worked", of.worked);
    let errors = of.steps.iter().filter_map(|step| step.error.clone());
    let errors: Vec<_> = errors.collect();
    if !errors.is_empty() {
        lessons::errors(page, &errors);
    }
    lessons::reading(page, &shown.reading);
    redacted::redacted(page, of.redacted.as_ref());
    for step in &of.steps {
        lessons::notes(page, &step.notes);
    }
    lessons::notes(page, &shown.notes);
}
