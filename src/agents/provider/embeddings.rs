//! Vectors of texts from an endpoint: `POST {url}/embeddings`, as OpenAI and many other servers implement it.
//!
//! Source: <https://platform.openai.com/docs/api-reference/embeddings>.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::endpoint::{Endpoint, Reading};
use super::read::Reader;
use super::wire::{bearer_of, error_message};
use crate::model::ModelError;
use hindlore::embeddings::embedder::{Embedded, Embedder, EmbeddingModel, Side};

const READER: Reader = Reader {
    vendor: "the endpoint for embeddings",
};

/// The settings of an endpoint for embeddings.
#[derive(Clone)]
pub struct EmbeddingSettings {
    /// Base address.
    pub url: String,
    /// Key; absent where the endpoint needs none.
    pub key: Option<String>,
    /// Time for one attempt, the body included.
    pub timeout: Duration,
    /// Further attempts after one that failed on the way.
    pub retries: u32,
    /// The model's name at the endpoint, and how it reads texts.
    pub model: EmbeddingModel,
}

/// A model for embeddings at an endpoint.
pub struct EmbeddingClient {
    settings: EmbeddingSettings,
    endpoint: Endpoint,
}

/// Without the key.
impl fmt::Debug for EmbeddingClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddingClient")
            .field("model", &self.settings.model)
            .finish_non_exhaustive()
    }
}

impl EmbeddingClient {
    /// A client of an endpoint. Nothing is sent yet.
    ///
    /// # Errors
    /// Why the address is none, in words without the key.
    pub fn new(settings: EmbeddingSettings) -> Result<Self, String> {
        let url = format!("{}/embeddings", settings.url.trim_end_matches('/'));
        let limits = (settings.timeout, settings.retries);
        let endpoint = Endpoint::new(url, settings.key.clone(), limits)?;
        Ok(Self { settings, endpoint })
    }

    async fn vectors(&self, texts: &[String], side: Side) -> Result<Vec<Vec<f32>>, ModelError> {
        let model = &self.settings.model;
        let input: Vec<String> = texts.iter().map(|text| model.input(text, side)).collect();
        let body = json!({"model": model.name, "input": input, "encoding_format": "float"});
        let headers = bearer_of(self.settings.key.as_deref());
        let reading = Reading {
            answer: vectors_of,
            said: error_message,
        };
        let (vectors, _) = self.endpoint.ask((&headers, &body), &reading).await?;
        Ok(vectors)
    }
}

impl Embedder for EmbeddingClient {
    fn model(&self) -> &EmbeddingModel {
        &self.settings.model
    }

    fn embed<'a>(&'a self, texts: &'a [String], side: Side) -> Embedded<'a> {
        Box::pin(async move {
            let vectors = self.vectors(texts, side).await;
            vectors.map_err(|error| error.to_string())
        })
    }
}

/// The vectors of an answer, in the order of the texts, which each names by its number.
fn vectors_of(body: &Value) -> Result<Vec<Vec<f32>>, ModelError> {
    let rows = READER.list(body, "/data", "data")?;
    let mut vectors = vec![Vec::new(); rows.len()];
    for (at, row) in rows.iter().enumerate() {
        let index = row.get("index").and_then(Value::as_u64);
        let index = index.map_or(Some(at), |index| usize::try_from(index).ok());
        let place = index.and_then(|index| vectors.get_mut(index));
        let place = place.ok_or_else(|| READER.missing("data[].index"))?;
        let numbers = READER.list(row, "/embedding", "data[].embedding")?;
        let numbers = numbers.iter().map(|one| one.as_f64().map(|one| one as f32));
        let numbers: Option<Vec<f32>> = numbers.collect();
        *place = numbers.ok_or_else(|| READER.missing("data[].embedding"))?;
    }
    Ok(vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_come_in_the_order_of_their_texts() {
        let body = json!({"object": "list", "model": "m", "usage": {"prompt_tokens": 8, "total_tokens": 8}, "data": [
            {"object": "embedding", "index": 1, "embedding": [0.5, -1]},
            {"object": "embedding", "index": 0, "embedding": [2.0, 0.25]},
        ]});
        assert_eq!(
            vectors_of(&body),
            Ok(vec![vec![2.0, 0.25], vec![0.5, -1.0]])
        );
        for (at, named) in [
            ("/data", "data"),
            ("/data/0/embedding", "data[].embedding"),
            ("/data/1/embedding/0", "data[].embedding"),
        ] {
            let mut body = body.clone();
            *body.pointer_mut(at).unwrap() = json!("another form");
            let error = vectors_of(&body).unwrap_err();
            assert!(error.to_string().contains(named), "{error}");
        }
        let mut body = body;
        body["data"][0]["index"] = json!(7);
        assert!(vectors_of(&body).is_err());
    }
}
