//! A pool of threads, each of which owns a connection and runs one job at a time.
//!
//! One thread starts with the pool. Others start while more jobs wait than threads are free, since opening a connection
//! costs a short-lived process more than its only job.
//!
//! SQLite blocks, so it never runs on the caller's runtime. A job that has started runs to its end whether or not its
//! caller still waits, so a dropped future leaves no half-done transaction. A job that has not started is skipped once
//! its caller is gone.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tokio::sync::{mpsc, oneshot};

use super::error::{Failure, Result};
use super::presence::Presence;
use super::watch::OpenReader;

/// Jobs that may wait in the queue; further callers wait to hand in theirs.
const QUEUE: usize = 1024;

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

/// A queue of jobs and the threads that run them, each with its own connection.
pub(super) struct ConnectionPool {
    /// `None` only while the pool is being dropped: the threads end when the sender is gone.
    jobs: Option<mpsc::Sender<Job>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    shared: Arc<Shared>,
    name: String,
    /// The most threads.
    most: usize,
}

/// What the threads share.
struct Shared {
    /// The receiver cannot be shared. The thread that waits for a job holds the lock; the others wait for the lock.
    queue: Mutex<mpsc::Receiver<Job>>,
    presence: Arc<Presence>,
    /// Jobs that wait or run.
    open: AtomicUsize,
    more: Option<OpenReader>,
}

impl ConnectionPool {
    /// Starts a thread with a connection. With `more`, others open theirs until there are that many threads. `name` is
    /// that of the threads.
    pub(super) fn start(
        name: &str,
        connection: Connection,
        more: Option<(OpenReader, usize)>,
        presence: &Arc<Presence>,
    ) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel::<Job>(QUEUE);
        let (more, most) = more.unzip();
        let shared = Arc::new(Shared {
            queue: Mutex::new(queue),
            presence: Arc::clone(presence),
            open: AtomicUsize::new(0),
            more,
        });
        let own = Arc::clone(&shared);
        let first = thread::Builder::new().name(name.to_owned());
        let first = first.spawn(move || own.run_jobs(connection))?;
        Ok(Self {
            jobs: Some(jobs),
            threads: Mutex::new(vec![first]),
            shared,
            name: name.to_owned(),
            most: most.unwrap_or(1),
        })
    }

    /// Starts another thread if all of them have a job.
    fn grow(&self) {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = self.shared.open.load(Ordering::Relaxed).min(self.most);
        if threads.len() < wanted {
            let own = Arc::clone(&self.shared);
            let next = thread::Builder::new().name(self.name.clone());
            // Without it, the jobs wait for the threads that there are.
            threads.extend(next.spawn(move || own.run_more()));
        }
    }

    /// Runs `work` on one of the connections and returns its result; a panic comes back as [`Failure::Panicked`].
    pub(super) async fn run<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> Result<T> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let before = self.shared.open.fetch_add(1, Ordering::Relaxed);
        // Dropped with the job, whether it ran or its caller left before.
        let counted = Counted(Arc::clone(&self.shared));
        let job: Job = Box::new(move |connection| {
            let _counted = counted;
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
        if before > 0 && self.most > 1 {
            self.grow();
        }
        jobs.send(job).await.map_err(|_| Failure::Stopped)?;
        answered.await.unwrap_or(Err(Failure::Stopped))
    }
}

impl Drop for ConnectionPool {
    fn drop(&mut self) {
        // The threads end when the sender is gone, so it must go before they are joined.
        drop(self.jobs.take());
        let threads = self.threads.get_mut();
        for thread in threads.unwrap_or_else(PoisonError::into_inner).drain(..) {
            // A job may hold the last handle to the store, so this may run on a thread of the pool; it cannot join
            // itself.
            if thread.thread().id() != thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}

/// A job that counts as open until this is dropped.
struct Counted(Arc<Shared>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Shared {
    fn run_jobs(&self, mut connection: Connection) {
        loop {
            // The lock ends with this statement, so a job runs without it and the next thread may wait.
            let job = self
                .queue
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .blocking_recv();
            let Some(job) = job else { break };
            job(&mut connection);
        }
        if !self.presence.is_there() {
            // The connection that closes last deletes the log by its name, and that may be the log of another file by
            // now.
            let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
    }

    /// Runs jobs on a connection of its own. Another file may have the name by now; then each read says so.
    fn run_more(&self) {
        if let Some(open) = &self.more
            && let Ok(connection) = open()
        {
            self.run_jobs(connection);
        }
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let owned = || panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(owned).unwrap_or("no message").to_owned()
}
