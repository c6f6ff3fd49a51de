//! Finds the id of a request that cannot be parsed, so that its sender gets an answer that it can match.
//!
//! It reads bytes as they come and keeps a few hundred of them, so a message may have any size, depth and fault.

use serde_json::Value;

/// Longest id, and longest name of a field, in bytes.
const TOKEN_MAX: usize = 512;

/// A scan of one message.
#[derive(Debug, Default)]
pub(super) struct IdScan {
    depth: u64,
    in_text: bool,
    is_escaped: bool,
    /// The next text of the outer object is a value, not a name.
    after_colon: bool,
    /// The present field is `id`.
    is_id: bool,
    token: Vec<u8>,
    id: Option<Value>,
}

impl IdScan {
    /// The id in a whole message.
    pub(super) fn of(bytes: &[u8]) -> Option<Value> {
        let mut scan = Self::default();
        scan.feed(bytes);
        scan.id
    }

    /// Reads on.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    /// The id that was found, for the end of a message.
    pub(super) fn taken(&mut self) -> Option<Value> {
        std::mem::take(self).id
    }

    fn step(&mut self, byte: u8) {
        if self.in_text {
            self.keep(byte);
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_text = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_text = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.depth += 1;
                self.token.clear();
                // A list as the whole message has no field.
                if self.depth == 1 {
                    self.after_colon = byte == b'[';
                }
            }
            b'}' | b']' => {
                self.end_of_field();
                self.depth = self.depth.saturating_sub(1);
            }
            b',' => self.end_of_field(),
            b':' if self.depth == 1 && !self.after_colon => {
                self.is_id = self.token == b"\"id\"";
                self.after_colon = true;
                self.token.clear();
            }
            _ if byte.is_ascii_whitespace() => {}
            _ => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        let is_wanted = self.depth == 1 && (self.is_id || !self.after_colon);
        if is_wanted && self.token.len() <= TOKEN_MAX {
            self.token.push(byte);
        }
    }

    /// A field of the outer object ends here; a number that the message breaks off has no end.
    fn end_of_field(&mut self) {
        if self.depth != 1 {
            return;
        }
        if self.is_id && self.token.len() <= TOKEN_MAX {
            let id = serde_json::from_slice::<Value>(&self.token).ok();
            self.id = id.filter(|id| id.is_string() || id.is_number());
        }
        self.token.clear();
        self.is_id = false;
        self.after_colon = false;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_id_is_found_in_messages_that_are_broken() {
        let deep = format!("{{\"id\": 3, \"a\": {}", "[".repeat(100_000));
        let closed = format!(
            "{{\"a\": {}{}, \"id\": 4}}",
            "[".repeat(100_000),
            "]".repeat(100_000)
        );
        for (text, id) in [
            ("{\"id\":7,\"a\": oops}", json!(7)),
            ("{\"a\": oops, \"id\" : \"x,}\" }", json!("x,}")),
            (
                "{\"params\":{\"id\":1,\"t\":\"\\ud83d\"},\"id\":-2,",
                json!(-2),
            ),
            ("{\"id\":\"a\\\"b\",\"method\":\"tools", json!("a\"b")),
            (
                "{\"method\":\"\\\"id\\\":5\",\"id\":6,\"id\":8}}}}",
                json!(8),
            ),
            (&deep, json!(3)),
            (&closed, json!(4)),
        ] {
            let short: String = text.chars().take(60).collect();
            assert_eq!(IdScan::of(text.as_bytes()), Some(id), "{short}");
        }
        let mut bytes = b"{\"t\":\"caf\xe9\",\"id\":9}".to_vec();
        assert_eq!(IdScan::of(&bytes), Some(json!(9)));
        bytes.truncate(bytes.len() - 1);
        assert_eq!(IdScan::of(&bytes), None, "the number may go on");
    }

    #[test]
    fn what_is_no_id_is_not_taken_for_one() {
        let long = format!("{{\"id\":\"{}\",\"a\":}}", "x".repeat(2_000));
        for text in [
            "",
            "not json",
            "[{\"id\":1}]",
            "[\"id\", 1, {",
            "{\"params\":{\"id\":1},",
            "{\"a\":\"id\",\"b\":3,",
            "{\"id\":{\"id\":5},",
            "{\"id\":null,",
            "{\"id\":true,",
            "{\"xid\":4,",
            &long,
        ] {
            assert_eq!(IdScan::of(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn it_keeps_little_of_what_it_reads() {
        let mut scan = IdScan::default();
        scan.feed(b"{\"params\":\"");
        for _ in 0..1_000 {
            scan.feed(&[b'x'; 1_000]);
        }
        assert!(scan.token.capacity() < 4 * TOKEN_MAX);
        scan.feed(b"\",\"id\":5}");
        assert_eq!(scan.taken(), Some(json!(5)));
        scan.feed(b"{}");
        assert_eq!(scan.taken(), None);
    }
}
