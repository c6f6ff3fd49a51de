//! An HTTP endpoint as a tool: the arguments are posted as JSON, and the body of the answer is the result.

use std::time::Duration;

use async_trait::async_trait;

use super::connection;
use crate::agent::tools::{Tool, arguments};

/// Bytes of an answer that are read.
const READ_MAX: usize = 1024 * 1024;
/// Characters of a refusal that are shown.
const SAID_CHARS: usize = 300;

/// An endpoint.
#[derive(Clone, Debug)]
pub struct HttpTool {
    name: String,
    about: String,
    url: String,
    http: reqwest::Client,
}

impl HttpTool {
    /// An endpoint at an address. Nothing is sent yet.
    ///
    /// # Errors
    /// Why the address is none, in words that follow a subject.
    pub fn new(name: &str, about: &str, url: &str, limit: Duration) -> Result<Self, String> {
        Ok(Self {
            name: name.to_owned(),
            about: about.to_owned(),
            url: url.to_owned(),
            http: connection::client(url, limit)?,
        })
    }
}

#[async_trait]
impl Tool for HttpTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    async fn call(&self, input: &str) -> Result<String, String> {
        let asked = self.http.post(&self.url).json(&arguments(input, "input"));
        let mut response = asked.send().await.map_err(connection::words_of)?;
        let status = response.status();
        let body = connection::body(&mut response, READ_MAX).await;
        let body = body.map_err(connection::words_of)?;
        let body = body.ok_or_else(|| format!("the answer has more than {READ_MAX} bytes"))?;
        let text = String::from_utf8_lossy(&body);
        if status.is_success() {
            return Ok(text.trim().to_owned());
        }
        let beginning: String = text.trim().chars().take(SAID_CHARS).collect();
        Err(format!("status {}: {beginning}", status.as_u16()))
    }
}
