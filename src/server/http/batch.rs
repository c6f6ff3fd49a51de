//! Several calls in one request: `POST /v1/batch`.
//!
//! They run one after the other and each answers or fails for itself. Each is a call of its own: when its turn comes,
//! its credential is looked up again, and it counts against the rate of its holder. So a key that is revoked ends its
//! batch, too. It is no transaction: changes that belong together are one delta. A client that hangs up leaves a batch
//! that ran to its end.

use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Response, StatusCode};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::asked::let_in;
use super::connections::Connection;
use super::description::{BATCH as NAME, CALLS_MAX};
use super::problem::{answer, details, json_text, status};
use super::subject::{access, access_again};
use super::task::{Words, apart, client};
use super::{App, body, room};
use hindlore_api::access::Access;
use hindlore_api::catalog;
use hindlore_api::problem::Problem;
use hindlore_api::verb::Effect;

/// The request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Batch {
    calls: Vec<Call>,
    #[serde(default)]
    stop_at_problem: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    verb: String,
    #[serde(default)]
    request: Map<String, Value>,
}

/// Answers a batch.
pub(super) async fn answered(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    let began = Instant::now();
    let at_work = app.metrics.begin();
    let response = match ran(app.clone(), request).await {
        Ok(answers) => json_text(StatusCode::OK, "application/json", answers),
        Err(problem) => answer(&problem),
    };
    drop(at_work);
    let status = response.status().as_u16();
    app.metrics.end(NAME, status, began.elapsed());
    response
}

async fn ran(app: Arc<App>, request: Request) -> Result<Bytes, Problem> {
    // It counts as the first call.
    let_in(&app, request.headers(), None).await?;
    let headers = request.headers().clone();
    let connection = request.extensions().get::<Arc<Connection>>().cloned();
    let words = Words {
        what: NAME,
        died: "read its results, then send the rest again",
        late: "the work continues; send fewer calls at once",
        client: client(request.headers(), connection.as_deref()),
        effect: Effect::Writes,
    };
    let body = body::json(&app, request).await?;
    let caller = app.clone();
    let work = async move {
        let batch = parsed(body.fields()?)?;
        Ok(in_order(&caller, &headers, batch).await.to_string())
    };
    let text = apart(app.clone(), words, work).await?;
    room::sent(&app, connection.as_deref(), text, Effect::Writes).await
}

fn parsed(fields: Value) -> Result<Batch, Problem> {
    let invalid = |message: String| {
        Problem::new("invalid_request", message).with_hint(
            "send {\"calls\": [{\"verb\": \"bullets.add\", \"request\": {\"text\": \"…\"}}]}",
        )
    };
    let batch: Batch =
        serde_json::from_value(fields).map_err(|error| invalid(error.to_string()))?;
    match batch.calls.len() {
        1..=CALLS_MAX => Ok(batch),
        count => Err(invalid(format!(
            "a batch has 1 to {CALLS_MAX} calls, not {count}"
        ))),
    }
}

async fn in_order(app: &App, headers: &HeaderMap, batch: Batch) -> Value {
    let mut answers = Vec::with_capacity(batch.calls.len());
    let mut is_stopped = false;
    for (place, call) in batch.calls.into_iter().enumerate() {
        if is_stopped {
            break;
        }
        let access = match place {
            0 => access_again(app, headers).await,
            _ => access(app, headers).await,
        };
        let answered = match access {
            Ok(access) => one(access, call).await,
            Err(refused) => Err(refused),
        };
        answers.push(match answered {
            Ok(value) => json!({ "answer": value }),
            Err(problem) => {
                is_stopped = batch.stop_at_problem;
                json!({ "problem": details(&problem, status(problem.code)) })
            }
        });
    }
    json!({ "answers": answers })
}

async fn one(access: Access, call: Call) -> Result<Value, Problem> {
    let verb = catalog::find(&call.verb)?;
    let request = Value::Object(call.request);
    Ok(verb.call(access, request).await?.value())
}
