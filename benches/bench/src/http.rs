//! `hindlore-bench http`: a retrieval over HTTP, compared with the library's own, and with a handler that does nothing.
//!
//! All three run in this process on the same memory and take turns call by call; one client with one connection asks,
//! so that the figure is the time of an answer, not of a crowd. Each retrieval is recorded; durable ones are on disk
//! when they are answered, grouped ones up to 20 ms later.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::post;
use serde_json::json;
use tokio::sync::oneshot;

use super::client::Client;
use super::memory::{Filled, NAMES};
use super::{EvalError, Goal, Progress, Ratio, Report, Row, Samples};
use hindlore::clock::SystemClock;
use hindlore::{Durability, Engine, EngineOptions, RetrieveRequest};
use hindlore_api::agents::Agents;
use hindlore_api::server::{Entry, Server, ServerLimits, ToolProfile};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};

/// How many times the library's own retrieval one over HTTP may take.
const AIM: f64 = 1.5;
/// Calls that are not counted, which find caches cold.
const WARM: u64 = 50;

/// Measures on a file below `folder`.
///
/// # Errors
/// When the file cannot be written, or a server does not answer.
pub async fn http(
    folder: &Path,
    size: usize,
    calls: u64,
    progress: Progress<'_>,
) -> Result<Report, EvalError> {
    progress("a memory is written");
    let filled = Filled::new(folder, size, true).await?;
    let questions: Vec<String> = (0..256).map(|at| filled.question(at).to_owned()).collect();
    let path = filled.path.clone();
    drop(filled);
    let bare = bare().await?;
    let mut report = Report::new("http");
    let window = Duration::from_millis(20);
    for (name, durability) in [
        ("durable", Durability::Durable),
        ("grouped", Durability::Grouped { window }),
    ] {
        progress(&format!("{name} retrievals"));
        let side = Side::open(&path, durability, bare)?;
        let times = side.race(&questions, calls).await?;
        times.report(name, size as u64, &mut report);
    }
    Ok(report)
}

/// An engine, a server over it, and the handler that does nothing.
struct Side {
    engine: Engine,
    key: MemoryKey,
    server: SocketAddr,
    bare: SocketAddr,
    /// Ends the server when it is dropped.
    _stop: oneshot::Sender<()>,
}

impl Side {
    fn open(path: &Path, durability: Durability, bare: SocketAddr) -> Result<Self, EvalError> {
        let store = EmbeddedStore::open(path, EmbeddedOptions::default()).map_err(failed)?;
        let options = EngineOptions {
            durability,
            consolidate_above: None,
            ..EngineOptions::default()
        };
        let engine = Engine::new(Arc::new(store), Arc::new(SystemClock), options);
        let [tenant, learner, scope] = NAMES;
        let key = MemoryKey::new(tenant, learner, scope).map_err(failed)?;
        let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
        let server = listener.local_addr().map_err(failed)?;
        let (stop, stopped) = oneshot::channel();
        let serving = hindlore_server::http::serve(
            Server {
                engine: engine.clone(),
                key: key.clone(),
                author: None,
                listener,
                tools: ToolProfile::Default,
                agents: Arc::new(Agents::default()),
                limits: ServerLimits::default(),
                entry: Entry::default(),
                audit: None,
            },
            Box::pin(async move {
                let _ = stopped.await;
            }),
        );
        tokio::spawn(serving.map_err(failed)?);
        Ok(Self {
            engine,
            key,
            server,
            bare,
            _stop: stop,
        })
    }

    async fn race(&self, questions: &[String], calls: u64) -> Result<Times, EvalError> {
        let (mut server, mut bare) = (Client::to(self.server)?, Client::to(self.bare)?);
        let mut times = Times::default();
        for number in 0..WARM + calls {
            let question = &questions[usize::try_from(number).unwrap_or(0) % questions.len()];
            let body = json!({"query": question}).to_string();
            let own = self.own(question).await?;
            // Each answer is as long as the other's, so that only the work between differs.
            let (over_http, client) = asked(server, "/v1/retrieve", &body).await?;
            server = client;
            let (nothing, client) = asked(bare, "/", &body).await?;
            bare = client;
            if number >= WARM {
                times.own.push(own);
                times.over_http.push(over_http);
                times.nothing.push(nothing);
            }
        }
        Ok(times)
    }

    /// Seconds of the library's own retrieval, in a task as a server's handler runs.
    async fn own(&self, question: &str) -> Result<f64, EvalError> {
        let (engine, key) = (self.engine.clone(), self.key.clone());
        let request = RetrieveRequest::new(Query::new(question));
        let began = Instant::now();
        let task = tokio::spawn(async move { engine.retrieve(&key, request).await });
        task.await.map_err(failed)?.map_err(failed)?;
        Ok(began.elapsed().as_secs_f64())
    }
}

/// A server whose only handler reads a body and answers nothing.
async fn bare() -> Result<SocketAddr, EvalError> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let routes = Router::new().route("/", post(|_body: String| async { "{}" }));
    tokio::spawn(axum::serve(listener, routes).into_future());
    Ok(address)
}

/// Seconds of a request. The client blocks, so it has a thread of its own meanwhile.
async fn asked(
    mut client: Client,
    route: &'static str,
    body: &str,
) -> Result<(f64, Client), EvalError> {
    let body = body.to_owned();
    let asking = tokio::task::spawn_blocking(move || {
        let began = Instant::now();
        client.ask(route, &body)?;
        Ok((began.elapsed().as_secs_f64(), client))
    });
    asking.await.map_err(failed)?
}

/// Seconds of the calls.
#[derive(Default)]
struct Times {
    own: Vec<f64>,
    over_http: Vec<f64>,
    nothing: Vec<f64>,
}

impl Times {
    fn report(self, name: &str, size: u64, report: &mut Report) {
        let [own, over_http, nothing] = [self.own, self.over_http, self.nothing].map(Samples::new);
        for (word, share) in [("p50", 0.5), ("p99", 0.99)] {
            let (ours, library) = (over_http.quantile(share), own.quantile(share));
            let row = Row::measured(format!("{name}, {word}"), ours, "s")
                .of_size(size)
                .beside("the library", library, Ratio::OursToTheirs);
            let is_aimed_at = word == "p50" && name == "durable";
            report.push(if is_aimed_at {
                row.with_goal(Goal::RatioAtMost(AIM))
            } else {
                row
            });
            let nothing = nothing.quantile(share);
            let row = Row::measured(format!("{name}, {word}, beside a bare handler"), ours, "s");
            report.push(
                row.of_size(size)
                    .beside("a bare handler", nothing, Ratio::OursToTheirs),
            );
        }
    }
}

fn failed(why: impl ToString) -> EvalError {
    EvalError::new(
        why.to_string(),
        "look at the folder for temporary files, and try again",
    )
}
