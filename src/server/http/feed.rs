//! The live feed of a memory: its events as they come, each with its tick as the id to resume from.
//!
//! ```text
//! GET /v1/memory/events?after=41    Accept: text/event-stream
//! id: 42
//! event: delta                       or `retrieval`
//! data: {"tick": 42, …}              as the same request without a stream lists it
//! ```
//!
//! A client that was cut off sends the last id as `Last-Event-ID`, to any instance, and misses nothing. Every round
//! checks again whether the caller may still read, so that a revoked key ends its feeds, too.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, Response};
use axum::response::sse::Event;
use futures_core::Stream;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::App;
use super::asked::Asked;
use super::problem::{answer, crowded, details, status, stopped};
use super::stream::response;
use super::subject::access;
use hindlore_api::catalog::{self, Registered};
use hindlore_api::problem::Problem;
use hindlore_api::responses::events::EventsResponse;
use hindlore_api::verb::Verb;
use hindlore_api::verbs::events::ListEvents;

/// Name of the streaming verb.
pub(super) const VERB: &str = ListEvents::NAME;
/// Feeds at the same time.
pub(super) const FEEDS_MAX: usize = 256;

/// Events that wait for a slow client before the feed waits, too.
const AHEAD: usize = 64;
/// Pause after a round that brought nothing.
const PAUSE: Duration = Duration::from_secs(1);

/// Begins a feed for a caller that may call the verb.
pub(super) async fn begun(
    app: Arc<App>,
    verb: &'static Registered,
    asked: Asked,
) -> Response<Body> {
    let headers = asked.headers.clone();
    let Ok(place) = app.feeds.clone().try_acquire_owned() else {
        return answer(&crowded());
    };
    // The first round reports faults of the request at once.
    let first = app.threads.run(async move {
        let request = request(&asked.headers, asked.value(verb)?)?;
        let first = asked.access.answer(request.clone()).await?;
        Ok((request, first))
    });
    let (request, first) = match first.await.unwrap_or_else(|_| Err(stopped())) {
        Ok(first) => first,
        Err(problem) => return answer(&problem),
    };
    let (sender, events) = channel(AHEAD);
    tokio::spawn(async move {
        let _place = place;
        go_on(&app, &headers, request, (first, sender)).await;
    });
    response(Events(events))
}

/// The request, from where the client was cut off.
fn request(headers: &HeaderMap, fields: Value) -> Result<ListEvents, Problem> {
    let mut request: ListEvents = catalog::read(fields)?;
    if let Some(last) = headers.get("last-event-id") {
        let tick = last.to_str().ok().and_then(|text| text.trim().parse().ok());
        request.after = tick.ok_or_else(|| {
            Problem::new(
                "invalid_query",
                "`Last-Event-ID` is not the tick of an event",
            )
            .with_hint("send the `id` of the last event that came")
        })?;
    }
    Ok(request)
}

async fn round(
    app: &Arc<App>,
    headers: &HeaderMap,
    request: &ListEvents,
) -> Result<EventsResponse, Problem> {
    let (asked, headers, request) = (app.clone(), headers.clone(), request.clone());
    let reading = async move { access(&asked, &headers).await?.answer(request).await };
    app.threads
        .run(reading)
        .await
        .unwrap_or_else(|_| Err(stopped()))
}

/// Sends events until the client leaves, the server stops, or the caller may not read any more.
async fn go_on(
    app: &Arc<App>,
    headers: &HeaderMap,
    mut request: ListEvents,
    (first, sender): (EventsResponse, Sender<Event>),
) {
    let mut ending = app.ending.clone();
    let mut found: Result<EventsResponse, Problem> = Ok(first);
    loop {
        let is_full = match found {
            Ok(page) => {
                request.after = page.next;
                let is_full = page.events.len() == request.limit;
                for event in page.events {
                    let told = Event::default()
                        .id(event.tick.to_string())
                        .event(event.kind.name())
                        .data(json!(event).to_string());
                    if sender.send(told).await.is_err() {
                        return;
                    }
                }
                is_full
            }
            // Too many requests of this caller, which is over in a moment.
            Err(problem) if problem.code == "rate_limited" => false,
            Err(problem) => {
                let told = details(&problem, status(problem.code)).to_string();
                let _ = sender
                    .send(Event::default().event("problem").data(told))
                    .await;
                return;
            }
        };
        if !is_full {
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = sender.closed() => return,
                _ = ending.changed() => return,
            }
        }
        found = round(app, headers, &request).await;
    }
}

/// The events of a channel.
struct Events(Receiver<Event>);

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx).map(|event| event.map(Ok))
    }
}
