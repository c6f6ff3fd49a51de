//! Messages that are spread over attributes, one for each field: `gen_ai.prompt.0.role`, `llm.input_messages.0.message.role`.
//!
//! Older exporters of OpenTelemetry (Traceloop) and OpenInference write them so, since attributes hold no lists.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Beginnings of such attributes, those of the input first.
const PREFIXES: &[&str] = &[
    "gen_ai.prompt.",
    "llm.input_messages.",
    "gen_ai.completion.",
    "llm.output_messages.",
];
/// Steps of a path that only name the kind of the object below them.
const KINDS: &[&str] = &["message", "tool_call"];

/// A value that grows by its paths.
#[derive(Default)]
struct Node {
    value: Option<Value>,
    /// Numbers come in their order, so that a list is one.
    fields: BTreeMap<(usize, String), Node>,
}

/// The messages in the attributes of a span.
pub(crate) fn messages(attributes: &Map<String, Value>) -> Vec<Value> {
    let lists = PREFIXES.iter().filter_map(|prefix| {
        let mut root = Node::default();
        for (name, value) in attributes {
            if let Some(path) = name.strip_prefix(prefix) {
                root.put(path, value);
            }
        }
        match root.into_value() {
            Value::Array(messages) => Some(messages),
            _ => None,
        }
    });
    lists.flatten().collect()
}

impl Node {
    fn put(&mut self, path: &str, value: &Value) {
        let mut node = self;
        for step in path.split('.').filter(|step| !KINDS.contains(step)) {
            let number = step.parse().unwrap_or(usize::MAX);
            node = node.fields.entry((number, step.to_owned())).or_default();
        }
        node.value = Some(value.clone());
    }

    fn into_value(self) -> Value {
        if let Some(value) = self.value {
            return value;
        }
        let is_list = self.fields.keys().all(|(number, _)| *number < usize::MAX);
        let fields = self.fields.into_iter();
        if is_list {
            return fields.map(|(_, node)| node.into_value()).collect();
        }
        fields
            .map(|((_, name), node)| (name, node.into_value()))
            .collect::<Map<_, _>>()
            .into()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_put_together_to_messages() {
        let traceloop = json!({
            "gen_ai.prompt.10.role": "user", "gen_ai.prompt.2.role": "tool",
            "gen_ai.prompt.2.tool_call_id": "a", "gen_ai.request.model": "m",
            "gen_ai.completion.0.tool_calls.0.name": "pay",
        });
        let inference = json!({
            "llm.input_messages.0.message.tool_calls.0.tool_call.function.name": "pay",
            "llm.input_messages.0.message.tool_calls.0.tool_call.id": "a",
        });
        for (attributes, expected) in [
            (
                traceloop,
                json!([{"role": "tool", "tool_call_id": "a"}, {"role": "user"}, {"tool_calls": [{"name": "pay"}]}]),
            ),
            (
                inference,
                json!([{"tool_calls": [{"function": {"name": "pay"}, "id": "a"}]}]),
            ),
            (json!({"http.method": "GET"}), json!([])),
        ] {
            let attributes = attributes.as_object().unwrap();
            assert_eq!(json!(messages(attributes)), expected);
        }
    }
}
