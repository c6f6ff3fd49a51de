//! Spans of OpenTelemetry that follow its conventions for generative AI: OTLP as JSON, or spans with flat attributes.
//!
//! A span of a tool is a step; conversation, else trace, is the run. Exporters write spans when they end, a caller
//! after its callees, so the spans of a document are sorted by their start.

use hindlore_primitives::timestamp::Timestamp;
use serde_json::{Map, Value};

use super::{Confidence, action_of, has_list, name_of};
use crate::collector::Out;
use crate::json::{At, Values, content, text, unpacked};
use crate::step::{Run, Step};
use crate::verdict::{Answer, Call};

const NANOS_PER_MILLI: i64 = 1_000_000;

/// Reads spans.
#[derive(Default)]
pub(crate) struct OpenTelemetry;

/// Rates how well a record fits.
pub(crate) fn looks_like(record: &Value) -> Confidence {
    if groups(record).is_some() {
        return Confidence::Certain;
    }
    if is_tool(&attributes(record)) {
        return Confidence::Likely;
    }
    Confidence::No
}

fn groups(record: &Value) -> Option<&Vec<Value>> {
    let names = ["resourceSpans", "resource_spans"];
    names.iter().find_map(|name| record.get(*name)?.as_array())
}

impl Values for OpenTelemetry {
    fn value(&mut self, record: &Value, at: At<'_>, out: &mut Out<'_>) {
        let mut spans = Vec::new();
        match groups(record) {
            Some(groups) => groups.iter().for_each(|group| collect(group, &mut spans)),
            None => spans.push(record),
        }
        // By start time; a stable sort leaves spans without a time in place.
        spans.sort_by_key(|span| time(span, true));
        for span in spans {
            let attributes = attributes(span);
            if is_tool(&attributes) {
                out.step(step(span, &attributes, at.line));
            }
        }
    }

    fn end(&mut self, _: &mut Out<'_>) {}
}

fn collect<'v>(group: &'v Value, spans: &mut Vec<&'v Value>) {
    let names = ["scopeSpans", "scope_spans", "instrumentationLibrarySpans"];
    let scopes = names
        .iter()
        .filter_map(|name| group.get(*name)?.as_array())
        .flatten();
    for scope in scopes {
        spans.extend(
            scope
                .get("spans")
                .and_then(Value::as_array)
                .into_iter()
                .flatten(),
        );
    }
}

/// The attributes of a span by name: a list of keys with typed values, or an object.
fn attributes(span: &Value) -> Map<String, Value> {
    match span.get("attributes") {
        Some(Value::Object(object)) => object.clone(),
        Some(Value::Array(list)) => list
            .iter()
            .filter_map(|pair| Some((text(pair, "key")?.to_owned(), typed(pair.get("value")?))))
            .collect(),
        _ => Map::new(),
    }
}

/// A value of OTLP without its type.
fn typed(value: &Value) -> Value {
    let Some(object) = value.as_object() else {
        return value.clone();
    };
    let Some((kind, inner)) = object.iter().next() else {
        return Value::Null;
    };
    let list = |inner: &Value| {
        inner
            .get("values")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    match kind.as_str() {
        "intValue" => inner
            .as_str()
            .and_then(|text| text.parse::<i64>().ok())
            .map_or(inner.clone(), Value::from),
        "arrayValue" => list(inner).iter().map(typed).collect(),
        "kvlistValue" => list(inner)
            .iter()
            .filter_map(|pair| Some((text(pair, "key")?.to_owned(), typed(pair.get("value")?))))
            .collect::<Map<_, _>>()
            .into(),
        _ => inner.clone(),
    }
}

fn is_tool(attributes: &Map<String, Value>) -> bool {
    let is = |name: &str, value: &str| attributes.get(name).and_then(Value::as_str) == Some(value);
    is("gen_ai.operation.name", "execute_tool")
        || is("mcp.method.name", "tools/call")
        || (attributes.contains_key("gen_ai.tool.name")
            && !attributes.contains_key("gen_ai.request.model"))
}

fn step(span: &Value, attributes: &Map<String, Value>, line: usize) -> Step {
    let attribute = |names: &[&str]| names.iter().find_map(|name| attributes.get(*name)).cloned();
    let named = attribute(&["gen_ai.tool.name", "mcp.tool.name", "tool.name"]);
    let name = named.as_ref().and_then(Value::as_str);
    let name = name
        .or_else(|| text(span, "name"))
        .unwrap_or("tool")
        .trim_start_matches("execute_tool ");
    let arguments = attribute(&[
        "gen_ai.tool.call.arguments",
        "gen_ai.tool.arguments",
        "input.value",
    ]);
    let context = span.get("context").unwrap_or(&Value::Null);
    let run = attribute(&["gen_ai.conversation.id", "session.id"])
        .and_then(|id| id.as_str().map(str::to_owned));
    let trace = ["traceId", "trace_id"]
        .iter()
        .find_map(|name| name_of(span, name).or_else(|| name_of(context, name)));
    let call = Call {
        run: run.or(trace).map_or_else(Run::default, Run::Named),
        line,
        tool: Some(name.to_owned()),
        action: action_of(name, &arguments.unwrap_or(Value::Null)),
        ..Call::default()
    };
    let result = attribute(&[
        "gen_ai.tool.call.result",
        "gen_ai.tool.result",
        "output.value",
    ]);
    let result = result
        .map(|result| content(&unpacked(&result)))
        .unwrap_or_default();
    let error = error(span, attributes);
    call.answered(Answer {
        failed: Some(error.is_some()),
        text: error.filter(|error| !error.is_empty()).unwrap_or(result),
        at: time(span, false),
        ..Answer::default()
    })
}

/// The message of a span that failed, empty where it has none; absent for one that did not.
fn error(span: &Value, attributes: &Map<String, Value>) -> Option<String> {
    let status = span.get("status").unwrap_or(&Value::Null);
    let code = status
        .get("code")
        .or_else(|| status.get("status_code"))
        .unwrap_or(status);
    let is_error = code.as_i64() == Some(2)
        || matches!(
            code.as_str(),
            Some("STATUS_CODE_ERROR" | "ERROR" | "Error" | "StatusCode.ERROR")
        );
    let kind = attributes.get("error.type").and_then(Value::as_str);
    if !is_error && kind.is_none() {
        return None;
    }
    let said = text(status, "message").or_else(|| text(status, "description"));
    let message = said
        .map(str::to_owned)
        .or_else(|| exception(span))
        .unwrap_or_default();
    match kind {
        // `_OTHER` means an unnamed kind.
        Some(kind) if kind != "_OTHER" && !message.contains(kind) => Some(
            format!("{kind}: {message}")
                .trim_end_matches([':', ' '])
                .to_owned(),
        ),
        _ => Some(message),
    }
}

/// The message of the exception that a span recorded.
fn exception(span: &Value) -> Option<String> {
    if !has_list(span, "events", |event| {
        text(event, "name") == Some("exception")
    }) {
        return None;
    }
    let events = span.get("events")?.as_array()?;
    let attributes = events
        .iter()
        .map(attributes)
        .find(|all| all.contains_key("exception.message"))?;
    attributes
        .get("exception.message")?
        .as_str()
        .map(str::to_owned)
}

/// When a span began or ended: nanoseconds since 1970, or RFC 3339.
fn time(span: &Value, began: bool) -> Option<Timestamp> {
    let names = if began {
        ["startTimeUnixNano", "start_time_unix_nano", "start_time"]
    } else {
        ["endTimeUnixNano", "end_time_unix_nano", "end_time"]
    };
    let value = names.iter().find_map(|name| span.get(*name))?;
    let nanos = value.as_i64().or_else(|| value.as_str()?.parse().ok());
    nanos
        .map(|nanos| Timestamp::from_millis(nanos / NANOS_PER_MILLI))
        .or_else(|| Timestamp::parse(value.as_str()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn typed_values_lose_their_types() {
        let value = json!({"kvlistValue": {"values": [
            {"key": "a", "value": {"intValue": "3"}},
            {"key": "b", "value": {"arrayValue": {"values": [{"stringValue": "x"}, {"boolValue": true}]}}},
        ]}});
        assert_eq!(typed(&value), json!({"a": 3, "b": ["x", true]}));
    }
}
