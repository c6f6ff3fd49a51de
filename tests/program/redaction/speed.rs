//! Texts made to take long: the work grows with their length, and no faster.

use std::time::{Duration, Instant};

use hindlore_redact::Redactor;

const SMALL: usize = 8_000;
const TIMES: usize = 8;

/// Processor time of this thread if the system reports it, so that concurrent tests do not count.
fn cpu() -> Duration {
    thread_local!(static BEGAN: Instant = Instant::now());
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| BEGAN.with(Instant::elapsed), Duration::from_nanos)
}

fn took(text: &str) -> Duration {
    let redactor = Redactor::default();
    let run = || {
        let mut copy = text.to_owned();
        let start = cpu();
        redactor.sweep().text(&mut copy);
        cpu() - start
    };
    run().min(run())
}

#[test]
fn the_work_is_in_proportion_to_the_text_whatever_it_says() {
    for piece in [
        "password=",
        "password:\"",
        "--password ",
        "mysql -p",
        "mysql -u -p 'a ",
        "://a:",
        "://a:b@",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "Private-Lines: 1\n",
        "ghp_",
        "sk-a-",
        "eyJaaaaaaaaaaaa.",
        "Authorization: Bearer ",
        "Cookie: a=",
        "a-b.c_d-",
        "\"token\", {",
        "token \\\\\\\"",
        "a",
        "'",
        "\\\n",
        "é",
    ] {
        let small = piece.repeat(SMALL / piece.len());
        let large = small.repeat(TIMES);
        let (first, second) = (took(&small), took(&large));
        // Four times the share, and the delay of the system's counter.
        let allowed = first * (4 * u32::try_from(TIMES).unwrap()) + Duration::from_millis(50);
        assert!(second <= allowed, "{piece:?}: {first:?}, then {second:?}");
        assert!(first < Duration::from_secs(5), "{piece:?}: {first:?}");
    }
}
