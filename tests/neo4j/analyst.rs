//! The questions of analysts: the answer of each on a memory of known content, its plan, and that no answer contains
//! anything of another tenant.

use std::collections::BTreeSet;
use std::sync::Arc;

use hindlore::clock::SetClock;
use hindlore::{
    ConsolidateRequest, Engine, EngineOptions, Feedback, MemoryView, RetrieveRequest, Verdict,
};
use hindlore_contract::subject::fresh;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::consolidation::Choice;
use hindlore_domain::memory::delta::{Delta, DeltaId, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_neo4j::Neo4jStore;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::ErrorKind;
use serde_json::{Map, Value, json};

use crate::advice;
use crate::answers;
use crate::failures;
use crate::files::{File, read};
use crate::http::ask;
use crate::pictures;
use crate::plans::{FORBIDDEN, operators};
use crate::searches;
use crate::server::Server;

/// Names of the plan operators that write.
const WRITING: &[&str] = &[
    "Create", "Merge", "Set", "Remove", "Delete", "Detach", "Foreach", "Lock",
];
const DAY_MS: i64 = 86_400_000;
/// A day long ago, in UTC 2026-09-21.
const FIRST_DAY_MS: i64 = 1_790_000_000_000;

pub(crate) const RETRY: &str =
    "Retry a failed upload with backoff and jitter, then give up after five attempts.";
pub(crate) const NO_BACKOFF: &str =
    "Retry a failed upload without backoff and jitter, then give up after five attempts.";
pub(crate) const SCHEMA: &str = "Read the schema before you call an endpoint for the first time.";
pub(crate) const SCHEMA_AGAIN: &str =
    "Read the schema before you call an endpoint for the very first time.";
pub(crate) const PORT: &str =
    "Use port 8080 for the local proxy server in all tests that need the network of the office.";
pub(crate) const OTHER_PORT: &str =
    "Use port 9090 for the local proxy server in all tests that need the network of the office.";
pub(crate) const SHORT: &str = "The user prefers short answers with an example.";
pub(crate) const SHORTER: &str = "The user likes terse replies.";
pub(crate) const FOLDER: &str = "Delete the temporary folder when a run has ended.";
pub(crate) const CRATES: &str = "Weigh every crate before it goes to the shelf, and write its weight on the side. Wet \
     crates stay outside until they are dry, whoever asks for them.";
pub(crate) const WRONG: &str = "The moon is made of cheese.";

/// A memory that the tests made, and its known state.
pub(crate) struct Known {
    pub(crate) server: Server,
    pub(crate) engine: Engine,
    pub(crate) key: MemoryKey,
    /// The memory as it is in the end.
    pub(crate) view: Option<MemoryView>,
    clock: Arc<SetClock>,
}

impl Known {
    /// Makes two tenants with the same learners, scopes and deltas; only the texts of the second differ.
    pub(crate) async fn make(server: Server) -> Self {
        let known = Self::of(server.clone(), fresh("analyst"), "").await;
        Self::of(
            server,
            format!("{}-foreign", known.key.tenant()),
            "Foreign: ",
        )
        .await;
        known
    }

    async fn of(server: Server, tenant: String, mark: &str) -> Self {
        let clock = Arc::new(SetClock::at(Timestamp::from_millis(FIRST_DAY_MS)));
        let store = Arc::new(Neo4jStore::connect(server.options()).await.unwrap());
        let engine = Engine::new(store, clock.clone(), EngineOptions::default());
        let key = MemoryKey::new(&tenant, "ann", "desk").unwrap();
        let mut known = Self {
            server,
            engine,
            key,
            view: None,
            clock,
        };
        known.live(mark).await;
        known.view = known.engine.view(&known.key).await.unwrap();
        known
    }

    async fn live(&self, mark: &str) {
        self.learn(mark).await;
        self.ask_and_judge(mark).await;
        self.tidy(mark).await;
        self.talk(mark).await;
        let owner = LearnerId::new(self.key.tenant(), "ann").unwrap();
        failures::fail_and_learn(&**self.engine.store(), &owner, mark).await;
        advice::advise_and_share(&self.engine, &owner, mark).await;
        let bob = MemoryKey::new(self.key.tenant(), "bob", "desk").unwrap();
        let same = json!([{"op": "ADD", "content": format!("{mark}{RETRY}"), "helpful": 1}]);
        self.apply_to(&bob, "same", "bob", same).await;
        self.consolidate().await;
    }

    /// A memory of its own with two texts that become one.
    async fn consolidate(&self) {
        let cal = MemoryKey::new(self.key.tenant(), "cal", "desk").unwrap();
        let add = |end: &str| json!({"op": "ADD", "content": format!("{CRATES} {end}")});
        let both = json!([add("Stack them by colour."), add("Count them on Friday.")]);
        self.apply_to(&cal, "crates", "eve", both).await;
        let request = ConsolidateRequest {
            run: Some("c-known".to_owned()),
            choice: Choice {
                similarity: 0.6,
                ..Choice::default()
            },
            dry_run: false,
            batch: 100,
            texts: Vec::new(),
            author: Some("eve".to_owned()),
        };
        let done = self.engine.consolidate(&cal, request).await.unwrap();
        assert_eq!(done.merged, 2);
    }

    async fn learn(&self, mark: &str) {
        let text = |text: &str| format!("{mark}{text}");
        self.apply("first", "eve", json!([
            {"op": "ADD", "content": text(RETRY), "helpful": 3, "tags": ["network", "retry"],
                "topic": "uploads", "memory_type": "procedural", "section": "NET"},
            {"op": "ADD", "content": text(SCHEMA), "helpful": 1, "tags": ["network"],
                "concept": "schemas", "memory_type": "semantic"},
            {"op": "ADD", "content": text(SHORT), "ttl_days": 10, "memory_type": "episodic"},
            {"op": "ADD", "content": text(PORT), "memory_type": "semantic"},
            {"op": "ADD", "content": text(FOLDER), "memory_type": "semantic", "source": "trajectory"},
            {"op": "ADD", "content": text(WRONG), "memory_type": "semantic"},
        ])).await;
        self.clock
            .set(Timestamp::from_millis(FIRST_DAY_MS + DAY_MS));
        self.apply("second", "bob", json!([
            {"op": "ADD", "content": text(NO_BACKOFF), "memory_type": "procedural", "topic": "uploads"},
            {"op": "ADD", "content": text(OTHER_PORT), "memory_type": "semantic"},
            {"op": "ADD", "content": text(SCHEMA_AGAIN), "helpful": 2, "memory_type": "semantic"},
        ])).await;
    }

    async fn ask_and_judge(&self, mark: &str) {
        let retry = self.id(&format!("{mark}{RETRY}")).await.parse().unwrap();
        let no_backoff = self
            .id(&format!("{mark}{NO_BACKOFF}"))
            .await
            .parse()
            .unwrap();
        let first = self.retrieve("retry an upload with backoff").await;
        self.retrieve("retry an upload with backoff").await;
        let feedback = Feedback {
            retrieval: first,
            verdicts: vec![
                (retry, Verdict::Used),
                (retry, Verdict::Helped),
                (no_backoff, Verdict::Harmed),
            ],
            author: Some("eve".to_owned()),
        };
        self.engine
            .give_feedback(&self.key, feedback)
            .await
            .unwrap();
    }

    async fn tidy(&self, mark: &str) {
        let text = |text: &str| format!("{mark}{text}");
        let (folder, wrong) = (self.id(&text(FOLDER)).await, self.id(&text(WRONG)).await);
        let short = self.id(&text(SHORT)).await;
        self.apply(
            "tidy",
            "eve",
            json!([
                {"op": "REMOVE", "id": folder, "reason": "said \"enough\""},
                {"op": "REJECT", "id": wrong, "reason": "it is not"},
                {"op": "UPDATE", "id": short, "content": text(SHORTER)},
            ]),
        )
        .await;
        self.apply(
            "again",
            "bob",
            json!([{"op": "ADD", "content": text(WRONG)}]),
        )
        .await;
    }

    /// A dialogue in a memory of its own.
    async fn talk(&self, mark: &str) {
        let text = |text: &str| format!("{mark}{text}");
        let talk = MemoryKey::new(self.key.tenant(), "ann", "talk").unwrap();
        let said =
            |content: &str| json!({"op": "ADD", "content": text(content), "tags": ["network"]});
        let mut earlier: Option<String> = None;
        for (number, words) in ["Where is the log?", "In the state folder.", "Thanks a lot."]
            .iter()
            .enumerate()
        {
            let mut one = said(words);
            if let Some(earlier) = earlier {
                one["follows"] = json!(earlier);
            }
            self.apply_to(&talk, &format!("said-{number}"), "eve", json!([one]))
                .await;
            earlier = Some(self.id_in(&talk, &text(words)).await);
        }
    }

    async fn apply(&self, id: &str, author: &str, operations: Value) {
        self.apply_to(&self.key, id, author, operations).await;
    }

    async fn apply_to(&self, key: &MemoryKey, id: &str, author: &str, operations: Value) {
        let operations: Vec<Operation> = serde_json::from_value(operations).unwrap();
        let mut delta = Delta::new(DeltaId::parse(id).unwrap(), operations);
        delta.origin.author = Some(author.to_owned());
        delta.reasoning = Some(format!("because of {id}"));
        self.engine.apply_delta(key, delta).await.unwrap();
    }

    async fn retrieve(&self, words: &str) -> String {
        let query = Query {
            top_k: 2,
            ..Query::new(words)
        };
        let found = self
            .engine
            .retrieve(&self.key, RetrieveRequest::new(query))
            .await
            .unwrap();
        assert_eq!(found.bullets.len(), 2, "{words}");
        found.retrieval.unwrap()
    }

    async fn id(&self, content: &str) -> String {
        self.id_in(&self.key, content).await
    }

    /// The bullet that has a text in the end.
    pub(crate) fn bullet(&self, content: &str) -> &Bullet {
        let bullets = &self.view.as_ref().unwrap().bullets;
        let mut found = bullets
            .iter()
            .filter(|bullet| bullet.content.as_str() == content);
        found
            .next()
            .unwrap_or_else(|| panic!("no bullet `{content}`"))
    }

    async fn id_in(&self, key: &MemoryKey, content: &str) -> String {
        let view = self.engine.view(key).await.unwrap().unwrap();
        let mut found = view
            .bullets
            .iter()
            .filter(|bullet| bullet.content.as_str() == content);
        found
            .next()
            .unwrap_or_else(|| panic!("no bullet `{content}`"))
            .id
            .to_string()
    }

    /// The parameters that the questions of the pack take.
    pub(crate) fn parameters(&self) -> Map<String, Value> {
        let all = json!({"tenant": self.key.tenant(), "learner": "ann", "scope": "desk", "limit": 25,
            "window": 100, "least": 2, "revision": 1, "bullet": "b_00", "slow_ms": 0, "words": "upload", "author": "eve",
            "other": "bob"});
        all.as_object().unwrap().clone()
    }

    /// The rows that a question of the pack answers with.
    pub(crate) fn rows(&self, name: &str, more: Value) -> Vec<Map<String, Value>> {
        let mut parameters = self.parameters();
        parameters.extend(more.as_object().unwrap().clone());
        let body = &question(name).body;
        rows(&ask(&self.server, body, Value::Object(parameters)), name)
    }
}

/// A file of the pack.
pub(crate) fn question(name: &str) -> File {
    let folder = name.split('/').next().unwrap();
    let file = read(folder)
        .into_iter()
        .find(|file| file.name == format!("{name}.cypher"));
    file.unwrap_or_else(|| panic!("no question {name}"))
}

/// An answer as a map for each row.
pub(crate) fn rows(answer: &Value, name: &str) -> Vec<Map<String, Value>> {
    let fields = answer["data"]["fields"].as_array();
    let fields = fields.unwrap_or_else(|| panic!("{name}: {answer}"));
    let values = answer["data"]["values"].as_array().unwrap().iter();
    let row = |row: &Value| {
        let cells = row.as_array().unwrap().iter();
        let names = fields
            .iter()
            .map(|field| field.as_str().unwrap().to_owned());
        names.zip(cells.cloned()).collect()
    };
    values.map(row).collect()
}

pub(crate) fn headers() {
    let files = [read("analyst"), read("ops")].concat();
    assert!(files.len() >= 46, "{} files", files.len());
    let mut titles = BTreeSet::new();
    for file in files {
        let name = &file.name;
        let title = file.header[0].trim();
        assert!(
            title.len() > 15 && title.len() < 90 && file.header[1].is_empty(),
            "{name}"
        );
        assert!(
            titles.insert(title.to_owned()),
            "{name}: `{title}` is a title already"
        );
        // One statement: the Browser splits its input at every semicolon outside comments.
        assert!(
            !file.body.contains([';', '\t']) && !file.header.concat().contains(';'),
            "{name}"
        );
        let given = file
            .header
            .iter()
            .filter_map(|line| line.strip_prefix("   :param "));
        let given: BTreeSet<String> = given
            .map(|line| {
                let (parameter, value) = line.split_once(" => ").unwrap();
                assert!(!value.is_empty(), "{name}");
                format!("${parameter}")
            })
            .collect();
        assert_eq!(given, file.used(), "parameters of {name}");
        assert_eq!(
            file.declared("Columns:"),
            file.returned(),
            "columns of {name}"
        );
        assert_eq!(
            file.body.matches("LIMIT toInteger($limit)").count(),
            1,
            "bound of {name}"
        );
        let is_ours = name.starts_with("ops/") || file.used().contains("$tenant");
        assert!(is_ours, "{name} binds no tenant");
    }
}

/// Explains a question and checks that its plan does not write.
fn check_plan(server: &Server, file: &File, parameters: Value) {
    let name = &file.name;
    let answer = ask(server, &format!("EXPLAIN {}", file.body.trim()), parameters);
    assert!(answer["queryPlan"].is_object(), "{name}: {answer}");
    let mut found = Vec::new();
    operators(&answer["queryPlan"], &mut found);
    let writes = found
        .iter()
        .find(|operator| WRITING.iter().any(|word| operator.starts_with(word)));
    assert!(writes.is_none(), "{name} writes: {writes:?}");
    let scans = found
        .iter()
        .any(|operator| FORBIDDEN.contains(&operator.as_str()));
    let may_scan = file
        .header
        .iter()
        .any(|line| line.contains("Scans whole labels on purpose"));
    assert!(!may_scan || name.starts_with("ops/"), "{name}");
    assert_eq!(scans, may_scan, "{name}: {found:?}");
}

pub(crate) async fn plans(server: Server) {
    let known = Known::make(server.clone()).await;
    let mut explained = 0;
    for file in [read("analyst"), read("ops")].concat() {
        // SHOW commands have no plan over data, and cannot write.
        if !file.body.trim().starts_with("SHOW ") {
            check_plan(&server, &file, Value::Object(known.parameters()));
            explained += 1;
        }
    }
    assert!(explained >= 42, "{explained} questions");
}

pub(crate) async fn results(server: Server) {
    let known = Known::make(server).await;
    let mut asked = BTreeSet::new();
    for (name, check) in answers::ALL
        .iter()
        .chain(failures::ALL)
        .chain(advice::ALL)
        .chain(searches::ALL)
        .chain(pictures::ALL)
    {
        check(&known);
        assert!(asked.insert(format!("{name}.cypher")), "{name} twice");
    }
    let files: BTreeSet<String> = read("analyst").into_iter().map(|file| file.name).collect();
    assert_eq!(asked, files, "questions without an expectation");
}

/// Asks every question with rows through the store, as an agent does, and compares with the answer over HTTP.
pub(crate) async fn through_the_store(server: Server) {
    let known = Known::make(server).await;
    let store = Neo4jStore::connect(known.server.options()).await.unwrap();
    let mut asked = 0;
    for file in read("analyst") {
        let name: &'static str = file.name.trim_end_matches(".cypher").to_owned().leak();
        if name.contains("picture") {
            continue;
        }
        let text: &'static str = file.body.clone().leak();
        let mut parameters = known.parameters();
        parameters.insert("bullet".to_owned(), json!(known.bullet(RETRY).id));
        let answered = store.ask((name, text), &parameters, 100).await.unwrap();
        let over_http = ask(&known.server, text, Value::Object(parameters));
        let expected = rows(&over_http, name);
        assert_eq!(answered.len(), expected.len(), "{name}");
        for (row, other) in answered.iter().zip(&expected) {
            let names = |row: &Map<String, Value>| row.keys().cloned().collect::<BTreeSet<_>>();
            assert_eq!(names(row), names(other), "{name}");
        }
        asked += usize::from(!answered.is_empty());
    }
    assert!(asked > 20, "{asked} questions have rows");
    let mut words = known.parameters();
    words.insert("words".to_owned(), json!(["a list"]));
    let text = "RETURN $words AS words";
    let refused = store.ask(("words", text), &words, 1).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Invalid, "{refused}");
}

/// Runs every question with the names of one tenant, and searches the answers for data of the other.
pub(crate) async fn isolation(server: Server) {
    let known = Known::make(server.clone()).await;
    let foreign = format!("{}-foreign", known.key.tenant());
    let mut parameters = known.parameters();
    let (mut seen, mut theirs) = (0, 0);
    for (bullet, revision) in [(RETRY, 1), (NO_BACKOFF, 2)] {
        parameters.insert("bullet".to_owned(), json!(known.bullet(bullet).id));
        parameters.insert("revision".to_owned(), json!(revision));
        for file in read("analyst") {
            let answer = ask(&server, &file.body, Value::Object(parameters.clone())).to_string();
            assert!(
                !answer.contains(&foreign) && !answer.contains("Foreign: "),
                "{}",
                file.name
            );
            seen += usize::from(answer.contains("upload"));
            // The other tenant has its answers, so that this can fail.
            let mut other = parameters.clone();
            other.insert("tenant".to_owned(), json!(foreign));
            let answer = ask(&server, &file.body, Value::Object(other)).to_string();
            theirs += usize::from(answer.contains("Foreign: "));
        }
    }
    assert!(
        seen > 20 && theirs > 20,
        "{seen} and {theirs} answers hold an upload"
    );
}

fn text_of(path: &str) -> String {
    let root = std::path::Path::new(crate::ROOT);
    std::fs::read_to_string(root.join("cypher").join(path)).unwrap()
}

/// The guide holds every question of the pack as it is, and no picture from elsewhere.
pub(crate) fn guide() {
    let guide = text_of("browser/guide.html");
    let blocks: Vec<String> = guide
        .split("code runnable\">")
        .skip(1)
        .map(|rest| rest.split("</pre>").next().unwrap())
        .map(|code| {
            code.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&")
        })
        .collect();
    let block = |file: &File| format!("// {}\n{}", file.header[0].trim(), file.body.trim());
    let pack: Vec<String> = [read("analyst"), read("ops")]
        .concat()
        .iter()
        .map(block)
        .collect();
    for code in &blocks {
        assert!(
            code.starts_with(":param") || pack.contains(code),
            "not of the pack: {code}"
        );
    }
    for file in read("analyst") {
        assert!(
            blocks.contains(&block(&file)),
            "{} is not in the guide",
            file.name
        );
    }
    for outside in ["src=\"http", "url(", "<script", "<link"] {
        assert!(!guide.contains(outside), "{outside}");
    }
    let setting = blocks
        .iter()
        .find(|code| code.starts_with(":params"))
        .unwrap();
    for file in [read("analyst"), read("ops")].concat() {
        for name in file.used().iter().filter(|name| *name != "$bullet") {
            let set = format!("{}: ", &name[1..]);
            assert!(setting.contains(&set), "{name} of {} is not set", file.name);
        }
    }
}

/// Every label and relationship that a statement writes has its look.
pub(crate) fn styles() {
    let style = text_of("browser/hindlore.grass");
    let mut named = BTreeSet::new();
    for file in [read("queries"), read("migrations"), read("analyst")].concat() {
        for part in file.body.split([':', '|']).skip(1) {
            let end = part
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(part.len());
            let (name, rest) = part.split_at(end);
            let is_parameter = rest.starts_with("'") || name.is_empty();
            let is_name = name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
            if is_name && !is_parameter && name != "Event" {
                named.insert(name.to_owned());
            }
        }
    }
    assert!(named.len() > 25, "{named:?}");
    for name in named {
        let is_known = ["node", "relationship"]
            .iter()
            .any(|sort| style.contains(&format!("{sort}.{name} {{")));
        assert!(is_known, "{name} has no style");
    }
    for rule in style.split("\n}").filter(|rule| !rule.trim().is_empty()) {
        let name = rule.split('{').next().unwrap().trim();
        assert!(
            rule.contains("color: #") && rule.contains("caption: \""),
            "{name}"
        );
        assert!(
            !name.starts_with("node") || rule.contains("diameter: "),
            "{name}"
        );
    }
    assert_eq!(style.matches('{').count(), style.matches('}').count());
}

/// Everything in the folder is in its README.
pub(crate) fn readme() {
    let readme = text_of("README.md");
    for file in [
        read("analyst"),
        read("ops"),
        read("browser"),
        read("migrations"),
    ]
    .concat()
    {
        assert!(
            readme.contains(&format!("`{}`", file.name)),
            "{} is not listed",
            file.name
        );
    }
    for word in readme
        .split('`')
        .filter(|word| word.ends_with(".cypher") && word.contains('/'))
    {
        let is_there = word.contains(['<', '*'])
            || std::path::Path::new(crate::ROOT)
                .join("cypher")
                .join(word)
                .exists();
        assert!(is_there, "{word} is listed and not there");
    }
}
