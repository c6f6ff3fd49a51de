//! A circuit breaker: while the server is unreachable, one task of this store probes it and all others wait.
//!
//! Without it, every waiting task would reconnect on its own, and a server that has just come back would meet all of
//! them at once. The breaker is local to a store; two stores of one process probe independently.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Mutex, OwnedMutexGuard, watch};
use tokio::time::{Instant, timeout_at};

/// The breaker that all tasks of one store share; clones are handles to the same one.
#[derive(Clone)]
pub(crate) struct CircuitBreaker {
    shared: Arc<Shared>,
}

struct Shared {
    /// Set when any task fails twice in a row, cleared by the next answer of the server.
    is_open: AtomicBool,
    /// Held by the task that probes. Dropping the permit passes the turn on, also when that task gives up or panics.
    probe: Arc<Mutex<()>>,
    /// Counts how often the breaker closed. Waiting tasks watch it instead of the flag, so that they cannot miss a
    /// server that comes back and is lost again between two looks.
    closings: watch::Sender<u64>,
}

/// The right to probe the server; its holder is the only task that tries.
pub(super) struct ProbePermit(#[allow(dead_code, reason = "held, not read")] OwnedMutexGuard<()>);

/// How a wait for the server ended.
pub(super) enum Waited {
    /// The server answered another task.
    Returned,
    /// It is this task's turn to probe.
    MyTurn(ProbePermit),
    /// The deadline passed first.
    TooLong,
}

impl CircuitBreaker {
    pub(super) fn new() -> Self {
        let shared = Shared {
            is_open: AtomicBool::new(false),
            probe: Arc::default(),
            closings: watch::Sender::new(0),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// True while the server is known not to answer.
    pub(crate) fn is_open(&self) -> bool {
        self.shared.is_open.load(Ordering::SeqCst)
    }

    /// Opens the breaker: the server could not be reached.
    pub(super) fn record_failure(&self) {
        self.shared.is_open.store(true, Ordering::SeqCst);
    }

    /// Closes the breaker: the server answered. Called for every answer, so it wakes others only on a change.
    pub(super) fn record_success(&self) {
        if self.shared.is_open.swap(false, Ordering::SeqCst) {
            self.shared.closings.send_modify(|closings| *closings += 1);
        }
    }

    /// Waits until the server answers another task, until it is this task's turn to probe, or until `deadline`.
    pub(super) async fn wait(&self, deadline: Instant) -> Waited {
        // Subscribe before looking at the flag: a closing in between then counts as a change and is not lost.
        let mut closings = self.shared.closings.subscribe();
        if !self.is_open() {
            return Waited::Returned;
        }
        let waiting = async {
            tokio::select! {
                _ = closings.changed() => Waited::Returned,
                turn = self.shared.probe.clone().lock_owned() => Waited::MyTurn(ProbePermit(turn)),
            }
        };
        timeout_at(deadline, waiting)
            .await
            .unwrap_or(Waited::TooLong)
    }
}
