//! Ranking by meaning on a file: texts get their vectors in batches, several engines share them, and an answer never
//! depends on a model that fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hindlore::clock::SystemClock;
use hindlore::embeddings::EmbeddingsStatus;
use hindlore::embeddings::embedder::{Embedded, Embedder, EmbeddingModel, Embeddings, Side};
use hindlore::embeddings::meaning::Meaning;
use hindlore::{Engine, EngineOptions, RetrieveRequest, Retrieved};
use hindlore_domain::memory::content::vectors::CosineScale;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Profile;
use hindlore_domain::memory::query::Query;
use hindlore_testkit::TemporaryStore;

/// Words of one meaning each: a text points into the directions of its words.
const MEANINGS: [&[&str]; 4] = [
    &["vegetarian", "eat", "diet"],
    &["deploy", "ship", "release"],
    &["database", "PostgreSQL"],
    &["lint", "style"],
];

/// A model that knows a few words.
#[derive(Debug)]
struct Words {
    model: EmbeddingModel,
    /// Calls that it still answers.
    left: AtomicUsize,
    /// Texts that it read.
    read: AtomicUsize,
}

impl Words {
    fn new(name: &str, left: usize) -> Arc<Self> {
        Arc::new(Self {
            model: EmbeddingModel {
                name: name.to_owned(),
                question_prefix: "query: ".to_owned(),
                passage_prefix: String::new(),
                scale: CosineScale {
                    zero: 0.0,
                    floor: 0.3,
                },
            },
            left: AtomicUsize::new(left),
            read: AtomicUsize::new(0),
        })
    }
}

impl Embedder for Words {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    fn embed<'a>(&'a self, texts: &'a [String], side: Side) -> Embedded<'a> {
        Box::pin(async move {
            let take = |left: usize| left.checked_sub(1);
            let order = Ordering::SeqCst;
            if self.left.fetch_update(order, order, take).is_err() {
                return Err("the plug is out".to_owned());
            }
            self.read.fetch_add(texts.len(), order);
            let input = texts.iter().map(|text| self.model.input(text, side));
            Ok(input.map(|text| vector_of(&text)).collect())
        })
    }
}

fn vector_of(text: &str) -> Vec<f32> {
    let has = |words: &&[&str]| words.iter().any(|word| text.contains(word));
    MEANINGS
        .iter()
        .map(|words| if has(words) { 1.0 } else { 0.0 })
        .collect()
}

struct World {
    place: TemporaryStore,
    key: MemoryKey,
}

impl World {
    fn new() -> Self {
        Self {
            place: TemporaryStore::new().unwrap(),
            key: MemoryKey::new("t", "l", "s").unwrap(),
        }
    }

    fn engine(&self, embeddings: Embeddings) -> Engine {
        let options = EngineOptions {
            embeddings,
            ..EngineOptions::default()
        };
        Engine::new(self.place.store().unwrap(), Arc::new(SystemClock), options)
    }

    fn with(&self, words: &Arc<Words>) -> Engine {
        self.engine(here(words, false))
    }

    async fn ask(&self, engine: &Engine, question: &str) -> Retrieved {
        let request = RetrieveRequest::peek(Query::new(question));
        engine.retrieve(&self.key, request).await.unwrap()
    }

    async fn status(&self, engine: &Engine) -> EmbeddingsStatus {
        engine.embeddings_status(&self.key).await.unwrap()
    }
}

fn here(words: &Arc<Words>, follows_writes: bool) -> Embeddings {
    Embeddings::Here {
        embedder: words.clone(),
        follows_writes,
    }
}

fn texts(answer: &Retrieved) -> Vec<&str> {
    let found = answer.bullets.iter();
    found.map(|one| one.bullet.content.as_str()).collect()
}

const FACTS: [&str; 3] = [
    "The user is vegetarian.",
    "We deploy on Tuesdays.",
    "Use PostgreSQL 16.",
];

#[tokio::test]
async fn a_text_without_a_shared_word_is_found_by_its_meaning() {
    let (world, words) = (World::new(), Words::new("w", 99));
    let engine = world.with(&words);
    for fact in FACTS {
        engine.add(&world.key, fact).await.unwrap();
    }
    let before = world.ask(&engine, "what can I eat?").await;
    assert!(texts(&before).is_empty(), "{before:?}");
    assert_eq!(
        before.meaning,
        Some(Meaning::ByWords("no vectors yet".to_owned()))
    );
    let built = engine.build_embeddings(&world.key).await.unwrap();
    assert_eq!(
        (
            built.computed,
            built.status.with_vector,
            built.status.bullets
        ),
        (3, 3, 3)
    );
    let answer = world.ask(&engine, "what can I eat?").await;
    assert_eq!(
        (texts(&answer), answer.meaning.clone()),
        (vec![FACTS[0]], Some(Meaning::Counted))
    );
    let (hit, weights) = (&answer.bullets[0].hit, answer.ranking.weights);
    let parts = hit.parts;
    assert_eq!((parts.cosine, parts.relevance), (Some(1.0), 0.0));
    let sum = weights.relevance * (parts.relevance + 0.6)
        + weights.strength * parts.strength
        + weights.memory_type * parts.memory_type;
    assert_eq!(hit.score, sum + parts.bonus);
    // Nothing is near.
    let foreign = world.ask(&engine, "who wrote the anthem?").await;
    assert!(texts(&foreign).is_empty() && foreign.near_misses.is_empty());
    // Classic profiles know no meaning.
    let classic = Query {
        profile: Some(Profile::Original),
        ..Query::new("what can I eat?")
    };
    let classic = RetrieveRequest::peek(classic);
    let classic = engine.retrieve(&world.key, classic).await.unwrap();
    let mut cosines = classic.bullets.iter().map(|one| one.hit.parts.cosine);
    assert!(classic.bullets.len() >= 3 && cosines.all(|cosine| cosine.is_none()));
}

#[tokio::test]
async fn an_interrupted_computation_goes_on_where_it_stopped() {
    let world = World::new();
    let words = Words::new("w", 2);
    let engine = world.with(&words);
    for number in 0..70 {
        let text = format!("Release number {number} of the service is called {number}.");
        engine.add(&world.key, &text).await.unwrap();
    }
    let error = engine.build_embeddings(&world.key).await.unwrap_err();
    assert_eq!(
        (error.code(), engine.progress()),
        ("embedder_failed", (64, 70))
    );
    let status = world.status(&engine).await;
    assert_eq!((status.with_vector, status.bullets), (64, 70));
    // Another process, with what is left to do.
    let other = Words::new("w", 99);
    let second = world.with(&other);
    let built = second.build_embeddings(&world.key).await.unwrap();
    assert_eq!((built.computed, other.read.load(Ordering::SeqCst)), (6, 6));
    assert_eq!(
        second.build_embeddings(&world.key).await.unwrap().computed,
        0
    );
    // The first one reads the batch of the second.
    assert_eq!(world.status(&engine).await.with_vector, 70);
}

#[tokio::test]
async fn vectors_of_another_model_are_refused_until_they_are_dropped() {
    let world = World::new();
    let first = world.with(&Words::new("w", 99));
    first.add(&world.key, FACTS[0]).await.unwrap();
    first.build_embeddings(&world.key).await.unwrap();
    let second = world.with(&Words::new("v", 99));
    // Also where no text lacks a vector.
    let error = second.build_embeddings(&world.key).await.unwrap_err();
    assert_eq!(error.code(), "other_embeddings");
    second.add(&world.key, FACTS[1]).await.unwrap();
    let error = second.build_embeddings(&world.key).await.unwrap_err();
    let hint = error.hint().unwrap();
    assert_eq!(error.code(), "other_embeddings");
    assert!(error.to_string().contains("`w`") && error.to_string().contains("`v`"));
    assert!(hint.contains("embeddings.drop") && hint.contains("embeddings.build"));
    let Some(Meaning::ByWords(why)) = world.ask(&second, "what can I eat?").await.meaning else {
        panic!("vectors of two models were compared");
    };
    assert!(why.contains("`w`"), "{why}");
    assert_eq!(second.drop_embeddings(&world.key).await.unwrap(), 1);
    assert_eq!(
        second.build_embeddings(&world.key).await.unwrap().computed,
        2
    );
    let answer = world.ask(&second, "what can I eat?").await;
    assert_eq!(texts(&answer), [FACTS[0]]);
    // The first engine has read the vectors that were dropped.
    let Some(Meaning::ByWords(_)) = world.ask(&first, "what can I eat?").await.meaning else {
        panic!("dropped vectors were compared");
    };
}

#[tokio::test]
async fn a_process_that_stays_computes_after_the_write() {
    let (world, words) = (World::new(), Words::new("w", 99));
    let staying = world.engine(here(&words, true));
    staying.add(&world.key, FACTS[0]).await.unwrap();
    // Written by a process without a model, which the next question brings to light.
    let cold = world.engine(Embeddings::Elsewhere);
    let mut is_second = false;
    for _ in 0..20_000 {
        let status = world.status(&staying).await;
        match (status.with_vector, status.bullets) {
            (1, 1) if !is_second => {
                cold.add(&world.key, FACTS[1]).await.unwrap();
                world.ask(&staying, "anything").await;
                is_second = true;
            }
            (2, 2) => break,
            _ => tokio::time::sleep(std::time::Duration::from_millis(1)).await,
        }
    }
    let answer = world.ask(&staying, "when do we ship?").await;
    assert_eq!(texts(&answer), [FACTS[1]]);
    let by_words = world.ask(&cold, "when do we ship?").await;
    assert!(texts(&by_words).is_empty());
    let Some(Meaning::ByWords(why)) = by_words.meaning else {
        panic!("a process without a model knows no meaning");
    };
    assert_eq!(why, "no model in this process");
    assert_eq!(
        world
            .ask(&world.engine(Embeddings::Off), "ship")
            .await
            .meaning,
        None
    );
}

#[tokio::test]
async fn a_model_that_fails_costs_the_meaning_and_not_the_answer() {
    let (world, words) = (World::new(), Words::new("w", 1));
    let engine = world.with(&words);
    engine.add(&world.key, FACTS[1]).await.unwrap();
    engine.build_embeddings(&world.key).await.unwrap();
    let answer = world.ask(&engine, "when do we deploy on Tuesdays?").await;
    assert_eq!(texts(&answer), [FACTS[1]]);
    let Some(Meaning::ByWords(why)) = answer.meaning else {
        panic!("the model gave no vector");
    };
    assert!(why.contains("the plug is out"), "{why}");
}

#[tokio::test]
async fn vectors_go_with_their_memory_and_those_of_another_stay() {
    let (world, words) = (World::new(), Words::new("w", 99));
    let engine = world.with(&words);
    let other = MemoryKey::new("t", "l", "s-2").unwrap();
    for key in [&world.key, &other] {
        engine.add(key, FACTS[0]).await.unwrap();
        engine.build_embeddings(key).await.unwrap();
    }
    engine.erase("t", "l", Some("s")).await.unwrap();
    engine.add(&world.key, FACTS[0]).await.unwrap();
    let status = world.status(&engine).await;
    assert_eq!(
        (status.with_vector, status.bullets, status.model),
        (0, 1, None)
    );
    assert_eq!(
        engine.embeddings_status(&other).await.unwrap().with_vector,
        1
    );
}
