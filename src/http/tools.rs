//! The route for agents: the guard of all routes, the memory and the caller that the head names, then MCP.
//!
//! What is no message is answered by an error of JSON-RPC with a status that fits, so that a client can tell its cause.

mod accept;

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Response, StatusCode, header};

use super::App;
use super::body::{body, is_json};
use super::problem::{answer, crowded, json_response, status};
use super::subject::access;
use crate::api::problem::Problem;
use crate::mcp::intake::{Fault, of_body};

/// Longest text of an answer of the SDK that is no JSON.
const TEXT_MAX: usize = 4_096;
/// What the SDK asks of a client; the answers are one or the other.
const BOTH: &str = "application/json, text/event-stream";

/// Answers an agent.
pub(super) async fn answered(State(app): State<Arc<App>>, request: Request) -> Response<Body> {
    match admitted(&app, request).await {
        Ok(request) => {
            let Ok(_place) = app.room.try_acquire() else {
                return answer(&crowded());
            };
            match message(&app, request).await {
                Ok(request) => as_error(app.tools.handle(request).await.map(Body::new)).await,
                Err(refusal) => refusal,
            }
        }
        Err(problem) => answer(&problem),
    }
}

/// The request with whose memory it is about and who asks.
async fn admitted(app: &App, mut request: Request) -> Result<Request, Problem> {
    let access = access(app, request.headers()).await?;
    request.extensions_mut().insert(access);
    Ok(request)
}

/// The request with a message that the SDK takes, else the answer.
async fn message(app: &App, request: Request) -> Result<Request, Response<Body>> {
    if request.method() != Method::POST {
        return Ok(request);
    }
    if !accept::takes(request.headers(), "application", "json") {
        let words = format!("answers are JSON; send `Accept: {BOTH}`");
        return Err(refused(StatusCode::NOT_ACCEPTABLE, words));
    }
    if !is_json(request.headers()) {
        let words = "the body is not said to be JSON; send `Content-Type: application/json`";
        return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, words));
    }
    let (mut head, stream): (Parts, Body) = request.into_parts();
    let bytes = body(app, Request::new(stream)).await;
    let bytes = bytes.map_err(|problem| refused(status(problem.code), problem.message))?;
    let message =
        of_body(&bytes).map_err(|fault| fault_response(StatusCode::BAD_REQUEST, &fault))?;
    head.headers
        .insert(header::ACCEPT, HeaderValue::from_static(BOTH));
    head.headers.remove(header::CONTENT_LENGTH);
    Ok(Request::from_parts(head, message.into()))
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
