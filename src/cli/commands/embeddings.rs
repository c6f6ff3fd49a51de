//! Commands `embeddings`: the vectors of a memory, their computation, and their end.

use super::CommandResult;
use crate::form::{Form, Request};
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use crate::session::model_use::ModelUse;
use hindlore_api::responses::embeddings::EmbeddingsResponse;
use hindlore_api::verb::Verb;
use hindlore_api::verbs::embeddings::{BuildEmbeddings, DropEmbeddings, ShowEmbeddings};

pub(super) const STATUS: Form = Form::new("embeddings.status", &[]);
pub(super) const BUILD: Form = Form::new("embeddings.build", &[]);
pub(super) const DROP: Form = Form::new("embeddings.drop", &[]);

/// Shows the state.
pub(super) async fn status(session: &Session, request: Request) -> CommandResult {
    let request: ShowEmbeddings = request.read(session)?;
    answered(session, ("reading the vectors", None), request).await
}

/// Computes what is missing.
pub(super) async fn build(session: &Session, request: Request) -> CommandResult {
    session.use_model(ModelUse::Once);
    let request: BuildEmbeddings = request.read(session)?;
    answered(session, ("computing vectors", Some("computed")), request).await
}

/// Deletes all of them.
pub(super) async fn drop(session: &Session, request: Request) -> CommandResult {
    let request: DropEmbeddings = request.read(session)?;
    answered(session, ("deleting the vectors", Some("dropped")), request).await
}

async fn answered<V>(
    session: &Session,
    (doing, done): (&str, Option<&str>),
    request: V,
) -> CommandResult
where
    V: Verb<Answer = EmbeddingsResponse>,
{
    let access = session.access_of::<V>().await?;
    let work = access.answer(request);
    let shown = session
        .wait_counting(doing, || access.progress(), work)
        .await?;
    session
        .output
        .show(&shown, |page| write(page, done, &shown))?;
    Ok(Outcome::Done)
}

fn write(page: &mut Page, done: Option<&str>, shown: &EmbeddingsResponse) {
    let none = "none".to_owned();
    if let (Some(done), Some(count)) = (done, shown.changed) {
        page.line(Tone::Good, format_args!("{done} {count}"));
    }
    page.field("model", shown.model.as_ref().unwrap_or(&none));
    page.field("dimension", shown.dimension);
    page.field(
        "bullets",
        format_args!("{} of {} have a vector", shown.with_vector, shown.bullets),
    );
    page.field("bytes", shown.bytes);
    page.field("computes with", shown.configured.as_ref().unwrap_or(&none));
}
