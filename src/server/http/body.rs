//! The body of a request: JSON, within the limits of size, time and room.
//!
//! A body is read after its sender was let in. It takes room for its bytes as they come, and holds it until the work on the
//! request is done.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::App;
use super::connections::Connection;
use super::problem::crowded;
use super::room::Share;
use hindlore_api::catalog::parse;
use hindlore_api::problem::Problem;

/// Time in which some of a body has to come.
const STALL_TIME: Duration = Duration::from_secs(10);

/// A body that has arrived.
#[derive(Default)]
pub(super) struct Arrived {
    pub(super) bytes: Vec<u8>,
    pub(super) share: Share,
}

impl Arrived {
    /// The fields that it holds. This takes time in proportion to the body, so it belongs to the work on the request.
    pub(super) fn fields(&self) -> Result<Value, Problem> {
        let text = std::str::from_utf8(&self.bytes).map_err(|error| {
            Problem::new("invalid_json", format!("the body is not UTF-8: {error}"))
        })?;
        parse(if text.trim().is_empty() { "{}" } else { text })
    }
}

/// Reads a body that is JSON.
///
/// `not_json`, `body_too_large` and `too_many_requests` before any of it is read, if the head is enough to decide;
/// `slow_body`.
pub(super) async fn json(app: &App, request: Request) -> Result<Arrived, Problem> {
    if !is_json(request.headers()) {
        let problem = Problem::new("not_json", "the body is not declared as JSON");
        return Err(problem.with_hint("send `Content-Type: application/json`"));
    }
    let connection = request.extensions().get::<Arc<Connection>>().cloned();
    read(app, connection.as_deref(), request.into_body()).await
}

/// Reads a body of any type.
///
/// # Errors
/// As `json`.
pub(super) async fn read(
    app: &App,
    connection: Option<&Connection>,
    body: Body,
) -> Result<Arrived, Problem> {
    let declared = body.size_hint().exact().unwrap_or_default();
    let declared = usize::try_from(declared).unwrap_or(usize::MAX);
    if declared > app.limits.body_bytes {
        return Err(too_large(app.limits.body_bytes));
    }
    let may_begin = connection.is_none_or(Connection::begin_hold);
    if app.room.available_permits() == 0 || !may_begin {
        return Err(crowded());
    }
    let mut arrived = Arrived {
        bytes: Vec::with_capacity(declared),
        ..Arrived::default()
    };
    let read = fill(app, &mut arrived, body).await;
    if connection.is_some_and(|one| !one.begin_work()) {
        return Err(slow());
    }
    read.map(|()| arrived)
}

async fn fill(app: &App, arrived: &mut Arrived, mut body: Body) -> Result<(), Problem> {
    let most = app.limits.body_bytes;
    let end = Instant::now() + app.limits.time;
    loop {
        let next = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx));
        let until = end.min(Instant::now() + STALL_TIME);
        let Some(part) = timeout_at(until, next).await.map_err(|_| slow())? else {
            return Ok(());
        };
        let part = part.map_err(|_| {
            Problem::new("invalid_json", "the body ended early").with_hint("send it again")
        })?;
        let Ok(part) = part.into_data() else {
            // Trailers contain nothing of use here.
            continue;
        };
        let length = arrived.bytes.len() + part.len();
        if length > most {
            return Err(too_large(most));
        }
        let room = &app.bodies;
        room.grow(&mut arrived.share, length, &app.connections)
            .await?;
        arrived.bytes.extend_from_slice(&part);
    }
}

pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn too_large(most: usize) -> Problem {
    let message = format!("the body has more than {most} bytes");
    Problem::new("body_too_large", message).with_hint("send it in parts")
}

fn slow() -> Problem {
    Problem::new("slow_body", "the body did not arrive in time")
        .with_hint("nothing was done; send it again")
}
