//! Command `errors capture`: writes steps of runs down, the failed ones as errors.

use serde::Serialize;

use super::CommandResult;
use crate::api::problem::Problem;
use crate::api::responses::lessons::CapturedResponse;
use crate::api::steps::{Numbering, StepDefaults, StepsRead, read_steps};
use crate::cli::args::lessons::{CaptureArgs, PlaceOptions};
use crate::cli::input;
use crate::cli::output::{Outcome, Tone, lessons, redacted};
use crate::cli::session::{OpenLessons, Session};
use crate::engine::clock::{SystemClock, WallClock};
use crate::engine::lessons::Captured;

/// Steps that are sent at once.
const BATCH: usize = 250;

/// What was captured, and what had to be replaced.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    captured: CapturedResponse,
    notes: Vec<String>,
}

/// Captures.
pub(crate) async fn run(session: &Session, args: CaptureArgs) -> CommandResult {
    let bytes = input::bytes(&args.file).await?;
    let read = read(&bytes, args.run, &args.place, Numbering::Store)?;
    let opened = session.open_lessons_to_write().await?;
    let notes = read.notes.clone();
    let captured =
        CapturedResponse::from(send(session, &opened, args.call.as_deref(), read).await?);
    let shown = Shown { captured, notes };
    session.output.show(&shown, |page| {
        let of = &shown.captured;
        page.line(Tone::Good, format_args!("{} errors are new", of.captured));
        page.field("known already", of.repeated);
        page.field("worked", of.worked);
        let errors: Vec<_> = of
            .steps
            .iter()
            .filter_map(|step| step.error.clone())
            .collect();
        if !errors.is_empty() {
            lessons::errors(page, &errors);
        }
        redacted::redacted(page, of.redacted.as_ref());
        let of_steps = of.steps.iter().flat_map(|step| step.notes.iter().cloned());
        lessons::notes(
            page,
            &of_steps.chain(shown.notes.clone()).collect::<Vec<_>>(),
        );
    })?;
    Ok(Outcome::found(!shown.captured.steps.is_empty()))
}

/// Reads steps, with what they do not say themselves.
pub(super) fn read(
    bytes: &[u8],
    run: Option<String>,
    place: &PlaceOptions,
    numbering: Numbering,
) -> Result<StepsRead, Problem> {
    let defaults = StepDefaults {
        run,
        place: place.place(),
        at: SystemClock.now(),
        numbering,
    };
    read_steps(bytes, &defaults)
}

/// Sends steps in batches: each is written as a whole or not at all. What is sent again counts once where its steps
/// have numbers, or the call has an id.
pub(super) async fn send(
    session: &Session,
    opened: &OpenLessons,
    call: Option<&str>,
    read: StepsRead,
) -> Result<Captured, Problem> {
    let mut all = Captured::default();
    let mut steps = read.steps.into_iter().peekable();
    for number in 0_usize.. {
        if steps.peek().is_none() {
            break;
        }
        let batch = steps.by_ref().take(BATCH).collect();
        let id = call.map(|call| match number {
            0 => call.to_owned(),
            later => format!("{call}+{later}"),
        });
        let work = opened
            .engine
            .capture_call(&opened.owner, id.as_deref(), batch);
        all.steps
            .extend(session.wait("capturing", work).await?.steps);
    }
    Ok(all)
}
