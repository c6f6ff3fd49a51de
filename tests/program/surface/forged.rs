//! Forged requests: every verb, by every identity without a right to it, with every name of another learner forged.
//!
//! The catalogue gives the verbs, their fields and the fields that name a learner, a scope or a principal, so a new verb is
//! covered when it is in the list. No answer may hold a text of a foreign memory, and no foreign memory may change.

use hindlore_api::catalog::{self, Registered};
use hindlore_domain::sharing::api_key::Rights;
use serde_json::{Value, json};

use super::served::Served;
use super::sharing::plausible;
use crate::world::World;

/// A word of every text of the foreign memories.
const MARK: &str = "plover";

/// A caller without a right, and how each of its requests is refused.
struct Identity {
    name: &'static str,
    headers: Vec<Header>,
    status: u16,
    /// The verbs that it may not call.
    covers: fn(&Registered) -> bool,
}

fn every(_: &Registered) -> bool {
    true
}

/// A verb about the caller itself needs no right to a foreign memory.
fn not_of_caller(verb: &Registered) -> bool {
    !verb.needs.is_of_caller()
}

fn changes(verb: &Registered) -> bool {
    verb.needs.rights() > Rights::Read
}

fn destroys(verb: &Registered) -> bool {
    verb.needs.rights() == Rights::Destroy
}

type Header = (&'static str, String);

fn says(header: &'static str, value: &str) -> Header {
    (header, value.to_owned())
}

fn at(learner: &str) -> Header {
    says("Hindlore-Learner", learner)
}

fn refused(
    name: &'static str,
    headers: &[Header],
    (status, covers): (u16, fn(&Registered) -> bool),
) -> Identity {
    Identity {
        name,
        headers: headers.to_vec(),
        status,
        covers,
    }
}

struct Scene {
    served: Served,
    /// A bullet of bob that others have spoken for, so that it may be passed on.
    bullet: String,
}

fn token(world: &World, options: &str) -> String {
    let made = world.json(&format!("key create {options}"));
    made["token"].as_str().unwrap().to_owned()
}

fn foreign(world: &World, whose: &str) {
    world.json(&format!("add {whose} the secret of the valve is plover"));
    let strategies = r#"[{"pattern":"say-plover-first"}]"#;
    world.json(&format!(
        "playbook create mine {whose} --strategies {strategies}"
    ));
    world.json(&format!(
        "runs start {whose} --intent plover-run --run plover"
    ));
}

fn scene() -> Scene {
    let world = World::new();
    foreign(&world, "--learner alice");
    foreign(&world, "--tenant other --learner carol");
    let added = world.json("add --learner bob prime the pump twice in winter");
    let bullet = added["added"][0].as_str().unwrap().to_owned();
    for (run, by) in [("r1", "zoe"), ("r2", "zoe"), ("r3", "yan")] {
        world.json(&format!(
            "share testify {bullet} helped --learner bob --run {run} --by user:{by}"
        ));
    }
    let served = Served::over(world, &["--require-keys"]);
    Scene { served, bullet }
}

impl Scene {
    fn bearer(&self, options: &str) -> Header {
        let token = token(&self.served.world, options);
        ("Authorization", format!("Bearer {token}"))
    }

    /// All that must not change.
    fn foreign(&self) -> Vec<Value> {
        let words = [
            "digest --learner alice",
            "digest --tenant other --learner carol",
            "share subjects --learner alice --of learner",
            "playbook versions mine --learner alice",
            "runs list --learner alice",
            "memory list --tenant other",
        ];
        words.map(|words| self.served.world.json(words)).to_vec()
    }

    fn identities(&self) -> Vec<Identity> {
        let key = |name: &str, options: &str| self.bearer(&format!("{name} {options}"));
        let bob = key("bob", "--only-learner bob --rights destroy");
        let mut all = self.without_a_key();
        all.extend([
            refused(
                "key of another tenant",
                &[
                    key("far", "--tenant other --rights destroy"),
                    says("Hindlore-Tenant", "default"),
                    at("alice"),
                ],
                (403, every),
            ),
            refused(
                "key of another learner",
                &[bob.clone(), at("alice")],
                (403, not_of_caller),
            ),
            refused(
                "forged tenant",
                &[bob.clone(), says("Hindlore-Tenant", "other"), at("carol")],
                (403, every),
            ),
            refused(
                "forged caller",
                &[bob.clone(), says("Hindlore-As", "agent:alice"), at("alice")],
                (403, every),
            ),
            refused(
                "forged author",
                &[bob.clone(), says("Hindlore-Author", "key:alice")],
                (403, every),
            ),
            refused(
                "learner twice",
                &[bob, at("bob"), at("alice")],
                (400, every),
            ),
            refused(
                "read key on changes",
                &[key("reader", "--rights read"), at("alice")],
                (403, changes),
            ),
            refused(
                "write key on destruction",
                &[key("writer", "--rights write"), at("alice")],
                (403, destroys),
            ),
        ]);
        all
    }

    fn without_a_key(&self) -> Vec<Identity> {
        let revoked = self.bearer("gone --rights destroy");
        self.served.world.json("key revoke gone");
        let brings = |text: &str| says("Authorization", &format!("Bearer {text}"));
        // {"alg":"none"} {"sub":"alice","tenant":"default"}
        let unsigned = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSIsInRlbmFudCI6ImRlZmF1bHQifQ.";
        let invented = "hlk_64656661756c74_0a1b_ff00";
        vec![
            refused("no key", &[at("alice")], (401, every)),
            refused(
                "invented key",
                &[brings(invented), at("alice")],
                (401, every),
            ),
            refused(
                "unsigned token",
                &[brings(unsigned), at("alice")],
                (401, every),
            ),
            refused("revoked key", &[revoked, at("alice")], (401, every)),
        ]
    }

    /// A request that passes the schema, about bob's objects where it names one.
    fn request(&self, verb: &Registered) -> Value {
        let mut request = plausible(verb.request());
        if request["bullet"].is_string() {
            request["bullet"] = json!(self.bullet);
        }
        request
    }

    /// The requests of a verb: a right one, a wrong one, and one for each name that is forged.
    fn requests(&self, verb: &Registered) -> Vec<Value> {
        let right = self.request(verb);
        let mut wrong = right.clone();
        wrong["no-such-field"] = json!(1);
        let forged = verb.named().into_iter().map(|(field, names)| {
            let mut request = right.clone();
            request[field.as_str()] = json!(match names.as_str() {
                "learner" => "alice",
                "scope" => "default",
                _ => "agent:alice",
            });
            request
        });
        [right.clone(), wrong].into_iter().chain(forged).collect()
    }

    fn send(&self, verb: &Registered, request: &Value, headers: &[Header]) -> u16 {
        let headers: Vec<(&str, &str)> = headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let answer = self.served.call(verb, request, &headers);
        let text = answer.body.to_string();
        assert!(
            answer.status < 500 && !text.contains(MARK),
            "{}: {headers:?}: {request}: {text}",
            verb.name
        );
        answer.status
    }
}

#[test]
fn no_forged_request_reads_or_changes_a_foreign_memory() {
    let scene = scene();
    let identities = scene.identities();
    let before = scene.foreign();
    let mut sent = 0;
    for identity in &identities {
        for verb in catalog::all().iter().filter(|verb| (identity.covers)(verb)) {
            for request in scene.requests(verb) {
                let status = scene.send(verb, &request, &identity.headers);
                let name = identity.name;
                assert_eq!(status, identity.status, "{name}: {}: {request}", verb.name);
                sent += 1;
            }
        }
    }
    assert!(identities.len() >= 12 && sent > 2_000, "{sent}");
    assert_eq!(scene.foreign(), before);
}

/// A key has its rights in its own memory, for any name in a field of the request.
#[test]
fn a_key_reaches_nobody_whom_a_field_of_its_request_names() {
    let scene = scene();
    let bob = scene.bearer("bob --only-learner bob --rights write");
    let before = scene.foreign();
    let mut forged = Vec::new();
    for verb in catalog::all() {
        for request in scene.requests(verb) {
            let headers = [bob.clone()];
            let status = scene.send(verb, &request, &headers);
            let names_learner = verb
                .named()
                .iter()
                .any(|(field, names)| names == "learner" && request[field.as_str()] == "alice");
            if names_learner {
                assert!(matches!(status, 403 | 422), "{}: {status}", verb.name);
                forged.push(verb.name);
            }
        }
    }
    for name in [
        "share.promote",
        "memory.erase",
        "learner.erase",
        "memory.list",
        "key.create",
    ] {
        assert!(forged.contains(&name), "{name}: {forged:?}");
    }
    assert_eq!(scene.foreign(), before);
}

/// A request refused to one is right for another, so that the refusals are about the caller.
#[test]
fn the_refused_request_is_right_for_who_may() {
    let scene = scene();
    let before = scene.foreign();
    let verb = catalog::find("share.promote").unwrap();
    let request = json!({"bullet": scene.bullet, "into": "alice"});
    let bob = scene.bearer("bob --only-learner bob --rights write");
    assert_eq!(scene.send(verb, &request, &[bob]), 403);
    assert_eq!(scene.foreign(), before);
    let tenant = scene.bearer("all --rights write");
    assert_eq!(scene.send(verb, &request, &[tenant, at("bob")]), 200);
    assert_ne!(scene.foreign(), before);
}

/// The requests in batches, each of whose calls has its own answer.
#[test]
fn no_forged_call_of_a_batch_is_answered() {
    let scene = scene();
    let before = scene.foreign();
    for identity in scene.identities() {
        let verbs = catalog::all().iter().filter(|verb| (identity.covers)(verb));
        let verbs: Vec<&Registered> = verbs.collect();
        let calls: Vec<Value> = verbs
            .iter()
            .map(|verb| json!({"verb": verb.name, "request": scene.request(verb)}))
            .collect();
        for calls in calls.chunks(100) {
            let body = json!({ "calls": calls }).to_string();
            let headers = identity.headers.iter();
            let headers: Vec<(&str, &str)> = headers
                .map(|(name, value)| (*name, value.as_str()))
                .collect();
            let bytes = scene
                .served
                .request("POST", "/v1/batch", &headers, Some(&body));
            let answered = scene.served.send(&bytes);
            assert!(
                !answered.body.to_string().contains(MARK),
                "{}",
                identity.name
            );
            if answered.status == identity.status {
                continue;
            }
            assert_eq!(answered.status, 200, "{}: {}", identity.name, answered.body);
            for (call, answer) in calls
                .iter()
                .zip(answered.body["answers"].as_array().unwrap())
            {
                let status = &answer["problem"]["status"];
                assert_eq!(
                    *status, identity.status,
                    "{}: {call}: {answer}",
                    identity.name
                );
            }
        }
    }
    assert_eq!(scene.foreign(), before);
}

/// A verb gets to another memory only by a name that the gate has opened.
#[test]
fn no_verb_makes_a_memory_of_its_own() {
    let folder = std::path::Path::new(crate::ROOT).join("src/api/verbs");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for makes in [
            "MemoryKey::new(",
            "Owner::new(",
            "Owner::of_tenant(",
            ".admit(",
        ] {
            assert!(!text.contains(makes), "{}: `{makes}`", path.display());
        }
    }
}
