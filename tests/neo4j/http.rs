//! The server's HTTP interface, as far as tests need it: one statement, one answer.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::server::Server;

/// Sends a statement and gives the answer, plan included.
pub(crate) fn ask(server: &Server, statement: &str, parameters: Value) -> Value {
    let path = format!("/db/{}/query/v2", server.database);
    let body = json!({"statement": statement, "parameters": parameters});
    send(server, ("POST", &path), &body).1
}

/// Sends a statement that must succeed; gives its rows.
pub(crate) fn run(server: &Server, statement: &str) -> Value {
    let answer = ask(server, statement, json!({}));
    assert!(answer["errors"].is_null(), "{statement}: {answer}");
    answer["data"]["values"].clone()
}

/// A transaction kept open.
pub(crate) struct Open {
    server: Server,
    path: String,
}

impl Open {
    /// Begins with a statement, and keeps the locks that it takes.
    pub(crate) fn begin(server: &Server, statement: &str, parameters: Value) -> Self {
        let path = format!("/db/{}/tx", server.database);
        let body = json!({"statements": [{"statement": statement, "parameters": parameters}]});
        let (head, answer) = send(server, ("POST", &path), &body);
        assert_eq!(answer["errors"], json!([]), "{answer}");
        let location = head.lines().find_map(|line| {
            line.split_once(": ")
                .filter(|(name, _)| name.eq_ignore_ascii_case("location"))
        });
        let id = location
            .and_then(|(_, place)| place.trim().rsplit('/').next())
            .unwrap();
        Self {
            server: server.clone(),
            path: format!("{path}/{id}"),
        }
    }

    pub(crate) fn commit(self) {
        let path = format!("{}/commit", self.path);
        let (_, answer) = send(&self.server, ("POST", &path), &json!({"statements": []}));
        assert_eq!(answer["errors"], json!([]), "{answer}");
    }
}

/// Gives the head and the body of the answer.
fn send(server: &Server, (verb, path): (&str, &str), body: &Value) -> (String, Value) {
    let host = server.http.trim_start_matches("http://");
    let body = body.to_string();
    let user = base64(format!("{}:{}", server.user, server.password).as_bytes());
    let request = format!(
        "{verb} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Basic {user}\r\n\
         Content-Type: application/json\r\nAccept: application/json\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(host).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer);
    // The answer may come in chunks; it is always one JSON object.
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let text = if head
        .to_ascii_lowercase()
        .contains("transfer-encoding: chunked")
    {
        unchunked(body)
    } else {
        body.to_owned()
    };
    let value = serde_json::from_str(&text);
    let value = value.unwrap_or_else(|error| panic!("{error} in {answer}"));
    (head.to_owned(), value)
}

fn unchunked(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length.trim(), 16).unwrap();
        if length == 0 {
            break;
        }
        text.push_str(&rest[..length]);
        body = rest[length..].trim_start_matches("\r\n");
    }
    text
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let mut bits = 0_u32;
        for at in 0..3 {
            bits = bits << 8 | u32::from(group.get(at).copied().unwrap_or(0));
        }
        for at in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * at)) as usize & 63];
            text.push(if at <= group.len() {
                char::from(digit)
            } else {
                '='
            });
        }
    }
    text
}
