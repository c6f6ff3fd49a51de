//! Progress of long work on stderr; nothing unless stderr is a terminal.

use std::future::Future;
use std::io::{IsTerminal, stderr};
use std::pin::pin;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this is not reported.
const QUIET: Duration = Duration::from_secs(1);
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
    let began = Instant::now();
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
        bar.set_message(said(what, (done, total), began.elapsed()));
        tokio::select! {
            done = &mut work => break done,
            () = tokio::time::sleep(TURN) => {}
        }
    };
    bar.finish_and_clear();
    done
}

/// The progress line, with count, share, rate and the time left if known. The last piece is followed by the write of
/// all, so the work is never said to be at its end.
fn said(what: &str, (done, total): (u64, u64), took: Duration) -> String {
    if total == 0 {
        return what.to_owned();
    }
    if done >= total {
        return format!("{what}: {total} done, writing them");
    }
    let share = u128::from(done) * 100 / u128::from(total);
    let said = format!("{what}: {done} of {total}, {share} %");
    #[allow(clippy::cast_precision_loss)]
    let rate = done as f64 / took.as_secs_f64().max(0.001);
    if rate < 1.0 {
        return said;
    }
    #[allow(clippy::cast_precision_loss)]
    let left = ((total - done) as f64 / rate).ceil();
    format!("{said}, {rate:.0}/s, {left:.0} s left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_with_share_rate_and_time_left() {
        let second = Duration::from_secs(1);
        for (counts, line) in [
            ((0, 0), "replaying"),
            ((0, 2_000), "replaying: 0 of 2000, 0 %"),
            (
                (500, 2_000),
                "replaying: 500 of 2000, 25 %, 500/s, 3 s left",
            ),
            (
                (1_999, 2_000),
                "replaying: 1999 of 2000, 99 %, 1999/s, 1 s left",
            ),
            ((2_000, 2_000), "replaying: 2000 done, writing them"),
        ] {
            assert_eq!(said("replaying", counts, second), line);
        }
    }
}
