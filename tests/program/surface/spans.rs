//! Spans: the data that a collector gets of a call, and the data that it never gets.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use crate::world::World;

/// A collector: takes requests, answers each with 200, and returns them.
fn collector() -> (String, impl FnMut() -> Vec<u8>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            stream
                .set_read_timeout(Some(Duration::from_millis(500)))
                .unwrap();
            let mut came = Vec::new();
            let mut part = [0; 4096];
            while let Ok(read @ 1..) = stream.read(&mut part) {
                came.extend_from_slice(&part[..read]);
            }
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            sender.send(came).unwrap();
        }
    });
    let wait = Duration::from_secs(20);
    (address, move || receiver.recv_timeout(wait).unwrap())
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

#[test]
fn a_collector_gets_operations_and_counts_and_no_texts() {
    let (address, mut received) = collector();
    let mut world = World::seeded();
    world.set("OTEL_EXPORTER_OTLP_ENDPOINT", &address);
    let ran = world.run(&[
        "retrieve",
        "start the engine",
        "--learner",
        "zoe-secret",
        "--json",
    ]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let ran = world.run(&["retrieve", "start the engine", "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let spans = [received(), received()].concat();
    for text in [
        "/v1/traces",
        "search_memory",
        "gen_ai.memory.record.count",
        "hindlore.verb",
    ] {
        assert!(holds(&spans, text), "{text} is missing");
    }
    for text in ["start the engine", "prime the pump", "zoe-secret"] {
        assert!(!holds(&spans, text), "{text} was sent");
    }
}

#[test]
fn a_collector_that_does_not_answer_stops_nothing() {
    let mut world = World::seeded();
    world.set("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
    let ran = world.run(&["retrieve", "start the engine", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
}
