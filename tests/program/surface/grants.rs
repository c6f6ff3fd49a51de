//! Credentials and the callers that they determine: grants to the learner of a key, reading keys, signatures,
//! witnesses.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::served::{Answered, Served};
use crate::world::World;

const NEEDS_KEYS: &[&str] = &["--require-keys"];

fn token(world: &World, options: &str) -> String {
    let made = world.json(&format!("key create {options}"));
    made["token"].as_str().unwrap().to_owned()
}

fn call(
    served: &Served,
    token: &str,
    (path, body): (&str, Option<Value>),
    headers: &[(&str, &str)],
) -> Answered {
    let bearer = format!("Bearer {token}");
    let mut all = vec![("Authorization", bearer.as_str())];
    all.extend(headers);
    let method = if body.is_some() { "POST" } else { "GET" };
    let body = body.map(|body| body.to_string());
    served.send(&served.request(method, path, &all, body.as_deref()))
}

const LIST: (&str, Option<Value>) = ("/v1/bullets/list", None);

fn add() -> (&'static str, Option<Value>) {
    let text = json!({"text": "close the valve by hand"});
    ("/v1/bullets/add", Some(text))
}

#[test]
fn a_key_for_a_learner_reaches_what_was_granted_to_it() {
    let world = World::new();
    world.json("add --learner alice the secret of alice is plover");
    world.json("add --learner bob bob knows nothing");
    let bob = token(&world, "bob --only-learner bob --rights write");
    let served = Served::over(world, NEEDS_KEYS);
    let alice = ("Hindlore-Learner", "alice");
    let own = [alice, ("Hindlore-As", "agent:bob")];
    let other = [alice, ("Hindlore-As", "agent:alice")];
    let grant = |words: &str| served.world.json(&format!("{words} --learner alice"));
    let status = |call_of: (&str, Option<Value>), headers: &[(&str, &str)]| {
        call(&served, &bob, call_of, headers).status
    };
    assert_eq!(status(LIST, &[alice]), 403);
    grant("grant agent:bob viewer");
    for headers in [&[alice][..], &own[..]] {
        let listed = call(&served, &bob, LIST, headers);
        assert_eq!(listed.status, 200, "{}", listed.body);
        assert!(listed.body.to_string().contains("plover"));
        assert_eq!(status(add(), headers), 403);
    }
    assert_eq!(status(LIST, &other), 403);
    grant("grant agent:bob editor");
    assert_eq!(status(add(), &[alice]), 200);
    let log = served.world.json("delta log --learner alice");
    assert_eq!(log["deltas"][0]["author"], "key:bob", "{log}");
    let shared = call(&served, &bob, ("/v1/share/objects", None), &[]);
    assert!(shared.body.to_string().contains("alice"), "{}", shared.body);
    let asked = ("/v1/share/objects?subject=agent:alice", None);
    assert_eq!(status(asked, &[]), 403);
    grant("revoke agent:bob");
    assert_eq!(status(LIST, &[alice]), 403);
    assert_eq!(status(LIST, &[]), 200);
}

#[test]
fn a_key_that_may_read_retrieves_and_leaves_no_trace() {
    let world = World::seeded();
    let reader = token(&world, "reader --rights read");
    let before = world.digest();
    let served = Served::over(world, NEEDS_KEYS);
    let ask = |path: &str, body: Value| call(&served, &reader, (path, Some(body)), &[]);
    let found = ask(
        "/v1/retrieve",
        json!({"query": "pump", "prompt": "playbook"}),
    );
    assert_eq!(found.status, 200, "{}", found.body);
    assert_eq!(found.body["peek"], true);
    assert!(!found.body["results"].as_array().unwrap().is_empty());
    for (path, body) in [
        (
            "/v1/lessons/retrieve",
            json!({"error": "error: no such file", "run": "r1"}),
        ),
        ("/v1/lessons/brief", json!({"run": "r1"})),
        (
            "/v1/session/prepare",
            json!({"messages": [{"role": "user", "content": "pump"}]}),
        ),
    ] {
        let answer = ask(path, body);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        assert!(answer.body["run"].is_null(), "{path}: {}", answer.body);
    }
    let tool = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "recall", "arguments": {"question": "pump"}}});
    let accept = [("Accept", "application/json, text/event-stream")];
    let told = call(&served, &reader, ("/mcp", Some(tool)), &accept);
    assert!(
        !told.body.to_string().contains("not_allowed"),
        "{}",
        told.body
    );
    assert_eq!(ask("/v1/bullets/add", json!({"text": "x"})).status, 403);
    assert_eq!(served.world.digest(), before);
    assert!(
        !served
            .world
            .run(&["runs", "list", "--json"])
            .out
            .contains("r1")
    );
}

#[test]
fn a_credential_signs_its_changes_and_another_author_is_refused() {
    let world = World::new();
    let key = token(&world, "ab");
    let served = Served::over(world, NEEDS_KEYS);
    let forged = call(&served, &key, add(), &[("Hindlore-Author", "key:ad")]);
    assert_eq!(
        (forged.status, &forged.body["code"]),
        (403, &json!("not_allowed"))
    );
    let body = json!({"author": "key:ad", "operations": [{"op": "ADD", "content": "x"}]});
    let forged = call(&served, &key, ("/v1/delta/apply", Some(body)), &[]);
    assert_eq!(forged.status, 403, "{}", forged.body);
    let own = call(&served, &key, add(), &[("Hindlore-Author", "key:ab")]);
    assert_eq!(own.status, 200, "{}", own.body);
    let named = call(&served, &key, add(), &[("Hindlore-As", "user:zoe")]);
    assert_eq!(named.status, 403, "zoe was granted nothing");
    let log = served.world.json("delta log");
    let authors: Vec<&Value> = log["deltas"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["author"])
        .collect();
    assert_eq!(authors[0], "key:ab", "{log}");
    assert!(!log.to_string().contains("key:ad"), "{log}");
}

#[test]
fn only_authenticated_witnesses_count() {
    let world = World::new();
    let added = world.json("add --learner alice prime the pump twice in winter");
    let bullet = added["added"][0].as_str().unwrap().to_owned();
    world.json("grant tenant viewer --learner alice");
    let keys = ["bob", "carol", "alice"].map(|name| {
        token(
            &world,
            &format!("{name} --only-learner {name} --rights write"),
        )
    });
    let [bob, carol, own] = &keys;
    let tenant = token(&world, "tenant --rights write");
    let served = Served::over(world, NEEDS_KEYS);
    let say = |key: &str, run: &str, by: Option<&str>, named: Option<&str>| {
        let body = json!({"bullet": bullet, "verdict": "helped", "run": run, "by": by});
        let mut headers = vec![("Hindlore-Learner", "alice")];
        headers.extend(named.map(|named| ("Hindlore-As", named)));
        call(&served, key, ("/v1/share/testify", Some(body)), &headers)
    };
    for (key, by, named, status) in [
        (bob, Some("user:invented"), None, 403),
        (bob, Some("agent:bob"), None, 200),
        (bob, None, Some("agent:carol"), 403),
        (own, None, None, 422),
        (own, Some("user:invented"), None, 403),
        (&tenant, Some("user:invented"), None, 403),
    ] {
        let answer = say(key, "r1", by, named);
        assert_eq!(answer.status, status, "{by:?} {named:?}: {}", answer.body);
    }
    // A key for the tenant is one witness, whomever it calls for.
    for (run, named) in [("r2", "user:a"), ("r3", "user:b"), ("r4", "user:c")] {
        let said = say(&tenant, run, None, Some(named));
        assert_eq!(
            (said.status, &said.body["principals"]),
            (200, &json!(2)),
            "{}",
            said.body
        );
    }
    let said = say(carol, "r5", None, None);
    assert_eq!(said.body["principals"], 3, "{}", said.body);
}

fn refused(answered: &Answered, code: &str) -> usize {
    let answers = answered.body["answers"].as_array().unwrap().iter();
    answers.filter(|one| one["problem"]["code"] == code).count()
}

#[test]
fn a_batch_counts_as_its_calls() {
    let world = World::new();
    let key = token(&world, "loud");
    let served = Served::over(world, &["--require-keys", "--rate", "20"]);
    let calls: Vec<Value> = (0..100).map(|_| json!({"verb": "store.health"})).collect();
    let batch = || ("/v1/batch", Some(json!({ "calls": calls })));
    let answered = call(&served, &key, batch(), &[]);
    assert!(refused(&answered, "rate_limited") > 0, "{}", answered.body);
    let few = json!({"calls": [{"verb": "store.health"}, {"verb": "store.health"}]});
    thread::sleep(Duration::from_secs(1));
    let answered = call(&served, &key, ("/v1/batch", Some(few)), &[]);
    assert_eq!(refused(&answered, "rate_limited"), 0, "{}", answered.body);
}

/// The key is looked up at each call. A batch that is longer than a second does not outlive it.
#[test]
fn a_batch_ends_with_its_key() {
    let world = World::new();
    let key = token(&world, "ci");
    let served = Served::over(world, NEEDS_KEYS);
    let delta = |at: usize| {
        let add = |word: usize| json!({"op": "ADD", "content": format!("batch {at} item {word} word{}", at * word)});
        let operations: Vec<Value> = (0..120).map(add).collect();
        json!({"verb": "delta.apply", "request": {"operations": operations}})
    };
    let calls: Vec<Value> = (0..100).map(delta).collect();
    thread::scope(|scope| {
        let body = Some(json!({ "calls": calls }));
        let batch = scope.spawn(|| call(&served, &key, ("/v1/batch", body), &[]));
        while served.world.run(&["digest", "--json"]).code != 0 {
            thread::sleep(Duration::from_millis(20));
        }
        served.world.json("key revoke ci");
        let answered = batch.join().unwrap();
        assert!(
            refused(&answered, "unauthenticated") > 0,
            "the batch outlived its key"
        );
    });
}

#[test]
fn a_head_that_names_somebody_twice_is_refused() {
    let world = World::new();
    let key = token(&world, "ci");
    let served = Served::over(world, &[]);
    let bearer = format!("Bearer {key}");
    for (name, value) in [
        ("Hindlore-Tenant", "default"),
        ("Hindlore-Learner", "default"),
        ("Hindlore-Scope", "default"),
        ("Hindlore-As", "agent:default"),
        ("Hindlore-Author", "ann"),
        ("Idempotency-Key", "k"),
        ("Authorization", bearer.as_str()),
    ] {
        for path in ["/v1/bullets/add", "/v1/batch", "/mcp"] {
            let headers = [(name, value), (name, value)];
            let sent = served.send(&served.request("POST", path, &headers, Some("{}")));
            let code = &sent.body["code"];
            assert_eq!(
                (sent.status, code),
                (400, &json!("repeated_header")),
                "{path} {name}"
            );
        }
    }
}

#[test]
fn an_idempotency_key_is_the_id_of_the_delta() {
    let served = Served::start(&[]);
    let sent = |body: &str, key: &str| {
        let headers = [("Idempotency-Key", key)];
        served.send(&served.request("POST", "/v1/bullets/add", &headers, Some(body)))
    };
    let text = r#"{"text": "a text about the printer"}"#;
    let first = sent(text, "k1");
    assert_eq!(
        (first.status, &first.body["delta"]),
        (200, &json!("k1")),
        "{}",
        first.body
    );
    for key in ["k1", "\"k1\""] {
        let again = sent(text, key);
        assert_eq!(
            (&again.body["repeated"], &again.body["clock"]),
            (&json!(true), &first.body["clock"])
        );
    }
    let other = sent(r#"{"text": "another text"}"#, "k1");
    assert_eq!(
        (other.status, &other.body["code"]),
        (409, &json!("delta_id_reused"))
    );
    let named = sent(r#"{"text": "another text", "id": "k2"}"#, "k2");
    assert_eq!(named.status, 200, "{}", named.body);
    let two = sent(r#"{"text": "another text", "id": "k3"}"#, "k4");
    assert_eq!(
        (two.status, &two.body["code"]),
        (422, &json!("invalid_request"))
    );
}
