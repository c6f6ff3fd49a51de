//! Progress of long work on stderr; nothing unless stderr is a terminal.

use std::future::Future;
use std::io::{IsTerminal, stderr};
use std::pin::pin;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this is not reported.
const QUIET: Duration = Duration::from_secs(2);
const TURN: Duration = Duration::from_millis(120);

/// Awaits `work`; reports progress if it takes long and stderr is a terminal.
pub async fn watch<T>(what: &str, work: impl Future<Output = T>) -> T {
    watch_counting(what, || (0, 0), work).await
}

/// As `watch`, for counted work: `count` returns the pieces done and their total.
pub(crate) async fn watch_counting<T>(
    what: &str,
    count: impl Fn() -> (u64, u64),
    work: impl Future<Output = T>,
) -> T {
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
    bar.enable_steady_tick(TURN);
    let done = loop {
        let (done, total) = count();
        bar.set_message(said(what, done, total));
        tokio::select! {
            done = &mut work => break done,
            () = tokio::time::sleep(TURN) => {}
        }
    };
    bar.finish_and_clear();
    done
}

/// The progress line, with count and share if known.
fn said(what: &str, done: u64, total: u64) -> String {
    if total == 0 {
        return what.to_owned();
    }
    let share = u128::from(done.min(total)) * 100 / u128::from(total);
    format!("{what}: {done} of {total}, {share} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_told_with_their_share() {
        assert_eq!(said("replaying", 0, 0), "replaying");
        assert_eq!(
            said("replaying", 500, 2_000),
            "replaying: 500 of 2000, 25 %"
        );
        assert_eq!(said("replaying", 7, 7), "replaying: 7 of 7, 100 %");
    }
}
