//! Visible: invisible characters of an answer as escapes of JSON, which a program reads as the same text.
//!
//! A model reads letters that no person sees: tags that spell an order, marks that turn the direction of a line.

use std::fmt::Write;

use serde_json::Value;

/// The JSON of a value with invisible characters as `\uXXXX`.
pub(super) fn json(value: &Value) -> String {
    let json = value.to_string();
    if !json.chars().any(is_invisible) {
        return json;
    }
    let mut visible = String::with_capacity(json.len() * 2);
    for letter in json.chars() {
        if !is_invisible(letter) {
            visible.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            // Writing to a text cannot fail.
            let _ = write!(visible, "\\u{unit:04x}");
        }
    }
    visible
}

fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_nobody_sees_is_written_and_reads_the_same() {
        let value =
            json!({"a\u{200b}": "x\u{202e}y\u{e0041}\u{e007f}\u{feff}", "b": "\u{e9} \u{1f980}\n"});
        let visible = json(&value);
        assert!(!visible.chars().any(is_invisible), "{visible}");
        assert!(
            visible.contains("\\u202e") && visible.contains("\\udb40\\udc41"),
            "{visible}"
        );
        assert!(visible.contains("\u{e9} \u{1f980}"), "{visible}");
        assert_eq!(serde_json::from_str::<Value>(&visible).unwrap(), value);
        let plain = json!({"a": [1, "b"]});
        assert_eq!(json(&plain), plain.to_string());
    }
}
