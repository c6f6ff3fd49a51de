//! One story through every surface: each verb gives the same answer to the library, to its command and to `call`.
//!
//! The story is compared with the catalogue, so a verb that is missing here fails.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineOptions};
use hindlore_api::access::Access;
use hindlore_api::catalog;
use hindlore_api::hint::HintFormatter;
use hindlore_api::standing::Standing;
use hindlore_api::verb::Effect;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

use super::parity_agents::{a_person_corrects, an_agent_works};
use super::parity_graph::{a_graph_grows, vectors_come_and_go};
use super::parity_playbooks::{
    a_playbook_lives, a_trajectory_is_reflected_upon, strategies_are_exchanged,
};
use super::parity_sharing::a_memory_is_shared;
use super::parity_trajectories::a_trajectory_is_recorded;
use crate::world::World;

/// One verb of the story.
pub(super) struct Step {
    pub(super) verb: &'static str,
    pub(super) request: Value,
    /// The request as a command; words are split at blanks, and `~` is a blank inside a word.
    command: String,
    stdin: String,
    /// How the programs end.
    code: i32,
}

/// A request and its command; `{retrieval}`, `{lesson}` and `{use}` are names from an earlier answer.
pub(super) fn step(verb: &'static str, request: Value, command: &str) -> Step {
    Step {
        verb,
        request,
        command: command.to_owned(),
        stdin: String::new(),
        code: 0,
    }
}

const CRATES: &str = "Weigh every crate before it goes to the shelf, and write its weight on the side. Wet crates stay \
                      outside until they are dry, whoever asks for them.";
const ERROR: &str = "ERROR at line 3: unknown function SUM, use sum";

pub(super) fn story() -> Vec<Step> {
    let first = json!({"id": "d1", "reasoning": "a first day", "operations": [
        {"op": "ADD", "content": "prime the pump before you start the engine", "tags": ["pump"], "legacy_id": "p-1"},
        {"op": "ADD", "content": "close the valve after every run", "section": "SHUTDOWN", "legacy_id": "v-1"},
    ]});
    let second =
        json!({"id": "d2", "operations": [{"op": "ADD", "content": "grease the bearings"}]});
    let mut steps = vec![
        applied(&first),
        applied(&second),
        step("bullets.pin", json!({"id": "p-1"}), "bullets pin p-1"),
        step(
            "retrieve",
            json!({"query": "start the pump", "top_k": 3.0, "prompt": "playbook", "budget": 200}),
            "retrieve start the pump --top-k 3 --prompt=playbook --budget 200",
        ),
        step(
            "feedback",
            json!({"retrieval": "{retrieval}", "helped": ["1"], "used": ["p-1"]}),
            "feedback {retrieval} --helped 1 --used p-1",
        ),
        step("bullets.show", json!({"id": "p-1"}), "bullets show p-1"),
        step(
            "bullets.list",
            json!({"limit": 4}),
            "bullets list --limit 4",
        ),
        step(
            "bullets.search",
            json!({"words": "the valve", "status": "all"}),
            "bullets search the valve --status all",
        ),
        step(
            "bullets.reject",
            json!({"id": "v-1", "reason": "wrong"}),
            "bullets reject v-1 --reason wrong",
        ),
        step(
            "policy.set",
            json!({"fields": {"floor": 0.2}}),
            "policy set floor=0.2",
        ),
        step("policy.show", json!({}), "policy show"),
        step(
            "delta.undo",
            json!({"id": "d2", "force": true}),
            "delta undo d2 --force",
        ),
        step("delta.log", json!({"limit": 9}), "delta log --limit 9"),
        step("digest", json!({}), "digest"),
        step("replay", json!({}), "replay"),
        step("memory.list", json!({}), "memory list"),
        step(
            "memory.brief",
            json!({"budget": 300}),
            "memory brief --budget 300",
        ),
        step("memory.figures", json!({}), "analyze"),
        step("memory.page", json!({}), "analyze html"),
    ];
    steps.extend(an_agent_works());
    steps.extend(two_disagree());
    steps.extend(a_graph_grows());
    steps.extend(a_text_comes_and_goes());
    steps.extend(vectors_come_and_go());
    steps.extend(a_person_corrects());
    steps.extend(story_of_lessons());
    steps.extend(comings_and_goings());
    steps
}

/// Two bullets contradict each other, and one is kept.
fn two_disagree() -> Vec<Step> {
    let opposites = json!({"id": "d3", "operations": [
        {"op": "ADD", "content": "always lock the gate at night", "legacy_id": "o-1"},
        {"op": "ADD", "content": "never lock the gate at night", "legacy_id": "o-2"},
    ]});
    vec![
        applied(&opposites),
        step(
            "conflicts.list",
            json!({"limit": 5}),
            "conflicts list --limit 5",
        ),
        step(
            "conflicts.resolve",
            json!({"one": "o-1", "other": "o-2", "decision": "keep_one", "reason": "tried"}),
            "conflicts resolve o-1 o-2 --decision keep_one --reason tried",
        ),
    ]
}

/// One text is added, changed and removed.
fn a_text_comes_and_goes() -> Vec<Step> {
    vec![
        step(
            "bullets.add",
            json!({"text": "Label every crate.", "id": "d5", "tags": ["store"], "section": "Stock", "pinned": true}),
            "add Label every crate. --id d5 --tag store --section Stock --pin",
        ),
        step(
            "bullets.edit",
            json!({"id": "p-1", "text": "Prime the pump first.", "importance": 0.9}),
            "bullets edit p-1 Prime the pump first. --importance 0.9",
        ),
        step(
            "bullets.remove",
            json!({"id": "p-1", "reason": "sold"}),
            "bullets remove p-1 --reason sold",
        ),
        applied(&json!({"id": "d6", "operations": [
            {"op": "ADD", "content": format!("{CRATES} Stack them by colour.")},
            {"op": "ADD", "content": format!("{CRATES} Count them on Friday.")},
        ]})),
        step(
            "memory.consolidate",
            json!({"id": "c-1", "similarity": 0.6, "batch": 100}),
            "memory consolidate --id c-1 --similarity 0.6 --batch 100",
        ),
        step(
            "memory.rollback",
            json!({"id": "c-1"}),
            "memory rollback c-1",
        ),
        step("memory.clear", json!({}), "memory clear --yes"),
    ]
}

/// Texts in and out, and the final erase; the last part of the story.
fn comings_and_goings() -> Vec<Step> {
    vec![
        Step {
            stdin: PLAYBOOK.to_owned(),
            ..step(
                "memory.import",
                json!({"text": PLAYBOOK, "skip_bad": true}),
                "import --format ace-playbook - --skip-bad",
            )
        },
        Step {
            stdin: LESSON.to_owned(),
            ..step(
                "lessons.import",
                json!({"text": LESSON}),
                "import --format classic-lessons -",
            )
        },
        step("memory.export", json!({}), "export {file}"),
        step(
            "memory.erase",
            json!({"learner": "default", "scope": "default"}),
            "erase --learner default --yes",
        ),
        step(
            "learner.erase",
            json!({"learner": "default"}),
            "erase --learner default --all-scopes --yes",
        ),
    ]
}

/// A run fails, mends itself and leaves a lesson; the next one asks for it and is helped.
fn story_of_lessons() -> Vec<Step> {
    let place = json!({"task": "report", "domain": "grid", "tool": "gridtool"});
    let failed = json!({"action": "TALLY region -> n=SUM(total)", "error": ERROR, "exit_code": 1});
    let worked = json!({"action": "TALLY region -> n=sum(total)", "exit_code": 0});
    let first = vec![
        step(
            "runs.start",
            json!({"run": "r1", "intent": "tally/the/regions", "domain": "grid", "allowed_steps": 9}),
            "runs start --run r1 --intent tally/the/regions --domain grid --allowed-steps 9",
        ),
        fed(
            &json!([failed, worked]),
            step(
                "errors.capture",
                with(
                    &place,
                    &json!({"steps": [failed, worked], "run": "r1", "call": "c1"}),
                ),
                "errors capture --run r1 --call c1 --task report --domain grid --tool gridtool",
            ),
        ),
        step(
            "errors.list",
            json!({"domain": "grid", "tool": "gridtool", "limit": 5}),
            "errors list --domain grid --tool gridtool --limit 5",
        ),
        step(
            "runs.end",
            json!({"run": "r1", "passed": true, "score": 0.5}),
            "runs end r1 --passed --score 0.5",
        ),
    ];
    first
        .into_iter()
        .chain(a_lesson_is_used())
        .chain(the_runs_are_looked_at(&failed, &worked))
        .collect()
}

fn a_lesson_is_used() -> Vec<Step> {
    vec![
        step(
            "lessons.list",
            json!({"status": "candidate"}),
            "lessons list --status candidate",
        ),
        step(
            "lessons.show",
            json!({"id": "{lesson}"}),
            "lessons show {lesson}",
        ),
        step(
            "lessons.retrieve",
            json!({
                "intent": "tally/again", "run": "r2", "error": ERROR, "action": "TALLY region -> n=SUM(total)", "step": 2,
                "domain": "grid", "tags": ["unknown_name"], "max_results": 3, "prompt": true, "budget": 500,
            }),
            "lessons retrieve tally/again --run r2 --error ERROR~at~line~3:~unknown~function~SUM,~use~sum --action \
             TALLY~region~->~n=SUM(total) --step 2 --domain grid --tag unknown_name --max 3 --prompt --budget 500",
        ),
        step(
            "lessons.explain",
            json!({"id": "{use}"}),
            "lessons explain {use}",
        ),
        step(
            "lessons.explain",
            json!({"id": "{lesson}"}),
            "lessons explain {lesson}",
        ),
        step(
            "lessons.outcome",
            json!({"activation": "{use}", "error_reduction": 0.5, "step_efficiency_gain": -0.25}),
            "lessons outcome {use} --error-reduction 0.5 --step-gain -0.25",
        ),
        step(
            "lessons.review",
            json!({"id": "{lesson}", "to": "promoted", "note": "checked"}),
            "lessons review {lesson} --to promoted --note checked",
        ),
        step(
            "lessons.brief",
            json!({"domain": "grid", "max_results": 3, "budget": 500}),
            "lessons brief --domain grid --max 3 --budget 500",
        ),
    ]
}

fn the_runs_are_looked_at(failed: &Value, worked: &Value) -> Vec<Step> {
    let trace = json!([
        with(failed, &json!({"run": "r3"})),
        with(worked, &json!({"run": "r3"}))
    ]);
    vec![
        fed(
            &trace,
            step("runs.learn", json!({"steps": trace}), "learn -"),
        ),
        step("runs.list", json!({"limit": 2}), "runs list --limit 2"),
        step("runs.show", json!({"run": "r3"}), "runs show r3"),
    ]
    .into_iter()
    .chain(a_trajectory_is_recorded())
    .chain(a_trajectory_is_reflected_upon())
    .chain(a_playbook_lives())
    .chain(strategies_are_exchanged())
    .chain(a_memory_is_shared())
    .chain([step("store.health", json!({}), "health"), conflicts()])
    .collect()
}

/// There is no contradiction here, which a command line shows by its exit code.
fn conflicts() -> Step {
    Step {
        code: 1,
        ..step(
            "lessons.conflicts",
            json!({"lesson": "{lesson}"}),
            "lessons conflicts --lesson {lesson}",
        )
    }
}

/// An object with the fields of another one too.
fn with(object: &Value, more: &Value) -> Value {
    let both = [object, more].map(|one| one.as_object().unwrap().clone());
    Value::Object(both.into_iter().flatten().collect())
}

/// A step whose command reads this from stdin.
pub(super) fn fed(stdin: &(impl ToString + ?Sized), step: Step) -> Step {
    Step {
        stdin: stdin.to_string(),
        ..step
    }
}

pub(super) fn ending(code: i32, step: Step) -> Step {
    Step { code, ..step }
}

const PLAYBOOK: &str =
    "## PUMPS\n[pump-00001] helpful=2 harmful=0 :: drain the pump before winter\n";

const LESSON: &str =
    r#"{"lesson": "check the fuse before the motor", "session_id": 3, "eval_score": 0.8}"#;

/// A delta, and the command that reads it from stdin.
fn applied(delta: &Value) -> Step {
    fed(delta, step("delta.apply", delta.clone(), "delta apply -"))
}

/// A surface: it carries a step out and gives the answer.
trait Door {
    fn answer(&mut self, step: &Step, request: &Value, command: &str) -> Value;
}

struct Library {
    runtime: Runtime,
    access: Access,
}

impl Library {
    fn new(world: &World) -> Self {
        let store = EmbeddedStore::open(world.store(), EmbeddedOptions::default()).unwrap();
        let options = EngineOptions::default();
        Self {
            runtime: Runtime::new().unwrap(),
            access: Access::new(
                Engine::new(Arc::new(store), Arc::new(SystemClock), options),
                MemoryKey::new("default", "default", "default").unwrap(),
                Arc::new(Typed),
            )
            .of(Standing::operator(None)),
        }
    }
}

/// Words verbs as the program does.
struct Typed;

impl HintFormatter for Typed {
    fn verb(&self, name: &str, behind: &str) -> String {
        format!("`hindlore {}{behind}`", name.replace('.', " "))
    }

    fn field(&self, name: &str) -> String {
        format!("--{name}")
    }

    fn subject(&self, part: &str) -> String {
        format!("--{part}")
    }
}

impl Door for Library {
    fn answer(&mut self, step: &Step, request: &Value, _: &str) -> Value {
        let verb = catalog::find(step.verb).unwrap();
        let call = verb.call(self.access.clone(), request.clone());
        self.runtime.block_on(call).unwrap().value()
    }
}

struct CommandLine<'w>(&'w World);

impl Door for CommandLine<'_> {
    fn answer(&mut self, step: &Step, _: &Value, command: &str) -> Value {
        let file = self.0.path("exported");
        let command = command.replace("{file}", file.to_str().unwrap());
        let words = command.split(' ').chain(["--json"]);
        let words: Vec<String> = words.map(|word| word.replace('~', " ")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = self.0.run_with(&words, &step.stdin);
        assert_eq!(ran.code, step.code, "{command}: {ran:?}");
        ran.document()
    }
}

struct Call<'w>(&'w World);

impl Door for Call<'_> {
    fn answer(&mut self, step: &Step, request: &Value, _: &str) -> Value {
        let verb = catalog::find(step.verb).unwrap();
        let mut words = vec!["call", step.verb];
        let request = request.to_string();
        words.push(&request);
        if verb.effect == Effect::Destroys {
            words.push("--yes");
        }
        let ran = self.0.run(&words);
        assert_eq!(ran.code, step.code, "{}: {ran:?}", step.verb);
        ran.document()
    }
}

/// An answer without the parts that differ from run to run: fresh ids, moments, and digests of contents with moments.
fn settled(answer: &Value) -> Value {
    const FRESH: [&str; 36] = [
        "next",
        "token",
        "key_id",
        "expires_at",
        "revoked_at",
        "state",
        "conversation_id",
        "retrieval",
        "delta",
        "undoes",
        "undone_by",
        "reasoning",
        "instance",
        "author",
        "digest",
        "replayed_digest",
        "at",
        "created_at",
        "last_used",
        "text",
        "file",
        "receipt",
        "bytes",
        "recency",
        "score",
        "started_at",
        "last_at",
        "ended_at",
        "evidence_at",
        "first_at",
        "used_at",
        "updated_at",
        "curated_at",
        "since",
        "reflected_at",
        "confidence",
    ];
    match answer {
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .filter(|(name, _)| !FRESH.contains(&name.as_str()));
            let fields = fields.map(|(name, value)| (name.clone(), settled(value)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        Value::Array(list) => list.iter().map(settled).collect(),
        other => other.clone(),
    }
}

/// Runs the story on one surface.
fn told(door: &mut dyn Door) -> Vec<Value> {
    let mut named: BTreeMap<&str, String> = BTreeMap::new();
    let mut answers = Vec::new();
    for step in story() {
        let with_ids = |text: String| {
            let ids = named.iter();
            ids.fold(text, |text, (name, id)| {
                text.replace(&format!("{{{name}}}"), id)
            })
        };
        let request = with_ids(step.request.to_string());
        let request: Value = serde_json::from_str(&request).unwrap();
        let answer = door.answer(&step, &request, &with_ids(step.command.clone()));
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
        answers.push(settled(&answer));
    }
    answers
}

#[test]
fn every_verb_of_the_catalogue_is_in_the_story() {
    let told: BTreeSet<&str> = story().iter().map(|step| step.verb).collect();
    let listed: BTreeSet<&str> = catalog::all().iter().map(|verb| verb.name).collect();
    assert_eq!(told, listed);
}

#[test]
fn every_surface_gives_the_same_answers() {
    let (library, command, call) = (World::new(), World::new(), World::new());
    let library = told(&mut Library::new(&library));
    let command = told(&mut CommandLine(&command));
    let call = told(&mut Call(&call));
    for (place, step) in story().iter().enumerate() {
        assert_eq!(library[place], command[place], "{}", step.command);
        assert_eq!(library[place], call[place], "call {}", step.verb);
    }
}

#[test]
fn a_call_is_refused_with_all_that_is_wrong_and_the_nearest_names() {
    let world = World::seeded();
    let before = world.digest();
    let request = r#"{"qeury": "pump", "top_k": 0, "profile": "engin"}"#;
    let said = world.refused(&["call", "retrieve", request], b"", "invalid_request");
    for part in [
        "did you mean `query`",
        "1..=10000",
        "`engin`",
        "`query` is missing",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let said = world.refused(&["call", "bullet.pin", "{}"], b"", "unknown_verb");
    assert!(said.contains("did you mean `bullets.pin`"), "{said}");
    world.refused(&["call", "bullets.show", "{"], b"", "invalid_json");
    world.refused(&["call", "bullets.show", "@none.json"], b"", "no_file");
    assert_eq!(world.digest(), before);
    let list = world.json("call --list");
    assert_eq!(
        list["verbs"].as_array().unwrap().len(),
        catalog::all().len()
    );
    let schema = world.json("call retrieve --schema");
    assert_eq!(schema["request"]["properties"]["top_k"]["maximum"], 10_000);
}

#[test]
fn a_call_that_makes_nothing_leaves_a_missing_store_missing() {
    let world = World::new();
    let ran = world.run(&["call", "retrieve", r#"{"query": "pump"}"#]);
    assert_eq!((ran.code, &ran.document()["results"]), (1, &json!([])));
    for (verb, request) in [
        ("bullets.list", "{}"),
        ("bullets.pin", r#"{"id": "b_1"}"#),
        ("memory.list", "{}"),
        ("digest", "{}"),
    ] {
        let ran = world.run(&["call", verb, request]);
        assert_ne!(ran.code, 0, "{verb}: {ran:?}");
        assert!(!world.path("memory.db").exists(), "{verb}");
    }
    let added = r#"{"operations": [{"op": "ADD", "content": "check the path first"}]}"#;
    assert_eq!(world.run(&["call", "delta.apply", added]).code, 0);
    assert!(world.path("memory.db").exists());
}
