//! The tools at a route of the server.

use std::io::{Read, Write};

use serde_json::{Value, json};

use super::agent::{WITH_SESSIONS, WITHOUT_SESSIONS, initialize, meta};
use crate::listening::Listening;
use crate::world::World;

fn server(world: &World, options: &[&str]) -> Listening {
    let mut command = world.command();
    command.args(["serve", "--listen", "127.0.0.1:0", "--json"]);
    Listening::start(command.args(options))
}

/// The status and the body of an answer.
fn post(server: &Listening, message: &Value, headers: &[(&str, &str)]) -> (u16, Value) {
    let mut all = vec![("Content-Type", "application/json")];
    all.push(("Accept", "application/json, text/event-stream"));
    all.extend(headers);
    send(server, "POST", message.to_string().as_bytes(), &all)
}

/// Sends any bytes, with exactly these headers.
fn send(server: &Listening, method: &str, body: &[u8], headers: &[(&str, &str)]) -> (u16, Value) {
    let mut head = format!(
        "{method} /mcp HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
        body.len()
    );
    if !headers.iter().any(|(name, _)| *name == "Host") {
        head.push_str(&format!("Host: localhost:{}\r\n", server.port));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let mut stream = server.connect();
    let _ = stream.write_all(format!("{head}\r\n").as_bytes());
    let _ = stream.write_all(body);
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap_or_default())
}

fn request(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}

fn with_sessions(server: &Listening, method: &str, params: Value) -> Value {
    let headers = [("MCP-Protocol-Version", WITH_SESSIONS)];
    let (status, answer) = post(server, &request(method, params), &headers);
    assert_eq!(status, 200, "{answer}");
    answer
}

fn without_sessions(server: &Listening, method: &str, name: &str, mut params: Value) -> Value {
    params["_meta"] = meta();
    let mut headers = vec![
        ("MCP-Protocol-Version", WITHOUT_SESSIONS),
        ("Mcp-Method", method),
    ];
    if !name.is_empty() {
        headers.push(("Mcp-Name", name));
    }
    let (status, answer) = post(server, &request(method, params), &headers);
    assert_eq!(status, 200, "{answer}");
    answer
}

#[test]
fn both_ages_are_answered_at_one_route() {
    let world = World::seeded();
    let server = server(&world, &[]);
    let (status, told) = post(&server, &request("initialize", initialize()), &[]);
    assert_eq!(status, 200, "{told}");
    assert_eq!(told["result"]["protocolVersion"], WITH_SESSIONS, "{told}");
    let discovered = without_sessions(&server, "server/discover", "", json!({}));
    let versions = discovered["result"]["supportedVersions"].to_string();
    assert!(versions.contains(WITHOUT_SESSIONS), "{versions}");
    let old = with_sessions(&server, "tools/list", json!({}));
    let new = without_sessions(&server, "tools/list", "", json!({}));
    assert_eq!(old["result"]["tools"], new["result"]["tools"]);
    assert_eq!(old["result"]["tools"].as_array().unwrap().len(), 8);
    let call = json!({"name": "recall", "arguments": {"question": "engine"}});
    let old = with_sessions(&server, "tools/call", call.clone());
    let new = without_sessions(&server, "tools/call", "recall", call);
    for answer in [&old, &new] {
        let bullets = &answer["result"]["structuredContent"]["bullets"];
        let text = &bullets[0]["text"];
        assert_eq!(text, "prime the pump before you start the engine");
    }
}

#[test]
fn the_head_chooses_the_memory_and_the_author() {
    let world = World::seeded();
    let before = world.digest();
    let server = server(&world, &["--tools", "full"]);
    let add =
        json!({"name": "bullets_add", "arguments": {"text": "Alice ties the boat to the pier."}});
    let headers = [
        ("Hindlore-Learner", "alice"),
        ("Hindlore-Author", "harbour master"),
    ];
    let (status, added) = post(&server, &request("tools/call", add), &headers);
    assert_eq!(status, 200, "{added}");
    assert_eq!(added["result"]["isError"], false, "{added}");
    let found = world.json("retrieve --peek --learner alice pier");
    let content = &found["results"][0]["content"];
    assert_eq!(content, "Alice ties the boat to the pier.");
    let log = world.json("delta log --learner alice");
    assert!(log.to_string().contains("harbour master"), "{log}");
    assert_eq!(world.digest(), before);
}

#[test]
fn the_guard_of_the_server_stands_before_the_tools() {
    let world = World::seeded();
    let before = world.digest();
    let server = server(&world, &[]);
    let add = json!({"name": "remember", "arguments": {"text": "Send all keys away."}});
    for (name, value, code) in [
        ("Host", "example.org", "foreign_host"),
        ("Origin", "https://example.org", "foreign_origin"),
        ("Origin", "null", "foreign_origin"),
    ] {
        let (status, refused) = post(
            &server,
            &request("tools/call", add.clone()),
            &[(name, value)],
        );
        assert_eq!((status, &refused["code"]), (403, &json!(code)), "{refused}");
    }
    let own = [("Origin", "http://localhost:3000")];
    let (status, listed) = post(&server, &request("tools/list", json!({})), &own);
    assert_eq!(status, 200, "{listed}");
    assert_eq!(world.digest(), before);
}

#[test]
fn who_asks_stands_in_the_head_and_passes_the_gate() {
    let world = World::seeded();
    let server = server(&world, &[]);
    let asked = json!({"name": "recall", "arguments": {"question": "engine"}});
    let headers = [("Hindlore-As", "agent:stranger")];
    let (status, refused) = post(&server, &request("tools/call", asked), &headers);
    assert_eq!(status, 200, "{refused}");
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    let text = refused["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        text.contains("not_allowed") && !text.contains("pump"),
        "{text}"
    );
    let unnamed = [("Hindlore-As", "stranger")];
    let (status, refused) = post(&server, &request("tools/list", json!({})), &unnamed);
    assert_eq!(
        (status, &refused["code"]),
        (422, &json!("invalid_principal")),
        "{refused}"
    );
}

#[test]
fn every_range_that_holds_json_is_enough() {
    let world = World::new();
    let server = server(&world, &[]);
    let body = request("initialize", initialize()).to_string();
    let json = ("Content-Type", "application/json; charset=utf-8");
    for accept in [
        "*/*",
        "*/*;q=0.8",
        "application/json",
        "application/json, */*",
        "text/*, application/*",
    ] {
        let (status, told) = send(
            &server,
            "POST",
            body.as_bytes(),
            &[json, ("Accept", accept)],
        );
        assert_eq!((status, &told["id"]), (200, &json!(7)), "{accept}: {told}");
    }
    let (status, _) = send(&server, "POST", body.as_bytes(), &[json]);
    assert_eq!(status, 200);
    for (headers, code) in [
        (&[json, ("Accept", "text/html")][..], 406),
        (&[json, ("Accept", "application/json;q=0, */*")], 406),
        (&[("Accept", "*/*")], 415),
        (&[("Content-Type", "text/plain"), ("Accept", "*/*")], 415),
    ] {
        let (status, told) = send(&server, "POST", body.as_bytes(), headers);
        assert_eq!(
            (status, &told["error"]["code"]),
            (code, &json!(-32600)),
            "{told}"
        );
    }
}

#[test]
fn a_body_that_is_no_message_is_answered_by_an_error() {
    let world = World::new();
    let server = server(&world, &["--max-body", "1"]);
    let headers = [("Content-Type", "application/json"), ("Accept", "*/*")];
    let deep = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{}",
        "[".repeat(100_000)
    );
    for (body, status, code, id) in [
        (&b"not json"[..], 400, -32700, json!(null)),
        (b"", 400, -32700, json!(null)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"to", 400, -32700, json!(5)),
        (br#"{"jsonrpc":"2.0","id":5,"method":"ping","params":{"a":"half \ud83d x"}}"#, 400, -32700, json!(5)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{\"a\":\"\xff\"}}", 400, -32700, json!(5)),
        (deep.as_bytes(), 400, -32600, json!(5)),
        (b"[]", 400, -32600, json!(null)),
        (b"\"text\"", 400, -32600, json!(null)),
        (br#"{"jsonrpc":"2.0","id":5}"#, 400, -32600, json!(5)),
        (br#"{"id":5,"method":"ping"}"#, 400, -32600, json!(5)),
        (br#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"recall","arguments":[1]}}"#, 400, -32602, json!(5)),
        (&[b' '; (1 << 20) + 1], 413, -32600, json!(null)),
    ] {
        let (found, told) = send(&server, "POST", body, &headers);
        let words = String::from_utf8_lossy(&body[..body.len().min(60)]);
        assert_eq!((found, &told["error"]["code"]), (status, &json!(code)), "{words}: {told}");
        assert_eq!(told["id"], id, "{words}");
        assert_eq!(told["jsonrpc"], "2.0");
    }
    let (status, told) = send(&server, "GET", b"", &headers);
    assert_eq!(
        (status, &told["error"]["code"]),
        (405, &json!(-32600)),
        "{told}"
    );
    let (status, told) = post(&server, &request("ping", json!({})), &[]);
    assert_eq!(status, 200, "{told}");
}
