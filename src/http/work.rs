//! The work on a request, apart from the connection that asked for it.

use std::sync::Arc;

use serde_json::Value;
use tracing::Instrument;

use super::App;
use super::problem::crowded;
use crate::api::access::Access;
use crate::api::catalog::{Answer, Registered};
use crate::api::problem::Problem;

/// The answer of a verb. It runs in a task of its own: what has begun is finished, whether or not somebody still listens.
pub(super) async fn answered(
    app: Arc<App>,
    verb: &'static Registered,
    access: Access,
    fields: Value,
) -> Result<Answer, Problem> {
    let time = app.limits.time;
    // The task keeps its place.
    let work = async move {
        let _place = app.room.try_acquire().map_err(|_| crowded())?;
        verb.call(access, fields).await
    };
    // What it logs belongs to the request.
    let work = tokio::spawn(work.in_current_span());
    match tokio::time::timeout(time, work).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(
            Problem::new("internal_error", "the verb ended before it had an answer")
                .with_hint("this is a fault of the program; report it with what you called"),
        ),
        Err(_) => Err(Problem::new(
            "answer_late",
            format!("there was no answer within {} s", time.as_secs()),
        )
        .with_hint("the work goes on; send the same request again to find out")),
    }
}
