//! Many requests of many tenants at once, half of them cut off: no tenant sees another tenant's byte, nothing lands in
//! the wrong memory, and the server holds neither more files nor much more room than before.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::thread;
use std::time::Instant;

use fastrand::Rng;
use serde_json::json;

use super::served::{Served, answer};
use crate::world::World;

const TENANTS: usize = 50;
const CLIENTS: usize = 4;
/// Different texts of each tenant.
const TEXTS: usize = 8;
/// Room that the caches of all tenants may take, in KiB.
const ROOM_KIB: u64 = 128 * 1024;

/// How many requests; for a long run set it to 1000000.
fn requests() -> usize {
    let given = std::env::var("HINDLORE_CROWD_REQUESTS").ok();
    given.map_or(3_000, |text| text.parse().unwrap())
}

fn mark(tenant: usize) -> String {
    format!("mark{tenant:02}x")
}

/// The tenants whose marks occur in a text.
fn marks(text: &str) -> BTreeSet<usize> {
    let after = text.split("mark").skip(1);
    after
        .filter(|rest| rest.as_bytes().get(2) == Some(&b'x'))
        .filter_map(|rest| rest.get(..2)?.parse().ok())
        .collect()
}

fn request(served: &Served, rng: &mut Rng, tenant: usize, token: &str) -> Vec<u8> {
    let bearer = format!("Bearer {token}");
    let headers = [("Authorization", bearer.as_str())];
    let text = format!(
        "{} keeps rule {} of the workshop",
        mark(tenant),
        rng.usize(..TEXTS)
    );
    let (path, body) = match rng.u8(..4) {
        0 => ("/v1/bullets/add", Some(json!({"text": text}))),
        1 => (
            "/v1/retrieve",
            Some(json!({"query": "rule of the workshop"})),
        ),
        2 => ("/v1/delta/log", None),
        _ => ("/v1/bullets/list", None),
    };
    let method = if body.is_some() { "POST" } else { "GET" };
    let body = body.map(|body| body.to_string());
    served.request(method, path, &headers, body.as_deref())
}

/// Sends requests, and answers how many were answered.
fn client(served: &Served, tokens: &[String], (seed, requests): (u64, usize)) -> usize {
    let mut rng = Rng::with_seed(seed);
    let mut answered = 0;
    for _ in 0..requests {
        let tenant = rng.usize(..TENANTS);
        let bytes = request(served, &mut rng, tenant, &tokens[tenant]);
        let mut stream = served.connect();
        let cut = rng.usize(..bytes.len() * 2);
        if cut < bytes.len() / 2 {
            // Half a request, and the client is gone.
            let _ = stream.write_all(&bytes[..cut]);
            continue;
        }
        let _ = stream.write_all(&bytes);
        if cut < bytes.len() {
            // A whole one, whose answer is not awaited.
            continue;
        }
        let found = answer(&mut stream);
        let text = found.body.to_string();
        assert!(
            [200, 404].contains(&found.status),
            "{}: {text}",
            found.status
        );
        assert!(
            marks(&text).iter().all(|one| *one == tenant),
            "tenant {tenant} was told: {text}"
        );
        answered += 1;
    }
    answered
}

/// Open files and resident memory, in KiB, of a process.
fn held(process: u32) -> (usize, u64) {
    let files = fs::read_dir(format!("/proc/{process}/fd")).unwrap().count();
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let room = line
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap();
    (files, room)
}

#[test]
fn no_tenant_meets_another_and_nothing_is_left_over() {
    let world = World::new();
    let token = |tenant: usize| {
        let made = world.json(&format!("key create crowd --tenant tenant{tenant:02}"));
        made["token"].as_str().unwrap().to_owned()
    };
    let tokens: Vec<String> = (0..TENANTS).map(token).collect();
    let served = Served::over(world, &["--require-keys"]);
    let process = served.server.child.id();
    // All tenants once, so that their fixed needs are there before the measurement.
    client(&served, &tokens, (0, TENANTS * 4));
    let before = held(process);
    let began = Instant::now();
    let share = requests() / CLIENTS;
    let answered: usize = thread::scope(|scope| {
        let clients: Vec<_> = (1..=CLIENTS as u64)
            .map(|seed| {
                let (served, tokens) = (&served, &tokens);
                scope.spawn(move || client(served, tokens, (seed, share)))
            })
            .collect();
        clients
            .into_iter()
            .map(|client| client.join().unwrap())
            .sum()
    });
    let took = began.elapsed().as_secs_f64();
    assert!(
        answered > share,
        "{answered} of {} were answered",
        share * CLIENTS
    );
    let mut written = 0;
    for (tenant, token) in tokens.iter().enumerate() {
        let bearer = format!("Bearer {token}");
        let headers = [("Authorization", bearer.as_str())];
        let kept = served.send(&served.request("GET", "/v1/bullets/list", &headers, None));
        let kept = kept.body.to_string();
        let found = marks(&kept);
        assert!(
            found.iter().all(|one| *one == tenant),
            "tenant {tenant} holds: {kept}"
        );
        written += found.len();
    }
    assert!(written > TENANTS / 2, "only {written} tenants wrote");
    let after = held(process);
    println!(
        "{} requests in {took:.1} s, {answered} answered; files {} -> {}, KiB {} -> {}",
        share * CLIENTS,
        before.0,
        after.0,
        before.1,
        after.1
    );
    assert!(after.0 <= before.0 + 8, "files: {before:?} -> {after:?}");
    assert!(
        after.1 <= before.1 + ROOM_KIB,
        "KiB: {before:?} -> {after:?}"
    );
}
