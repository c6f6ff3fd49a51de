//! Tokens of an OpenID provider: a server that trusts one admits their holders with the rights of each token, and no
//! other caller.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, SystemTime};

use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde_json::{Value, json};

use super::served::{Answered, Served};
use crate::world::World;

/// A provider on loopback, with one key.
struct Provider {
    url: String,
    key: Ed25519KeyPair,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    is_away: bool,
    /// Its own name where that is not its address.
    alias: Option<String>,
    /// How often it was asked for its keys.
    asked: usize,
}

fn base64url(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three
            .iter()
            .fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - three.len()));
        for place in 0..=three.len() {
            text.push(char::from(DIGITS[(bits >> (18 - 6 * place)) as usize & 63]));
        }
    }
    text
}

fn fresh_key() -> Ed25519KeyPair {
    let secret = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
    Ed25519KeyPair::from_pkcs8(secret.as_ref()).unwrap()
}

impl Provider {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let provider = Self {
            url: url.clone(),
            key: fresh_key(),
            state: Arc::default(),
        };
        let public = base64url(provider.key.public_key().as_ref());
        let state = provider.state.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut head = [0; 4_096];
                let read = stream.read(&mut head).unwrap_or(0);
                let head = String::from_utf8_lossy(&head[..read]).into_owned();
                let mut state = state.lock().unwrap();
                let about = json!({
                    "issuer": state.alias.as_ref().unwrap_or(&url),
                    "jwks_uri": format!("{url}/keys"),
                });
                let keys = json!({"keys": [
                    {"kty": "unheard-of", "kid": "0"},
                    {"kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": "1", "x": public},
                ]});
                let (status, body) = match head.split(' ').nth(1) {
                    _ if state.is_away => ("503 Service Unavailable", Value::Null),
                    Some("/.well-known/openid-configuration") => ("200 OK", about),
                    Some("/keys") => {
                        state.asked += 1;
                        ("200 OK", keys)
                    }
                    _ => ("404 Not Found", Value::Null),
                };
                let body = body.to_string();
                let length = body.len();
                let _ = write!(
                    stream,
                    "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
            }
        });
        provider
    }

    /// Claims that let in, with some of them changed; null takes one away.
    fn claims(&self, changes: &Value) -> Value {
        let mut claims = json!({
            "iss": self.url, "aud": "memory", "sub": "ada", "tenant": "acme", "exp": now() + 600,
            "scope": "openid hindlore:write",
        });
        for (name, value) in changes.as_object().unwrap() {
            claims[name.as_str()] = value.clone();
        }
        claims
            .as_object_mut()
            .unwrap()
            .retain(|_, value| !value.is_null());
        claims
    }

    fn token(&self, changes: &Value) -> String {
        signed(&self.key, "1", &self.claims(changes))
    }

    fn serve(&self, options: &[&str]) -> Served {
        let own = ["--oidc-issuer", &self.url, "--oidc-audience", "memory"];
        Served::over(World::new(), &[&own, options].concat())
    }
}

fn signed(key: &Ed25519KeyPair, name: &str, claims: &Value) -> String {
    let head = json!({"alg": "EdDSA", "typ": "JWT", "kid": name});
    let [head, claims] = [&head, claims].map(|part| base64url(part.to_string().as_bytes()));
    let signature = base64url(key.sign(format!("{head}.{claims}").as_bytes()).as_ref());
    format!("{head}.{claims}.{signature}")
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.unwrap().as_secs()
}

fn call(served: &Served, token: &str, path: &str, headers: &[(&str, &str)]) -> Answered {
    let bearer = format!("Bearer {token}");
    let mut all = vec![("Authorization", bearer.as_str())];
    all.extend(headers);
    let body = path
        .ends_with("add")
        .then(|| json!({"text": "Grease the lathe."}).to_string());
    let method = if body.is_some() { "POST" } else { "GET" };
    served.send(&served.request(method, path, &all, body.as_deref()))
}

#[test]
fn a_token_goes_as_far_as_it_says() {
    let provider = Provider::start();
    let served = provider.serve(&["--oidc-learner-claim", "team"]);
    let of = |changes: Value| {
        let mut all = json!({"team": "smiths"});
        all.as_object_mut()
            .unwrap()
            .extend(changes.as_object().unwrap().clone());
        provider.token(&all)
    };
    let writer = of(json!({}));
    let reader = of(json!({"scope": "hindlore:read"}));
    assert_eq!(call(&served, &writer, "/v1/bullets/add", &[]).status, 200);
    let listed = call(&served, &reader, "/v1/bullets/list", &[]);
    assert!(listed.body.to_string().contains("lathe"), "{}", listed.body);
    let log = served
        .world
        .json("delta log --tenant acme --learner smiths");
    assert!(
        log.to_string().contains("user:ada"),
        "the log names the holder: {log}"
    );
    for (token, path, headers) in [
        (&reader, "/v1/bullets/add", vec![]),
        (
            &reader,
            "/v1/bullets/list",
            vec![("Hindlore-Tenant", "other")],
        ),
        (
            &reader,
            "/v1/bullets/list",
            vec![("Hindlore-Learner", "other")],
        ),
        (&reader, "/v1/memory/list", vec![]),
        (&writer, "/v1/model/check", vec![]),
        (&of(json!({"scope": "openid"})), "/v1/bullets/list", vec![]),
        (&of(json!({"scope": null})), "/v1/bullets/list", vec![]),
    ] {
        let refused = call(&served, token, path, &headers);
        assert_eq!(refused.status, 403, "{path} {headers:?}: {}", refused.body);
        assert_eq!(refused.body["code"], "not_allowed");
    }
    let own = served
        .world
        .json("key create ci --tenant acme --rights read");
    let key = own["token"].as_str().unwrap();
    let smiths = [("Hindlore-Learner", "smiths")];
    assert_eq!(call(&served, key, "/v1/bullets/list", &smiths).status, 200);
}

#[test]
fn a_token_that_does_not_hold_lets_in_nobody() {
    let provider = Provider::start();
    let served = provider.serve(&[]);
    let good = provider.token(&json!({}));
    assert_eq!(call(&served, &good, "/v1/bullets/add", &[]).status, 200);
    let mut cases = vec![
        (
            "of a stranger's key",
            signed(&fresh_key(), "1", &provider.claims(&json!({}))),
        ),
        (
            "of an unknown key",
            signed(&fresh_key(), "2", &provider.claims(&json!({}))),
        ),
        ("cut", good[..good.len() - 4].to_owned()),
        (
            "without a signature",
            format!("{}.", good.rsplit_once('.').unwrap().0),
        ),
        ("text", "a.b.c".to_owned()),
    ];
    for (what, changes) in [
        ("expired", json!({"exp": now() - 60})),
        ("early", json!({"nbf": now() + 600})),
        ("of another audience", json!({"aud": "other"})),
        ("of other audiences", json!({"aud": ["other", "others"]})),
        ("of another issuer", json!({"iss": "https://login.example"})),
        ("without an end", json!({"exp": null})),
        ("without an audience", json!({"aud": null})),
        ("without an issuer", json!({"iss": null})),
        ("without a subject", json!({"sub": null})),
        ("without a tenant", json!({"tenant": null})),
        ("of no tenant", json!({"tenant": ""})),
        ("of two tenants", json!({"tenant": ["acme", "other"]})),
    ] {
        cases.push((what, provider.token(&changes)));
    }
    for alg in ["none", "HS256", "ES256", "RS256"] {
        let head = base64url(json!({"alg": alg, "kid": "1"}).to_string().as_bytes());
        let rest = good.split_once('.').unwrap().1;
        cases.push((alg, format!("{head}.{rest}")));
    }
    for (what, token) in cases {
        let refused = call(&served, &token, "/v1/bullets/list", &[]);
        let told = (refused.status, &refused.body["code"]);
        assert_eq!(
            told,
            (401, &json!("unauthenticated")),
            "{what}: {}",
            refused.body
        );
        assert!(!refused.body.to_string().contains("lathe"));
    }
    for wanted in ["expired", "audience"] {
        let token = match wanted {
            "expired" => provider.token(&json!({"exp": now() - 60})),
            _ => provider.token(&json!({"aud": "other"})),
        };
        let said = call(&served, &token, "/v1/bullets/list", &[])
            .body
            .to_string();
        assert!(said.contains(wanted), "the caller is told why: {said}");
    }
    assert_eq!(
        provider.state.lock().unwrap().asked,
        1,
        "unknown keys make nobody ask again at once"
    );
    assert_eq!(served.get("/v1/bullets/list").status, 401);
}

#[test]
fn a_provider_that_is_away_is_told_and_asked_again_and_its_keys_stay() {
    let provider = Provider::start();
    provider.state.lock().unwrap().is_away = true;
    let served = provider.serve(&[]);
    let token = provider.token(&json!({}));
    let status = || call(&served, &token, "/v1/bullets/add", &[]);
    let away = status();
    assert_eq!(
        (away.status, &away.body["code"]),
        (503, &json!("provider_unavailable"))
    );
    provider.state.lock().unwrap().is_away = false;
    thread::sleep(Duration::from_millis(1_100));
    assert_eq!(status().status, 200);
    provider.state.lock().unwrap().is_away = true;
    assert_eq!(status().status, 200, "known keys stay");

    let other = Provider::start();
    other.state.lock().unwrap().alias = Some("https://login.example".to_owned());
    let served = other.serve(&[]);
    let refused = call(&served, &other.token(&json!({})), "/v1/bullets/list", &[]);
    assert_eq!(refused.status, 503);
    assert!(
        refused.body.to_string().contains("another issuer"),
        "{}",
        refused.body
    );
}

#[test]
fn whoever_has_no_token_is_told_where_to_get_one() {
    let provider = Provider::start();
    let served = provider.serve(&["--public-url", "https://memory.example/"]);
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let refused = served.post("/mcp", &ping);
    assert_eq!(refused.status, 401);
    let place = "/.well-known/oauth-protected-resource";
    let wanted = format!("bearer resource_metadata=\"https://memory.example{place}/mcp\"");
    assert!(
        refused.head.to_lowercase().contains(&wanted),
        "{}",
        refused.head
    );
    for place in [place.to_owned(), format!("{place}/mcp")] {
        let told = served.get(&place);
        assert_eq!(told.status, 200);
        assert_eq!(told.body["resource"], "https://memory.example/mcp");
        assert_eq!(told.body["authorization_servers"], json!([provider.url]));
        let scopes = ["hindlore:read", "hindlore:write", "hindlore:destroy"];
        assert_eq!(told.body["scopes_supported"], json!(scopes));
    }
}

#[test]
fn a_provider_that_anybody_could_answer_for_is_refused() {
    let world = World::new();
    for (issuer, word) in [("http://login.example", "https"), ("login", "address")] {
        let run = world.run(&[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--json",
            "--oidc-issuer",
            issuer,
            "--oidc-audience",
            "memory",
        ]);
        let problem = run.problem("invalid_issuer");
        assert!(problem.to_string().contains(word), "{problem}");
    }
    let half = world.run(&["serve", "--json", "--oidc-issuer", "https://login.example"]);
    half.problem("invalid_usage");
}
