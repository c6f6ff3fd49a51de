//! Keeps the beginning and the end of a stream, because tools name the cause of a failure first or last. The
//! middle is only counted.

use std::collections::VecDeque;

/// Bytes kept from the beginning of complaints.
const HEAD_MAX: usize = 32 << 10;
/// Bytes kept from their end.
const TAIL_MAX: usize = 96 << 10;
/// Bytes kept from the end of stdout, which matters only without complaints.
const OUTPUT_MAX: usize = 8 << 10;

/// The kept part of a stream.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
    head_max: usize,
    tail_max: usize,
}

impl Kept {
    /// Keeps both ends.
    pub(super) fn complaints() -> Self {
        Self::with(HEAD_MAX, TAIL_MAX)
    }

    /// Keeps only the end.
    pub(super) fn output() -> Self {
        Self::with(0, OUTPUT_MAX)
    }

    fn with(head_max: usize, tail_max: usize) -> Self {
        Self {
            head: Vec::new(),
            tail: VecDeque::new(),
            left_out: 0,
            head_max,
            tail_max,
        }
    }

    /// Bytes that suffice at the beginning and at the end.
    pub(super) fn limits(&self) -> (usize, usize) {
        (self.head_max, self.tail_max)
    }

    /// Appends bytes.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        let room = self.head_max.saturating_sub(self.head.len());
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let beyond = self.tail.len().saturating_sub(self.tail_max);
        self.tail.drain(..beyond);
        self.left_out += beyond as u64;
    }

    /// Counts bytes that were skipped between the beginning and the end.
    pub(super) fn skip(&mut self, bytes: u64) {
        self.left_out += bytes;
    }

    /// The text without colour codes and without text that carriage returns overwrote.
    pub(super) fn text(&self) -> String {
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let bytes = match (self.left_out, self.head_max) {
            (0, _) => [&*self.head, &*tail].concat(),
            // Drop a first line that lost its beginning: its meaning could differ.
            (_, 0) => {
                let line = tail.iter().position(|byte| *byte == b'\n');
                tail[line.map_or(0, |end| end + 1)..].to_vec()
            }
            (bytes, _) => {
                let gap = format!("\n[{bytes} bytes left out]\n");
                [&*self.head, gap.as_bytes(), &*tail].concat()
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let plain = anstream::adapter::strip_str(&text).to_string();
        let lines: Vec<&str> = plain.lines().map(last_painted).collect();
        lines.join("\n").trim().to_owned()
    }
}

/// The last painting of a line that used carriage returns.
fn last_painted(line: &str) -> &str {
    let line = line.trim_end_matches('\r');
    line.rsplit('\r').next().unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_long_complaint_are_kept_in_bounded_room() {
        let mut kept = Kept::complaints();
        for line in 0..2_000_000_u32 {
            kept.take(format!("line {line}\n").as_bytes());
        }
        assert_eq!((kept.head.len(), kept.tail.len()), (HEAD_MAX, TAIL_MAX));
        let text = kept.text();
        assert!(text.starts_with("line 0\n") && text.ends_with("line 1999999"));
        assert!(text.contains(&format!("[{} bytes left out]", kept.left_out)));
    }

    #[test]
    fn of_an_output_whole_lines_of_its_end_are_kept() {
        let mut kept = Kept::output();
        for line in 0..5_000_u32 {
            kept.take(format!("line {line}\n").as_bytes());
        }
        let text = kept.text();
        assert!(
            text.starts_with("line ") && text.ends_with("line 4999"),
            "{text}"
        );
        assert!(text.len() <= OUTPUT_MAX && !text.contains("left out"));
    }

    #[test]
    fn colours_progress_and_broken_text_do_not_get_in_the_way() {
        let mut kept = Kept::complaints();
        kept.take(b"10 %\r20 %\r\x1b[31merror\x1b[0m: no \xff\xfe\r\nnext\r\n");
        assert_eq!(kept.text(), "error: no \u{FFFD}\u{FFFD}\nnext");
    }
}
