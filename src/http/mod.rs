//! HTTP: the catalogue of verbs as a JSON API under `/v1`, described by an OpenAPI document.
//!
//! ```text
//! GET  /v1/bullets/list?status=active      a verb that reads: its fields are the query, but where a text may be long
//! POST /v1/bullets/add  {"text": "…"}      any other verb: its fields are the body
//!      Accept: text/event-stream           the same, with the steps of long work as they come
//! POST /v1/batch  {"calls": […]}            several of them, one after the other
//! GET  /v1/memory/events                   with `Accept: text/event-stream`: events as they come (see `feed`)
//! GET  /v1/openapi.json                    the description of all of them
//! POST /mcp                              the same verbs as tools for agents (see `mcp`)
//! GET  /healthz, /readyz                   whether the process lives, whether the store answers
//! GET  /.well-known/oauth-protected-resource     where tokens are to be had (RFC 9728)
//! GET  /metrics                            what was answered, how fast, and what is at work
//! ```
//!
//! The headers `Mnemograph-Tenant`, `Mnemograph-Learner` and `Mnemograph-Scope` choose the memory, `Mnemograph-Author`
//! names who asks; what is not named is the server's own. Errors are problem details (RFC 9457) with the code of the
//! command line. A verb runs apart from the connection that asked for it: a client that hangs up leaves a change whole.
//!
//! `Authorization: Bearer TOKEN` brings an API key, or a token of an OpenID provider. It says the tenant, perhaps the
//! learner, and how far its holder may go; a server that other machines reach lets in nobody without one. On loopback none is needed; requests for other host
//! names and from pages of other origins are refused there, which a browser on the same machine could be made to send.

mod audit_log;
mod batch;
mod batch_description;
mod body;
mod credentials;
mod description;
mod feed;
mod fields;
mod guard;
mod metrics;
#[cfg(feature = "oidc")]
mod oidc;
mod problem;
mod request_id;
#[cfg(feature = "oidc")]
mod resource;
mod routes;
mod stream;
mod subject;
#[cfg(feature = "mcp")]
mod tools;
#[cfg(feature = "otel")]
mod traced;
mod work;

use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

#[cfg(feature = "mcp")]
use crate::api::access::Access;
use crate::api::agents::Agents;
use crate::api::audit::SharedAuditor;
#[cfg(feature = "mcp")]
use crate::api::hint::Plain;
use crate::api::problem::Problem;
use crate::api::server::{Entry, Server, ServerLimits, Serving, Stop};
use crate::domain::memory::key::MemoryKey;
use crate::engine::Engine;

/// What every request needs.
struct App {
    engine: Engine,
    key: MemoryKey,
    author: Option<String>,
    agents: Arc<Agents>,
    limits: ServerLimits,
    entry: Entry,
    credentials: credentials::Credentials,
    auditor: Option<SharedAuditor>,
    metrics: metrics::Metrics,
    /// One permit for each request at work.
    room: Semaphore,
    /// One permit for each live feed, which is at work for a moment each second only.
    feeds: Arc<Semaphore>,
    /// Changes when the server is told to stop.
    ending: watch::Receiver<bool>,
    /// Answers agents.
    #[cfg(feature = "mcp")]
    tools: crate::mcp::Endpoint,
}

/// Serves until `stop`, then finishes running requests and the engine's owed records within the time of grace.
///
/// # Errors
/// `invalid_issuer`, `port_unavailable`, `audit_unwritable`, `audit_damaged`: before anybody is served.
pub fn serve(server: Server, stop: Stop) -> Result<Serving, Problem> {
    let Server {
        engine,
        key,
        author,
        listener,
        #[cfg(feature = "mcp")]
            tools: profile,
        agents,
        limits,
        entry,
        audit,
        ..
    } = server;
    let listener = listener
        .set_nonblocking(true)
        .and_then(|()| TcpListener::from_std(listener));
    let listener = listener.map_err(|error| {
        Problem::new(
            "port_unavailable",
            format!("the socket cannot be served: {error}"),
        )
        .with_hint("start the server again, or on another port")
    })?;
    let log = audit
        .as_deref()
        .map(audit_log::AuditLog::open)
        .transpose()?;
    let auditor = log.map(|log| Arc::new(log) as SharedAuditor);
    let credentials = credentials::Credentials::of(&entry)?;
    let (end, ending) = watch::channel(false);
    let room = limits.concurrent.clamp(1, Semaphore::MAX_PERMITS);
    #[cfg(feature = "mcp")]
    let tools = {
        let access = Access::new(engine.clone(), key.clone(), Arc::new(Plain))
            .with_agents(agents.clone())
            .by(author.clone());
        let handler = crate::mcp::Handler::new(access, profile, limits.time)?;
        crate::mcp::endpoint(handler, limits.body_bytes)
    };
    let app = Arc::new(App {
        #[cfg(feature = "mcp")]
        tools,
        engine,
        key,
        author,
        agents,
        limits,
        entry,
        credentials,
        auditor,
        metrics: metrics::Metrics::new(),
        room: Semaphore::new(room),
        feeds: Arc::new(Semaphore::new(feed::FEEDS_MAX)),
        ending,
    });
    Ok(Box::pin(served(app, listener, (stop, end))))
}

async fn served(
    app: Arc<App>,
    listener: TcpListener,
    (stop, end): (Stop, watch::Sender<bool>),
) -> Result<(), Problem> {
    // Small answers must not wait for more bytes.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let (engine, limits) = (app.engine.clone(), app.limits);
    let stopping = app.ending.clone();
    let graceful = async move {
        stop.await;
        // Feeds end, and the time of grace begins.
        let _ = end.send(true);
    };
    let serving = axum::serve(listener, routes::router(&app)).with_graceful_shutdown(graceful);
    tokio::select! {
        // Accepting goes on for ever: it ends by a stop alone.
        _ = serving.into_future() => {}
        () = late(stopping, limits.grace) => {
            tracing::warn!("requests were still at work when the server stopped");
        }
    }
    engine.drain().await;
    Ok(())
}

/// Is done when the time of grace after a stop is over.
async fn late(mut stopping: watch::Receiver<bool>, grace: Duration) {
    // The sender lives until then.
    let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
    tokio::time::sleep(grace).await;
}
