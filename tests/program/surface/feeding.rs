//! The live feed of a memory: it misses nothing, shows nothing foreign, and ends when it should.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::served::Served;
use crate::world::World;

/// A feed that is read event by event.
struct Feed {
    lines: BufReader<TcpStream>,
}

/// One event: its name, its id, its data.
type Came = (String, String, Value);

impl Feed {
    fn open(served: &Served, query: &str, headers: &[(&str, &str)]) -> Self {
        let mut all = vec![("Accept", "text/event-stream")];
        all.extend(headers);
        let request = served.request("GET", &format!("/v1/memory/events{query}"), &all, None);
        let mut stream = served.connect();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream.write_all(request.as_ref()).unwrap();
        let mut lines = BufReader::new(stream);
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 200"), "{line}");
        Self { lines }
    }

    /// The next event; absent once the feed has ended.
    fn next(&mut self) -> Option<Came> {
        let (mut name, mut id, mut data) = (String::new(), String::new(), Value::Null);
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("event", value)) => name = value.to_owned(),
                Some(("id", value)) => id = value.to_owned(),
                Some(("data", value)) => data = serde_json::from_str(value).unwrap(),
                _ if line.trim().is_empty() && !data.is_null() => return Some((name, id, data)),
                // Heads, lengths of chunks, and comments that keep the connection alive.
                _ => {}
            }
        }
    }

    fn ticks(&mut self, count: usize) -> Vec<u64> {
        let came = (0..count).map(|_| self.next().unwrap().2["tick"].as_u64().unwrap());
        came.collect()
    }
}

fn add(world: &World, text: &str) {
    world.apply(&json!({"operations": [{"op": "ADD", "content": text}]}));
}

#[test]
fn events_come_as_they_happen_wherever_they_were_made() {
    let served = Served::over(World::seeded(), &[]);
    let mut feed = Feed::open(&served, "", &[]);
    let (name, id, data) = feed.next().unwrap();
    assert_eq!((name.as_str(), id.as_str()), ("delta", "1"));
    assert_eq!(
        (&data["delta"], data["added"].as_array().unwrap().len()),
        (&json!("d1"), 3)
    );
    // By another process.
    add(&served.world, "a late bullet");
    served.world.json("retrieve late bullet");
    let (name, id, _) = feed.next().unwrap();
    assert_eq!((name.as_str(), id.as_str()), ("delta", "2"));
    let (name, _, data) = feed.next().unwrap();
    assert_eq!(
        (name.as_str(), &data["query"]),
        ("retrieval", &json!("late bullet"))
    );
    assert_eq!(data["returned"].as_array().unwrap().len(), 1);
}

#[test]
fn whoever_was_cut_off_goes_on_where_it_was() {
    let served = Served::over(World::seeded(), &[]);
    for number in 0..7 {
        add(
            &served.world,
            &format!("fact number {number} of its own kind"),
        );
    }
    let mut feed = Feed::open(&served, "?limit=2", &[]);
    assert_eq!(feed.ticks(5), [1, 2, 3, 4, 5]);
    drop(feed);
    add(&served.world, "meanwhile something else");
    let mut feed = Feed::open(&served, "?limit=2", &[("Last-Event-ID", "5")]);
    assert_eq!(feed.ticks(4), [6, 7, 8, 9]);
    let accept = ("Accept", "text/event-stream");
    let wrong = [accept, ("Last-Event-ID", "the fifth")];
    let refused = served.send(&served.request("GET", "/v1/memory/events", &wrong, None));
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (400, &json!("invalid_query"))
    );
    let new = [("Hindlore-Learner", "nobody")];
    let empty = served.send(&served.request("GET", "/v1/memory/events", &new, None));
    assert_eq!((empty.status, &empty.body["events"]), (200, &json!([])));
}

#[test]
fn a_revoked_key_ends_its_feeds() {
    let world = World::seeded();
    let key = world.json("key create reader --rights read")["token"]
        .as_str()
        .unwrap()
        .to_owned();
    let served = Served::over(world, &["--require-keys"]);
    let bearer = format!("Bearer {key}");
    let mut feed = Feed::open(&served, "", &[("Authorization", &bearer)]);
    assert_eq!(feed.next().unwrap().1, "1");
    served.world.json("key revoke reader");
    let began = Instant::now();
    let (name, _, data) = feed.next().unwrap();
    assert_eq!(
        (name.as_str(), &data["code"]),
        ("problem", &json!("unauthenticated"))
    );
    assert!(feed.next().is_none());
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
}

#[cfg(unix)]
#[test]
fn a_server_that_stops_ends_its_feeds_first() {
    let served = Served::over(World::seeded(), &[]);
    let mut feed = Feed::open(&served, "", &[]);
    feed.next().unwrap();
    let began = Instant::now();
    let process = served.server.child.id().to_string();
    let told = std::process::Command::new("kill")
        .args(["-TERM", &process])
        .status();
    assert!(told.unwrap().success());
    assert!(feed.next().is_none());
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
}
