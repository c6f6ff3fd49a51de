//! The files for the Neo4j Browser: real requests to the real program, and its refusals.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::json;

use crate::listening::Listening;
use crate::world::World;

struct Served {
    server: Listening,
}

impl Served {
    fn start() -> Self {
        let world = World::new();
        let mut command = world.command();
        let server = Listening::start(command.args(["browser", "--port", "0", "--json"]));
        Self { server }
    }

    /// Sends bytes and gives head and body of the answer.
    fn send(&self, bytes: &[u8]) -> (String, Vec<u8>) {
        let mut stream = self.server.connect();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        // A server that has seen enough may close its end early.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no answer: {answer:?}"));
        let body = answer.split_off(end + 4);
        (String::from_utf8(answer).unwrap(), body)
    }

    fn ask(&self, line: &str) -> (String, Vec<u8>) {
        self.send(
            format!(
                "{line} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n",
                self.server.port
            )
            .as_bytes(),
        )
    }

    fn status(&self, request: &str) -> String {
        let (head, _) = self.send(request.as_bytes());
        head.split(' ').nth(1).unwrap().to_owned()
    }
}

fn file(path: &str) -> Vec<u8> {
    fs::read(Path::new(crate::ROOT).join("cypher").join(path)).unwrap()
}

#[test]
fn the_files_are_served_as_they_are_to_any_page() {
    let served = Served::start();
    let base = format!("http://localhost:{}", served.server.port);
    assert_eq!(
        served.server.told["style"],
        format!("{base}/hindlore.grass")
    );
    let commands = json!([
        format!(":style {base}/hindlore.grass"),
        format!(":guide {base}/guide.html")
    ]);
    assert_eq!(served.server.told["commands"], commands);
    for (path, name, media) in [
        (
            "/hindlore.grass",
            "browser/hindlore.grass",
            "text/plain; charset=utf-8",
        ),
        (
            "/guide.html",
            "browser/guide.html",
            "text/html; charset=utf-8",
        ),
        (
            "/guide.html?again=1",
            "browser/guide.html",
            "text/html; charset=utf-8",
        ),
    ] {
        let (head, body) = served.ask(&format!("GET {path}"));
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
        assert!(
            head.contains("\r\nAccess-Control-Allow-Origin: *\r\n"),
            "{head}"
        );
        assert!(
            head.contains(&format!("\r\nContent-Type: {media}\r\n")),
            "{head}"
        );
        assert!(body == file(name), "{path} is not {name}");
        let (without, nothing) = served.ask(&format!("HEAD {path}"));
        assert_eq!((without, nothing.len()), (head, 0), "{path}");
    }
}

#[test]
fn a_preflight_is_answered() {
    let served = Served::start();
    let (head, body) = served.ask("OPTIONS /guide.html");
    assert!(
        head.starts_with("HTTP/1.1 204 ") && body.is_empty(),
        "{head}"
    );
    for line in [
        "Access-Control-Allow-Methods: GET, HEAD, OPTIONS",
        "Access-Control-Allow-Headers: *",
        "Access-Control-Allow-Origin: *",
    ] {
        assert!(head.contains(line), "no `{line}` in {head}");
    }
}

#[test]
fn what_is_not_there_or_not_allowed_is_refused() {
    let served = Served::start();
    let asked = |line: &str, host: &str| served.status(&format!("{line}\r\nHost: {host}\r\n\r\n"));
    for path in [
        "/",
        "/none",
        "/../Cargo.toml",
        "/browser/guide.html",
        "//guide.html",
    ] {
        assert_eq!(
            asked(&format!("GET {path} HTTP/1.1"), "localhost"),
            "404",
            "{path}"
        );
    }
    for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE"] {
        assert_eq!(
            asked(&format!("{method} /guide.html HTTP/1.1"), "localhost"),
            "405",
            "{method}"
        );
    }
    for host in [
        "example.org",
        "localhost.example.org",
        "127.0.0.1.example.org:80",
        "10.0.0.1",
    ] {
        assert_eq!(asked("GET /guide.html HTTP/1.1", host), "403", "{host}");
    }
    for host in ["127.0.0.1", "[::1]:9", "LocalHost:1"] {
        assert_eq!(asked("GET /guide.html HTTP/1.1", host), "200", "{host}");
    }
    assert_eq!(
        served.status("GET /guide.html HTTP/1.1\r\n\r\n"),
        "400",
        "no host"
    );
    assert_eq!(served.status("hello\r\n\r\n"), "400");
    let (head, _) = served.send(b"\x16\x03\x01\x02\x00\x01\xff\xff\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 400 "), "{head}");
}

#[test]
fn a_huge_request_is_refused_and_a_silent_one_dropped() {
    let served = Served::start();
    let long = "a".repeat(64 * 1024);
    let huge = format!("GET /guide.html HTTP/1.1\r\nHost: localhost\r\nX: {long}\r\n\r\n");
    assert_eq!(served.status(&huge), "431");
    let mut silent = served.server.connect();
    silent.write_all(b"GET /guide.html HT").unwrap();
    silent
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    let begun = Instant::now();
    let guide = served.ask("GET /guide.html").1;
    assert!(guide == file("browser/guide.html"), "others are served");
    let mut answer = Vec::new();
    let _ = silent.read_to_end(&mut answer);
    assert!(answer.is_empty() && begun.elapsed() < Duration::from_secs(25));
}

/// Name and content of every file of an archive that is not compressed, by its central list.
fn unpacked(zip: &[u8]) -> Vec<(String, Vec<u8>)> {
    let short = |at: usize| usize::from(u16::from_le_bytes([zip[at], zip[at + 1]]));
    let long = |at: usize| u32::from_le_bytes(zip[at..at + 4].try_into().unwrap()) as usize;
    let end = zip.len() - 22;
    assert_eq!(&zip[end..end + 4], b"PK\x05\x06");
    let (count, mut at) = (short(end + 10), long(end + 16));
    let mut files = Vec::new();
    for _ in 0..count {
        assert_eq!(&zip[at..at + 4], b"PK\x01\x02");
        let (size, name, start) = (long(at + 24), short(at + 28), long(at + 42));
        assert_eq!(&zip[start..start + 4], b"PK\x03\x04");
        let named = &zip[start + 30..start + 30 + name];
        assert_eq!(named, &zip[at + 46..at + 46 + name]);
        let content = zip[start + 30 + name..][..size].to_vec();
        files.push((String::from_utf8(named.to_vec()).unwrap(), content));
        at += 46 + name;
    }
    assert_eq!(at, end, "the list ends where its end stands");
    files
}

fn questions(folder: PathBuf, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            questions(path, found)
        } else {
            found.push(path)
        }
    }
}

#[test]
fn the_archive_holds_every_question() {
    let served = Served::start();
    let (head, zip) = served.ask("GET /hindlore.zip");
    assert!(
        head.contains("\r\nContent-Type: application/zip\r\n"),
        "{head}"
    );
    let files = unpacked(&zip);
    let root = Path::new(crate::ROOT).join("cypher");
    let mut paths = Vec::new();
    questions(root.join("analyst"), &mut paths);
    questions(root.join("ops"), &mut paths);
    assert_eq!(files.len(), paths.len());
    for path in paths {
        let name = format!("hindlore/{}", path.strip_prefix(&root).unwrap().display());
        let held = files.iter().find(|(held, _)| *held == name);
        assert_eq!(
            held.unwrap_or_else(|| panic!("no {name}")).1,
            fs::read(&path).unwrap()
        );
    }
}

#[test]
fn a_port_that_is_taken_is_an_error_with_advice() {
    let served = Served::start();
    let port = served.server.port.to_string();
    let ran = World::new().run(&["browser", "--json", "--port", &port]);
    let message = ran.problem("port_unavailable");
    assert!(
        message.contains(&port) && message.contains("--port"),
        "{message}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_without_complaint() {
    let mut served = Served::start();
    let id = served.server.child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let begun = Instant::now();
    let ended = loop {
        match served.server.child.try_wait().unwrap() {
            Some(ended) => break ended,
            None if begun.elapsed() > Duration::from_secs(20) => panic!("still running"),
            None => thread::sleep(Duration::from_millis(20)),
        }
    };
    let mut complaint = String::new();
    served
        .server
        .child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut complaint)
        .unwrap();
    assert_eq!((ended.code(), complaint.as_str()), (Some(0), ""));
}
