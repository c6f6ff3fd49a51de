//! The log events of the engine: one structured event for each event of a memory, without contents unless they are
//! requested.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, OnceLock};

use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineOptions, RetrieveRequest};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{
    Delta, DeltaId, NewBullet, Operation, Patch, PinChange, PolicyChange, Removal,
};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_domain::memory::receipt::Receipt;
use hindlore_testkit::TemporaryStore;
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::instrument::WithSubscriber;
use tracing::subscriber::NoSubscriber;
use tracing::{Dispatch, Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};

type Fields = BTreeMap<String, String>;

/// Keeps every event of the engine with its fields.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<Fields>>>);

struct Reader<'f>(&'f mut Fields);

impl Visit for Reader<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
}

impl<S: Subscriber> Layer<S> for Recorder {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        if event.metadata().target() != "hindlore::memory" {
            return;
        }
        let mut fields = Fields::new();
        event.record(&mut Reader(&mut fields));
        self.0.lock().unwrap().push(fields);
    }
}

/// An engine whose events are recorded. The recorder is that of the thread, on which a runtime of one
/// thread also runs the engine's own tasks.
struct Scene {
    engine: Engine,
    recorder: Recorder,
    _place: TemporaryStore,
}

fn key() -> MemoryKey {
    MemoryKey::new("t", "learner", "s").unwrap()
}

impl Scene {
    fn new(log_contents: bool) -> Self {
        let place = TemporaryStore::new().unwrap();
        let options = EngineOptions {
            log_contents,
            ..EngineOptions::default()
        };
        Self {
            engine: Engine::new(place.store().unwrap(), Arc::new(SystemClock), options),
            recorder: Recorder::default(),
            _place: place,
        }
    }

    async fn delta(&self, id: &str, operations: Vec<Operation>) -> Receipt {
        let delta = Delta::new(DeltaId::parse(id).unwrap(), operations);
        self.engine
            .apply_delta(&key(), delta)
            .await
            .unwrap()
            .receipt
    }

    /// Takes the events since the last call.
    fn told(&self) -> Vec<Fields> {
        let all = std::mem::take(&mut *self.recorder.0.lock().unwrap());
        for fields in &all {
            assert_eq!(
                fields.get("memory").map(String::as_str),
                Some("t/learner/s"),
                "{fields:?}"
            );
        }
        all
    }
}

/// Makes sure that concurrent tests do not switch off the events recorded here.
///
/// As long as one subscriber lives, tracing asks the thread that comes to an event first whether there is a listener,
/// and keeps its answer for all threads. One more that stays makes it ask every subscriber.
fn stay_heard() {
    static SECOND: OnceLock<Dispatch> = OnceLock::new();
    SECOND.get_or_init(|| Dispatch::new(NoSubscriber::new()));
}

/// Runs a story with its recorder in place.
fn play<F: Future<Output = ()>>(scene: &Scene, story: F) {
    stay_heard();
    let subscriber = tracing_subscriber::registry().with(scene.recorder.clone());
    let guard = tracing::subscriber::set_default(subscriber);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(story.with_current_subscriber());
    drop(guard);
}

fn add(text: &str) -> Operation {
    Operation::Add(Box::new(NewBullet {
        content: text.to_owned(),
        helpful: 2,
        ..NewBullet::default()
    }))
}

fn events(told: &[Fields]) -> Vec<&str> {
    told.iter().map(|fields| fields["event"].as_str()).collect()
}

fn removal(id: BulletId) -> Removal {
    Removal {
        id: id.into(),
        reason: None,
    }
}

const SECRET: &str =
    "the password of the archive is swordfish and it is never to be told to anybody";

#[test]
fn a_load_is_told_once() {
    let scene = Scene::new(false);
    play(&scene, async {
        scene.delta("d1", vec![add(SECRET)]).await;
        let told = scene.told();
        assert_eq!(events(&told), ["loaded", "add"]);
        assert_eq!(told[0]["bullets"], "3");
        let found = scene.engine.view(&key()).await.unwrap().unwrap();
        assert_eq!(found.revision, 1);
        assert_eq!(scene.told(), []);
    });
}

#[test]
fn every_change_is_told_with_its_bullets() {
    let scene = Scene::new(false);
    play(&scene, async {
        let first = scene.delta("d1", vec![add(SECRET)]).await.added[0];
        let told = scene.told();
        let added = &told[1];
        assert_eq!(
            (added["event"].as_str(), &added["bullet"]),
            ("add", &first.to_string())
        );
        assert_eq!(
            (added["helpful"].as_str(), added["harmful"].as_str()),
            ("2", "0")
        );

        scene.delta("d2", vec![add(&SECRET.to_uppercase())]).await;
        let told = scene.told();
        assert_eq!(events(&told), ["reinforce"]);
        assert_eq!(told[0]["bullet"], first.to_string());

        let merged = scene
            .delta("d3", vec![add(&format!("{SECRET} here"))])
            .await
            .merged[0];
        let told = scene.told();
        assert_eq!(events(&told), ["merge"]);
        let ends = (merged.into.to_string(), merged.from.to_string());
        assert_eq!((&told[0]["kept"], &told[0]["merged"]), (&ends.0, &ends.1));

        let patch = Patch {
            helpful: Some(9),
            ..Patch::new(first)
        };
        scene
            .delta("d4", vec![Operation::Update(Box::new(patch))])
            .await;
        let told = scene.told();
        assert_eq!(events(&told), ["update"]);
        assert_eq!(
            (&told[0]["bullet"], told[0]["helpful"].as_str()),
            (&first.to_string(), "9")
        );

        scene
            .delta("d5", vec![Operation::Remove(removal(first))])
            .await;
        let told = scene.told();
        assert_eq!(
            (events(&told), &told[0]["bullet"]),
            (vec!["remove"], &first.to_string())
        );

        scene
            .delta("d6", vec![Operation::Reject(removal(first))])
            .await;
        assert_eq!(events(&scene.told()), ["remove"]);
        scene
            .delta("d6", vec![Operation::Reject(removal(first))])
            .await;
        assert_eq!(scene.told(), [], "a repeated delta tells nothing");
    });
}

#[test]
fn a_prune_is_told_apart_from_a_removal() {
    let scene = Scene::new(false);
    play(&scene, async {
        let weak = scene
            .delta("d1", vec![add("boil the water first")])
            .await
            .added[0];
        let strong = scene.delta("d2", vec![add("name each source")]).await.added[0];
        let pin = PinChange {
            id: strong.into(),
            on: false,
        };
        scene.told();
        let fields = json!({"max_bullets": 1}).as_object().cloned().unwrap();
        let limit = Operation::Policy(PolicyChange { fields });
        scene.delta("d3", vec![Operation::Pin(pin), limit]).await;
        let told = scene.told();
        assert_eq!(events(&told), ["prune"]);
        assert_eq!(told[0]["bullet"], weak.to_string());
        let score: f64 = told[0]["score"].parse().unwrap();
        assert!(score > 0.0 && told[0].contains_key("tags"), "{told:?}");
        // New bullets for which there is no room are named as well.
        let new = vec![add("rinse the kettle twice"), add("date each note")];
        let archived = scene.delta("d4", new).await.archived;
        let told = scene.told();
        let prunes = told.iter().filter(|one| one["event"] == "prune").count();
        assert_eq!((archived.len(), prunes), (2, 2), "{told:?}");
    });
}

#[test]
fn an_injection_is_told_however_it_was_decided() {
    let scene = Scene::new(false);
    play(&scene, async {
        let id = scene.delta("d1", vec![add("name each source")]).await.added[0];
        scene.told();
        for (strict, include_shared) in [(false, false), (true, false), (false, true)] {
            let request = RetrieveRequest {
                strict,
                include_shared,
                ..RetrieveRequest::new(Query::new("which source"))
            };
            scene.engine.retrieve(&key(), request).await.unwrap();
            let told = scene.told();
            assert_eq!(
                events(&told),
                ["inject", "injected"],
                "{strict} {include_shared}"
            );
            assert_eq!(
                (told[0]["bullets"].as_str(), told[0]["query"].as_str()),
                ("1", "[len=12]")
            );
            assert_eq!(
                (&told[1]["bullet"], told[1]["content"].as_str()),
                (&id.to_string(), "[len=16]")
            );
            assert_eq!(
                (told[1]["helpful"].as_str(), told[1]["harmful"].as_str()),
                ("2", "0")
            );
            let score: f64 = told[1]["score"].parse().unwrap();
            assert!(score > 0.0 && told[1].contains_key("tags"), "{told:?}");
        }
        let peek = RetrieveRequest::peek(Query::new("which source"));
        scene.engine.retrieve(&key(), peek).await.unwrap();
        assert_eq!(scene.told(), [], "a look injects nothing");
    });
}

#[test]
fn contents_are_told_only_when_asked_for_and_then_in_part() {
    for shown in [false, true] {
        let scene = Scene::new(shown);
        play(&scene, async {
            let long = format!("{SECRET} {}", "é".repeat(100));
            scene.delta("d1", vec![add(&long)]).await;
            let query = Query::new(format!("swordfish {}", "x".repeat(200)));
            scene
                .engine
                .retrieve(&key(), RetrieveRequest::new(query))
                .await
                .unwrap();
            let told = scene.told();
            assert_eq!(events(&told), ["loaded", "add", "inject", "injected"]);
            let length = long.chars().count();
            let head: String = long.chars().take(120).collect();
            let expected = if shown {
                format!("{head}… [len={length}]")
            } else {
                format!("[len={length}]")
            };
            assert_eq!(
                (&told[1]["content"], &told[3]["content"]),
                (&expected, &expected)
            );
            let everything = format!("{told:?}");
            assert_eq!(everything.contains("swordfish"), shown);
            assert!(told[2]["query"].ends_with("[len=210]"));
        });
    }
}
