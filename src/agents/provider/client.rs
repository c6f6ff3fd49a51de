//! Sends requests: one attempt after another, each within its time.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use reqwest::header::RETRY_AFTER;
use serde_json::Value;

use super::connection;
use super::retry::pause;
use super::settings::Settings;
use super::wires::wire_of;
use crate::model::{Model, ModelError, Reply, Request};

/// Bytes of an answer that are read.
const READ_MAX: usize = 16 * 1024 * 1024;
/// Characters of a vendor's words that are shown.
const SAID_CHARS: usize = 300;
/// Characters of something else's answer that are shown.
const BEGINS_CHARS: usize = 80;

/// A model at an endpoint.
#[derive(Debug)]
pub struct Client {
    settings: Settings,
    http: reqwest::Client,
    url: String,
}

impl Client {
    /// A client of an endpoint. Nothing is sent yet.
    ///
    /// # Errors
    /// Why the address is none, in words without the key.
    pub fn new(settings: Settings) -> Result<Self, String> {
        let path = (wire_of(settings.vendor).path)(&settings);
        let url = format!("{}{path}", settings.url.trim_end_matches('/'));
        let http = connection::client(&url, settings.timeout)
            .map_err(|why| format!("the address of the model {why}"))?;
        Ok(Self {
            settings,
            http,
            url,
        })
    }

    async fn attempt(&self, body: &Value) -> Result<Reply, ModelError> {
        let wire = wire_of(self.settings.vendor);
        let mut request = self.http.post(&self.url).json(body);
        for (name, value) in (wire.headers)(&self.settings) {
            request = request.header(name, value);
        }
        let failed = |error| told(error, self.settings.timeout);
        let mut response = request.send().await.map_err(failed)?;
        let status = response.status().as_u16();
        let after = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok()?.trim().parse().ok())
            .map(Duration::from_secs);
        let bytes = connection::body(&mut response, READ_MAX)
            .await
            .map_err(failed)?;
        let bytes = bytes.ok_or(ModelError::TooLong(READ_MAX))?;
        match status {
            200..=299 => (wire.reply)(&self.json(&bytes)?),
            // Some overloaded vendors report so by a status of their own.
            429 => Err(ModelError::RateLimited { after }),
            500..=599 => Err(ModelError::Failed(status)),
            _ => Err(self.refused(status, &bytes)),
        }
    }

    fn json(&self, bytes: &[u8]) -> Result<Value, ModelError> {
        serde_json::from_slice(bytes).map_err(|_| ModelError::NotJson {
            begins: self.shown(&String::from_utf8_lossy(bytes), BEGINS_CHARS),
        })
    }

    fn refused(&self, status: u16, bytes: &[u8]) -> ModelError {
        let body = self.json(bytes);
        let said = body
            .as_ref()
            .ok()
            .and_then(wire_of(self.settings.vendor).said);
        let text = String::from_utf8_lossy(bytes);
        ModelError::Refused {
            status,
            said: self.shown(said.unwrap_or(&text), SAID_CHARS),
        }
    }

    /// The beginning of something from outside, on one line; vendors repeat keys in their refusals.
    fn shown(&self, text: &str, most: usize) -> String {
        let text = match &self.settings.key {
            Some(key) if !key.is_empty() => text.replace(key.as_str(), "…"),
            _ => text.to_owned(),
        };
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        line.chars()
            .filter(|c| !c.is_control())
            .take(most)
            .collect()
    }
}

#[async_trait]
impl Model for Client {
    fn name(&self) -> &str {
        &self.settings.model
    }

    async fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        let body = (wire_of(self.settings.vendor).body)(&self.settings, request);
        let began = Instant::now();
        let mut attempt = 1;
        loop {
            match self.attempt(&body).await {
                Ok(reply) => {
                    return Ok(Reply {
                        took: began.elapsed(),
                        attempts: attempt,
                        ..reply
                    });
                }
                Err(error) => {
                    let Some(pause) = pause(&error, attempt, self.settings.retries) else {
                        return Err(error);
                    };
                    tracing::debug!(code = error.code(), attempt, "the model is asked again");
                    tokio::time::sleep(pause).await;
                    attempt += 1;
                }
            }
        }
    }
}

/// A failure on the way.
fn told(error: reqwest::Error, timeout: Duration) -> ModelError {
    if error.is_timeout() {
        return ModelError::TimedOut(timeout);
    }
    ModelError::Unreachable(connection::words_of(error))
}
