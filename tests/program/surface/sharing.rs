//! Who may do what: no verb on any surface gives anything to a caller without a grant, and a revocation holds at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineOptions};
use hindlore_api::access::Access;
use hindlore_api::catalog;
use hindlore_api::hint::Plain;
use hindlore_api::problem::Problem;
use hindlore_api::standing::Standing;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::sharing::caller::Caller;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::served::Served;
use crate::world::World;

/// A request that passes the schema of any verb: the required fields, each with something of its type.
pub(super) fn plausible(schema: &Value) -> Value {
    let mut request = serde_json::Map::new();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for name in required.iter().filter_map(Value::as_str) {
        let field = &schema["properties"][name];
        let kind = field["type"].as_str().unwrap_or_default();
        let kinds = field["oneOf"].as_array().or(field["anyOf"].as_array());
        if let Some(word) = kinds.and_then(|kinds| kinds.iter().find_map(|kind| kind.get("const")))
        {
            request.insert(name.to_owned(), word.clone());
            continue;
        }
        let value = match (field["enum"].as_array(), kind) {
            (Some(words), _) => words[0].clone(),
            (None, "integer" | "number") => json!(
                field["minimum"]
                    .as_f64()
                    .map_or(1.0, |least| least.max(1.0))
            ),
            (None, "boolean") => json!(true),
            (None, "array") if field["minItems"].as_u64().is_some_and(|least| least > 0) => {
                json!([{"role": "user", "content": "x"}])
            }
            (None, "array") => json!([]),
            (None, "object") => json!({}),
            _ => json!("x"),
        };
        let value = if kind == "integer" {
            json!(value.as_f64().map_or(1, |number| number as i64))
        } else {
            value
        };
        request.insert(name.to_owned(), value);
    }
    Value::Object(request)
}

fn access(world: &World, learner: &str, caller: Option<&str>) -> Access {
    let store = EmbeddedStore::open(world.store(), EmbeddedOptions::default()).unwrap();
    let engine = Engine::new(
        Arc::new(store),
        Arc::new(SystemClock),
        EngineOptions::default(),
    );
    let key = MemoryKey::new("default", learner, "default").unwrap();
    let caller = caller.map(|principal| Caller::new("default", principal.parse().unwrap()));
    Access::new(engine, key, Arc::new(Plain)).of(Standing::operator(caller))
}

/// Verbs about the caller itself, which need no relation to anything.
const SELF_SERVICE: [&str; 4] = [
    "groups.leader",
    "groups.member",
    "groups.show",
    "share.objects",
];

#[test]
fn every_verb_of_the_catalogue_is_refused_without_a_grant() {
    let world = World::new();
    world.json("add --learner alice the secret of alice is plover");
    let before = world.json("digest --learner alice");
    let runtime = Runtime::new().unwrap();
    let strangers = [
        access(&world, "alice", Some("agent:mallory")),
        // Of a learner that does not exist: the answer must not reveal that.
        access(&world, "nobody", Some("agent:mallory")),
    ];
    for verb in catalog::all()
        .iter()
        .filter(|verb| !SELF_SERVICE.contains(&verb.name))
    {
        let mut said = Vec::new();
        for stranger in &strangers {
            let call = verb.call(stranger.clone(), plausible(verb.request()));
            let refused: Problem = runtime.block_on(call).expect_err(verb.name);
            assert_eq!(refused.code, "not_allowed", "{}: {refused}", verb.name);
            said.push(
                refused
                    .to_string()
                    .replace("alice", "LEARNER")
                    .replace("nobody", "LEARNER"),
            );
        }
        assert_eq!(said[0], said[1], "{}", verb.name);
    }
    assert_eq!(world.json("digest --learner alice"), before);
}

#[test]
fn five_hundred_attempts_over_every_surface_give_nothing() {
    const SECRET: &str = "plover";
    let world = World::new();
    world.json("add --learner alice the secret of alice is plover");
    world.json(
        "playbook create mine --learner alice --strategies [{\"pattern\":\"say-plover-first\"}]",
    );
    let server = Served::over(world, &[]);
    let world = &server.world;
    let mut attempts = 0;
    let mut over_http = 0;
    for round in 0..6 {
        let who = format!("{}:mallory{round}", ["agent", "user"][round % 2]);
        for verb in catalog::all()
            .iter()
            .filter(|verb| !SELF_SERVICE.contains(&verb.name))
        {
            let request = plausible(verb.request());
            let headers = [("Hindlore-Learner", "alice"), ("Hindlore-As", who.as_str())];
            let answer = server.call(verb, &request, &headers);
            assert_eq!(answer.status, 403, "{}: {}", verb.name, answer.body);
            assert!(!answer.body.to_string().contains(SECRET), "{}", verb.name);
            attempts += 1;
            over_http += 1;
        }
    }
    for verb in catalog::all().iter().step_by(2) {
        let request = plausible(verb.request()).to_string();
        let ran = world.run(&[
            "call",
            verb.name,
            &request,
            "--learner",
            "alice",
            "--as",
            "user:mallory",
            "--yes",
        ]);
        assert!(
            ran.code == 2 || SELF_SERVICE.contains(&verb.name),
            "{}: {ran:?}",
            verb.name
        );
        assert!(
            !ran.out.contains(SECRET) && !ran.err.contains(SECRET),
            "{}: {ran:?}",
            verb.name
        );
        attempts += 1;
    }
    // Commands that work on the store itself refuse every caller but the operator.
    for words in [
        "doctor",
        "doctor verify",
        "migrate status",
        "analyze",
        "analyze search plover",
        "compare memories --help",
    ] {
        let mut arguments: Vec<&str> = words.split(' ').collect();
        arguments.extend(["--learner", "alice", "--as", "agent:mallory"]);
        let ran = world.run(&arguments);
        assert!(!ran.out.contains(SECRET), "{words}: {ran:?}");
        attempts += 1;
    }
    assert!(attempts >= 500 && over_http > 400, "{attempts}");
}

#[test]
fn a_grant_gives_what_it_says_and_no_more() {
    let world = World::new();
    world.json("add --learner alice use the blue valve");
    let as_bob = |words: &str| {
        world.run(
            &format!("{words} --learner alice --as agent:bob --json")
                .split(' ')
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(as_bob("retrieve valve").code, 2);
    world.json("grant agent:bob viewer --learner alice");
    let found = as_bob("retrieve valve").document();
    assert_eq!(
        (&found["peek"], found["results"].as_array().unwrap().len()),
        (&json!(true), 1),
        "a reader leaves no trace"
    );
    for words in [
        "add something",
        "bullets pin b_1",
        "memory clear",
        "grant agent:eve viewer",
        "erase --yes",
        "lessons list",
        "export",
    ] {
        let ran = as_bob(words);
        assert_eq!(ran.code, 2, "{words}: {ran:?}");
    }
    world.json("grant agent:bob editor --learner alice");
    assert_eq!(as_bob("add close it by hand").code, 0);
    let log = world.json("delta log --learner alice");
    assert_eq!(log["deltas"][0]["author"], "agent:bob", "{log}");
    world.json("revoke agent:bob --learner alice");
    assert_eq!(as_bob("retrieve valve").code, 2);
    // Through a group, and through the whole learner.
    world.json("groups member crew agent:bob --learner alice");
    world.json("grant group:crew viewer --of learner --learner alice");
    assert_eq!(as_bob("retrieve valve").code, 0);
    assert_eq!(
        as_bob("lessons list").code,
        1,
        "allowed, and there are none"
    );
    let objects = world.json("share objects --as agent:bob");
    assert_eq!(objects["objects"][1]["learner"], "bob", "{objects}");
    assert_eq!(objects["objects"][0]["object"], "learner");
    world.json("groups member crew agent:bob --remove --learner alice");
    assert_eq!(as_bob("retrieve valve").code, 2);
}

#[test]
fn a_playbook_is_seen_by_its_visibility() {
    let world = World::new();
    world.json("playbook create mine --learner alice --strategies [{\"pattern\":\"one\"}]");
    let shown = |who: &str| {
        world
            .run(&[
                "playbook",
                "show",
                "mine",
                "--learner",
                "alice",
                "--as",
                who,
                "--json",
            ])
            .code
    };
    assert_eq!(shown("agent:bob"), 2);
    world.json("playbook update mine --learner alice --visibility public");
    assert_eq!(shown("agent:bob"), 0);
    assert_eq!(
        world
            .run(&[
                "playbook",
                "delete",
                "mine",
                "--learner",
                "alice",
                "--as",
                "agent:bob",
                "--json"
            ])
            .code,
        2
    );
    world.json("playbook update mine --learner alice --visibility shared");
    assert_eq!(shown("agent:bob"), 2, "an agent's playbook has one member");
    world.json("playbook update mine --learner alice --scope tenant");
    assert_eq!(shown("agent:bob"), 0);
    world.json("playbook update mine --learner alice --visibility private");
    assert_eq!(shown("agent:bob"), 2);
    world.json("grant agent:bob viewer --of playbook:mine --learner alice");
    assert_eq!(shown("agent:bob"), 0);
    let other_tenant = [
        "playbook",
        "show",
        "mine",
        "--learner",
        "alice",
        "--tenant",
        "else",
        "--as",
        "agent:bob",
        "--json",
    ];
    assert_eq!(world.run(&other_tenant).code, 2);
}

#[test]
fn a_bullet_is_passed_on_by_the_evidence_of_others() {
    let world = World::new();
    let added = world.json("add --learner alice prime the pump twice in winter");
    let bullet = added["added"][0].as_str().unwrap();
    world.json("grant tenant viewer --learner alice");
    let said = |who: &str, run: &str, verdict: &str| {
        world.json(&format!(
            "share testify {bullet} {verdict} --run {run} --learner alice --as {who}"
        ))
    };
    said("agent:bob", "r1", "helped");
    said("agent:bob", "r1", "helped");
    said("agent:bob", "r2", "helped");
    let refused = world.run(&[
        "share",
        "promote",
        bullet,
        "--into",
        "team",
        "--learner",
        "alice",
        "--json",
    ]);
    assert!(
        refused
            .problem("invalid_request")
            .contains("1 principals in 2 runs"),
        "{refused:?}"
    );
    let support = said("user:carol", "r9", "helped");
    assert_eq!(
        (&support["suffices"], &support["runs"]),
        (&json!(true), &json!(3)),
        "{support}"
    );
    world.json(&format!(
        "share promote {bullet} --into team --learner alice"
    ));
    let found = world.json("retrieve --learner team pump in winter");
    assert_eq!(
        found["results"][0]["content"],
        "prime the pump twice in winter"
    );
    let own = world.json(&format!("bullets show {bullet} --learner alice"));
    assert_eq!(own["helpful"], 0, "readers change no votes: {own}");
}

/// One writes, one reads, one revokes in between: nothing written after the revocation is ever seen by the revoked.
#[test]
fn what_is_written_after_a_revocation_is_never_seen() {
    let world = World::new();
    world.json("add --learner alice number 0 of the valve list");
    world.json("grant agent:bob viewer --learner alice");
    let (stop, reads) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| {
            let mut seen = Vec::new();
            while !stop.load(Ordering::SeqCst) {
                let ran = world.run(&[
                    "bullets",
                    "list",
                    "--learner",
                    "alice",
                    "--as",
                    "agent:bob",
                    "--json",
                    "--limit",
                    "100",
                ]);
                reads.fetch_add(1, Ordering::SeqCst);
                seen.push(ran.out);
            }
            seen
        });
        while reads.load(Ordering::SeqCst) < 3 {
            std::thread::yield_now();
        }
        world.json("revoke agent:bob --learner alice");
        for number in 0..8 {
            world.json(&format!(
                "add --learner alice written after it, as number {number}"
            ));
        }
        stop.store(true, Ordering::SeqCst);
        let seen = reading.join().unwrap();
        assert!(
            seen.iter()
                .any(|text| text.contains("number 0 of the valve list"))
        );
        assert!(
            seen.iter().all(|text| !text.contains("written after it")),
            "{seen:?}"
        );
    });
}

#[test]
fn bad_subjects_and_objects_are_refused_and_change_nothing() {
    let world = World::new();
    world.json("add a bullet");
    for (words, code) in [
        ("grant nobody viewer", "invalid_subject"),
        ("grant agent: viewer", "invalid_subject"),
        ("grant agent:bob boss", "invalid_usage"),
        ("grant agent:bob viewer --of cellar", "invalid_object"),
        ("grant agent:bob viewer --of memory:none", "no_memory"),
        ("grant agent:default viewer", "invalid_request"),
        ("revoke agent:default", "last_owner"),
        ("groups member a#b agent:bob", "invalid_group"),
        ("groups member crew group:crew", "invalid_request"),
        ("retrieve x --as bob", "invalid_principal"),
        ("share testify b_1 helped --run r", "needs_caller"),
        ("share promote b_none --into team", "no_bullet"),
    ] {
        world.refused(&words.split(' ').collect::<Vec<_>>(), b"", code);
    }
    assert_eq!(
        world.run(&["share", "objects", "--json"]).document()["objects"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}
