//! The route for agents: the guard of all routes, the memory and the caller that the head names, then MCP.
//!
//! Input that is no message is answered by an error of JSON-RPC with a fitting status, so that a client can see its
//! cause.

mod accept;

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Response, StatusCode, header};

use super::App;
use super::asked::let_in;
use super::body::{Arrived, is_json, read};
use super::connections::Connection;
use super::problem::{answer, crowded, json_response, status, stopped};
use super::task::client;
use crate::mcp::intake::{Fault, of_body};
use hindlore_api::problem::Problem;

/// Longest text of an answer of the SDK that is no JSON.
const TEXT_MAX: usize = 4_096;
/// The headers that the SDK requires of a client; answers have one or the other type.
const BOTH: &str = "application/json, text/event-stream";

/// Answers an agent.
pub(super) async fn answered(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    ran(app, request)
        .await
        .unwrap_or_else(|problem| answer(&problem))
}

async fn ran(app: Arc<App>, request: Request) -> Result<Response<Body>, Problem> {
    let access = let_in(&app, request.headers(), None).await?;
    let (mut head, body) = request.into_parts();
    head.extensions.insert(access);
    if head.method == Method::POST
        && let Some(refusal) = objection(&head)
    {
        return Ok(refusal);
    }
    let connection = head.extensions.get::<Arc<Connection>>().cloned();
    let client = client(&head.headers, connection.as_deref());
    let Arrived { bytes, share } = match read(&app, connection.as_deref(), body).await {
        Ok(arrived) => arrived,
        Err(problem) => return Ok(refused(status(problem.code), problem.message)),
    };
    let place = app.room.clone().try_acquire_owned();
    let place = place.map_err(|_| crowded())?;
    // The verb of a tool has a thread of its own.
    let work = app.clone().threads.spawn(async move {
        let _held = (place, share, app.threads.turn(&client).await);
        let message = match message(&mut head, bytes) {
            Ok(message) => message,
            Err(fault) => return fault_response(StatusCode::BAD_REQUEST, &fault),
        };
        let request = Request::from_parts(head, message);
        as_error(app.tools.handle(request).await.map(Body::new)).await
    });
    work.await.map_err(|_| stopped())
}

/// The refusal of a head whose message or answer would be no JSON.
fn objection(head: &Parts) -> Option<Response<Body>> {
    if !accept::takes(&head.headers, "application", "json") {
        let words = format!("answers are JSON; send `Accept: {BOTH}`");
        return Some(refused(StatusCode::NOT_ACCEPTABLE, words));
    }
    if !is_json(&head.headers) {
        let words = "the body is not said to be JSON; send `Content-Type: application/json`";
        return Some(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, words));
    }
    None
}

/// The body of a request in the form that the SDK takes.
fn message(head: &mut Parts, bytes: Vec<u8>) -> Result<Body, Fault> {
    if head.method != Method::POST {
        return Ok(Body::from(bytes));
    }
    let message = of_body(&bytes)?;
    head.headers
        .insert(header::ACCEPT, HeaderValue::from_static(BOTH));
    head.headers.remove(header::CONTENT_LENGTH);
    Ok(message.into())
}

/// An answer of the SDK; one that is a plain text becomes an error of JSON-RPC.
async fn as_error(response: Response<Body>) -> Response<Body> {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let allow = response.headers().get(header::ALLOW).cloned();
    let text = to_bytes(response.into_body(), TEXT_MAX).await;
    let text = text.unwrap_or_default();
    let words = match String::from_utf8_lossy(&text).trim() {
        "" => status.to_string(),
        words => words.to_owned(),
    };
    let mut response = refused(status, words);
    if let Some(allow) = allow {
        response.headers_mut().insert(header::ALLOW, allow);
    }
    response
}

fn refused(status: StatusCode, words: impl Into<String>) -> Response<Body> {
    fault_response(status, &Fault::invalid(None, words))
}

fn fault_response(status: StatusCode, fault: &Fault) -> Response<Body> {
    json_response(status, "application/json", &fault.value())
}
