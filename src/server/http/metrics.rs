//! The counters of the server, in the text format of Prometheus at `/metrics`.
//!
//! Labels are verbs and statuses only: names of tenants and learners are in no label.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Upper bounds of the buckets of times, in seconds.
const SECONDS: [f64; 12] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0,
];

/// Media type of the text.
pub(super) const KIND: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Answered {
    verb: &'static str,
    status: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Of {
    verb: &'static str,
}

/// The counters of a server.
pub(super) struct Metrics {
    registry: Registry,
    answered: Family<Answered, Counter>,
    seconds: Family<Of, Histogram>,
    at_work: Gauge,
}

impl Metrics {
    pub(super) fn new() -> Self {
        let mut registry = Registry::with_prefix("hindlore");
        let answered = Family::<Answered, Counter>::default();
        registry.register(
            "requests",
            "Requests that were answered, by verb and status",
            answered.clone(),
        );
        let seconds = Family::<Of, Histogram>::new_with_constructor(|| Histogram::new(SECONDS));
        registry.register(
            "request_seconds",
            "Seconds from the head of a request to its answer",
            seconds.clone(),
        );
        let at_work = Gauge::default();
        registry.register("requests_at_work", "Requests at work", at_work.clone());
        Self {
            registry,
            answered,
            seconds,
            at_work,
        }
    }

    /// Counts a request that begins; it is running until the result is dropped.
    pub(super) fn begin(&self) -> AtWork {
        self.at_work.inc();
        AtWork(self.at_work.clone())
    }

    /// Counts an answer.
    pub(super) fn end(&self, verb: &'static str, status: u16, took: Duration) {
        let status = status.to_string();
        self.answered
            .get_or_create(&Answered { verb, status })
            .inc();
        self.seconds
            .get_or_create(&Of { verb })
            .observe(took.as_secs_f64());
    }

    /// The text.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

/// A running request.
pub(super) struct AtWork(Gauge);

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.dec();
    }
}
