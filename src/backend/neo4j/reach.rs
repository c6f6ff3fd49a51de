//! Whether the server can be reached: while it cannot, one unit of work of this store knocks and all the
//! others wait for it, so that a server that comes back is not met by everybody at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Mutex, OwnedMutexGuard, watch};
use tokio::time::{Instant, timeout_at};

/// What the units of work of one store know of the server.
#[derive(Clone)]
pub(super) struct Reach {
    shared: Arc<Shared>,
}

struct Shared {
    /// Set from the second failure in a row of any unit to the next answer of the server.
    is_down: AtomicBool,
    /// Held by the one that knocks.
    knocks: Arc<Mutex<()>>,
    /// Counts the answers that ended a time without; who waits sees it move.
    returns: watch::Sender<u64>,
}

/// The right to knock; whoever has it tries alone.
pub(super) struct Knocking(#[allow(dead_code, reason = "held, not read")] OwnedMutexGuard<()>);

/// How a wait for the server ended.
pub(super) enum Waited {
    /// Somebody got an answer.
    Returned,
    /// It is this unit's turn to knock.
    MyTurn(Knocking),
    /// The time was over before that.
    TooLong,
}

impl Reach {
    pub(super) fn new() -> Self {
        let shared = Shared {
            is_down: AtomicBool::new(false),
            knocks: Arc::default(),
            returns: watch::Sender::new(0),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// True while the server is known not to answer.
    pub(super) fn is_down(&self) -> bool {
        self.shared.is_down.load(Ordering::SeqCst)
    }

    /// Notes that the server could not be reached.
    pub(super) fn note_silence(&self) {
        self.shared.is_down.store(true, Ordering::SeqCst);
    }

    /// Notes that the server has answered.
    pub(super) fn note_answer(&self) {
        if self.shared.is_down.swap(false, Ordering::SeqCst) {
            self.shared.returns.send_modify(|returns| *returns += 1);
        }
    }

    /// Waits until the server answers somebody, or until it is this unit's turn to knock.
    pub(super) async fn wait(&self, deadline: Instant) -> Waited {
        let mut returns = self.shared.returns.subscribe();
        if !self.is_down() {
            return Waited::Returned;
        }
        let waiting = async {
            tokio::select! {
                _ = returns.changed() => Waited::Returned,
                turn = self.shared.knocks.clone().lock_owned() => Waited::MyTurn(Knocking(turn)),
            }
        };
        timeout_at(deadline, waiting)
            .await
            .unwrap_or(Waited::TooLong)
    }
}
