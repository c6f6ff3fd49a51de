//! The erase of a learner, checked against the catalogue: the story of all verbs runs with a marker in every text of
//! every request, and after the erase no byte of the store holds one.
//!
//! The learner's own name is a marker, too, so records of others about it (grants, groups, keys, verdicts) are found as
//! well.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineOptions};
use hindlore_api::access::Access;
use hindlore_api::catalog::{self, Registered};
use hindlore_api::hint::Plain;
use hindlore_api::standing::Standing;
use hindlore_api::verb::{Effect, Subject};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::parity::{Step, story};

/// The beginning of every marker, which no other text holds.
pub(crate) const MARK: &str = "MRKq";
/// Number of runs of the story, each in another scope and with other markers.
const ROUNDS: usize = 21;
/// Markers to write at least.
const MARKERS: usize = 2_000;

/// The name of a victim.
pub(crate) fn victim() -> String {
    format!("victim-{MARK}name")
}

/// Runs the story of a learner several times, and has others write its name; returns the number of markers.
pub(crate) async fn tell(engine: &Engine, tenant: &str) -> usize {
    let mut told = BTreeSet::new();
    for round in 0..ROUNDS {
        let scope = format!("scope-{MARK}{round}");
        let key = MemoryKey::new(tenant, &victim(), &scope).unwrap();
        one_round(&access(engine, key), round, &mut told).await;
    }
    others_name_it(engine, tenant).await;
    assert!(told.len() >= MARKERS, "only {} markers", told.len());
    told.len()
}

fn access(engine: &Engine, key: MemoryKey) -> Access {
    Access::new(engine.clone(), key, Arc::new(Plain)).of(Standing::operator(None))
}

async fn one_round(access: &Access, round: usize, told: &mut BTreeSet<String>) {
    let mut named: BTreeMap<&str, String> = BTreeMap::new();
    for step in story() {
        let verb = catalog::find(step.verb).unwrap();
        // Records of the tenant stay with it, and a promoted bullet belongs to its new owner.
        let is_of_learner = matches!(verb.subject, Subject::Memory | Subject::Learner);
        if verb.effect == Effect::Destroys || step.verb == "share.promote" || !is_of_learner {
            continue;
        }
        let answer = marked(access, verb, &step, (&named, round), told).await;
        for (name, place) in [
            ("retrieval", "/retrieval"),
            ("lesson", "/learned/0/lesson"),
            ("use", "/lessons/0/activation"),
            ("reflection", "/reflection/id"),
            ("bullet", "/added/0"),
        ] {
            if let Some(id) = answer.pointer(place).and_then(Value::as_str) {
                named.insert(name, id.to_owned());
            }
        }
    }
}

/// Calls a verb with a marker in each text; where that is refused, without the one that may have been the reason.
async fn marked(
    access: &Access,
    verb: &'static Registered,
    step: &Step,
    (named, round): (&BTreeMap<&str, String>, usize),
    told: &mut BTreeSet<String>,
) -> Value {
    let words = words(verb.request());
    let texts = texts(&step.request, &words);
    let all = (0..=texts.len()).map(|without| {
        let chosen = texts.iter().enumerate();
        let chosen = chosen.filter(|(at, _)| at + 1 != without);
        chosen
            .map(|(_, text)| text.clone())
            .collect::<BTreeSet<String>>()
    });
    for chosen in all.chain([BTreeSet::new()]) {
        let request = with_marks(&step.request, &chosen, round).to_string();
        let request = named.iter().fold(request, |text, (name, id)| {
            text.replace(&format!("{{{name}}}"), id)
        });
        let request = serde_json::from_str(&request).unwrap();
        if let Ok(answer) = verb.call(access.clone(), request).await {
            told.extend(chosen.iter().map(|text| mark(text, round)));
            return answer.value();
        }
    }
    Value::Null
}

/// The words that a schema allows; none of them can be changed.
fn words(schema: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let own = ["enum", "const"].iter().filter_map(|name| schema.get(name));
    for word in own.flat_map(|one| one.as_array().cloned().unwrap_or_else(|| vec![one.clone()])) {
        found.extend(word.as_str().map(str::to_owned));
    }
    let parts: Vec<&Value> = match schema {
        Value::Object(parts) => parts.values().collect(),
        Value::Array(parts) => parts.iter().collect(),
        _ => Vec::new(),
    };
    found.extend(parts.into_iter().flat_map(words));
    found
}

/// The texts of a request that can take a marker.
fn texts(request: &Value, words: &BTreeSet<String>) -> BTreeSet<String> {
    match request {
        Value::String(text) if !words.contains(text) && !text.contains('{') => {
            BTreeSet::from([text.clone()])
        }
        Value::Object(parts) => parts.values().flat_map(|one| texts(one, words)).collect(),
        Value::Array(parts) => parts.iter().flat_map(|one| texts(one, words)).collect(),
        _ => BTreeSet::new(),
    }
}

/// Equal texts get equal markers, so that a name of a thing still names it.
fn mark(text: &str, round: usize) -> String {
    let sum = text.bytes().fold(7_u64, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    format!("{MARK}{round}z{sum}")
}

fn with_marks(request: &Value, chosen: &BTreeSet<String>, round: usize) -> Value {
    match request {
        Value::String(text) if chosen.contains(text) => {
            json!(format!("{text}{}", mark(text, round)))
        }
        Value::Object(parts) => {
            let parts = parts.iter();
            let parts = parts.map(|(name, one)| (name.clone(), with_marks(one, chosen, round)));
            Value::Object(parts.collect())
        }
        Value::Array(parts) => {
            let parts = parts.iter();
            Value::Array(parts.map(|one| with_marks(one, chosen, round)).collect())
        }
        other => other.clone(),
    }
}

/// The victim is at the other end of grants, in groups, the only learner of a key, and judges a bullet of another.
async fn others_name_it(engine: &Engine, tenant: &str) {
    let (victim, principal) = (victim(), format!("agent:{}", victim()));
    let of = |learner: &str| {
        let key = MemoryKey::new(tenant, learner, "default").unwrap();
        access(engine, key)
    };
    let call = async |learner: &str, name: &str, request: Value| {
        let verb = catalog::find(name).unwrap();
        let answer = verb.call(of(learner), request).await;
        answer
            .unwrap_or_else(|problem| panic!("{name}: {problem:?}"))
            .value()
    };
    let text = json!({"text": "a text of the keeper"});
    let kept = call("keeper", "bullets.add", text).await["added"][0].clone();
    let calls = [
        (
            "keeper",
            "share.grant",
            json!({"subject": principal, "relation": "viewer", "object": "learner"}),
        ),
        (
            "keeper",
            "share.testify",
            json!({"bullet": kept, "verdict": "helped", "run": "r", "by": principal}),
        ),
        (
            "keeper",
            "groups.member",
            json!({"group": "crew", "member": "user:zoe"}),
        ),
        (
            "keeper",
            "groups.member",
            json!({"group": "crew", "member": principal}),
        ),
        (
            "keeper",
            "groups.leader",
            json!({"group": "crew", "leader": principal}),
        ),
        (
            "keeper",
            "key.create",
            json!({"name": "alone", "only_learner": victim}),
        ),
        (
            victim.as_str(),
            "share.grant",
            json!({"subject": "user:MRKqzoe", "relation": "viewer", "object": "learner"}),
        ),
    ];
    for (learner, name, request) in calls {
        call(learner, name, request).await;
    }
}

/// Places of markers in the files of a store, each with its context.
fn found(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap_or_default();
        let places = bytes.windows(MARK.len()).enumerate();
        for (at, _) in places.filter(|(_, part)| *part == MARK.as_bytes()) {
            let around = &bytes[at.saturating_sub(60)..(at + 60).min(bytes.len())];
            let around = String::from_utf8_lossy(around).into_owned();
            found.push(format!("{}: {around}", path.display()));
        }
    }
    found
}

#[test]
fn no_marker_is_left_in_the_file_after_an_erase() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = Runtime::new().unwrap();
    runtime.block_on(async {
        let store = EmbeddedStore::open(folder.path().join("m.db"), EmbeddedOptions::default());
        let store = Arc::new(store.unwrap());
        let engine = Engine::new(store, Arc::new(SystemClock), EngineOptions::default());
        tell(&engine, "tenant").await;
        engine.drain().await;
        let before = found(folder.path()).len();
        assert!(before > MARKERS, "only {before} markers are in the file");
        let erased = engine.erase("tenant", &victim(), None).await.unwrap();
        assert_eq!(erased.not_wiped, None);
        assert!(erased.receipt.is_some());
        assert!(
            erased.notes.iter().any(|note| note.contains("API key")),
            "{erased:?}"
        );
        let left = found(folder.path());
        let some = &left[..left.len().min(20)];
        assert!(left.is_empty(), "{} are left: {some:#?}", left.len());
        // Records of others about themselves are whole.
        let keeper = MemoryKey::new("tenant", "keeper", "default").unwrap();
        assert!(engine.verify(&keeper).await.unwrap().is_sound);
        let again = engine.erase("tenant", &victim(), None).await.unwrap();
        assert!(again.receipt.is_none(), "{again:?}");
    });
}
