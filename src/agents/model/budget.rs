//! The cost of calls, and their limit. Every call of a run goes through one [`Metered`], whose sum is the run's bill.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::error::ModelError;
use super::language_model::Model;
use super::message::{Reply, Request};

/// Prices in dollars for a million tokens; 0 if unknown.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Prices {
    /// Of tokens read.
    pub input: f64,
    /// Of tokens written.
    pub output: f64,
}

/// Limits of a run; `None` is no limit. A run stops before the first call that begins above one of them.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Budget {
    /// Calls.
    pub calls: Option<u64>,
    /// Tokens, read and written together.
    pub tokens: Option<u64>,
    /// Dollars.
    pub dollars: Option<f64>,
    /// Milliseconds spent waiting for the model.
    pub millis: Option<u64>,
}

/// The cost of a run's model.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Spent {
    /// Calls, failed ones included.
    pub calls: u64,
    /// Calls without an answer.
    pub failed: u64,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Dollars, by the configured prices.
    pub dollars: f64,
    /// Milliseconds of waiting.
    pub millis: u64,
}

impl Spent {
    /// Tokens read and written.
    pub fn tokens(&self) -> u64 {
        self.input_tokens + self.output_tokens
    }

    /// Adds another bill.
    pub fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.failed += other.failed;
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.dollars += other.dollars;
        self.millis += other.millis;
    }
}

impl Budget {
    /// The first limit that is reached.
    fn reached(&self, spent: &Spent) -> Option<ModelError> {
        let over =
            |what, spent: String, limit: String| ModelError::OverBudget { what, spent, limit };
        let whole = |what, limit: Option<u64>, spent: u64| {
            let limit = limit.filter(|limit| spent >= *limit)?;
            Some(over(what, spent.to_string(), limit.to_string()))
        };
        whole("calls", self.calls, spent.calls)
            .or_else(|| whole("tokens", self.tokens, spent.tokens()))
            .or_else(|| whole("milliseconds", self.millis, spent.millis))
            .or_else(|| {
                let limit = self.dollars.filter(|limit| spent.dollars >= *limit)?;
                Some(over(
                    "dollars",
                    format!("{:.6}", spent.dollars),
                    format!("{limit:.6}"),
                ))
            })
    }
}

/// A model with the bill of one run, and its limits.
pub struct Metered {
    model: Arc<dyn Model>,
    prices: Prices,
    budget: Budget,
    spent: Mutex<Spent>,
}

impl Metered {
    /// A model for a run that has spent nothing.
    pub fn new(model: Arc<dyn Model>, prices: Prices, budget: Budget) -> Self {
        Self::going_on(model, (prices, budget), Spent::default())
    }

    /// A model for a run that continues.
    pub fn going_on(
        model: Arc<dyn Model>,
        (prices, budget): (Prices, Budget),
        spent: Spent,
    ) -> Self {
        Self {
            model,
            prices,
            budget,
            spent: Mutex::new(spent),
        }
    }

    /// The bill so far.
    pub fn spent(&self) -> Spent {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bill(&self, answer: &Result<Reply, ModelError>, began: std::time::Instant) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.calls += 1;
        let took = match answer {
            Ok(reply) => {
                spent.input_tokens += reply.usage.input_tokens;
                spent.output_tokens += reply.usage.output_tokens;
                let million = 1_000_000.0;
                let cost = |tokens: u64, price: f64| {
                    // Counts of tokens are far below the integers that a float holds exactly.
                    #[expect(clippy::cast_precision_loss)]
                    let tokens = tokens as f64;
                    tokens * price / million
                };
                spent.dollars += cost(reply.usage.input_tokens, self.prices.input)
                    + cost(reply.usage.output_tokens, self.prices.output);
                reply.took
            }
            Err(_) => {
                spent.failed += 1;
                began.elapsed()
            }
        };
        let took = took.max(Duration::ZERO).as_millis();
        spent.millis += u64::try_from(took).unwrap_or(u64::MAX);
    }
}

#[async_trait]
impl Model for Metered {
    fn name(&self) -> &str {
        self.model.name()
    }

    async fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        if let Some(over) = self.budget.reached(&self.spent()) {
            return Err(over);
        }
        let began = std::time::Instant::now();
        let answer = self.model.complete(request).await;
        self.bill(&answer, began);
        answer
    }
}
