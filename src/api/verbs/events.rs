//! Verb about events: the history of a memory, tick by tick.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::problem::Problem;
use crate::responses::events::{EventRow, EventsResponse};
use crate::verb::{Context, Verb, number, verb};

/// List the events of a memory, deltas and retrievals, oldest first.
///
/// Over HTTP the same request with `Accept: text/event-stream` follows new events; `Last-Event-ID` sets the start.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListEvents {
    /// Only events after this tick: the `next` of the page before.
    #[serde(default)]
    #[schemars(range(max = 9_007_199_254_740_991_u64))]
    pub after: u64,
    /// Maximum number of events.
    #[serde(default = "number::<100>")]
    #[schemars(range(min = 1, max = 1_000))]
    pub limit: usize,
}

impl Verb for ListEvents {
    verb!("memory.events", Memory, Reads, idempotent -> EventsResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, key) = (&context.engine, &context.key);
        let found = engine.events(key, self.after, self.limit).await?;
        let events: Vec<EventRow> = found.iter().map(EventRow::from).collect();
        let next = events.last().map_or(self.after, |event| event.tick);
        Ok(EventsResponse { events, next })
    }

    fn records(answer: &Self::Answer) -> Option<usize> {
        Some(answer.events.len())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.events.is_empty()
    }
}
