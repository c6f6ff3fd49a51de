//! The span of a verb, by OpenTelemetry's conventions for operations on an agent's memory (`gen_ai.memory.*`).
//!
//! It records the operation, the memory and the number of records, by names and counts. No text of a request or of an
//! answer is in it, and the memory is named by a hash, so that neither tenant nor learner leaves the machine.

use tracing::Span;
use tracing::field::Empty;

use super::problem::Problem;
use super::verb::{Effect, Verb};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::identity::content_name;

/// Verbs that search, though they record that they did.
const SEARCHES: [&str; 3] = ["lessons.retrieve", "playbook.strategies", "retrieve"];
/// Verbs that make records.
const CREATES: [&str; 8] = [
    "bullets.add",
    "errors.capture",
    "lessons.import",
    "memory.import",
    "playbook.create",
    "playbook.import",
    "trajectory.log",
    "trajectory.start",
];

/// The span of a call.
pub(super) fn of<V: Verb>(key: &MemoryKey) -> Span {
    let operation = operation(V::NAME, V::EFFECT);
    let span = tracing::info_span!(
        "memory",
        otel.name = operation,
        gen_ai.operation.name = operation,
        gen_ai.provider.name = "hindlore",
        gen_ai.memory.store.id = Empty,
        gen_ai.memory.record.count = Empty,
        hindlore.verb = V::NAME,
        error.type = Empty,
    );
    // A hash is worth its time only if spans are collected.
    if !span.is_disabled() {
        let names = [key.tenant(), key.learner(), key.scope()].join("\n");
        span.record(
            "gen_ai.memory.store.id",
            content_name("m-", names.as_bytes()),
        );
    }
    span
}

/// Notes how a call ended.
pub(super) fn end<V: Verb>(span: &Span, ended: &Result<V::Answer, Problem>) {
    match ended {
        Ok(answer) => {
            if let Some(count) = V::records(answer) {
                span.record("gen_ai.memory.record.count", count);
            }
        }
        Err(problem) => {
            span.record("error.type", problem.code);
        }
    }
}

/// The operation that a verb is.
fn operation(name: &str, effect: Effect) -> &'static str {
    match effect {
        _ if SEARCHES.contains(&name) => "search_memory",
        _ if CREATES.contains(&name) => "create_memory",
        Effect::Reads => "search_memory",
        Effect::Writes => "update_memory",
        Effect::Destroys => "delete_memory",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    #[test]
    fn the_verbs_that_are_named_exist() {
        for name in SEARCHES.iter().chain(&CREATES) {
            assert!(catalog::find(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn an_operation_is_one_of_the_conventions() {
        let of = |name: &str| operation(name, catalog::find(name).unwrap().effect);
        assert_eq!(of("retrieve"), "search_memory");
        assert_eq!(of("bullets.list"), "search_memory");
        assert_eq!(of("bullets.add"), "create_memory");
        assert_eq!(of("feedback"), "update_memory");
        assert_eq!(of("learner.erase"), "delete_memory");
    }
}
