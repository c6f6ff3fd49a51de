//! The program itself on a server: each command answers as on a file, and a port without a Neo4j server is reported.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use hindlore_contract::subject::fresh;
use serde_json::{Value, json};

use crate::paste::shell::Shell;
use crate::paste::{blocks_of, followed};
use crate::server::Server;
use crate::world::{Ran, World};

/// The longest that the program may take to give a server up.
const PATIENCE: Duration = Duration::from_secs(45);

/// The commands, in order. `{id}` is the best bullet of the last answer, `{r}` its retrieval, `{lesson}` the newest
/// lesson, `{file}` a file in a folder of one's own.
const SAID: &[&str] = &[
    "retrieve prime the pump --top-k 2",
    "feedback {r} --helped {id} --used {id}",
    "retrieve prime the pump --peek --tag pump",
    "retrieve close the valve --strict --include-shared --prompt --budget 40",
    "bullets list",
    "bullets show {id}",
    "bullets search fractions",
    "bullets pin {id}",
    "delta log",
    "delta undo d1 --force",
    "delta log --limit 2",
    "policy show",
    "policy set floor=0.2",
    "digest",
    "replay",
    "memory list",
    "export {file}",
    "import --format hindlore {file} --learner second",
    "digest --learner second",
    "analyze summary",
    "analyze search valve",
    "config show",
    "errors list",
    "runs list",
    "runs show run-1",
    "runs end run-1 --passed",
    "lessons list",
    "lessons show {lesson}",
    "lessons explain {lesson}",
    "lessons retrieve make a report --domain grid",
    "lessons conflicts",
    "lessons review {lesson} --to suppressed",
    "lessons list --status suppressed",
    "health",
    "doctor verify",
    "memory clear --yes",
    "bullets list --status archived",
    "erase --learner second --yes",
    "memory list",
];

const ERROR: &str = "ERROR at line 3: unknown function SUM, use sum";

/// A world, and the names in its last answers.
pub(crate) struct Side {
    world: World,
    names: Vec<(&'static str, String)>,
}

impl Side {
    fn name(&mut self, place: &'static str, value: Option<&str>) {
        if let Some(value) = value {
            self.names.retain(|(known, _)| *known != place);
            self.names.push((place, value.to_owned()));
        }
    }

    /// The answer to a command, without the parts that vary each time.
    fn say(&mut self, said: &str) -> (i32, Value) {
        self.say_with(&said.split(' ').collect::<Vec<_>>(), "")
    }

    /// The answer to a command with words on stdin.
    pub(crate) fn say_with(&mut self, said: &[&str], input: &str) -> (i32, Value) {
        let mut words: Vec<String> = said.iter().map(|word| (*word).to_owned()).collect();
        for word in &mut words {
            for (place, value) in &self.names {
                *word = word.replace(place, value);
            }
        }
        words.push("--json".to_owned());
        let ran = self.world.run_with(&words, input);
        let text = if ran.code == 2 { &ran.err } else { &ran.out };
        let answer: Value =
            serde_json::from_str(text).unwrap_or_else(|_| panic!("{said:?}: {ran:?}"));
        self.name(
            "{r}",
            answer["retrieval"]
                .as_str()
                .filter(|id| id.starts_with("r_")),
        );
        self.name("{id}", answer["results"][0]["id"].as_str());
        self.name("{lesson}", answer["lessons"][0]["id"].as_str());
        (ran.code, alike(answer, &self.names))
    }
}

/// An answer without times and the random names of deltas and retrievals, and with placeholders for other names that
/// differ between the sides.
fn alike(answer: Value, names: &[(&'static str, String)]) -> Value {
    match answer {
        Value::Array(all) => all.into_iter().map(|one| alike(one, names)).collect(),
        Value::Object(fields) => {
            let differs = |name: &str| {
                // A server reports more about an erase, and remaining data is named with the tenant.
                let of_a_side = ["notes", "command", "learner_hash", "subject_hash"];
                if of_a_side.contains(&name) {
                    return true;
                }
                let ends = ["_at", "_ms", "digest", "last_access", "last_used", "bytes"];
                ends.iter().any(|end| name.ends_with(end)) && name != "content_digest"
            };
            let fields = fields.into_iter().filter(|(name, _)| !differs(name));
            Value::Object(
                fields
                    .map(|(name, value)| (name, alike(value, names)))
                    .collect(),
            )
        }
        Value::String(text) => {
            let shown = names
                .iter()
                .fold(text, |text, (place, value)| text.replace(value, place));
            let is_time =
                |word: &str| word.len() >= 17 && word.ends_with('Z') && word.as_bytes()[4] == b'-';
            let is_name = |word: &str| {
                let of_verb = [
                    "feedback:",
                    "undo:",
                    "clear:",
                    "adopt:",
                    "rebase:",
                    "er_",
                    "turn_",
                ];
                let of_chance = ["d_", "r_", "v_", "s_", "f_"];
                let is_id = word.len() == 22 && of_chance.iter().any(|one| word.starts_with(one));
                is_id || of_verb.iter().any(|verb| word.starts_with(verb))
            };
            let words = shown.split(' ').map(|word| {
                if is_time(word) || is_name(word) {
                    "(by chance)"
                } else {
                    word
                }
            });
            Value::String(words.collect::<Vec<_>>().join(" "))
        }
        // A score holds the age of what it ranks.
        Value::Number(number) if number.is_f64() => {
            let value = number.as_f64().unwrap();
            json!((value * 1e5).round() / 1e5)
        }
        other => other,
    }
}

/// A world whose store is the server.
pub(crate) fn on(server: &Server, tenant: &str) -> World {
    let mut world = World::new();
    for (name, value) in [
        ("HINDLORE_STORE", server.uri.as_str()),
        ("HINDLORE_TENANT", tenant),
        ("HINDLORE_INSTANCE", "program"),
        ("NEO4J_USERNAME", &server.user),
        ("NEO4J_PASSWORD", &server.password),
        ("NEO4J_DATABASE", &server.database),
    ] {
        world.set(name, value);
    }
    if let Some(file) = &server.ca_file {
        world.set("NEO4J_CA_FILE", file.to_str().unwrap());
    }
    world
}

/// A world on a file and one on the server, of one tenant.
fn worlds(server: &Server) -> [World; 2] {
    let tenant = fresh("tenant");
    // A file store ignores the settings of a server.
    let mut embedded = on(server, &tenant);
    let file = embedded.store();
    embedded.set("HINDLORE_STORE", &file);
    [embedded, on(server, &tenant)]
}

/// Both worlds as sides without names.
pub(crate) fn pair(server: &Server) -> [Side; 2] {
    worlds(server).map(|world| Side {
        world,
        names: Vec::new(),
    })
}

pub(crate) async fn every_command(server: Server) {
    let delta = json!({"id": "d1", "operations": [
        {"op": "ADD", "content": "prime the pump before you start the engine", "tags": ["pump"]},
        {"op": "ADD", "content": "close the valve after every run", "section": "SHUTDOWN"},
        {"op": "ADD", "content": "fractions need a shared denominator", "topic": "arithmetic"},
    ]});
    let steps = json!([
        {"run": "run-1", "action": "TALLY region -> n=SUM(total)", "error": ERROR, "exit_code": 1},
        {"run": "run-1", "action": "TALLY region -> n=sum(total)", "exit_code": 0},
    ]);
    let mut sides = worlds(&server).map(|world| {
        world.apply(&delta);
        let options = ["--task", "report", "--domain", "grid", "--tool", "gridtool"];
        let words = [&["errors", "capture", "-", "--json"], &options[..]].concat();
        let captured = world.run_with(&words, steps.to_string());
        assert_eq!(captured.code, 0, "{captured:?}");
        let file = world.path("memory.jsonl").to_str().unwrap().to_owned();
        let store = match std::fs::exists(world.store()) {
            Ok(true) => world.store(),
            _ => server.uri.clone(),
        };
        let names = vec![("{file}", file), ("{store}", store)];
        Side { world, names }
    });
    let mut different = Vec::new();
    for said in SAID {
        let [file, graph] = sides.each_mut().map(|side| side.say(said));
        if file != graph || file.0 > 1 {
            different.push(format!(
                "{said}:\n  {} {}\n  {} {}",
                file.0, file.1, graph.0, graph.1
            ));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

pub(crate) async fn the_demo(server: Server) {
    let tenant = fresh("tenant");
    let (file, graph) = (World::new(), on(&server, &tenant));
    let [file, graph] = [file, graph].map(|world| world.json("demo"));
    let steps = |told: &Value| -> Vec<Value> {
        let steps = told["steps"].as_array().unwrap().iter();
        steps.map(|step| step["step"].clone()).collect()
    };
    assert!(steps(&file).len() > 3, "{file}");
    assert_eq!(steps(&file), steps(&graph));
}

/// A server that answers every request with the same bytes.
fn stranger(answer: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for client in listener.incoming() {
            let Ok(mut client) = client else { return };
            let _ = client.read(&mut [0; 256]);
            let _ = client.write_all(answer);
        }
    });
    port
}

fn refused(world: &World) -> (Ran, Duration) {
    let started = Instant::now();
    let ran = world.run(&["bullets", "list", "--json"]);
    (ran, started.elapsed())
}

pub(crate) async fn what_is_no_server(server: Server) {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = closed.local_addr().unwrap().port();
    drop(closed);
    let http = stranger(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    let garbage = stranger(&[0xff; 64]);
    let cases = [
        (port, "store_unavailable"),
        (http, "store_foreign"),
        (garbage, "store_foreign"),
    ];
    for (port, code) in cases {
        let mut world = on(&server, "t");
        world.set("HINDLORE_STORE", &format!("bolt://127.0.0.1:{port}"));
        let (ran, took) = refused(&world);
        let message = ran.problem(code);
        assert!(message.contains(&port.to_string()), "{message}");
        assert!(took < PATIENCE, "{took:?}: {message}");
    }
    let mut world = on(&server, "t");
    world.set("NEO4J_PASSWORD", "another-password");
    let (ran, took) = refused(&world);
    let message = ran.problem("store_unavailable");
    assert!(message.contains("password"), "{message}");
    assert!(!message.contains("another-password"), "{message}");
    assert!(took < PATIENCE, "{took:?}: {message}");
}

/// The book's blocks for a database, pasted after those of the tour.
pub(crate) async fn the_book(server: Server) {
    let chapters = ["docs/book/src/tour.md", "docs/book/src/neo4j.md"];
    let mut blocks: Vec<_> = chapters.into_iter().flat_map(blocks_of).collect();
    assert!(blocks.iter().any(|block| block.kind == "neo4j"));
    // The tour is compared elsewhere; here its tenant, and with it each id, is another one.
    for block in blocks.iter_mut().filter(|block| block.kind.is_empty()) {
        block.answer = Some("…".to_owned());
    }
    let mut shell = Shell::new();
    for (name, value) in [
        ("NEO4J_URI", &server.uri),
        ("NEO4J_USERNAME", &server.user),
        ("NEO4J_PASSWORD", &server.password),
        ("NEO4J_DATABASE", &server.database),
        ("NEO4J_HTTP", &server.http),
        ("HINDLORE_TENANT", &fresh("book")),
    ] {
        shell.set(name, value);
    }
    let wrong = followed(&blocks, &shell);
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
