//! The work on a request, apart from the connection that asked for it.

use std::sync::Arc;

use serde_json::Value;
use tracing::Instrument;

use super::App;
use super::problem::crowded;
use crate::api::access::Access;
use crate::api::catalog::{Answer, Registered};
use crate::api::problem::Problem;

/// The answer of a verb.
pub(super) async fn answered(
    app: Arc<App>,
    verb: &'static Registered,
    access: Access,
    fields: Value,
) -> Result<Answer, Problem> {
    let words = Words {
        what: "verb",
        died: "this is a fault of the program; report it with what you called",
        late: "the work goes on; send the same request again to find out",
    };
    let work = async move { verb.call(access, fields).await };
    apart(app, words, work).await
}

/// How a request that got no answer is told of it.
pub(super) struct Words {
    pub(super) what: &'static str,
    pub(super) died: &'static str,
    pub(super) late: &'static str,
}

/// Does work in a task of its own: what has begun is finished, whether or not somebody still listens.
pub(super) async fn apart<T: Send + 'static>(
    app: Arc<App>,
    words: Words,
    work: impl Future<Output = Result<T, Problem>> + Send + 'static,
) -> Result<T, Problem> {
    let time = app.limits.time;
    // The task keeps its place.
    let work = async move {
        let _place = app.room.try_acquire().map_err(|_| crowded())?;
        work.await
    };
    // What it logs belongs to the request.
    let work = tokio::spawn(work.in_current_span());
    match tokio::time::timeout(time, work).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => {
            let message = format!("the {} ended before it had an answer", words.what);
            Err(Problem::new("internal_error", message).with_hint(words.died))
        }
        Err(_) => {
            let message = format!("there was no answer within {} s", time.as_secs());
            Err(Problem::new("answer_late", message).with_hint(words.late))
        }
    }
}
