//! The one thing that a language model does here.

use async_trait::async_trait;

use super::error::ModelError;
use super::message::{Reply, Request};

/// A language model.
#[async_trait]
pub trait Model: Send + Sync {
    /// Its name, for receipts.
    fn name(&self) -> &str;

    /// Answers one request. Transport failures were already retried.
    async fn complete(&self, request: &Request) -> Result<Reply, ModelError>;
}
