//! Embeddings of an endpoint: batches and their order, failures on the way, and a memory that is ranked by them.

use std::sync::Arc;
use std::time::Duration;

use hindlore::embeddings::embedder::{Embedder, EmbeddingModel, Embeddings, Side};
use hindlore::{Engine, EngineOptions, RetrieveRequest};
use hindlore_agents::provider::{EmbeddingClient, EmbeddingSettings};
use hindlore_domain::memory::content::vectors::CosineScale;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_testkit::{ModelAnswer, ModelAsked, ScriptedModel, TemporaryStore};
use serde_json::{Value, json};

use crate::scene::KEY;

fn client(server: &ScriptedModel) -> EmbeddingClient {
    EmbeddingClient::new(EmbeddingSettings {
        url: server.url(),
        key: Some(KEY.to_owned()),
        timeout: Duration::from_millis(400),
        retries: 1,
        model: EmbeddingModel {
            name: "small".to_owned(),
            question_prefix: "query: ".to_owned(),
            passage_prefix: "passage: ".to_owned(),
            scale: CosineScale {
                zero: 0.0,
                floor: 0.3,
            },
        },
    })
    .unwrap()
}

/// The vectors of a request, the last text first: by whether a text is about food.
fn vectors(asked: &ModelAsked) -> ModelAnswer {
    let input = asked.body["input"].as_array().cloned().unwrap_or_default();
    let is_food = |text: &Value| {
        ["eat", "vegetarian"]
            .iter()
            .any(|word| text.to_string().contains(word))
    };
    let of = |(at, text): (usize, &Value)| {
        let food = u8::from(is_food(text));
        json!({"object": "embedding", "index": at, "embedding": [food, 1 - food]})
    };
    let data: Vec<Value> = input.iter().enumerate().map(of).rev().collect();
    ModelAnswer::Raw(json!({"object": "list", "data": data, "model": "small"}))
}

#[tokio::test]
async fn texts_are_sent_together_and_their_vectors_come_in_their_order() {
    let server = ScriptedModel::start(vectors).unwrap();
    let texts = ["I am vegetarian".to_owned(), "we deploy".to_owned()];
    let client = client(&server);
    let found = client.embed(&texts, Side::Passage).await.unwrap();
    assert_eq!(found, [[1.0, 0.0], [0.0, 1.0]]);
    client.embed(&texts[..1], Side::Question).await.unwrap();
    let asked = server.asked();
    assert!(asked[0].path.ends_with("/embeddings"));
    assert_eq!(
        asked[0].header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert_eq!(
        asked[0].body["input"],
        json!(["passage: I am vegetarian", "passage: we deploy"])
    );
    assert_eq!(asked[1].body["input"], json!(["query: I am vegetarian"]));
    assert!(!format!("{client:?}").contains(KEY));
}

#[tokio::test]
async fn failures_on_the_way_are_tried_again_and_others_have_their_reason() {
    let texts = ["one".to_owned()];
    for broken in [
        ModelAnswer::Status(500),
        ModelAnswer::Dropped,
        ModelAnswer::Hang,
    ] {
        let mut first = Some(broken);
        let script = move |asked: &ModelAsked| first.take().unwrap_or_else(|| vectors(asked));
        let server = ScriptedModel::start(script).unwrap();
        assert_eq!(
            client(&server)
                .embed(&texts, Side::Passage)
                .await
                .unwrap()
                .len(),
            1
        );
        assert_eq!(server.asked().len(), 2);
    }
    for (answer, said) in [
        (ModelAnswer::Status(401), "401"),
        (ModelAnswer::Html, "is no model"),
        (ModelAnswer::Raw(json!({"hello": KEY})), "`data`"),
    ] {
        let server = ScriptedModel::in_turn(vec![answer]).unwrap();
        let error = client(&server)
            .embed(&texts, Side::Passage)
            .await
            .unwrap_err();
        assert!(error.contains(said) && !error.contains(KEY), "{error}");
        assert_eq!(server.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_memory_is_ranked_by_the_vectors_of_an_endpoint() {
    let server = ScriptedModel::start(vectors).unwrap();
    let place = TemporaryStore::new().unwrap();
    let options = EngineOptions {
        embeddings: Embeddings::Here {
            embedder: Arc::new(client(&server)),
            follows_writes: false,
        },
        ..EngineOptions::default()
    };
    let clock = Arc::new(hindlore::clock::SystemClock);
    let engine = Engine::new(place.store().unwrap(), clock, options);
    let key = MemoryKey::new("t", "l", "s").unwrap();
    for text in ["The user is vegetarian.", "We deploy on Tuesdays."] {
        engine.add(&key, text).await.unwrap();
    }
    let built = engine.build_embeddings(&key).await.unwrap();
    let model = built.status.model.unwrap();
    assert_eq!(
        (model.model.as_str(), model.dimension),
        ("small (passage:)", 2)
    );
    let found = engine
        .retrieve(&key, RetrieveRequest::from("what can I eat?"))
        .await;
    let bullets = found.unwrap().bullets;
    let texts: Vec<&str> = bullets
        .iter()
        .map(|one| one.bullet.content.as_str())
        .collect();
    assert_eq!(texts, ["The user is vegetarian."]);
}
