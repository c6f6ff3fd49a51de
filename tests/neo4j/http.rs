//! The server's HTTP interface, as far as tests need it: one statement, one answer.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::server::Server;

/// Sends a statement and gives the answer, plan included.
pub(crate) fn ask(server: &Server, statement: &str, parameters: Value) -> Value {
    let host = server.http.trim_start_matches("http://");
    let body = json!({"statement": statement, "parameters": parameters}).to_string();
    let user = base64(format!("{}:{}", server.user, server.password).as_bytes());
    let request = format!(
        "POST /db/{}/query/v2 HTTP/1.1\r\nHost: {host}\r\nAuthorization: Basic {user}\r\n\
         Content-Type: application/json\r\nAccept: application/json\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{body}",
        server.database,
        body.len()
    );
    let mut stream = TcpStream::connect(host).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer);
    // The answer may come in chunks; it is one JSON object, whatever stands around it.
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let text = match head
        .to_ascii_lowercase()
        .contains("transfer-encoding: chunked")
    {
        true => unchunked(body),
        false => body.to_owned(),
    };
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {answer}"))
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
