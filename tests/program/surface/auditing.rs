//! The audit log of a server names callers and verbs, holds none of their texts, and reveals every change.

use std::fs;
use std::io::Read;

use serde_json::{Value, json};

use super::served::Served;
use crate::world::World;

fn served(world: World) -> Served {
    let log = world.path("audit.jsonl");
    Served::over(world, &["--require-keys", "--audit", log.to_str().unwrap()])
}

fn entries(world: &World) -> Vec<Value> {
    let text = fs::read_to_string(world.path("audit.jsonl")).unwrap();
    let entry = |line: &str| serde_json::from_str::<Value>(line).unwrap()["entry"].take();
    text.lines().map(entry).collect()
}

fn call(served: &Served, token: &str, path: &str, body: Option<Value>) -> u16 {
    let bearer = format!("Bearer {token}");
    let method = if body.is_some() { "POST" } else { "GET" };
    let body = body.map(|body| body.to_string());
    let headers = [("Authorization", bearer.as_str())];
    served
        .send(&served.request(method, path, &headers, body.as_deref()))
        .status
}

fn audit(world: &World) -> Vec<String> {
    let log = world.path("audit.jsonl");
    ["doctor", "audit", log.to_str().unwrap(), "--json"]
        .map(str::to_owned)
        .to_vec()
}

fn sound(world: &World, more: &[&str]) -> Value {
    let mut words = audit(world);
    words.extend(more.iter().map(|word| (*word).to_owned()));
    let ran = world.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.document()
}

fn told(entry: &Value) -> [String; 3] {
    ["holder", "verb", "outcome"].map(|name| entry[name].as_str().unwrap_or("-").to_owned())
}

#[test]
fn every_call_is_noted_by_whom_it_was_and_what_came_of_it() {
    let world = World::new();
    let made = world.json("key create ci --rights read");
    let reader = made["token"].as_str().unwrap().to_owned();
    let made = world.json("key create cook");
    let writer = made["token"].as_str().unwrap().to_owned();
    let served = served(world);
    let text = json!({"text": "the plover nests in the lathe"});
    assert_eq!(
        call(&served, &writer, "/v1/bullets/add", Some(text.clone())),
        200
    );
    assert_eq!(call(&served, &reader, "/v1/bullets/add", Some(text)), 403);
    assert_eq!(call(&served, &reader, "/v1/bullets/list", None), 200);
    for _ in 0..20 {
        // Counted: the first has a line, and the others have one together when the minute is over.
        assert_eq!(call(&served, "hlk_61_61_61", "/v1/bullets/list", None), 401);
    }
    let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "recall", "arguments": {"question": "plover"}}});
    let bearer = format!("Bearer {reader}");
    let accept = "application/json, text/event-stream";
    let headers = [("Authorization", bearer.as_str()), ("Accept", accept)];
    let asked = served.request("POST", "/mcp", &headers, Some(&ask.to_string()));
    assert_eq!(served.send(&asked).status, 200);
    let found: Vec<[String; 3]> = entries(&served.world).iter().map(told).collect();
    let wanted = [
        ["key:cook", "bullets.add", "begun"],
        ["key:cook", "bullets.add", "done"],
        ["key:ci", "bullets.add", "not_allowed"],
        ["key:ci", "bullets.list", "done"],
        ["-", "", "unauthenticated"],
    ];
    let wanted = wanted.map(|words| words.map(str::to_owned));
    assert_eq!(found[..5], wanted);
    assert!(
        found[5..]
            .iter()
            .all(|words| words[0] == "key:ci" || words[2] == "unauthenticated"),
        "{found:?}"
    );
    assert!(
        found[5..].iter().any(|words| words[1] == "recall"),
        "{found:?}"
    );
    let whole = fs::read_to_string(served.world.path("audit.jsonl")).unwrap();
    for secret in ["plover", &reader, &writer, "hlk_"] {
        assert!(!whole.contains(secret), "{secret}: {whole}");
    }
    assert_eq!(
        sound(&served.world, &[])["entries"],
        entries(&served.world).len()
    );
}

#[test]
fn whoever_touches_the_log_is_noticed_and_it_goes_on_after_a_crash() {
    let world = World::new();
    world.json("add grease the lathe");
    let made = world.json("key create ci");
    let token = made["token"].as_str().unwrap().to_owned();
    let first = served(world);
    for _ in 0..3 {
        assert_eq!(call(&first, &token, "/v1/bullets/list", None), 200);
    }
    let mut second = first.world.command();
    let log = first.world.path("audit.jsonl");
    second.args(["serve", "--listen", "127.0.0.1:0", "--json", "--audit"]);
    let refused = first.world.feed(second.arg(&log), b"");
    assert!(
        refused
            .problem("audit_unwritable")
            .contains("another process")
    );
    let Served { world, server } = first;
    drop(server);
    let known = sound(&world, &[]);
    let hash = known["hash"].as_str().unwrap().to_owned();
    let whole = fs::read_to_string(&log).unwrap();

    fs::write(&log, format!("{whole}{}", &whole[..40])).unwrap();
    let again = served(world);
    assert_eq!(call(&again, &token, "/v1/bullets/list", None), 200);
    let Served { world, server } = again;
    drop(server);
    let more = sound(&world, &["--holds", &hash]);
    assert_eq!(more["entries"], known["entries"].as_u64().unwrap() + 1);

    let unsound = |text: &str, more: &[&str], word: &str| {
        fs::write(&log, text).unwrap();
        let mut words = audit(&world);
        words.extend(more.iter().map(|word| (*word).to_owned()));
        let ran = world.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(
            ran.out.contains(word) && ran.err.contains("not_sound"),
            "{ran:?}"
        );
    };
    unsound(
        &whole.replacen("key:ci", "key:no", 1),
        &[],
        "line 1: its text was changed",
    );
    let second_line = whole.find('\n').unwrap() + 1;
    unsound(&whole[second_line..], &[], "line 1: it does not come after");
    unsound(&whole[..second_line], &["--holds", &hash], "cut off");
    fs::write(&log, whole.replace("key:ci", "key:no")).unwrap();
    let mut server = world.command();
    server.args(["serve", "--listen", "127.0.0.1:0", "--json", "--audit"]);
    let refused = world.feed(server.arg(&log), b"");
    assert!(refused.problem("audit_damaged").contains("last entry"));
    // A renamed part is read before the later ones.
    fs::write(world.path("audit.jsonl.1"), &whole[..second_line]).unwrap();
    fs::write(&log, &whole[second_line..]).unwrap();
    assert_eq!(
        sound(&world, &["--holds", &hash])["entries"],
        known["entries"]
    );
    fs::remove_file(world.path("audit.jsonl.1")).unwrap();
    unsound(&whole[second_line..], &[], "line 1: it does not come after");
}

#[test]
fn a_request_has_one_id_in_its_answer_its_log_and_the_audit_log() {
    let world = World::new();
    world.json("add grease the lathe");
    let log = world.path("audit.jsonl");
    let mut command = world.command();
    command.env("HINDLORE_LOG", "info");
    command.env("HINDLORE_LOG_FORMAT", "json");
    command.args(["serve", "--listen", "127.0.0.1:0", "--json", "--audit"]);
    let server = crate::listening::Listening::start(command.arg(&log));
    let mut served = Served { world, server };
    let id_of = |head: &str| {
        let line = head
            .lines()
            .find_map(|line| line.strip_prefix("x-request-id: "));
        line.unwrap().trim().to_owned()
    };
    let path = "/v1/bullets/list";
    let own = served.send(&served.request("GET", path, &[("X-Request-Id", "trace-7")], None));
    assert_eq!(id_of(&own.head), "trace-7");
    let new = id_of(&served.get(path).head);
    assert!(
        new.len() == 16 && new.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{new}"
    );
    let bad = served.send(&served.request("GET", path, &[("X-Request-Id", "a\" b")], None));
    assert!(!bad.head.contains("a\" b"), "{}", bad.head);
    let refused = served.get("/nowhere");
    assert_eq!(refused.status, 404);
    let refused = id_of(&refused.head);
    let noted: Vec<Value> = entries(&served.world)
        .iter()
        .map(|entry| entry["request"].clone())
        .collect();
    assert_eq!(noted[..2], [json!("trace-7"), json!(new)]);
    served.server.child.kill().unwrap();
    let mut text = String::new();
    served
        .server
        .child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let status = |id: &str| {
        let mut answered = lines
            .iter()
            .filter(|line| line["fields"]["message"] == "answered");
        answered.find(|line| line["span"]["id"] == id).unwrap()["fields"]["status"].clone()
    };
    assert_eq!(
        [status("trace-7"), status(&new), status(&refused)],
        [json!(200), json!(200), json!(404)]
    );
    assert!(!text.contains("grease"), "{text}");
    let wrong = served.world.feed(
        served
            .world
            .command()
            .env("HINDLORE_LOG", "info")
            .env("HINDLORE_LOG_FORMAT", "xml")
            .args(["digest", "--json"]),
        b"",
    );
    wrong.problem("invalid_config");
}
