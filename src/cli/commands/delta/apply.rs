//! Command `delta apply`: applies a delta from a file, exactly once.

use serde_json::Value;

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::input;
use crate::output::{Outcome, receipts};
use crate::session::Session;
use hindlore_api::delta_input::{DeltaInput, parse_delta};
use hindlore_api::problem::Problem;
use hindlore_api::responses::DeltaApplied;
use hindlore_api::verb::Verb;
use hindlore_api::verbs::deltas::{ApplyDelta, apply};
use hindlore_domain::memory::delta::DeltaId;

/// Fields that come from the file are not options.
pub(crate) const FORM: Form = Form::new(
    "delta.apply",
    &[
        (
            "operations",
            Typed::File("FILE|-", "File with the delta as JSON; `-` reads stdin"),
        ),
        ("expected_revision", Typed::Named("expect-revision")),
        ("author", Typed::Hidden),
        ("reasoning", Typed::Hidden),
        ("new_bullets", Typed::Hidden),
        ("update_bullets", Typed::Hidden),
        ("remove_bullets", Typed::Hidden),
    ],
);

/// Applies the delta in a file.
pub(crate) async fn run(session: &Session, mut request: Request) -> CommandResult {
    let text = input::text(&request.take_path("operations")).await?;
    let delta = with_typed(parse_delta(&text)?, &request)?;
    let access = session.access_to_write().await?;
    let applying = access.within::<ApplyDelta, _, _>(access.memory(), |context| async move {
        apply(&context, delta).await
    });
    let applied = session.wait("applying the delta", applying).await?;
    session
        .output
        .show(&applied, |page| receipts::applied(page, &applied))?;
    Ok(Outcome::from_verb::<ApplyDelta>(&applied))
}

/// Calls another verb whose answer is the receipt of a delta.
pub(crate) async fn receipt<V>(session: &Session, request: Request) -> CommandResult
where
    V: Verb<Answer = DeltaApplied>,
{
    let applied = session.answer::<V>("applying", request).await?;
    session
        .output
        .show(&applied, |page| receipts::applied(page, &applied))?;
    Ok(Outcome::from_verb::<V>(&applied))
}

/// The file's delta, overridden by typed options.
fn with_typed(file: DeltaInput, typed: &Request) -> Result<DeltaInput, Problem> {
    let id = typed.get("id").and_then(Value::as_str).map(DeltaId::parse);
    let id = id
        .transpose()
        .map_err(|reason| Problem::new("invalid_delta_id", reason))?;
    let revision = typed.get("expected_revision").and_then(Value::as_u64);
    let lenient = typed.get("lenient").and_then(Value::as_bool);
    Ok(DeltaInput {
        id: id.or(file.id),
        expected_revision: revision.or(file.expected_revision),
        lenient: lenient.or(file.lenient),
        ..file
    })
}
