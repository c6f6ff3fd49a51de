//! The prose of a turn: a person's own sentences, without code, quotations and pasted output.
//!
//! A pasted log gives advice too ("use --force instead"), in the words of a tool. Material with clear bounds is cut out;
//! after a line that only looks like output, nothing more is read, since a paste has no end mark.

/// The longest turn that is read, in characters: a longer one is a task or a paste.
const TURN_MAX_CHARS: usize = 800;
/// The most lines of prose.
const LINES_MAX: usize = 8;
/// Beginnings of a turn that a program wrote, or that call a command.
const NOT_PROSE: &[char] = &['<', '/', '{', '[', '#', '|', '$'];
/// Marks that rarely occur in prose, and how many in a hundred characters make a line code.
const CODE_MARKS: &[char] = &[
    '{', '}', '(', ')', '[', ']', '<', '>', '=', ';', '|', '\\', '$', '#', '@', '&', '*', '^', '~',
    '+', '%',
];
const MARKS_IN_HUNDRED: usize = 8;
/// First words of a line of output; each is followed by a colon or a bracket.
const OUTPUT_LABELS: &[&str] = &[
    "error",
    "err!",
    "warning",
    "warn",
    "note",
    "help",
    "hint",
    "tip",
    "info",
    "debug",
    "trace",
    "fatal",
    "panic",
    "usage",
    "traceback",
    "caused",
    "exception",
    "failed",
    "npm",
    "output",
    "stderr",
    "stdout",
];

/// Returns the lines of prose; absent if the turn is no prose, or too long.
pub(super) fn lines(turn: &str) -> Option<Vec<&str>> {
    let turn = turn.trim_end();
    if turn.trim_start().starts_with(NOT_PROSE) || turn.chars().count() > TURN_MAX_CHARS {
        return None;
    }
    let mut found = Vec::new();
    let mut is_fenced = false;
    for line in turn.lines() {
        let bare = line.trim();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            is_fenced = !is_fenced;
        } else if bare.is_empty() || is_fenced || bare.starts_with('>') {
            // Blank lines, fences and quotations have clear bounds.
        } else if is_output(line) {
            break;
        } else {
            found.push(bare.trim_start_matches(['-', '*', '•', ' ']));
        }
    }
    (found.len() <= LINES_MAX).then_some(found)
}

fn is_output(line: &str) -> bool {
    if line.starts_with('\t') || line.starts_with("    ") {
        return true;
    }
    let prose = without_code(line.trim());
    let marks = prose.matches(CODE_MARKS).count();
    let is_code = marks * 100 > prose.chars().count() * MARKS_IN_HUNDRED;
    is_code || is_labelled(&prose) || is_dated(&prose)
}

/// The line without spans in backticks, which prose may hold.
fn without_code(line: &str) -> String {
    let spans = line.split('`').enumerate();
    let prose = spans.filter(|(at, _)| at % 2 == 0);
    prose.map(|(_, text)| text).collect()
}

fn is_labelled(line: &str) -> bool {
    let lower = line.to_lowercase();
    let first = lower.split_whitespace().next().unwrap_or_default();
    let label = first.split([':', '[']).next().unwrap_or_default();
    let is_closed = first.len() > label.len() || OUTPUT_LABELS.contains(&first);
    let has_colon = first.len() > label.len() || lower.contains(':') || lower.contains('!');
    is_closed
        && has_colon
        && (OUTPUT_LABELS.contains(&label)
            || label.ends_with("error")
            || label.ends_with("exception"))
}

/// True for a line that begins with a date or a time, as lines of logs do.
fn is_dated(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let digits = first.chars().filter(char::is_ascii_digit).count();
    let separators = first.matches([':', '-']).count();
    digits >= 4 && separators >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_kept_and_everything_else_is_cut() {
        for (turn, expected) in [
            ("use pnpm here", Some(vec!["use pnpm here"])),
            ("use `a => b()` here", Some(vec!["use `a => b()` here"])),
            (
                "look:\n```\nuse npm instead\n```\nno",
                Some(vec!["look:", "no"]),
            ),
            ("> use npm instead\nno", Some(vec!["no"])),
            (
                "I got\nnote: use npm instead\nalways run it",
                Some(vec!["I got"]),
            ),
            ("I got\nTypeError: x\nalways run it", Some(vec!["I got"])),
            ("2026-01-02 12:00 always", Some(vec![])),
            ("12:00:01 always", Some(vec![])),
            ("if (a) { return b(c); }", Some(vec![])),
            ("<notification>always run it</notification>", None),
            ("/review always", None),
        ] {
            assert_eq!(lines(turn), expected, "{turn:?}");
        }
        assert_eq!(lines(&"always ".repeat(200)), None);
    }
}
