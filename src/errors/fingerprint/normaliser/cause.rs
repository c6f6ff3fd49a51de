//! Finds the first error that an output reports: its head and the lines that belong to it.
//!
//! Tools print a lot around an error: progress before it, source and frames below it, sums and hints after it. All of
//! that differs from run to run while the error is the same. Where no line is the head of an error, the lines that are
//! not known to be noise are the error: keeping too much splits an error, dropping its one distinctive line would join
//! it with others.

use std::borrow::Cow;

use super::lines::{Kind, kind, place, position};
use hindlore_primitives::steps;

/// Lines that an error may have after its head.
const BLOCK_MAX: usize = 8;
/// Tags in which harnesses put the answer of a tool.
const TAGS: &[&str] = &[
    "tool_use_error",
    "error",
    "stderr",
    "stdout",
    "output",
    "result",
];

/// The first error of an output.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Cause<'t> {
    /// The lines of the error, without the place in front of the first.
    pub(super) text: Cow<'t, str>,
    /// A place in a source file was in front of it.
    pub(super) has_place: bool,
    /// The output names the place of the error, by a file in front of it, by an excerpt or by frames: quoted text is
    /// then a name of the program at hand.
    pub(super) located: bool,
}

/// A line and its kind.
struct Line<'t> {
    /// Without the box around it and the place in front of it.
    text: &'t str,
    kind: Kind,
    /// A place was taken off its beginning, or a traceback led to it.
    located: bool,
    has_place: bool,
    /// Where it begins in the whole.
    start: usize,
}

/// Returns the first error that an output reports. A program that was called by its path signs with its name alone.
pub(super) fn cause(text: &str) -> Cause<'_> {
    let mut found = first_cause(text);
    let folder = folder_of_program(&found.text);
    found.text = match found.text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[folder..]),
        Cow::Owned(mut text) => {
            text.drain(..folder);
            Cow::Owned(text)
        }
    };
    found
}

/// The length of the folder in front of a program's name that signs a message, as in `/usr/bin/tar: `.
fn folder_of_program(text: &str) -> usize {
    let signed = text.split_once(": ").map(|(name, _)| name);
    let path = signed.filter(|name| !name.contains(char::is_whitespace));
    let Some((folder, _)) = path.and_then(|path| path.rsplit_once('/')) else {
        return 0;
    };
    let name = folder.rsplit('/').next().unwrap_or(folder);
    match name {
        "bin" | "sbin" | ".bin" => folder.len() + 1,
        _ => 0,
    }
}

fn first_cause(text: &str) -> Cause<'_> {
    let text = text.trim_matches(['\n', '\r']);
    if !text.contains('\n') {
        let end = place(text).map(|place| place.end);
        return Cause {
            text: Cow::Borrowed(&text[end.unwrap_or_default()..]),
            has_place: end.is_some(),
            located: end.is_some(),
        };
    }
    let lines = read(text);
    let is_head = |line: &Line<'_>| matches!(line.kind, Kind::Error | Kind::Prefixed);
    let first = lines.iter().position(is_head);
    match first.or_else(|| only_warning(&lines)) {
        Some(first) => block(&lines, first),
        None => all(text, &lines),
    }
}

/// Returns the diagnostics of a build log, each with its excerpt; empty when there are fewer than two.
pub fn diagnostics(text: &str) -> Vec<String> {
    let seen = super::escape::without_terminal(text);
    let text = seen.as_ref();
    let lines = read(text);
    let heads: Vec<usize> = (0..lines.len())
        .filter(|at| lines[*at].kind == Kind::Error && is_of_compiler(&lines, *at))
        .collect();
    if heads.len() < 2 {
        return Vec::new();
    }
    let ends = |line: &Line<'_>| {
        matches!(
            line.kind,
            Kind::Error | Kind::Prefixed | Kind::Warning | Kind::Summary
        )
    };
    let whole = |head: &usize| {
        let behind = lines[head + 1..].iter().find(|line| ends(line));
        let end = behind.map_or(text.len(), |line| line.start);
        text[lines[*head].start..end].trim_end().to_owned()
    };
    heads.iter().map(whole).collect()
}

/// Takes tags of harnesses off a text.
pub(super) fn without_tags(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    for tag in TAGS {
        let inner = trimmed
            .strip_prefix('<')
            .and_then(|rest| rest.strip_prefix(tag))
            .and_then(|rest| rest.strip_prefix('>'));
        if let Some(inner) = inner {
            let end = format!("</{tag}>");
            return Cow::Owned(inner.replace(&end, "\n"));
        }
    }
    Cow::Borrowed(text)
}

fn read(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut within = Within::Nothing;
    let mut start = 0;
    for raw in text.split_inclusive('\n') {
        let line = unboxed(raw.trim_end());
        steps::add(raw.len());
        lines.push(read_line(line, start, &mut within));
        start += raw.len();
    }
    lines
}

/// The context that the lines above give a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Nothing,
    /// The frames of a traceback, which end with the error.
    Traceback,
    /// Source below the line with its place.
    Source,
}

fn read_line<'t>(line: &'t str, start: usize, within: &mut Within) -> Line<'t> {
    let plain = |kind| Line {
        text: line,
        kind,
        located: false,
        has_place: false,
        start,
    };
    let is_deep = line.starts_with([' ', '\t']);
    let state = std::mem::replace(within, Within::Nothing);
    let own = kind(line);
    match state {
        Within::Traceback if is_deep || line.is_empty() => {
            *within = Within::Traceback;
            return plain(Kind::Excerpt);
        }
        Within::Traceback if own != Kind::End => {
            return Line {
                located: true,
                ..plain(Kind::Error)
            };
        }
        Within::Source if line.starts_with("    ") && own != Kind::PlaceOfSource => {
            *within = Within::Source;
            return plain(Kind::Excerpt);
        }
        _ => {}
    }
    if let Some(place) = place(line).or_else(|| position(line)) {
        return Line {
            text: &line[place.end..],
            kind: rank(&line[place.end..]),
            located: true,
            has_place: true,
            start,
        };
    }
    match own {
        Kind::Traceback => *within = Within::Traceback,
        Kind::PlaceOfSource => *within = Within::Source,
        _ => {}
    }
    // pytest marks the lines of the error with a letter.
    let marked = line.strip_prefix("E ").filter(|_| own == Kind::Error);
    Line {
        text: marked.map_or(line, str::trim_start),
        located: marked.is_some(),
        ..plain(own)
    }
}

/// The rank of a message that follows a place.
fn rank(message: &str) -> Kind {
    let word = message.trim_start().split([':', ' ', '[', '(']).next();
    match word.unwrap_or_default().to_ascii_lowercase().as_str() {
        "warning" | "⚠" | "deprecated" => Kind::Warning,
        "note" | "info" | "hint" | "help" | "in" | "required" | "remark" => Kind::Noise,
        _ => Kind::Error,
    }
}

/// The first warning of an output that holds nothing but warnings.
fn only_warning(lines: &[Line<'_>]) -> Option<usize> {
    let says = |line: &Line<'_>| matches!(line.kind, Kind::Text | Kind::Warning | Kind::Summary);
    let first = lines.iter().position(says)?;
    (lines[first].kind == Kind::Warning).then_some(first)
}

/// Whether a head is that of a compiler, whose first line is the whole message: a place is before it or right below it.
fn is_of_compiler(lines: &[Line<'_>], head: usize) -> bool {
    let below = lines[head + 1..].iter().find(|line| {
        steps::add(1);
        line.kind != Kind::Wrapper
    });
    let points = |line: &Line<'_>| {
        let text = line.text.trim_start();
        line.kind == Kind::Place && (text.starts_with("-->") || text.starts_with('╭'))
    };
    lines[head].has_place || below.is_some_and(points)
}

/// The error that begins in a line: the head, and the text after it until something else begins.
fn block<'t>(lines: &[Line<'t>], head: usize) -> Cause<'t> {
    let is_place = |line: &Line<'_>| matches!(line.kind, Kind::Place | Kind::PlaceOfSource);
    let of_compiler = is_of_compiler(lines, head);
    let mut located = lines[head].located || of_compiler || lines[..head].iter().any(is_place);
    let mut said = vec![lines[head].text];
    for line in &lines[head + 1..] {
        let goes_on = match line.kind {
            Kind::Prefixed => lines[head].kind == Kind::Prefixed,
            Kind::Error | Kind::Warning | Kind::Summary | Kind::Traceback => false,
            Kind::End | Kind::Echo => false,
            _ => true,
        };
        if !goes_on {
            break;
        }
        located |= is_place(line);
        let says = match line.kind {
            Kind::Subject => true,
            Kind::Text | Kind::Prefixed => !of_compiler,
            _ => false,
        };
        if says && said.len() <= BLOCK_MAX {
            said.push(line.text);
        }
    }
    Cause {
        text: Cow::Owned(said.join("\n")),
        has_place: lines[head].has_place,
        located,
    }
}

/// An output without a head, minus the known noise; all of it when nothing would remain.
fn all<'t>(text: &'t str, lines: &[Line<'t>]) -> Cause<'t> {
    let mut said: Vec<&str> = Vec::new();
    let mut located = false;
    for line in lines {
        let says = matches!(
            line.kind,
            Kind::Text | Kind::Subject | Kind::Summary | Kind::Warning
        );
        let ends = matches!(line.kind, Kind::Echo | Kind::End);
        if ends && !said.is_empty() {
            break;
        }
        located |= matches!(line.kind, Kind::Place | Kind::PlaceOfSource);
        if says {
            said.push(line.text);
        }
    }
    if said.is_empty() {
        return Cause {
            text: Cow::Borrowed(text),
            has_place: false,
            located: false,
        };
    }
    Cause {
        text: Cow::Owned(said.join("\n")),
        has_place: false,
        located,
    }
}

/// A line without the box that some tools draw around their errors.
fn unboxed(line: &str) -> &str {
    let open = line.trim_start_matches(['│', '╷', '╵', '┃', '║']);
    if open.len() == line.len() {
        return line;
    }
    open.strip_prefix(' ').unwrap_or(open)
}
