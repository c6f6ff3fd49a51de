//! Reads the text playbook of the published ACE experiments.
//!
//! Lines are `[slug-00001] content`, or `[any id] helpful=0 harmful=0 :: content`, under `## SECTION`. A
//! bullet ends at the next bullet or heading; headings inside a closed code block belong to the block. Every
//! line is part of a bullet, a heading, blank, or reported.

use super::{Format, Import, wrong_format};
use crate::nearest::quoted;
use crate::problem::Problem;
use hindlore_domain::memory::bullet::{COUNT_MAX, Counts, Source};
use hindlore_domain::memory::delta::{NewBullet, Operation};

/// First and last line of a code block.
const FENCE: &str = "```";

/// Reads a playbook.
pub(super) fn read(text: &str) -> Result<Import, Problem> {
    let lines: Vec<&str> = text.lines().collect();
    let closings = closings(&lines);
    let mut reader = Reader::default();
    let mut bullets = 0_u64;
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let number = u64::try_from(at).unwrap_or(u64::MAX).saturating_add(1);
        let first = split_bullet(line);
        bullets += u64::from(first.is_some());
        let opening = first.map_or(line, |(_, rest)| rest);
        let block_end = closings[at + 1].filter(|_| opens_block(opening));
        match first {
            Some((id, rest)) => reader.begin(number, id, rest),
            None => reader.go_on(number, line, block_end.is_some()),
        }
        // Inside a closed code block there is only text.
        let end = block_end.unwrap_or(at);
        for (inner, below) in lines[at + 1..=end].iter().zip(number + 1..) {
            reader.text(below, inner);
        }
        at = end + 1;
    }
    if bullets == 0 {
        return Err(wrong_format(
            Format::AcePlaybook,
            "no line starts like [slug-00001]",
        ));
    }
    Ok(reader.finish())
}

/// Splits `[slug-00001] ` off a line, which starts a bullet; returns the id and the rest.
///
/// Before counts (`[id] helpful=0 harmful=0 :: …`) any id does, and a list mark may come before it. Without counts only
/// a slug with its number distinguishes a bullet from a link, a box to tick, or a label.
pub(crate) fn split_bullet(line: &str) -> Option<(&str, &str)> {
    let (id, rest) = without_mark(line).strip_prefix('[')?.split_once(']')?;
    let is_any = !id.trim().is_empty() && has_counts(rest);
    (is_any || (line.starts_with('[') && is_slug(id, rest))).then_some((id.trim(), rest))
}

/// A line without its list mark: `- `, `* `, `+ `, `1. ` or `1) `.
fn without_mark(line: &str) -> &str {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = digits.len() < line.len() && digits.starts_with(['.', ')']);
    let is_marked = is_numbered || line.starts_with(['-', '*', '+']);
    let unmarked = if is_numbered { digits } else { line };
    match unmarked.get(1..).filter(|_| is_marked) {
        Some(behind) if behind.starts_with([' ', '\t']) => behind.trim_start(),
        _ => line,
    }
}

fn is_slug(id: &str, rest: &str) -> bool {
    let Some((slug, number)) = id.rsplit_once('-') else {
        return false;
    };
    let is_slug = slug.starts_with(|c: char| c.is_ascii_alphabetic())
        && slug
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-&.".contains(c));
    let is_number = (3..=12).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    is_slug && is_number && (rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// True if a text after an id starts with counts and `::`.
fn has_counts(rest: &str) -> bool {
    let head = rest.split_once("::").map_or("", |(head, _)| head);
    let mut words = head.split_whitespace().peekable();
    words.peek().is_some() && words.all(is_count)
}

fn is_count(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| matches!(name, "helpful" | "harmful" | "neutral"))
}

/// A line without the blank that an export puts before lines that look like bullets or headings.
fn unprotected(line: &str) -> &str {
    match line.strip_prefix(' ') {
        Some(inner) if split_bullet(inner).is_some() || split_heading(inner, 1).is_some() => inner,
        _ => line,
    }
}

/// The name in a heading line with at least `least` hashes, without a trailing colon.
pub(crate) fn split_heading(line: &str, least: usize) -> Option<&str> {
    let name = line.trim_start_matches('#');
    let hashes = line.len() - name.len();
    let is_heading =
        (least..=6).contains(&hashes) && (name.is_empty() || name.starts_with([' ', '\t']));
    is_heading.then(|| name.trim().trim_end_matches(':').trim_end())
}

/// True if a text begins a code block that it does not close.
fn opens_block(text: &str) -> bool {
    let opening = text.trim().strip_prefix(FENCE);
    opening.is_some_and(|opening| !opening.contains(FENCE))
}

/// For each line and for the end: the line that closes a code block open there. A block without an end before
/// the next bullet is none. Computed backwards, so that each line is read once.
fn closings(lines: &[&str]) -> Vec<Option<usize>> {
    let mut closings = vec![None; lines.len() + 1];
    for (at, line) in lines.iter().enumerate().rev() {
        closings[at] = if split_bullet(line).is_some() {
            None
        } else if line.trim() == FENCE {
            Some(at)
        } else {
            closings[at + 1]
        };
    }
    closings
}

/// State of the reader.
#[derive(Default)]
struct Reader {
    import: Import,
    section: Option<String>,
    open: Option<Open>,
}

/// A bullet whose end is not reached.
struct Open {
    line: u64,
    legacy_id: String,
    /// An error skips the rest of the bullet.
    counts: Result<Counts, String>,
    content: String,
}

impl Reader {
    fn begin(&mut self, line: u64, id: &str, rest: &str) {
        self.close();
        let (counts, content) = match split_counts(rest) {
            Ok((counts, content)) => (Ok(counts), content.trim_start()),
            Err(reason) => (Err(reason), ""),
        };
        self.open = Some(Open {
            line,
            legacy_id: id.to_owned(),
            counts,
            content: content.to_owned(),
        });
    }

    fn go_on(&mut self, line: u64, text: &str, is_block: bool) {
        // A single hash is a comment in the code of a bullet, and a heading only outside.
        let least = if self.open.is_some() { 2 } else { 1 };
        let level = text.len() - text.trim_start_matches('#').len();
        let is_title = level == least || self.open.is_none();
        match split_heading(text, least) {
            Some(name) if is_title && !is_block => {
                self.close();
                self.section = (!name.is_empty()).then(|| name.to_owned());
            }
            _ => self.text(line, text),
        }
    }

    fn text(&mut self, line: u64, text: &str) {
        match &mut self.open {
            Some(open) => {
                open.content.push('\n');
                open.content.push_str(unprotected(text));
            }
            None if text.trim().is_empty() => {}
            None => self.import.add(
                line,
                Err(format!(
                    "the text {} belongs to no bullet",
                    quoted(text.trim())
                )),
            ),
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        let section = self.section.clone();
        let operation = open.counts.and_then(|counts| {
            let content = open.content.trim_end().trim_start_matches('\n');
            if content.trim().is_empty() {
                return Err("the content is empty".to_owned());
            }
            Ok(Operation::Add(Box::new(NewBullet {
                content: content.to_owned(),
                section,
                helpful: counts.helpful,
                harmful: counts.harmful,
                neutral: counts.neutral,
                source: Some(Source::Import),
                legacy_id: Some(open.legacy_id),
                ..NewBullet::default()
            })))
        });
        self.import.add(open.line, operation);
    }

    fn finish(mut self) -> Import {
        self.close();
        self.import
    }
}

/// Splits an optional `helpful=0 harmful=0 ::` off the text after the id.
fn split_counts(rest: &str) -> Result<(Counts, &str), String> {
    let none = Ok((Counts::default(), rest));
    let Some((head, content)) = rest.split_once("::") else {
        return none;
    };
    // `std::vec` and the like are content; counts have `=` before the colons.
    let is_head = head.split_whitespace().next().is_none_or(is_count);
    if !is_head {
        return none;
    }
    let mut counts = Counts::default();
    for word in head.split_whitespace() {
        let (name, number) = word.split_once('=').unwrap_or((word, ""));
        let count = match name {
            "helpful" => &mut counts.helpful,
            "harmful" => &mut counts.harmful,
            "neutral" => &mut counts.neutral,
            other => return Err(format!("{} is not a count before `::`", quoted(other))),
        };
        *count = number
            .parse()
            .ok()
            .filter(|count| *count <= COUNT_MAX)
            .ok_or_else(|| format!("the {name} count {} is not a whole number", quoted(number)))?;
    }
    Ok((counts, content))
}

#[cfg(test)]
mod tests;
