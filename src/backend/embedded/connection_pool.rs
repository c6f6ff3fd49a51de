//! A pool of threads, each of which owns a connection and runs one job at a time.
//!
//! SQLite blocks, so it never runs on the caller's runtime. A job that has started runs to its end whether or not its
//! caller still waits, so a dropped future leaves no half-done transaction. A job that has not started is skipped once
//! its caller is gone.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tokio::sync::{mpsc, oneshot};

use super::error::{Failure, Result};
use super::presence::Presence;

/// Jobs that may wait in the queue; further callers wait to hand in theirs.
const QUEUE: usize = 1024;

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// A queue of jobs and the threads that run them, each with its own connection.
pub(super) struct ConnectionPool {
    /// `None` only while the pool is being dropped: the threads end when the sender is gone.
    jobs: Option<mpsc::Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl ConnectionPool {
    /// Starts one thread for each connection; `name` is that of the threads.
    pub(super) fn start(
        name: &str,
        connections: Vec<Connection>,
        presence: &Arc<Presence>,
    ) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel::<Job>(QUEUE);
        // The receiver cannot be shared. The thread that waits for a job holds the lock; the others wait for the lock.
        let queue = Arc::new(Mutex::new(queue));
        let mut pool = Self {
            jobs: Some(jobs),
            threads: Vec::with_capacity(connections.len()),
        };
        for connection in connections {
            let (queue, presence) = (Arc::clone(&queue), Arc::clone(presence));
            let thread = thread::Builder::new().name(name.to_owned());
            pool.threads
                .push(thread.spawn(move || run_jobs(connection, &queue, &presence))?);
        }
        Ok(pool)
    }

    /// Runs `work` on one of the connections and returns its result; a panic comes back as [`Failure::Panicked`].
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
            // A panic must not end the thread: its connection would be lost to all later jobs. Unwinding drops the
            // transaction, which rolls it back, so the connection is sound afterwards.
            let result = catch_unwind(AssertUnwindSafe(|| work(connection)))
                .unwrap_or_else(|panic| Err(Failure::Panicked(message_of(&*panic))));
            // Fails when the caller left meanwhile; the work is done all the same.
            let _ = answer.send(result);
        });
        let jobs = self.jobs.as_ref().ok_or(Failure::Stopped)?;
        jobs.send(job).await.map_err(|_| Failure::Stopped)?;
        answered.await.unwrap_or(Err(Failure::Stopped))
    }
}

impl Drop for ConnectionPool {
    fn drop(&mut self) {
        // The threads end when the sender is gone, so it must go before they are joined.
        drop(self.jobs.take());
        for thread in self.threads.drain(..) {
            // A job may hold the last handle to the store, so this may run on a thread of the pool; it cannot join
            // itself.
            if thread.thread().id() != thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}

fn run_jobs(mut connection: Connection, queue: &Mutex<mpsc::Receiver<Job>>, presence: &Presence) {
    loop {
        // The lock ends with this statement, so a job runs without it and the next thread may wait.
        let job = queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .blocking_recv();
        let Some(job) = job else { break };
        job(&mut connection);
    }
    if !presence.is_there() {
        // The connection that closes last deletes the log by its name, and that may be the log of another file by now.
        let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let owned = || panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(owned).unwrap_or("no message").to_owned()
}
