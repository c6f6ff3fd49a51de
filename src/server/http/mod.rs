//! HTTP: the catalogue of verbs as a JSON API under `/v1`, described by an OpenAPI document.
//!
//! ```text
//! GET  /v1/bullets/list?status=active      a verb that reads: its fields are the query, but where a text may be long
//! POST /v1/bullets/add  {"text": "…"}      any other verb: its fields are the body
//!      Accept: text/event-stream           the same, with the steps of long work as they come
//! GET  /v1/bullets/b_…                    a resource: a verb at the address where people look for it
//! POST /v1/batch  {"calls": […]}            several of them, one after the other
//! GET  /v1/memory/events                   with `Accept: text/event-stream`: events as they come (see `feed`)
//! GET  /v1/openapi.json                    the description of all of them
//! GET  /docs                               the same as a page, from which they can be tried
//! POST /mcp                              the same verbs as tools for agents (see `mcp`)
//! GET  /healthz, /readyz                   whether the process lives, whether the store answers
//! GET  /.well-known/oauth-protected-resource     where tokens are to be had (RFC 9728)
//! GET  /metrics                            answered requests, their times, running work
//! ```
//!
//! The headers `Hindlore-Tenant`, `Hindlore-Learner` and `Hindlore-Scope` choose the memory, `Hindlore-Author` names
//! the caller; a missing header means the server's own value. Errors are problem details (RFC 9457) with the code of
//! the command line. A verb runs apart from the connection that asked for it: a client that hangs up leaves a change
//! whole.
//!
//! `Authorization: Bearer TOKEN` brings an API key, or a token of an OpenID provider. It determines the tenant, perhaps
//! the learner, and its holder's rights; a server that other machines reach lets in no one without one. On loopback
//! none is needed; requests for other host names and from pages of other origins are refused there, which a browser on
//! the same machine could be made to send.

mod accepting;
mod asked;
mod audit_files;
mod audit_log;
mod batch;
mod body;
mod connections;
mod credentials;
mod description;
mod docs;
mod feed;
mod fields;
mod metrics;
#[cfg(feature = "oidc")]
mod oidc;
mod open_files;
mod origin_check;
mod problem;
mod readiness;
mod request_id;
#[cfg(feature = "oidc")]
mod resource;
mod resources;
mod room;
mod routes;
mod stream;
mod subject;
mod task;
#[cfg(feature = "mcp")]
mod tools;
#[cfg(feature = "otel")]
mod traced;

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use hindlore::Engine;
#[cfg(feature = "mcp")]
use hindlore_api::access::Access;
use hindlore_api::agents::Agents;
use hindlore_api::audit::SharedAuditor;
#[cfg(feature = "mcp")]
use hindlore_api::hint::Plain;
use hindlore_api::problem::Problem;
use hindlore_api::server::{Entry, Server, ServerLimits, Serving, Stop};
use hindlore_domain::memory::key::MemoryKey;

/// Pause between two looks at the counts of refused requests.
const COUNTS_PAUSE: Duration = Duration::from_secs(60);

/// The context of every request.
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
    /// One permit for each running request.
    room: Arc<Semaphore>,
    /// For bodies on their way.
    bodies: room::Room,
    connections: Arc<connections::Connections>,
    /// Where verbs compute.
    threads: task::Threads,
    readiness: readiness::Readiness,
    /// One permit for each live feed, which is active for a moment each second only.
    feeds: Arc<Semaphore>,
    /// Changes when the server is stopped.
    ending: watch::Receiver<bool>,
    /// Answers agents.
    #[cfg(feature = "mcp")]
    tools: crate::mcp::Endpoint,
}

/// Serves until `stop`, then finishes running requests and the engine's owed records within the time of grace.
///
/// `invalid_issuer`, `port_unavailable`, `audit_unwritable`, `audit_damaged`: before any request is served.
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
    let io = Io::new().map_err(|error| unserved(&error))?;
    let listener = io.listen(listener).map_err(|error| unserved(&error))?;
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
        let handler = crate::mcp::Handler::new(access, profile, limits)?;
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
        room: Arc::new(Semaphore::new(room)),
        bodies: room::Room::new(limits.body_bytes),
        connections: connections::Connections::new(),
        threads: task::Threads::new(Handle::current()),
        readiness: readiness::Readiness::default(),
        feeds: Arc::new(Semaphore::new(feed::FEEDS_MAX)),
        ending,
    });
    Ok(Box::pin(served(app, (io, listener), (stop, end))))
}

async fn served(
    app: Arc<App>,
    (io, listener): (Io, TcpListener),
    (stop, end): (Stop, watch::Sender<bool>),
) -> Result<(), Problem> {
    let (engine, grace) = (app.engine.clone(), app.limits.grace);
    let router = routes::router(&app);
    if let Some(auditor) = app.auditor.clone() {
        io.handle.spawn(flush_counts(auditor));
    }
    let mut accepting = io
        .handle
        .spawn(accepting::accept(app.clone(), listener, router));
    let is_over = tokio::select! {
        () = stop => false,
        // It ends by a stop alone.
        _ = &mut accepting => true,
    };
    // Feeds end, and the time of grace begins.
    let _ = end.send(true);
    if !is_over && timeout(grace, accepting).await.is_err() {
        tracing::warn!("requests were still running when the server stopped");
    }
    engine.drain().await;
    match &app.auditor {
        Some(auditor) => auditor.flush(),
        None => Ok(()),
    }
}

/// The threads that accept connections and read requests, apart from those that compute.
struct Io {
    handle: Handle,
    runtime: Option<Runtime>,
}

impl Io {
    const THREADS: usize = 2;

    fn new() -> std::io::Result<Self> {
        let mut builder = Builder::new_multi_thread();
        let builder = builder.worker_threads(Self::THREADS).enable_all();
        let runtime = builder.build()?;
        Ok(Self {
            handle: runtime.handle().clone(),
            runtime: Some(runtime),
        })
    }

    fn listen(&self, listener: std::net::TcpListener) -> std::io::Result<TcpListener> {
        let _inside = self.handle.enter();
        listener.set_nonblocking(true)?;
        TcpListener::from_std(listener)
    }
}

impl Drop for Io {
    fn drop(&mut self) {
        // It is dropped where waiting is not allowed.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Writes the counts of refused requests of a quiet server.
async fn flush_counts(auditor: SharedAuditor) {
    loop {
        sleep(COUNTS_PAUSE).await;
        if let Err(problem) = auditor.flush() {
            tracing::warn!(problem = problem.message, "refusals were not noted");
        }
    }
}

fn unserved(error: &std::io::Error) -> Problem {
    let message = format!("the socket cannot be served: {error}");
    Problem::new("port_unavailable", message)
        .with_hint("start the server again, or on another port")
}
