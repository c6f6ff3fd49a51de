//! The work on a request, apart from the connection that asked for it, on a thread of its own.
//!
//! While verbs compute, the threads that read requests stay free, and the system shares the processors between the
//! running verbs. One client has at most `SHARE` of the threads. A read ends soon after its client leaves or its time is
//! over, and when its budget is spent; a change that has begun is finished.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::http::{HeaderMap, header};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::JoinHandle;
use tracing::Instrument;

use super::App;
use super::asked::Asked;
use super::connections::Connection;
use super::problem::crowded;
use hindlore_api::catalog::Registered;
use hindlore_api::compute::{compute, late_hint};
use hindlore_api::problem::Problem;
use hindlore_api::verb::Effect;

/// Verbs that compute at the same time.
const THREADS: usize = 64;
/// How many of them work for one client; the others of its requests wait.
const SHARE: usize = 48;
/// Maximum clients whose shares are remembered, in addition to those with running requests.
const CLIENTS_MAX: usize = 1_024;

/// The threads for verbs.
pub(super) struct Threads {
    engine: Handle,
    all: Arc<Semaphore>,
    shares: Mutex<HashMap<String, Weak<Semaphore>>>,
}

/// A client's share, and a thread.
pub(super) type Turn = (Option<OwnedSemaphorePermit>, Option<OwnedSemaphorePermit>);

impl Threads {
    /// Threads of the runtime that the engine lives in.
    pub(super) fn new(engine: Handle) -> Self {
        Self {
            engine,
            all: Arc::new(Semaphore::new(THREADS)),
            shares: Mutex::default(),
        }
    }

    /// Waits for one of the threads, in the order of the requests; it is free again when the turn is dropped.
    pub(super) async fn turn(&self, client: &str) -> Turn {
        let share = self.share_of(client);
        // They are never closed.
        (
            share.acquire_owned().await.ok(),
            self.all.clone().acquire_owned().await.ok(),
        )
    }

    /// Runs work on a thread of its own.
    pub(super) fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let engine = self.engine.clone();
        self.engine.spawn_blocking(move || engine.block_on(work))
    }

    /// Runs a task on the engine's runtime, for work that waits and does not compute.
    pub(super) fn spawn<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.engine.spawn(work)
    }

    fn share_of(&self, client: &str) -> Arc<Semaphore> {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = shares.get(client).and_then(Weak::upgrade) {
            return share;
        }
        if shares.len() >= CLIENTS_MAX {
            shares.retain(|_, share| share.strong_count() > 0);
        }
        let share = Arc::new(Semaphore::new(SHARE));
        shares.insert(client.to_owned(), Arc::downgrade(&share));
        share
    }
}

/// The client of the request, for the share of the threads: the holder of a credential, else an address.
pub(super) fn client(headers: &HeaderMap, connection: Option<&Connection>) -> String {
    let credential = headers.get(header::AUTHORIZATION);
    match credential.and_then(|value| value.to_str().ok()) {
        Some(credential) => credential.to_owned(),
        None => connection.map_or_else(String::new, |one| one.client().to_string()),
    }
}

/// The answer of a verb, as JSON.
pub(super) async fn answered(
    app: Arc<App>,
    verb: &'static Registered,
    asked: Asked,
) -> Result<String, Problem> {
    let words = Words {
        what: "verb",
        died: "this is a fault of the program; report it with your call",
        late: late_hint(verb.effect),
        client: client(&asked.headers, asked.connection.as_deref()),
        effect: verb.effect,
    };
    let work = async move {
        let fields = asked.value(verb)?;
        // Its room is held until the verb is done.
        let found = verb.call(asked.access.clone(), fields).await?;
        drop(asked);
        Ok(found.json)
    };
    apart(app, words, work).await
}

/// The client of the work, and the messages for a request that got no answer.
pub(super) struct Words {
    pub(super) what: &'static str,
    pub(super) died: &'static str,
    pub(super) late: &'static str,
    pub(super) client: String,
    pub(super) effect: Effect,
}

/// Does work on a thread of its own: a change that has begun is finished, whether or not the client still listens.
pub(super) async fn apart<T: Send + 'static>(
    app: Arc<App>,
    words: Words,
    work: impl Future<Output = Result<T, Problem>> + Send + 'static,
) -> Result<T, Problem> {
    let time = app.limits.time;
    let place = app.room.clone().try_acquire_owned();
    let place = place.map_err(|_| crowded())?;
    let is_read = words.effect == Effect::Reads;
    // Dropped when the client leaves and when the time is over: one ends a wait for the store, the other a computation.
    let (_listens, has_left) = oneshot::channel::<()>();
    let caller = Arc::new(());
    let waiting = Arc::downgrade(&caller);
    let work = async move {
        tokio::select! {
            done = work => done,
            _ = has_left, if is_read => Err(crowded()),
        }
    };
    let limits = (words.effect, app.limits.steps);
    let (what, died, late) = (words.what, words.died, words.late);
    // Its log lines belong to the request.
    let work = work.in_current_span();
    let work = tokio::spawn(async move {
        // The work keeps its place, and waits for a thread in the order of the requests.
        let _held = (place, app.threads.turn(&words.client).await);
        compute(&app.threads.engine, limits, waiting, work).await
    });
    match tokio::time::timeout(time, work).await {
        Ok(Ok(Ok(answer))) => answer,
        Ok(_) => {
            let message = format!("the {what} ended before it had an answer");
            Err(Problem::new("internal_error", message).with_hint(died))
        }
        Err(_) => {
            let message = format!("there was no answer within {} s", time.as_secs());
            let late = if is_read {
                "the work was ended; ask for less at once"
            } else {
                late
            };
            Err(Problem::new("answer_late", message).with_hint(late))
        }
    }
}
