//! The requests that wait for one memory, and when the next group of them goes.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::time::timeout;

use super::error::EngineError;
use super::request::Request;

/// Requests of one group. Larger groups would hold the store's lock for too long.
const GROUP_MAX: usize = 64;
/// The part of a group's own time that the next one may wait for its company.
const GATHER_SHARE: u32 = 4;
/// The longest such wait.
const GATHER_MAX: Duration = Duration::from_millis(10);

/// The queue of a lane.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Rung when as many wait as were wanted.
    complete: Notify,
    /// Rung when something waits that cannot wait longer.
    due: Notify,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Request>,
    running: bool,
    /// Requests that the lane's task waits for; 0 while it does not wait.
    wanted: usize,
    /// When the first of those came that stand here and can wait.
    owed_since: Option<Instant>,
    /// What could not be written for now, until it is tried again. Counted among what waits, so that
    /// whoever owes more has to wait for it.
    held: VecDeque<Request>,
}

impl State {
    /// Puts what was held before all that came later; it is due.
    fn take_up_held(&mut self) {
        let later = std::mem::take(&mut self.waiting);
        self.waiting = std::mem::take(&mut self.held);
        self.waiting.extend(later);
        self.owed_since = None;
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a request into the queue. True: the lane was idle, and needs a task.
    pub(super) fn push(&self, request: Request) -> bool {
        let mut queue = self.state();
        if request.can_wait() {
            queue.owed_since.get_or_insert_with(Instant::now);
        }
        if matches!(request, Request::Flush(_)) {
            queue.take_up_held();
        }
        if !request.can_wait() || queue.waiting.len() + 1 >= GROUP_MAX {
            self.due.notify_one();
        }
        queue.waiting.push_back(request);
        if queue.wanted > 0 && queue.waiting.len() >= queue.wanted {
            queue.wanted = 0;
            self.complete.notify_one();
        }
        !std::mem::replace(&mut queue.running, true)
    }

    /// Waits a little for those who have just been answered: they mostly ask again at once. The first of
    /// them, or those who came meanwhile, would otherwise go without them, and two halves that wait for
    /// each other's transactions would never become one group.
    pub(super) async fn gather(&self, answered: usize, took: Duration) {
        if answered < 2 {
            return;
        }
        {
            let mut queue = self.state();
            if queue.waiting.len() >= GROUP_MAX {
                return;
            }
            queue.wanted = (queue.waiting.len() + answered).min(GROUP_MAX);
        }
        let patience = (took / GATHER_SHARE).min(GATHER_MAX);
        // Whether they came or not, work goes on; a late ring is heard at the next wait, and harmless.
        let _ = timeout(patience, self.complete.notified()).await;
        self.state().wanted = 0;
    }

    /// Takes the next group, or marks the lane idle.
    pub(super) fn next_group(&self) -> Option<Vec<Request>> {
        let mut queue = self.state();
        if queue.waiting.is_empty() {
            queue.running = false;
            return None;
        }
        let size = queue.waiting.len().min(GROUP_MAX);
        let group = queue.waiting.drain(..size).collect();
        // What stays is more than a group, and does not wait.
        queue.owed_since = None;
        Some(group)
    }

    /// True while requests wait or are carried out.
    pub(super) fn is_running(&self) -> bool {
        self.state().running
    }

    /// Number of requests that wait, those included that are tried again later.
    pub(super) fn waiting(&self) -> usize {
        let queue = self.state();
        queue.waiting.len() + queue.held.len()
    }

    /// True while nothing would be lost with this queue.
    pub(super) fn is_idle(&self) -> bool {
        !self.is_running() && self.waiting() == 0
    }

    /// Keeps what could not be written, with all of its kind that stands here, until it is released or a
    /// flush is asked for. Gives back the flushes that wait for it.
    pub(super) fn hold(&self, owed: Vec<Request>) -> Vec<Request> {
        let mut queue = self.state();
        queue.held.extend(owed);
        let mut flushes = Vec::new();
        for request in std::mem::take(&mut queue.waiting) {
            match request {
                Request::Owed(_) => queue.held.push_back(request),
                Request::Flush(_) => flushes.push(request),
                _ => queue.waiting.push_back(request),
            }
        }
        queue.owed_since = None;
        flushes
    }

    /// Lets what was held go with the next group. True: the lane needs a task for that.
    pub(super) fn release(&self) -> bool {
        let mut queue = self.state();
        if queue.held.is_empty() {
            return false;
        }
        queue.take_up_held();
        self.due.notify_one();
        !std::mem::replace(&mut queue.running, true)
    }

    /// How long all that stands here can still wait; absent when it is due, or when nothing is here.
    pub(super) fn rest_of(&self, window: Duration) -> Option<Duration> {
        let queue = self.state();
        if queue.waiting.len() >= GROUP_MAX || !queue.waiting.iter().all(Request::can_wait) {
            return None;
        }
        let rest = window.saturating_sub(queue.owed_since?.elapsed());
        (!rest.is_zero()).then_some(rest)
    }

    /// Waits until what stands here is due, at most so long.
    pub(super) async fn await_due(&self, rest: Duration) {
        // Rung when something comes that cannot wait.
        let _ = timeout(rest, self.due.notified()).await;
    }

    /// Drops what nobody waits for: the memory that it belongs to is gone.
    pub(super) fn drop_owed(&self) {
        let mut queue = self.state();
        queue.waiting.retain(|request| !request.can_wait());
        queue.held.clear();
        queue.owed_since = None;
        self.due.notify_one();
    }

    /// The lane's task has died: whoever waits hears of it.
    pub(super) fn stop(&self) {
        let mut queue = self.state();
        queue.running = false;
        for request in queue.waiting.drain(..) {
            request.fail(EngineError::Stopped);
        }
    }
}
