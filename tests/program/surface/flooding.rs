//! A flood, bounded in count and time: unfinished bodies and heads, the heaviest reads, and refused requests. `/healthz` answers
//! throughout, the memory of the server comes back, and its files grow by next to nothing.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::served::Served;
use crate::world::World;

const BODIES: usize = 300;
const HEADS: usize = 1_100;
const READS: usize = 20;
const REFUSED: usize = 50_000;
/// Bytes that each body announces.
const BODY_BYTES: usize = 2 << 20;
/// A server that takes longer for a health check is stuck.
const STALL: Duration = Duration::from_secs(5);
/// Memory that may stay, in KiB.
const ROOM_KIB: u64 = 100 * 1024;

/// The test needs as many files as it opens connections.
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let all = Rlimit {
        current: limit.maximum,
        ..limit
    };
    setrlimit(Resource::Nofile, all).unwrap();
}

fn memory_kib(served: &Served) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", served.server.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let text = line.unwrap().trim().trim_end_matches(" kB");
    text.parse().unwrap()
}

fn bytes_on_disk(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(about) if about.is_dir() => bytes_on_disk(&entry.path()),
        Ok(about) => about.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

/// Looks at the health of the server until it is over; returns the longest time, and how often it looked.
fn watched(served: &Served, is_over: &AtomicBool) -> (Duration, usize) {
    let (mut longest, mut looks) = (Duration::ZERO, 0);
    while !is_over.load(Ordering::Relaxed) {
        let began = Instant::now();
        assert_eq!(served.get("/healthz").status, 200);
        longest = longest.max(began.elapsed());
        looks += 1;
        thread::sleep(Duration::from_millis(20));
    }
    (longest, looks)
}

fn unfinished_bodies(served: &Served, token: &str) -> Vec<TcpStream> {
    let body = vec![b'a'; BODY_BYTES - 90];
    let head = format!(
        "POST /v1/retrieve HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {BODY_BYTES}\r\n\r\n"
    );
    let begun = (0..BODIES).map(|_| {
        let mut stream = served.connect();
        stream.set_write_timeout(Some(STALL)).unwrap();
        // A server that refuses it may close its end.
        let _ = stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(&body));
        stream
    });
    begun.collect()
}

fn unfinished_heads(served: &Served) -> Vec<TcpStream> {
    let begun = (0..HEADS).map(|_| {
        let mut stream = served.connect();
        let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ");
        stream
    });
    begun.collect()
}

fn heaviest_reads(served: &Served, token: &str) {
    let bearer = format!("Bearer {token}");
    let headers = [("Authorization", bearer.as_str())];
    let word = "a".repeat(60_000);
    let paths = [
        "/v1/replay".to_owned(),
        "/v1/memory/export".to_owned(),
        "/v1/bullets/list?limit=1000".to_owned(),
        format!("/v1/bullets/search?words={word}"),
    ];
    thread::scope(|scope| {
        for number in 0..READS {
            let request = served.request("GET", &paths[number % paths.len()], &headers, None);
            scope.spawn(move || {
                let status = served.send(&request).status;
                assert!([200, 404, 405, 414, 422].contains(&status), "{status}");
            });
        }
    });
}

/// Sends requests without a credential, many on each connection, and counts the refusals.
fn refused(served: &Served) -> usize {
    const CLIENTS: usize = 4;
    const AT_ONCE: usize = 100;
    let count = AtomicUsize::new(0);
    let one = "GET /v1/bullets/list HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let requests = one.repeat(AT_ONCE);
    thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                let mut stream = served.connect();
                for _ in 0..REFUSED / CLIENTS / AT_ONCE {
                    stream.write_all(requests.as_bytes()).unwrap();
                    let mut answers = Vec::new();
                    while !(answers.ends_with(b"}") && refusals(&answers) == AT_ONCE) {
                        let mut part = [0; 1 << 16];
                        let read = stream.read(&mut part).unwrap();
                        assert!(read > 0, "the server hung up");
                        answers.extend_from_slice(&part[..read]);
                    }
                    count.fetch_add(AT_ONCE, Ordering::Relaxed);
                }
            });
        }
    });
    count.into_inner()
}

fn refusals(answers: &[u8]) -> usize {
    String::from_utf8_lossy(answers)
        .matches("HTTP/1.1 401")
        .count()
}

/// Waits until the memory has come back; it may take a moment.
fn memory_afterwards(served: &Served, start: u64) -> u64 {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let now = memory_kib(served);
        if now <= start + ROOM_KIB || Instant::now() > until {
            return now;
        }
        thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn a_flood_stops_nobody_and_leaves_nothing() {
    raise_file_limit();
    let world = World::new();
    let rules: Vec<_> = (0..1_500)
        .map(|n| json!({"op": "ADD", "content": format!("rule {n} about topic {} word{}", n % 97, n * 7)}))
        .collect();
    let delta = world.path("delta.json");
    fs::write(&delta, json!({"operations": rules}).to_string()).unwrap();
    world.json(&format!("delta apply {}", delta.display()));
    let made = world.json("key create reader --rights read");
    let token = made["token"].as_str().unwrap().to_owned();
    let log = world.path("audit.jsonl");
    let served = Served::over(world, &["--require-keys", "--audit", log.to_str().unwrap()]);
    heaviest_reads(&served, &token);
    let (start, on_disk) = (memory_kib(&served), bytes_on_disk(&served.world.path("")));

    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watching = scope.spawn(|| watched(&served, &is_over));
        let step = |name: &str, began: Instant| {
            println!("{name}: {:?}, {} KiB", began.elapsed(), memory_kib(&served));
        };
        let began = Instant::now();
        let bodies = unfinished_bodies(&served, &token);
        step("unfinished bodies", began);
        let began = Instant::now();
        let heads = unfinished_heads(&served);
        assert_eq!(served.get("/readyz").status, 200);
        step("unfinished heads", began);
        drop((bodies, heads));
        let began = Instant::now();
        heaviest_reads(&served, &token);
        step("heavy reads", began);
        let began = Instant::now();
        assert_eq!(refused(&served), REFUSED);
        step("refused requests", began);
        is_over.store(true, Ordering::Relaxed);
        let (longest, looks) = watching.join().unwrap();
        println!("health: {looks} looks, the longest {longest:?}");
        assert!(looks > 10 && longest < STALL, "{looks} {longest:?}");
    });
    let end = memory_afterwards(&served, start);
    println!("memory: {start} KiB before, {end} KiB after");
    assert!(
        end <= start + ROOM_KIB,
        "{start} KiB before, {end} KiB after"
    );
    let more = bytes_on_disk(&served.world.path("")).saturating_sub(on_disk);
    assert!(more < 256 * 1024, "the files grew by {more} bytes");
}
