//! The resident process: takes calls from the socket, runs each as its own process would, and ends when idle.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::process::geteuid;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::signal::unix::{SignalKind, signal};

use super::engine_cache::Warm;
use super::place;
use super::wire::{Call, Ended, FRAME_MAX};

/// The result of a call: its exit code, stdout and stderr; absent if its own process is to run it.
pub(crate) type Ran = Option<(u8, Vec<u8>, Vec<u8>)>;

/// How often it looks whether it is still needed.
const LOOK: Duration = Duration::from_secs(2);
/// Quiet time after which the files are left as they are to be found.
const QUIET: Duration = Duration::from_millis(100);

/// Its place, given back when it ends.
struct Place {
    socket: PathBuf,
    _file: File,
}

impl Drop for Place {
    fn drop(&mut self) {
        // Before the lock is released: no other process has the place yet.
        let _ = fs::remove_file(&self.socket);
    }
}

/// Serves calls until none came for `idle`, until its files are gone, or until it is stopped.
pub(crate) async fn serve<R, F>(socket: &Path, idle: Duration, run: R) -> io::Result<()>
where
    R: Fn(Vec<String>, Option<String>, Arc<Warm>) -> F + Clone + Send + 'static,
    F: Future<Output = Ran> + Send,
{
    place::make_folder(socket)?;
    let Some(file) = place::take(socket)? else {
        return Ok(());
    };
    let _ = fs::remove_file(socket);
    let listener = UnixListener::bind(socket)?;
    let _place = Place {
        socket: socket.to_owned(),
        _file: file,
    };
    let mut told = signal(SignalKind::terminate())?;
    let warm = Arc::<Warm>::default();
    let running = Arc::<AtomicUsize>::default();
    let mut asked = Instant::now();
    let mut is_at_rest = true;
    loop {
        let wait = if is_at_rest { LOOK } else { QUIET };
        tokio::select! {
            accepted = listener.accept() => {
                let (stream, _) = accepted?;
                (asked, is_at_rest) = (Instant::now(), false);
                if stream.peer_cred().is_ok_and(|peer| peer.uid() == geteuid().as_raw()) {
                    let (run, warm, running) = (run.clone(), warm.clone(), running.clone());
                    running.fetch_add(1, Ordering::SeqCst);
                    tokio::spawn(async move {
                        // The caller is gone, or does it on its own.
                        let _ = answer(stream, warm, run, &running).await;
                        running.fetch_sub(1, Ordering::SeqCst);
                    });
                }
            }
            _ = told.recv() => break,
            () = tokio::time::sleep(wait) => {
                if running.load(Ordering::SeqCst) > 0 {
                    asked = Instant::now();
                } else if !is_at_rest {
                    warm.rest(|| running.load(Ordering::SeqCst) == 0).await;
                    is_at_rest = true;
                } else if asked.elapsed() > idle || warm.is_abandoned() {
                    break;
                }
            }
        }
    }
    // No new calls from here on; those that came get their answer.
    drop(listener);
    while running.load(Ordering::SeqCst) > 0 {
        tokio::time::sleep(QUIET).await;
    }
    Ok(())
}

async fn answer<R, F>(
    mut stream: UnixStream,
    warm: Arc<Warm>,
    run: R,
    running: &AtomicUsize,
) -> io::Result<()>
where
    R: Fn(Vec<String>, Option<String>, Arc<Warm>) -> F,
    F: Future<Output = Ran>,
{
    let length = usize::try_from(stream.read_u32().await?).unwrap_or(usize::MAX);
    if length > FRAME_MAX {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).await?;
    let call: Call = serde_json::from_slice(&bytes)?;
    let ran = run(call.words, call.stdin, warm.clone()).await;
    // Before the answer: its receiver may copy or replace the file at once.
    let is_alone = || running.load(Ordering::SeqCst) == 1;
    if is_alone() {
        warm.rest(is_alone).await;
    }
    let frames = match ran {
        Some((code, out, err)) => vec![serde_json::to_vec(&Ended::Exit(code))?, out, err],
        None => vec![serde_json::to_vec(&Ended::Declined)?],
    };
    let mut answer = Vec::new();
    for frame in frames {
        super::wire::write(&mut answer, &frame)?;
    }
    stream.write_all(&answer).await
}
