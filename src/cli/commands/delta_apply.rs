//! Command `delta apply`: a delta from a file, applied exactly once.

use super::CommandResult;
use crate::api::delta_input::parse_delta;
use crate::api::problem::Problem;
use crate::api::responses::DeltaApplied;
use crate::cli::args::delta::ApplyArgs;
use crate::cli::input;
use crate::cli::output::{Outcome, receipts};
use crate::cli::session::Session;
use crate::domain::memory::delta::{Delta, DeltaId};
use crate::engine::Engine;

/// Applies the delta of a file.
pub(crate) async fn run(session: &Session, args: ApplyArgs) -> CommandResult {
    let text = input::text(&args.file).await?;
    let (delta, notes) = delta_of(&text, &args, session)?;
    let memory = session.open_to_write().await?;
    let work = memory.engine.apply_delta(&memory.key, delta);
    let applied = session.wait("applying the delta", work).await?;
    let shown = DeltaApplied {
        notes,
        ..DeltaApplied::from(applied)
    };
    session
        .output
        .show(&shown, |page| receipts::applied(page, &shown))?;
    Ok(Outcome::found(!shown.is_refused))
}

/// What the file says, with what was typed over it, and what had to be replaced in it.
fn delta_of(
    text: &str,
    args: &ApplyArgs,
    session: &Session,
) -> Result<(Delta, Vec<String>), Problem> {
    let input = parse_delta(text)?;
    let id = match &args.id {
        Some(raw) => {
            Some(DeltaId::parse(raw).map_err(|reason| Problem::new("invalid_delta_id", reason))?)
        }
        None => input.id,
    };
    let id = id.map_or_else(Engine::fresh_delta_id, Ok)?;
    let mut delta = Delta::new(id, input.operations);
    delta.reasoning = input.reasoning;
    delta.expected_revision = args.expect_revision.or(input.expected_revision);
    delta.lenient = args.lenient || input.lenient.unwrap_or_default();
    delta.origin.author = session.typed_author().or(input.author);
    Ok((delta, input.notes))
}
