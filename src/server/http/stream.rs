//! Answers as server-sent events: the steps of a verb as they come, then its answer or its problem.
//!
//! ```text
//! event: step      {"next": "solver", "mode": "react", "answer": ""}
//! event: answer    what the same request without a stream is answered
//! event: problem   instead of an answer, its problem details
//! ```

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, header};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_core::Stream;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::App;
use super::asked::Asked;
use super::problem::{details, status};
use super::task::answered;
use hindlore_api::catalog::Registered;

/// True if a client takes events.
pub(super) fn is_wanted(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter();
    let mut kinds = accepted
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    kinds.any(|kind| {
        let name = kind.split(';').next().unwrap_or_default().trim();
        name.eq_ignore_ascii_case("text/event-stream")
    })
}

/// The events of a verb. The channel has no bound, since a verb has few steps and must not wait for a slow client.
pub(super) fn streamed(
    app: Arc<App>,
    verb: &'static Registered,
    mut asked: Asked,
) -> Response<Body> {
    let (sender, events) = unbounded_channel();
    let steps = sender.clone();
    asked.access = asked.access.telling(Arc::new(move |step| {
        // The listener is gone: the verb continues all the same.
        let _ = steps.send(event("step", &step.to_string()));
    }));
    tokio::spawn(async move {
        let last = match answered(app, verb, asked).await {
            Ok(text) => event("answer", &text),
            Err(problem) => {
                let details = details(&problem, status(problem.code));
                event("problem", &details.to_string())
            }
        };
        let _ = sender.send(last);
    });
    response(Events(events))
}

/// The answer that sends events as they come, also through a proxy that collects answers (nginx).
pub(super) fn response(
    events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static,
) -> Response<Body> {
    let events = Sse::new(events).keep_alive(KeepAlive::default());
    let mut response = events.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

fn event(name: &str, data: &str) -> Event {
    Event::default().event(name).data(data)
}

/// The events of a channel.
struct Events(UnboundedReceiver<Event>);

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx).map(|event| event.map(Ok))
    }
}
