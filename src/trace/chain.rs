//! The commands of one line whose failure its exit code hides: `A; B`, `A | tail` and `A || true` all end with the code
//! of the last command.
//!
//! Such a line ends with 0 although a part of it failed. If the output of that part was discarded as well, the line is
//! evidence of neither a success nor a failure.

use hindlore_errors::shell::program;

/// A command of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part<'l> {
    /// Its text, without the keyword of the shell before it.
    pub(crate) text: &'l str,
    /// It reads the output of the command before it.
    pub(crate) is_piped: bool,
    /// The exit code of the line does not depend on it.
    pub(crate) is_hidden: bool,
    /// It still runs when the line ends.
    pub(crate) is_left_running: bool,
}

/// The mark after a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Joint {
    And,
    Or,
    Pipe,
    Background,
    End,
}

/// Keywords before a command.
const KEYWORDS: &[&str] = &["do", "then", "else", "!", "{", "("];
/// Keywords before a condition, whose failure the script expects.
const CONDITIONS: &[&str] = &[
    "if", "elif", "while", "until", "for", "case", "[", "[[", "test",
];
/// Programs that only set where a command runs, or announce it.
const ASIDE: &[&str] = &[
    "cd", "pushd", "popd", "echo", "printf", "sleep", "pwd", "true", ":", "export", "set", "done",
    "fi", "esac", "wait", "unset",
];
/// Redirections of stderr, without blanks.
const DISCARDS: &[&str] = &["2>", "&>", "*>", ">&/"];

/// The commands of a line, in their order.
pub(crate) fn parts(line: &str) -> Vec<Part<'_>> {
    let pieces = pieces(line);
    let stops_at_failure = line.contains("set -e") || line.contains("errexit");
    let fails_by_pipe = line.contains("pipefail");
    let last = pieces.len().saturating_sub(1);
    let mut parts = Vec::new();
    let (mut is_piped, mut is_list_hidden) = (false, false);
    for (at, (text, joint)) in pieces.iter().enumerate().rev() {
        is_list_hidden = match joint {
            Joint::Background => true,
            Joint::End if at < last => !stops_at_failure,
            Joint::End => false,
            Joint::Or => true,
            Joint::And | Joint::Pipe => is_list_hidden,
        };
        let is_hidden = is_list_hidden || (*joint == Joint::Pipe && !fails_by_pipe);
        parts.push((*text, *joint, is_hidden));
    }
    parts
        .into_iter()
        .rev()
        .filter_map(|(text, joint, is_hidden)| {
            let part = Part {
                text: bare(text),
                is_piped,
                is_hidden: is_hidden && !is_expected(text),
                is_left_running: joint == Joint::Background,
            };
            is_piped = joint == Joint::Pipe;
            (!part.text.is_empty()).then_some(part)
        })
        .collect()
}

/// True for a part that hides both its exit code and its words.
pub(crate) fn is_swallowed(part: &Part<'_>) -> bool {
    let dense: String = part.text.split_whitespace().collect();
    let mut words = DISCARDS.iter().flat_map(|mark| dense.split(mark).skip(1));
    let is_discarded = words.any(|target| !target.starts_with("&1"));
    // `> file 2>&1`
    let is_diverted = dense
        .split_once("2>&1")
        .is_some_and(|(before, _)| before.contains('>'));
    part.is_hidden && (is_discarded || is_diverted)
}

fn bare(text: &str) -> &str {
    let mut text = text.trim().trim_start_matches('(').trim_start();
    while let Some((word, rest)) = text.split_once(char::is_whitespace) {
        if !KEYWORDS.contains(&word) {
            break;
        }
        text = rest.trim_start();
    }
    text
}

fn is_expected(text: &str) -> bool {
    let text = bare(text);
    let first = text.split_whitespace().next().unwrap_or_default();
    CONDITIONS.contains(&first) || ASIDE.contains(&program(text)) || first.starts_with('#')
}

/// Cuts a line at the marks between commands, outside of quotes and brackets.
fn pieces(line: &str) -> Vec<(&str, Joint)> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let (mut start, mut at, mut depth) = (0, 0, 0_usize);
    let mut quote = None;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let width = match (quote, byte) {
            (Some(b'"') | None, b'\\') => {
                at += 2;
                continue;
            }
            (Some(open), _) => {
                if byte == open {
                    quote = None;
                }
                0
            }
            (None, b'\'' | b'"' | b'`') => {
                quote = Some(byte);
                0
            }
            // The text of a here-document belongs to its command.
            (None, b'<') if rest.starts_with(b"<<") && !rest.starts_with(b"<<<") => break,
            (None, b'(') => {
                depth += 1;
                0
            }
            (None, b')') => {
                depth = depth.saturating_sub(1);
                0
            }
            _ if depth > 0 => 0,
            _ => joint_at(bytes, at),
        };
        if width > 0 {
            let joint = match &rest[..width] {
                b"&&" => Joint::And,
                b"||" => Joint::Or,
                b"|" | b"|&" => Joint::Pipe,
                b"&" => Joint::Background,
                _ => Joint::End,
            };
            found.push((line.get(start..at).unwrap_or_default(), joint));
            start = at + width;
        }
        at += width.max(1);
    }
    found.push((line.get(start..).unwrap_or_default(), Joint::End));
    found.retain(|(text, _)| !text.trim().is_empty());
    found
}

/// The width of the mark between commands at a place; 0 where there is none.
fn joint_at(bytes: &[u8], at: usize) -> usize {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at)).copied();
    match &bytes[at..] {
        [b'&', b'&', ..] | [b'|', b'|' | b'&', ..] => 2,
        // `2>&1`, `>&2` and `&>file` redirect.
        [b'&', b'>', ..] => 0,
        [b'&', ..] if matches!(before, Some(b'>' | b'<')) => 0,
        [b'|', ..] if before == Some(b'>') => 0,
        [b'|' | b';' | b'&' | b'\n', ..] => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_whose_failure_the_code_hides_are_found() {
        for (line, hidden) in [
            ("make", vec![]),
            ("make && make test", vec![]),
            ("make; ls", vec!["make"]),
            ("make | tail -5", vec!["make"]),
            ("a && make 2>&1 | tail", vec!["make 2>&1"]),
            ("a && b; c", vec!["a", "b"]),
            ("a && b || true", vec!["a", "b"]),
            ("cd app; make", vec![]),
            ("if grep -q x f; then make; fi", vec!["make"]),
            ("set -e; make; ls", vec![]),
            ("set -o pipefail; make | tail", vec![]),
            ("serve & curl x", vec!["serve"]),
            ("echo 'a; b' \"c | d\"", vec![]),
            ("cat <<E > f\na; b\nE", vec![]),
            ("(a; b)", vec![]),
            ("make\nls", vec!["make"]),
        ] {
            let found = parts(line);
            let found = found.iter().filter(|part| part.is_hidden);
            assert_eq!(
                found.map(|part| part.text).collect::<Vec<_>>(),
                hidden,
                "{line}"
            );
        }
    }

    #[test]
    fn a_hidden_part_that_discards_its_words_is_swallowed() {
        for (line, swallows) in [
            ("rm -r out 2>/dev/null; ls", true),
            ("rm -r out &> /dev/null || true", true),
            ("make > build.log 2>&1; echo done", true),
            ("rm -r out; ls", false),
            ("make 2>&1 | tail", false),
            ("rm -r out 2>/dev/null", false),
            ("cd out && rm -r a 2>/dev/null", false),
            ("if test -f a 2>/dev/null; then b; fi", false),
        ] {
            assert_eq!(parts(line).iter().any(is_swallowed), swallows, "{line}");
        }
    }
}
