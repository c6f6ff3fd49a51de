//! Sessions: context for the prompt of an agent that keeps its own messages, and the messages to learn from. Messages
//! are JSON of any runtime; nothing in them is changed.

use serde_json::{Value, json};

use crate::model::inject::InjectionMode;

/// The messages with memory among them, without the chatter of earlier turns: text of the assistant that called no tool
/// and came before the last question. Returns them and how many were left out.
pub fn prepared(messages: &[Value], block: &str, mode: InjectionMode) -> (Vec<Value>, usize) {
    let last = messages.iter().rposition(is_question);
    let is_chatter = |place: usize, message: &Value| {
        role(message) == "assistant"
            && !calls_tools(message)
            && last.is_some_and(|last| place < last)
    };
    let mut kept: Vec<Value> = Vec::new();
    let mut at = None;
    for (place, message) in messages.iter().enumerate() {
        if is_chatter(place, message) {
            continue;
        }
        if last == Some(place) {
            at = Some(kept.len());
        }
        kept.push(message.clone());
    }
    let left_out = messages.len() - kept.len();
    if block.trim().is_empty() {
        return (kept, left_out);
    }
    let behind_system = kept
        .iter()
        .take_while(|message| role(message) == "system")
        .count();
    let (place, role) = match mode {
        InjectionMode::System => (behind_system, "system"),
        InjectionMode::PostContext => (at.unwrap_or(kept.len()), "user"),
    };
    kept.insert(place, json!({"role": role, "content": block}));
    (kept, left_out)
}

/// The text of the last question.
pub fn question(messages: &[Value]) -> Option<String> {
    messages
        .iter()
        .rfind(|message| is_question(message))
        .map(text)
}

/// True for a message that the user wrote: a result of a tool has the user's role in some runtimes.
fn is_question(message: &Value) -> bool {
    role(message) == "user" && !text(message).trim().is_empty()
}

/// The word for who wrote a message.
pub fn role(message: &Value) -> &str {
    message
        .get("role")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The text of a message, from all its parts.
pub fn text(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts = parts
                .iter()
                .filter_map(|part| part.get("text").and_then(Value::as_str));
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// True for a message that calls a tool, in the forms of the common runtimes.
fn calls_tools(message: &Value) -> bool {
    let list = message.get("tool_calls").and_then(Value::as_array);
    let has_list = list.is_some_and(|calls| !calls.is_empty());
    let parts = message.get("content").and_then(Value::as_array);
    let is_call = |part: &Value| {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
        matches!(kind, "tool_use" | "function_call" | "tool_call")
            || part.get("functionCall").is_some()
    };
    has_list
        || message
            .get("function_call")
            .is_some_and(|call| !call.is_null())
        || parts.is_some_and(|parts| parts.iter().any(is_call))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chatter_goes_and_tool_calls_stay() {
        let messages = vec![
            json!({"role": "system", "content": "rules"}),
            json!({"role": "user", "content": "delete the game"}),
            json!({"role": "assistant", "content": "I will delete it."}),
            json!({"role": "assistant", "content": null, "tool_calls": [{"id": "1"}]}),
            json!({"role": "tool", "tool_call_id": "1", "content": "done"}),
            json!({"role": "assistant", "content": [{"type": "tool_use", "id": "2"}]}),
            json!({"role": "user", "content": [{"type": "tool_result", "content": "x"}]}),
            json!({"role": "assistant", "content": "It is gone."}),
            json!({"role": "user", "content": "run it again"}),
            json!({"role": "assistant", "content": "a beginning of this turn"}),
        ];
        let before = messages.clone();
        let (kept, left_out) = prepared(&messages, "MEMORY", InjectionMode::PostContext);
        assert_eq!(left_out, 2);
        assert_eq!(kept.len(), 9);
        assert_eq!(kept[6], json!({"role": "user", "content": "MEMORY"}));
        assert_eq!(kept[7], messages[8]);
        assert_eq!(messages, before);
        let (kept, _) = prepared(&messages, "MEMORY", InjectionMode::System);
        assert_eq!(kept[1], json!({"role": "system", "content": "MEMORY"}));
        assert_eq!(prepared(&messages, " ", InjectionMode::System).0.len(), 8);
        assert_eq!(question(&messages).as_deref(), Some("run it again"));
    }
}
