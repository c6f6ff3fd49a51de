//! The marks of the block that an export writes into a file of a person, and that an import leaves out.
//!
//! Marks inside a fenced or indented code block are an example that a person wrote, so they are no block of ours. The
//! contents of our own block are never read as Markdown: a bullet may hold half a fence.

use std::ops::Range;

/// The line before the block.
pub(super) const BEGIN: &str = "<!-- hindlore:begin -->";
/// The line after it.
pub(super) const END: &str = "<!-- hindlore:end -->";

/// Columns from which Markdown reads a line as code.
const CODE_INDENT: usize = 4;

/// The blocks in the lines of a file, marks included, in order; and whether every mark has its partner. Takes n log n steps for n lines.
pub(super) fn blocks<L: AsRef<[u8]>>(lines: &[L]) -> (Vec<Range<usize>>, bool) {
    let closing = closing_fences(lines);
    let mut found = Vec::new();
    let mut is_sound = true;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if is_mark(line, BEGIN) {
            let rest = &lines[at + 1..];
            let Some(length) = rest.iter().position(|line| is_mark(line, END)) else {
                return (found, false);
            };
            is_sound &= !rest[..length].iter().any(|line| is_mark(line, BEGIN));
            found.push(at..at + length + 2);
            at += length + 2;
        } else {
            is_sound &= !is_mark(line, END);
            at = closing[at].unwrap_or(at) + 1;
        }
    }
    (found, is_sound)
}

fn is_mark(line: impl AsRef<[u8]>, mark: &str) -> bool {
    indent(line.as_ref()) < CODE_INDENT && line.as_ref().trim_ascii() == mark.as_bytes()
}

/// For each line that opens fenced code, the line that closes it. A fence counts only where it is closed, and not by a line
/// of a block that begins after it: otherwise one forgotten fence would hide our block, and each export would add another.
fn closing_fences<L: AsRef<[u8]>>(lines: &[L]) -> Vec<Option<usize>> {
    let mut closing = vec![None; lines.len()];
    // How many more marks begin than end from a line on.
    let mut open_marks = vec![0_i64; lines.len() + 1];
    // The closing fences from a line on that no nearer one is as long as; the nearest is last.
    let mut candidates: [Vec<(usize, usize)>; 2] = [Vec::new(), Vec::new()];
    for (at, line) in lines.iter().enumerate().rev() {
        let change = i64::from(is_mark(line, BEGIN)) - i64::from(is_mark(line, END));
        open_marks[at] = open_marks[at + 1] + change;
        let Some((sign, length, is_bare)) = fence(line.as_ref()) else {
            continue;
        };
        let candidates = &mut candidates[usize::from(sign == b'~')];
        let long_enough = candidates.partition_point(|(_, other)| *other >= length);
        closing[at] = candidates[..long_enough]
            .last()
            .map(|(end, _)| *end)
            .filter(|end| open_marks[*end] == open_marks[at]);
        if is_bare {
            candidates.truncate(candidates.partition_point(|(_, other)| *other > length));
            candidates.push((at, length));
        }
    }
    closing
}

/// The sign of a fence, its length, and whether nothing follows it.
fn fence(line: &[u8]) -> Option<(u8, usize, bool)> {
    let text = line.trim_ascii();
    let sign = *text.first().filter(|sign| matches!(sign, b'`' | b'~'))?;
    let length = text.iter().take_while(|byte| **byte == sign).count();
    let rest = &text[length..];
    let is_fence = length >= 3 && !(sign == b'`' && rest.contains(&b'`'));
    is_fence.then_some((sign, length, rest.is_empty()))
}

fn indent(line: &[u8]) -> usize {
    let blank = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    blank
        .map(|byte| if *byte == b'\t' { CODE_INDENT } else { 1 })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with `B` and `E` for the marks, and the lines of the blocks in it.
    #[test]
    fn marks_in_code_are_no_block_of_ours() {
        let cases: &[(&str, &str)] = &[
            ("a\nB\nx\nE\nb", "1..4"),
            ("```md\nB\nx\nE\n```\nb", ""),
            ("~~~\nB\nE\n~~~", ""),
            ("````md\n```\nB\nE\n```\n````\nB\nE", "6..8"),
            ("- item\n\n  ```\n  B\n  E\n  ```", ""),
            ("    B\n    E", ""),
            ("\tB\n\tE", ""),
            ("  B\n  E", "0..2"),
            ("```md\nB\nE\n```\n\nB\nx\nE\n\n~~~md\nE\nB\n~~~", "5..8"),
            ("```\nE\n```", "refused"),
            // A fence that the person forgot to close does not hide our block, for any contents.
            ("```\nopen\nB\nx\nE", "2..5"),
            ("```\nopen\nB\n```\nE\nb", "2..5"),
            ("B\n```\nE\n```\nb\n```", "0..3"),
            ("`` ` ``\nB\nE", "1..3"),
            ("``` `x`\nB\nE\n```", "1..3"),
            ("B", "refused"),
            ("E\nB", "refused"),
            ("B\nB\nE", "refused"),
        ];
        for (text, expected) in cases {
            let lines: Vec<String> = text
                .split('\n')
                .map(|line| match line.trim() {
                    "B" => line.replace('B', BEGIN),
                    "E" => line.replace('E', END),
                    _ => line.to_owned(),
                })
                .collect();
            let (found, is_sound) = blocks(&lines);
            let found: Vec<String> = found.iter().map(|one| format!("{one:?}")).collect();
            let found = if is_sound {
                found.join(" ")
            } else {
                "refused".to_owned()
            };
            assert_eq!(found, *expected, "{text:?}");
        }
    }
}
