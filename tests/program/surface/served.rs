//! `serve` over the store of a world, and requests written by hand.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use hindlore_api::catalog::Registered;
use serde_json::Value;

use crate::listening::Listening;
use crate::world::World;

/// A server over the store of a world.
pub(super) struct Served {
    pub(super) world: World,
    pub(super) server: Listening,
}

/// An answer: its status, its head, and its body.
pub(super) struct Answered {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Value,
}

impl Served {
    pub(super) fn start(options: &[&str]) -> Self {
        Self::over(World::new(), options)
    }

    /// A server over a world that is there.
    pub(super) fn over(world: World, options: &[&str]) -> Self {
        let mut command = world.command();
        command.args(["serve", "--listen", "127.0.0.1:0", "--json"]);
        let server = Listening::start(command.args(options));
        Self { world, server }
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = self.server.connect();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
    }

    pub(super) fn send(&self, bytes: &[u8]) -> Answered {
        let mut stream = self.connect();
        // A server that refuses early may close its end.
        let _ = stream.write_all(bytes);
        answer(&mut stream)
    }

    /// An answer as it comes.
    pub(super) fn text(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    pub(super) fn get(&self, path: &str) -> Answered {
        self.send(&self.request("GET", path, &[], None))
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Answered {
        self.send(&self.request("POST", path, &[], Some(&body.to_string())))
    }

    /// Calls a verb by its route, with headers.
    pub(super) fn call(
        &self,
        verb: &Registered,
        request: &Value,
        headers: &[(&str, &str)],
    ) -> Answered {
        let path = format!("/v1/{}", verb.path());
        if verb.method() == "POST" {
            return self.send(&self.request("POST", &path, headers, Some(&request.to_string())));
        }
        let fields = request.as_object().unwrap().iter();
        let query: Vec<String> = fields
            .map(|(name, value)| {
                let text = value.as_str().map_or(value.to_string(), str::to_owned);
                format!("{name}={}", text.replace(' ', "%20"))
            })
            .collect();
        self.send(&self.request("GET", &format!("{path}?{}", query.join("&")), headers, None))
    }

    pub(super) fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Vec<u8> {
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            text.push_str(&format!("Host: localhost:{}\r\n", self.server.port));
        }
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(body) = body {
            let length = body.len();
            text.push_str(&format!(
                "Content-Type: application/json\r\nContent-Length: {length}\r\n"
            ));
        }
        text.push_str("\r\n");
        text.push_str(body.unwrap_or_default());
        text.into_bytes()
    }
}

pub(super) fn answer(stream: &mut TcpStream) -> Answered {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text
        .split_once("\r\n\r\n")
        .unwrap_or_else(|| panic!("no answer: {text:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answered {
        status,
        head: head.to_ascii_lowercase(),
        body: serde_json::from_str(body).unwrap_or_default(),
    }
}
