//! Reads the rules that people keep as Markdown: `CLAUDE.md`, `AGENTS.md`, `.cursorrules`, lessons, notes.
//!
//! Each item, paragraph and row of a table is a bullet; its heading path is its section. A text that introduces others
//! (a short parent, a paragraph that ends in ":") comes before each of them instead, since they mean nothing without
//! it. Code belongs to the text above it. Anything that becomes no bullet is left out with a reason.

mod html;
mod node;
mod outline;
mod tree;

use std::borrow::Cow;

use super::{BadLine, Import};
use crate::block_marks;
use crate::problem::Problem;
use hindlore_domain::memory::bullet::{Kind, Source};
use hindlore_domain::memory::delta::NewBullet;

pub(super) use outline::{Entry, outline_of, outline_with};

/// Reads a text.
pub(super) fn read(text: &str) -> Result<Import, Problem> {
    let (text, blocks) = without_exported_blocks(text);
    let read = outline_of(&text);
    let mut import = Import::default();
    import.leave_out_all(blocks);
    for entry in read.entries {
        import.put(entry.line, Ok(rule(entry)));
    }
    import.leave_out_all(read.left_out);
    import.notes.extend(read.notes);
    Ok(import)
}

/// A text with blank lines for the blocks that an export wrote, and the line of each: their content came from a memory,
/// and would come back as if a person had written it.
fn without_exported_blocks(text: &str) -> (Cow<'_, str>, Vec<BadLine>) {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut blocks = Vec::new();
    for block in block_marks::blocks(&lines).0 {
        blocks.push(BadLine {
            line: block.start as u64 + 1,
            reason: "the block that `export` wrote: it came from a memory".to_owned(),
        });
        lines[block].fill("");
    }
    if blocks.is_empty() {
        return (Cow::Borrowed(text), blocks);
    }
    (Cow::Owned(lines.join("\n")), blocks)
}

/// A rule is kept like a procedure: it fades slowly.
pub(super) fn rule(entry: Entry) -> NewBullet {
    NewBullet {
        content: entry.text,
        section: entry.section,
        tags: entry.tags,
        kind: Some(Kind::Strategy),
        source: Some(Source::Import),
        ..NewBullet::default()
    }
}

/// A text without its front matter: the front matter, the rest, and the number of the first line of the rest.
pub(super) fn split_front_matter(text: &str) -> (&str, &str, u64) {
    for fence in ["---", "+++"] {
        let Some(inner) = text.strip_prefix(fence).and_then(|rest| {
            rest.trim_start_matches([' ', '\t', '\r'])
                .strip_prefix('\n')
        }) else {
            continue;
        };
        let mut at = 0;
        for (number, line) in (2..).zip(inner.split_inclusive('\n')) {
            let is_end = line.trim_end() == fence || (fence == "---" && line.trim_end() == "...");
            if is_end {
                return (&inner[..at], &inner[at + line.len()..], number + 1);
            }
            // A rule of dashes may begin a text as well: then no name comes first.
            if !is_field(line) || (at == 0 && !is_named(line)) {
                break;
            }
            at += line.len();
        }
    }
    ("", text, 1)
}

/// True for a line that front matter can have.
fn is_field(line: &str) -> bool {
    let line = line.trim_end();
    line.is_empty() || line.starts_with([' ', '\t', '#', '-', ']', '}', '[']) || is_named(line)
}

/// True for `name: value` and `name = value`.
fn is_named(line: &str) -> bool {
    let line = line.trim_end();
    let name = line.split([':', '=']).next().unwrap_or_default();
    let is_plain = |c: char| c.is_alphanumeric() || "_-. \"'".contains(c);
    !name.trim().is_empty() && name.len() < line.len() && name.trim().chars().all(is_plain)
}

#[cfg(test)]
mod tests;
