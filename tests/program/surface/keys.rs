//! API keys: a server that requires them admits their holders with the rights of each, and no other caller.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::served::{Answered, Served};
use crate::world::World;

const NEEDS_KEYS: &[&str] = &["--require-keys"];

fn token(world: &World, options: &str) -> String {
    let made = world.json(&format!("key create {options}"));
    made["token"].as_str().unwrap().to_owned()
}

fn call(served: &Served, token: &str, path: &str, headers: &[(&str, &str)]) -> Answered {
    let bearer = format!("Bearer {token}");
    let mut all = vec![("Authorization", bearer.as_str())];
    all.extend(headers);
    let body = match path.rsplit('/').next().unwrap() {
        "add" => Some(json!({"text": "Grease the bearings of the lathe."})),
        "erase" => Some(json!({"confirm": true})),
        "create" => Some(json!({"name": "more"})),
        _ => None,
    };
    let method = if body.is_some() { "POST" } else { "GET" };
    let body = body.map(|body: Value| body.to_string());
    served.send(&served.request(method, path, &all, body.as_deref()))
}

#[test]
fn without_a_key_that_holds_nobody_comes_in() {
    let world = World::new();
    let good = token(&world, "ci");
    let served = Served::over(world, NEEDS_KEYS);
    assert_eq!(call(&served, &good, "/v1/bullets/add", &[]).status, 200);
    assert_eq!(call(&served, &good, "/v1/bullets/list", &[]).status, 200);
    served
        .world
        .run(&["add", &format!("use {good} for the server")]);
    let kept = served.world.json("bullets list").to_string();
    assert!(
        kept.contains("for the server") && !kept.contains(&good),
        "a key is a secret: {kept}"
    );
    let parts: Vec<&str> = good.split('_').collect();
    let forged = |at: usize, part: &str| {
        let mut parts = parts.clone();
        parts[at] = part;
        parts.join("_")
    };
    let other_tenant: String = "other".bytes().map(|byte| format!("{byte:02x}")).collect();
    for wrong in [
        String::new(),
        "x".to_owned(),
        good.to_uppercase(),
        forged(1, &other_tenant),
        forged(2, "0123456789ab"),
        forged(3, &parts[3].chars().rev().collect::<String>()),
        forged(3, &parts[3][1..]),
        format!("{good}0"),
    ] {
        let refused = call(&served, &wrong, "/v1/bullets/list", &[]);
        assert_eq!(
            (refused.status, &refused.body["code"]),
            (401, &json!("unauthenticated")),
            "{wrong}"
        );
        assert!(
            refused.head.contains("www-authenticate: bearer"),
            "{}",
            refused.head
        );
        assert!(!refused.body.to_string().contains("lathe"));
    }
    for scheme in ["Basic", "Digest"] {
        let header = format!("{scheme} {good}");
        let request = served.request(
            "GET",
            "/v1/bullets/list",
            &[("Authorization", &header)],
            None,
        );
        assert_eq!(served.send(&request).status, 401);
    }
    assert_eq!(served.get("/v1/bullets/list").status, 401);
    assert_eq!(
        served
            .post(
                "/mcp",
                &json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})
            )
            .status,
        401
    );
    assert_eq!(served.get("/healthz").status, 200);
    assert_eq!(served.get("/readyz").status, 200);
}

#[test]
fn a_key_goes_as_far_as_it_says() {
    let world = World::new();
    let reader = token(&world, "reader --rights read");
    let writer = token(&world, "writer --only-learner alice");
    let destroyer = token(&world, "destroyer --rights destroy");
    world.json("add --learner alice the secret of alice is plover");
    let served = Served::over(world, NEEDS_KEYS);
    let alice = [("Hindlore-Learner", "alice")];
    let bob = [("Hindlore-Learner", "bob")];
    let foreign = [("Hindlore-Tenant", "other")];
    for (who, path, headers, status) in [
        (&reader, "/v1/bullets/list", &alice, 200),
        (&reader, "/v1/bullets/add", &alice, 403),
        (&reader, "/v1/bullets/list", &foreign, 403),
        (&writer, "/v1/bullets/list", &alice, 200),
        (&writer, "/v1/bullets/add", &alice, 200),
        (&writer, "/v1/bullets/list", &bob, 403),
        (&writer, "/v1/bullets/add", &bob, 403),
        (&writer, "/v1/memory/list", &alice, 403),
        (&writer, "/v1/bullets/list", &foreign, 403),
        (&reader, "/v1/memory/list", &alice, 200),
        (&destroyer, "/v1/key/create", &alice, 403),
        (&destroyer, "/v1/key/list", &alice, 403),
        (&destroyer, "/v1/model/check", &alice, 403),
    ] {
        let answer = call(&served, who, path, headers);
        assert_eq!(answer.status, status, "{path} {headers:?}: {}", answer.body);
        assert!(
            status == 200 || !answer.body.to_string().contains("plover"),
            "{}",
            answer.body
        );
    }
    let own = call(&served, &writer, "/v1/bullets/list", &[]);
    assert!(
        own.body.to_string().contains("plover"),
        "without a name it is the key's own learner: {}",
        own.body
    );
    let log = served.world.json("delta log --learner alice");
    assert!(
        log.to_string().contains("key:writer"),
        "the log names the key: {log}"
    );
    let as_nobody = [
        ("Hindlore-Learner", "alice"),
        ("Hindlore-As", "agent:mallory"),
    ];
    assert_eq!(
        call(&served, &reader, "/v1/bullets/list", &as_nobody).status,
        403
    );
}

#[test]
fn a_revoked_key_is_refused_within_a_second_on_every_instance() {
    let world = World::new();
    let old = token(&world, "ci");
    let first = Served::over(world, NEEDS_KEYS);
    let mut command = first.world.command();
    command.args([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--json",
        "--require-keys",
    ]);
    let second = crate::listening::Listening::start(&mut command);
    let second = Served {
        world: World::new(),
        server: second,
    };
    let both = [&first, &second];
    let status =
        |token: &str| both.map(|served| call(served, token, "/v1/memory/list", &[]).status);
    assert_eq!(status(&old), [200, 200]);
    let new = first.world.json("key rotate ci")["token"]
        .as_str()
        .unwrap()
        .to_owned();
    let began = Instant::now();
    while status(&old) != [401, 401] {
        assert!(
            began.elapsed() < Duration::from_secs(1),
            "the old token still holds"
        );
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(status(&new), [200, 200]);
    first.world.json("key revoke ci");
    thread::sleep(Duration::from_secs(1));
    assert_eq!(status(&new), [401, 401]);
    let twice = first.world.run(&["key", "revoke", "ci", "--json"]);
    twice.problem("no_key");
    token(&first.world, "ci");
    first
        .world
        .run(&["key", "create", "ci", "--json"])
        .problem("key_exists");
    let listed = first.world.json("key list");
    let used: Vec<&Value> = listed["keys"]
        .as_array()
        .unwrap()
        .iter()
        .map(|key| &key["in_use"])
        .collect();
    assert_eq!(used, [true, false, false]);
    assert!(!listed.to_string().contains("token"), "{listed}");
}

#[test]
fn one_key_has_so_many_requests_a_second_and_the_other_key_its_own() {
    let world = World::new();
    let (loud, quiet) = (token(&world, "loud"), token(&world, "quiet"));
    let served = Served::over(world, &["--require-keys", "--rate", "5"]);
    let refused = (0..40)
        .map(|_| call(&served, &loud, "/v1/memory/list", &[]))
        .find(|answer| answer.status == 429);
    let refused = refused.expect("40 requests at once are more than 5 a second");
    assert!(refused.head.contains("retry-after: 1"), "{}", refused.head);
    assert_eq!(call(&served, &quiet, "/v1/memory/list", &[]).status, 200);
    thread::sleep(Duration::from_millis(1_100));
    assert_eq!(call(&served, &loud, "/v1/memory/list", &[]).status, 200);
}

#[test]
fn an_address_that_others_reach_needs_keys_and_names() {
    let world = World::new();
    let refused = world.run(&["serve", "--listen", "0.0.0.0:0", "--json"]);
    refused.problem("needs_credentials");
    let key = token(&world, "ci");
    let served = Served::over(
        world,
        &[
            "--require-keys",
            "--allow-host",
            "memory.example",
            "--allow-origin",
            "https://tool.example",
        ],
    );
    for (host, origin, status) in [
        ("memory.example", "https://tool.example", 200),
        ("memory.example:80", "https://tool.example", 200),
        ("evil.example", "https://tool.example", 403),
        ("memory.example", "https://evil.example", 403),
    ] {
        let headers = [("Host", host), ("Origin", origin)];
        let answer = call(&served, &key, "/v1/memory/list", &headers);
        assert_eq!(answer.status, status, "{host} {origin}: {}", answer.body);
    }
}

#[test]
fn what_is_counted_agrees_with_what_was_sent() {
    let world = World::new();
    let key = token(&world, "ci");
    let served = Served::over(world, NEEDS_KEYS);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..25 {
                    assert_eq!(call(&served, &key, "/v1/memory/list", &[]).status, 200);
                    assert_eq!(call(&served, "x", "/v1/memory/list", &[]).status, 401);
                }
            });
        }
    });
    assert_eq!(served.get("/metrics").status, 401);
    let bearer = format!("Bearer {key}");
    let request = served.request("GET", "/metrics", &[("Authorization", &bearer)], None);
    let text = served.text(&request);
    for line in [
        r#"hindlore_requests_total{verb="memory.list",status="200"} 100"#,
        r#"hindlore_requests_total{verb="memory.list",status="401"} 100"#,
        r#"hindlore_request_seconds_count{verb="memory.list"} 200"#,
        "hindlore_requests_at_work 0",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(
        !text.contains("default"),
        "no name of a tenant or learner: {text}"
    );
}
