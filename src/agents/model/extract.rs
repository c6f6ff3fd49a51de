//! JSON out of a model's text: fences, prose around it, several values.

use serde_json::{Deserializer, Value};

/// Bytes of a reply that are read.
const READ_MAX: usize = 256 * 1024;
/// Places where a value may begin that are tried; a reply with more is not JSON with prose around it.
const STARTS_MAX: usize = 512;
/// Values that are looked at.
const VALUES_MAX: usize = 32;

/// All whole objects and arrays in a text, in order; those inside another one are part of it. Those in a fence come
/// first: a model fences its answer.
pub fn values(text: &str) -> Vec<Value> {
    let text = cut(text);
    let mut found = Vec::new();
    for fenced in fenced(text) {
        collect(fenced, &mut found);
    }
    let mut all = Vec::new();
    collect(text, &mut all);
    for value in all {
        if !found.contains(&value) && found.len() < VALUES_MAX {
            found.push(value);
        }
    }
    found
}

fn cut(text: &str) -> &str {
    let mut end = text.len().min(READ_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The texts between pairs of three backticks, without the word that names their language.
fn fenced(text: &str) -> Vec<&str> {
    let parts: Vec<&str> = text.split("```").collect();
    let inside = parts.iter().skip(1).step_by(2);
    inside.copied().take(VALUES_MAX).collect()
}

fn collect(text: &str, found: &mut Vec<Value>) {
    let mut at = 0;
    let mut starts = 0;
    while let Some(next) = text[at..].find(['{', '[']) {
        let start = at + next;
        starts += 1;
        if starts > STARTS_MAX || found.len() >= VALUES_MAX {
            return;
        }
        let mut stream = Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                at = start + stream.byte_offset();
                found.push(value);
            }
            _ => at = start + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_found_wherever_it_stands() {
        let one = json!({"a": 1});
        for text in [
            "{\"a\": 1}",
            "```json\n{\"a\": 1}\n```",
            "Sure! {\"a\": 1} Anything else?",
            "```\n{\"a\": 1}```",
            "{not json} {\"a\": 1}",
            "a set {x | x > 0}: {\"a\": 1}",
        ] {
            assert_eq!(values(text), std::slice::from_ref(&one), "{text}");
        }
    }

    #[test]
    fn of_several_the_fenced_comes_first_and_each_comes_once() {
        let text = "{\"draft\": 1} then\n```json\n{\"final\": 2}\n```";
        assert_eq!(values(text), [json!({"final": 2}), json!({"draft": 1})]);
        assert_eq!(
            values("[1, {\"a\": 2}] {\"b\": 3}"),
            [json!([1, {"a": 2}]), json!({"b": 3})]
        );
    }

    #[test]
    fn what_is_no_json_is_nothing_and_quick() {
        for text in ["", "no", "{", "{\"a\":", "```", "<html>{{{"] {
            assert!(values(text).is_empty(), "{text}");
        }
        let hostile = "{\"a\":".repeat(200_000);
        let began = std::time::Instant::now();
        assert!(values(&hostile).is_empty());
        assert!(began.elapsed().as_secs() < 2);
        assert!(values(&"[1]".repeat(10_000)).len() <= VALUES_MAX * 2);
    }
}
