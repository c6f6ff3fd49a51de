//! Every request on standard input is answered, for any bytes, and the program lives on.

use serde_json::json;

use super::agent::Agent;
use crate::world::World;

/// A call of a tool with a text as written in the JSON.
fn call(id: u64, text: &[u8]) -> Vec<u8> {
    let mut line = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"recall\",\"arguments\":{{\"question\":\""
    )
    .into_bytes();
    line.extend_from_slice(text);
    line.extend_from_slice(b"\"}}}");
    line
}

#[test]
fn texts_that_a_client_cut_in_the_middle_of_a_character_are_read() {
    let world = World::seeded();
    let mut agent = Agent::start(&world, &[]);
    let texts = [
        &br"half \ud83d engine"[..],
        br"\ude00 engine",
        b"engine caf\xe9",
        b"engine \xf0\x9f\x98",
        b"\xff\xfe engine",
    ];
    for (id, text) in (100..).zip(texts) {
        agent.send(call(id, text));
        let answer = agent.heard();
        assert_eq!(answer["id"], id, "{answer}");
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        assert!(answer.to_string().contains("pump"), "{answer}");
    }
}

#[test]
fn what_is_no_message_is_answered_by_an_error_with_its_id() {
    let world = World::seeded();
    let mut agent = Agent::silent(&world, &[]);
    let deep = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}",
        "[".repeat(100_000)
    );
    for (line, code, id) in [
        ("not json", -32700, json!(null)),
        (&deep, -32600, json!(1)),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",",
            -32700,
            json!(2),
        ),
        ("[]", -32600, json!(null)),
        ("{\"jsonrpc\":\"2.0\",\"id\":\"x\"}", -32600, json!("x")),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"explain\",\"arguments\":[1]}}",
            -32602,
            json!(3),
        ),
    ] {
        agent.send(line);
        let answer = agent.heard();
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(code), &id),
            "{answer}"
        );
    }
    // Nothing of that was a session; notifications before one have no answer.
    agent.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    agent.ask("initialize", super::agent::initialize());
    agent.tell("notifications/initialized", json!({}));
    agent.tell("notifications/odd", json!(5));
    let lacking = agent.ask("tools/call", json!({"arguments": {}}));
    assert_eq!(lacking["error"]["code"], -32602, "{lacking}");
    let odd = agent.ask("tools/call", json!({"name": 5}));
    assert_eq!(odd["error"]["code"], -32602, "{odd}");
    assert_eq!(agent.tools().len(), 8);
}

#[test]
fn a_line_that_is_too_long_is_answered_and_not_kept() {
    let world = World::seeded();
    let mut agent = Agent::start(&world, &[]);
    // The id comes last, as some clients write it.
    let mut line =
        b"{\"method\":\"tools/call\",\"params\":{\"name\":\"explain\",\"arguments\":{\"id\":\""
            .to_vec();
    line.resize(line.len() + (20 << 20), b'x');
    line.extend_from_slice(b"\"}},\"jsonrpc\":\"2.0\",\"id\":77}");
    agent.send(&line);
    let answer = agent.heard();
    assert_eq!(
        (&answer["error"]["code"], &answer["id"]),
        (&json!(-32600), &json!(77)),
        "{answer}"
    );
    assert_eq!(agent.tools().len(), 8);
}

#[test]
fn requests_of_a_batch_are_answered_one_by_one_and_so_is_the_last_line() {
    let world = World::seeded();
    let mut agent = Agent::start(&world, &[]);
    agent.send("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}]");
    let mut ids = [agent.heard()["id"].as_u64(), agent.heard()["id"].as_u64()];
    ids.sort_unstable();
    assert_eq!(ids, [Some(1), Some(2)]);
    agent.send_unended("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}");
    let (said, code) = agent.end();
    assert_eq!((said.len(), code), (1, Some(0)), "{said:?}");
    assert!(said[0].contains("\"id\":3"), "{said:?}");
}
