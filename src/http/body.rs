//! The body of a request: JSON, within the limits of size and time.

use axum::body::{Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use serde_json::Value;

use super::App;
use crate::api::catalog::parse;
use crate::api::problem::Problem;

/// The fields of a body.
pub(super) async fn fields_of_body(app: &App, request: Request) -> Result<Value, Problem> {
    if !is_json(request.headers()) {
        let problem = Problem::new("not_json", "the body is not said to be JSON");
        return Err(problem.with_hint("send `Content-Type: application/json`"));
    }
    let body = body(app, request).await?;
    let text = std::str::from_utf8(&body)
        .map_err(|error| Problem::new("invalid_json", format!("the body is not UTF-8: {error}")))?;
    parse(if text.trim().is_empty() { "{}" } else { text })
}

pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

pub(super) async fn body(app: &App, request: Request) -> Result<Bytes, Problem> {
    let limits = &app.limits;
    let read = to_bytes(request.into_body(), limits.body_bytes);
    match tokio::time::timeout(limits.time, read).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(_)) => {
            let most = limits.body_bytes;
            let message = format!("the body ended early, or has more than {most} bytes");
            Err(Problem::new("body_too_large", message).with_hint("send it in parts"))
        }
        Err(_) => Err(Problem::new("slow_body", "the body did not arrive in time")
            .with_hint("nothing was done; send it again")),
    }
}
