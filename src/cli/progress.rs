//! A sign of life on stderr for work that takes long; nothing when nobody watches.

use std::future::Future;
use std::io::{IsTerminal, stderr};
use std::pin::pin;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that ends before this is not worth a word.
const QUIET: Duration = Duration::from_secs(2);
const TURN: Duration = Duration::from_millis(120);

/// Waits for `work`; says what is going on when it takes long and stderr is a terminal.
pub(crate) async fn watch<T>(what: &str, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    if !stderr().is_terminal() {
        return work.await;
    }
    tokio::select! {
        done = &mut work => return done,
        () = tokio::time::sleep(QUIET) => {}
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(TURN);
    let done = work.await;
    bar.finish_and_clear();
    done
}
