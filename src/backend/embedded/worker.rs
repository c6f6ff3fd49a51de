//! Threads that own connections and do work on them, one piece at a time each.
//!
//! SQLite blocks, so it never runs on the runtime of the callers. A piece of work that was started runs
//! to its end whether or not its caller still waits, so a dropped future leaves no half transaction; one
//! that was not started yet is skipped when nobody waits for it any more.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::error::{Failure, Result};

/// Pieces of work that wait in a lane before further callers wait to hand in theirs.
const QUEUE: usize = 1024;

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// A queue of work and the threads that do it, each with its own connection.
pub(super) struct Lane {
    /// Absent only while the lane is being dropped: the threads end when it is gone.
    jobs: Option<mpsc::Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Lane {
    /// Starts one thread for each connection.
    pub(super) fn start(name: &str, connections: Vec<Connection>) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel::<Job>(QUEUE);
        // The thread that waits for work holds the lock; the others wait for the lock instead.
        let queue = Arc::new(Mutex::new(queue));
        let mut lane = Self {
            jobs: Some(jobs),
            threads: Vec::with_capacity(connections.len()),
        };
        for connection in connections {
            let queue = Arc::clone(&queue);
            let thread = thread::Builder::new().name(name.to_owned());
            lane.threads
                .push(thread.spawn(move || work_off(connection, &queue))?);
        }
        Ok(lane)
    }

    /// Does `work` on one of the connections and gives its result.
    pub(super) async fn run<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            if answer.is_closed() {
                return;
            }
            let result = catch_unwind(AssertUnwindSafe(|| work(connection)))
                .unwrap_or_else(|panic| Err(Failure::Panicked(message_of(&*panic))));
            // A caller that left gets no answer; the work is done all the same.
            let _ = answer.send(result);
        });
        let jobs = self.jobs.as_ref().ok_or(Failure::Stopped)?;
        jobs.send(job).await.map_err(|_| Failure::Stopped)?;
        answered.await.unwrap_or(Err(Failure::Stopped))
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        drop(self.jobs.take());
        for thread in self.threads.drain(..) {
            // The last owner can be a closure that runs on the lane itself, which must not wait for
            // its own end.
            if thread.thread().id() != thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}

fn work_off(mut connection: Connection, queue: &Mutex<mpsc::Receiver<Job>>) {
    loop {
        let job = queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .blocking_recv();
        let Some(job) = job else { return };
        job(&mut connection);
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let owned = || panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(owned).unwrap_or("no message").to_owned()
}
