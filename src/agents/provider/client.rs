//! A language model at an endpoint.

use std::time::Instant;

use async_trait::async_trait;

use super::endpoint::{Endpoint, Reading};
use super::settings::Settings;
use super::wires::wire_of;
use crate::model::{Model, ModelError, Reply, Request};

/// A model at an endpoint.
#[derive(Debug)]
pub struct Client {
    settings: Settings,
    endpoint: Endpoint,
}

impl Client {
    /// A client of an endpoint. Nothing is sent yet.
    ///
    /// # Errors
    /// Why the address is none, in words without the key.
    pub fn new(settings: Settings) -> Result<Self, String> {
        let path = (wire_of(settings.vendor).path)(&settings);
        let url = format!("{}{path}", settings.url.trim_end_matches('/'));
        let limits = (settings.timeout, settings.retries);
        let endpoint = Endpoint::new(url, settings.key.clone(), limits)?;
        Ok(Self { settings, endpoint })
    }
}

#[async_trait]
impl Model for Client {
    fn name(&self) -> &str {
        &self.settings.model
    }

    async fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        let wire = wire_of(self.settings.vendor);
        let (headers, body) = (
            (wire.headers)(&self.settings),
            (wire.body)(&self.settings, request),
        );
        let reading = Reading {
            answer: wire.reply,
            said: wire.said,
        };
        let began = Instant::now();
        let (reply, attempts) = self.endpoint.ask((&headers, &body), &reading).await?;
        Ok(Reply {
            took: began.elapsed(),
            attempts,
            ..reply
        })
    }
}
