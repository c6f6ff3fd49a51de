//! Sends requests: one attempt after another, each within its time.

use std::fmt;
use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use serde_json::Value;

use super::connection;
use super::retry::pause;
use super::wire::Header;
use crate::model::ModelError;

/// Bytes of an answer that are read.
const READ_MAX: usize = 16 * 1024 * 1024;
/// Characters of a vendor's words that are shown.
const SAID_CHARS: usize = 300;
/// Characters of something else's answer that are shown.
const BEGINS_CHARS: usize = 80;

/// How the bodies of answers are read.
pub(super) struct Reading<T> {
    /// Reads an answer.
    pub(super) answer: fn(&Value) -> Result<T, ModelError>,
    /// Reads the vendor's own words out of a refusal.
    pub(super) said: fn(&Value) -> Option<&str>,
}

/// An address that takes requests and answers with JSON.
pub(super) struct Endpoint {
    http: reqwest::Client,
    url: String,
    /// Hidden in everything that is shown.
    key: Option<String>,
    timeout: Duration,
    retries: u32,
}

/// Without address and key.
impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").finish_non_exhaustive()
    }
}

impl Endpoint {
    /// An address. Nothing is sent yet.
    ///
    /// # Errors
    /// Why the address is none, in words without the key.
    pub(super) fn new(
        url: String,
        key: Option<String>,
        (timeout, retries): (Duration, u32),
    ) -> Result<Self, String> {
        let http = connection::client(&url, timeout)
            .map_err(|why| format!("the address of the model {why}"))?;
        Ok(Self {
            http,
            url,
            key,
            timeout,
            retries,
        })
    }

    /// Sends a request until it is answered or cannot be; returns the answer as read, and the number of attempts.
    pub(super) async fn ask<T>(
        &self,
        (headers, body): (&[Header], &Value),
        reading: &Reading<T>,
    ) -> Result<(T, u32), ModelError> {
        let mut attempt = 1;
        loop {
            match self.attempt((headers, body), reading).await {
                Ok(answer) => return Ok((answer, attempt)),
                Err(error) => {
                    let Some(pause) = pause(&error, attempt, self.retries) else {
                        return Err(error);
                    };
                    tracing::debug!(code = error.code(), attempt, "the model is asked again");
                    tokio::time::sleep(pause).await;
                    attempt += 1;
                }
            }
        }
    }

    async fn attempt<T>(
        &self,
        (headers, body): (&[Header], &Value),
        reading: &Reading<T>,
    ) -> Result<T, ModelError> {
        let mut request = self.http.post(&self.url).json(body);
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let failed = |error| told(error, self.timeout);
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
            200..=299 => (reading.answer)(&self.json(&bytes)?),
            // Some overloaded vendors report so by a status of their own.
            429 => Err(ModelError::RateLimited { after }),
            500..=599 => Err(ModelError::Failed(status)),
            _ => Err(self.refused(status, &bytes, reading.said)),
        }
    }

    fn json(&self, bytes: &[u8]) -> Result<Value, ModelError> {
        serde_json::from_slice(bytes).map_err(|_| ModelError::NotJson {
            begins: self.shown(&String::from_utf8_lossy(bytes), BEGINS_CHARS),
        })
    }

    fn refused(&self, status: u16, bytes: &[u8], said: fn(&Value) -> Option<&str>) -> ModelError {
        let body = self.json(bytes);
        let said = body.as_ref().ok().and_then(said);
        let text = String::from_utf8_lossy(bytes);
        ModelError::Refused {
            status,
            said: self.shown(said.unwrap_or(&text), SAID_CHARS),
        }
    }

    /// The beginning of something from outside, on one line; vendors repeat keys in their refusals.
    fn shown(&self, text: &str, most: usize) -> String {
        let text = match &self.key {
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

/// A failure on the way.
fn told(error: reqwest::Error, timeout: Duration) -> ModelError {
    if error.is_timeout() {
        return ModelError::TimedOut(timeout);
    }
    ModelError::Unreachable(connection::words_of(error))
}
