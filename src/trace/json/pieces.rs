//! Where values begin and end in a text, without parsing it: by brackets and quotes.
//!
//! The scan keeps no stack and no copy, so that a list of any length is read element by element. It ignores the text
//! between the brackets; the parser judges each piece.

/// A value, or a text in place of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece<'t> {
    pub(crate) text: &'t str,
    /// Line on which it begins.
    pub(crate) line: usize,
    /// All its brackets are closed.
    pub(crate) is_whole: bool,
}

/// The values of a text, those of a list at the top one by one; the text begins on the line `first`.
pub(crate) fn pieces(text: &str, first: usize) -> Pieces<'_> {
    Pieces {
        scan: Scan {
            text,
            at: 0,
            line: first,
        },
        in_list: false,
    }
}

/// Walks over the values of a text.
pub(crate) struct Pieces<'t> {
    scan: Scan<'t>,
    in_list: bool,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        loop {
            match self.scan.peek()? {
                b'[' if !self.in_list => self.in_list = true,
                b']' if self.in_list => self.in_list = false,
                byte if byte.is_ascii_whitespace() || byte == b',' => {}
                _ => break,
            }
            self.scan.step();
        }
        let (start, line) = (self.scan.at, self.scan.line);
        let is_whole = self.scan.skip_value();
        Some(Piece {
            text: self.scan.text.get(start..self.scan.at)?,
            line,
            is_whole,
        })
    }
}

/// A field of an object, or an element of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member<'t> {
    /// Name of the field; absent in a list.
    pub name: Option<String>,
    /// JSON text of the value.
    pub text: &'t str,
    /// Line breaks of the document before the value.
    pub breaks: usize,
}

/// Finds the members of an object or a list, in order; `None` for other values.
pub fn members(text: &str) -> Option<Vec<Member<'_>>> {
    let mut scan = Scan {
        text,
        at: 0,
        line: 0,
    };
    let is_object = scan.passes(b'{');
    let closing = if is_object { b'}' } else { b']' };
    (is_object || scan.passes(b'[')).then_some(())?;
    let mut members = Vec::new();
    while !scan.passes(closing) {
        if scan.passes(b',') {
            continue;
        }
        let mut name = None;
        if is_object {
            let (text, _) = scan.value()?;
            name = Some(serde_json::from_str(text).ok()?);
            scan.passes(b':').then_some(())?;
            scan.blanks();
        }
        let (text, breaks) = scan.value()?;
        members.push(Member { name, text, breaks });
    }
    Some(members)
}

/// The lines of the elements of the first list that a field of this name holds; none where the text is one line.
pub(crate) fn element_lines(text: &str, name: &str, first: usize) -> Vec<usize> {
    let mut lines = Vec::new();
    if !text.contains('\n') {
        return lines;
    }
    let field = format!("\"{name}\"");
    let mut scan = Scan {
        text,
        at: 0,
        line: first,
    };
    while let Some(byte) = scan.peek() {
        if byte != b'"' {
            scan.step();
            continue;
        }
        let is_field = text[scan.at..].starts_with(&field);
        scan.skip_string();
        if !is_field || !scan.passes(b':') || !scan.passes(b'[') {
            continue;
        }
        while let Some(byte) = scan.peek() {
            match byte {
                b']' => return lines,
                byte if byte.is_ascii_whitespace() || byte == b',' => scan.step(),
                _ => {
                    lines.push(scan.line);
                    scan.skip_value();
                }
            }
        }
    }
    lines
}

/// Fields whose lists hold records: messages, turns, events, spans.
const RECORDS: &[&str] = &[
    "messages",
    "conversation",
    "input",
    "traj",
    "steps",
    "trajectory",
    "history",
    "spans",
];

/// The part that is kept of a text that is cut off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kept {
    /// Each whole member: enough to recognise a format.
    Members,
    /// Whole records of the innermost list of such: half a record may lack just the field that shows a failure.
    Records,
}

/// An open bracket.
struct Open {
    closing: char,
    holds_records: bool,
    /// End of the last whole element.
    end: usize,
}

/// A text that is cut off, with its whole part closed; absent when there is nothing to keep.
pub(crate) fn closed(text: &str, kept: Kept) -> Option<String> {
    let mut open: Vec<Open> = Vec::new();
    let mut scan = Scan {
        text,
        at: 0,
        line: 1,
    };
    let mut last_text = "";
    while let Some(byte) = scan.peek() {
        match byte {
            b'"' => {
                let start = scan.at + 1;
                scan.skip_string();
                last_text = text.get(start..scan.at - 1).unwrap_or_default();
                continue;
            }
            b'{' | b'[' => open.push(Open {
                closing: if byte == b'{' { '}' } else { ']' },
                holds_records: byte == b'[' && RECORDS.contains(&last_text),
                end: scan.at + 1,
            }),
            b'}' | b']' => {
                open.pop()?;
                if let Some(parent) = open.last_mut() {
                    parent.end = scan.at + 1;
                }
            }
            b',' => {
                if let Some(parent) = open.last_mut() {
                    parent.end = scan.at;
                }
            }
            _ => {}
        }
        scan.step();
    }
    if kept == Kept::Records {
        let list = open.iter().rposition(|open| open.holds_records)?;
        open.truncate(list + 1);
    }
    let mut whole = text.get(..open.last()?.end)?.to_owned();
    whole.extend(open.iter().rev().map(|open| open.closing));
    Some(whole)
}

/// A cursor that counts lines. It is on a character's first byte, since only ASCII is looked for.
struct Scan<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl<'t> Scan<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn step(&mut self) {
        self.line += usize::from(self.peek() == Some(b'\n'));
        self.at += 1;
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.step();
        }
    }

    /// Passes over blanks and then this byte, if it is there.
    fn passes(&mut self, byte: u8) -> bool {
        self.blanks();
        let is_there = self.peek() == Some(byte);
        if is_there {
            self.step();
        }
        is_there
    }

    /// Passes over one value; returns its text and line, if it is closed.
    fn value(&mut self) -> Option<(&'t str, usize)> {
        self.peek()?;
        let (start, line) = (self.at, self.line);
        let text = self.text;
        self.skip_value().then_some(())?;
        Some((text.get(start..self.at)?, line))
    }

    /// Passes over one value; false when it is not closed.
    fn skip_value(&mut self) -> bool {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                // The list ends after a number or a word.
                b'}' | b']' if depth == 0 && self.at > start => return true,
                b'"' => {
                    if !self.skip_string() {
                        return false;
                    }
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.step();
                }
                b'}' | b']' => {
                    self.step();
                    depth = depth.saturating_sub(1);
                }
                byte if depth == 0 && (byte == b',' || byte.is_ascii_whitespace()) => return true,
                _ => {
                    self.step();
                    continue;
                }
            }
            if depth == 0 {
                return true;
            }
        }
        depth == 0
    }

    /// Passes over a text in quotes; false when it is not closed.
    fn skip_string(&mut self) -> bool {
        self.step();
        while let Some(byte) = self.peek() {
            self.step();
            match byte {
                b'"' => return true,
                b'\\' if self.peek().is_some() => self.step(),
                _ => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, usize, bool)> {
        let all = pieces(text, 1);
        all.map(|piece| (piece.text, piece.line, piece.is_whole))
            .collect()
    }

    #[test]
    fn values_are_found_with_their_lines() {
        assert_eq!(
            found("{\"a\": \"}\\\"\"}\n{\"b\":\n[1]}"),
            [("{\"a\": \"}\\\"\"}", 1, true), ("{\"b\":\n[1]}", 2, true)]
        );
        assert_eq!(
            found("[\n {\"a\": 1},\n [2, 3],\n \"é\"\n]\n7"),
            [
                ("{\"a\": 1}", 2, true),
                ("[2, 3]", 3, true),
                ("\"é\"", 4, true),
                ("7", 6, true)
            ]
        );
        assert_eq!(found("[{\"a\": {\"b\""), [("{\"a\": {\"b\"", 1, false)]);
        assert_eq!(found(" \n "), []);
        assert_eq!(found("} x"), [("}", 1, true), ("x", 1, true)]);
    }

    #[test]
    fn lines_of_a_named_list_are_counted_from_the_first_line() {
        let text =
            "{\"x\": \"\\\"steps\\\": [\",\n\"steps\": [\n{\"a\":\n1}, 2,\n\n3], \"steps\": [4]}";
        assert_eq!(element_lines(text, "steps", 10), [12, 13, 15]);
        assert!(element_lines("{\"steps\": [1, 2]}", "steps", 1).is_empty());
        assert!(element_lines("{\n\"steps\": 1}", "steps", 1).is_empty());
    }

    #[test]
    fn what_is_cut_off_is_closed_behind_its_last_whole_member() {
        for (cut, whole) in [
            ("{\"a\": [1, 2, {\"b\": \"x", Some("{\"a\": [1, 2, {}]}")),
            ("{\"a\": 1, \"b", Some("{\"a\": 1}")),
            ("[[", Some("[[]]")),
            ("{\"a\": 1}", None),
            ("7", None),
            ("}", None),
        ] {
            assert_eq!(closed(cut, Kept::Members).as_deref(), whole, "{cut}");
        }
    }

    #[test]
    fn half_a_record_is_not_kept() {
        for (cut, whole) in [
            (
                "{\"traj\": [{\"r\": [1]}, {\"r\": 2, \"c\": [{",
                Some("{\"traj\": [{\"r\": [1]}]}"),
            ),
            (
                "{\"x\": [{\"spans\": [{\"a\": 1}, {\"b\": \"",
                Some("{\"x\": [{\"spans\": [{\"a\": 1}]}]}"),
            ),
            ("{\"messages\": [{\"a\"", Some("{\"messages\": []}")),
            ("{\"a\": [{\"b\": 1}, {", None),
            ("{\"messages\": [], \"id\": \"x", None),
        ] {
            assert_eq!(closed(cut, Kept::Records).as_deref(), whole, "{cut}");
        }
    }
}
