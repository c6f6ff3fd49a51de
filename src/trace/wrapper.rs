//! Wrappers that harnesses put around the words of a tool: removed, so that equal errors are equal under any harness.
//!
//! Only whole lines and tags of known harnesses go; the tool's own message stays whole. The content of a wrapper, an
//! exit code or the mark of an error, is kept apart.

mod ansi;

pub(crate) use ansi::plain;

/// An answer without its wrappers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Bare {
    /// The words of the tool.
    pub(crate) text: String,
    /// The exit code that a wrapper named.
    pub(crate) exit_code: Option<i32>,
    /// A wrapper calls it an error.
    pub(crate) is_error: bool,
}

/// Tags around a whole answer or a part of it; their content stays.
const TAGS: &[&str] = &[
    "tool_use_error",
    "error",
    "output",
    "stdout",
    "stderr",
    "bash-stdout",
    "bash-stderr",
    "local-command-stdout",
    "local-command-stderr",
    "function_results",
];
/// Tags whose content is for the model only.
const ASIDES: &[&str] = &[
    "system-reminder",
    "system_reminder",
    "persisted-output-hint",
];

/// Beginnings of the header lines of a shell of Codex, which end with `Output:`.
const CODEX_HEADER: &[&str] = &[
    "Command: ",
    "Chunk ID: ",
    "Wall time: ",
    "Process exited with code ",
    "Process running with session ID ",
    "Original token count: ",
    "Total output lines: ",
    "Exit code: ",
];

/// Lines alone that only announce a stream or an error.
const HEADINGS: &[&str] = &[
    "[stderr]",
    "[stdout]",
    "[stderr]:",
    "[stdout]:",
    "STDERR:",
    "STDOUT:",
    "stderr:",
    "stdout:",
    "--- stderr ---",
    "--- stdout ---",
    "=== STDERR ===",
    "=== STDOUT ===",
    "ERROR:",
    "Error:",
];

/// Beginnings of lines that OpenHands and SWE-agent append to an answer.
const TRAILERS: &[&str] = &[
    "[The command completed with exit code ",
    "[Command finished with exit code ",
    "[Current working directory: ",
    "[Python interpreter: ",
    "[Jupyter current working directory: ",
    "[Jupyter Python interpreter: ",
    "(Open file: ",
    "(Current directory: ",
    "bash-$",
];

/// Takes the wrappers off.
pub(crate) fn strip(answer: &str) -> Bare {
    let text = plain(answer);
    let mut bare = Bare::default();
    let text = without_asides(&text);
    let text = untagged(&text, &mut bare);
    let text = without_header(&text, &mut bare);
    let text = without_trailers(text, &mut bare);
    let lines = text.lines().filter(|line| !HEADINGS.contains(&line.trim()));
    bare.text = lines
        .collect::<Vec<_>>()
        .join("\n")
        .trim_matches('\n')
        .trim_end()
        .to_owned();
    bare
}

/// Removes the parts that only the model should read.
fn without_asides(text: &str) -> String {
    let mut text = text.to_owned();
    for tag in ASIDES {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        while let Some(start) = text.find(&open) {
            let end = text[start..]
                .find(&close)
                .map_or(text.len(), |at| start + at + close.len());
            text.replace_range(start..end, "");
        }
    }
    text
}

/// Takes tags off that begin the answer; those further inside are the tool's own.
fn untagged(text: &str, bare: &mut Bare) -> String {
    let mut text = text.to_owned();
    if let Some(rest) = text.trim_start().strip_prefix("<returncode>")
        && let Some((code, rest)) = rest.split_once("</returncode>")
    {
        bare.exit_code = number(code);
        text = rest.trim_start().to_owned();
    }
    while let Some(tag) = TAGS.iter().find(|tag| opens(text.trim_start(), tag)) {
        bare.is_error |= tag.ends_with("error");
        let inner = text.trim_start()[tag.len() + 2..].replacen(&format!("</{tag}>"), "\n", 1);
        text = inner.trim().to_owned();
    }
    text
}

fn opens(text: &str, tag: &str) -> bool {
    let rest = text
        .strip_prefix('<')
        .and_then(|rest| rest.strip_prefix(tag));
    rest.is_some_and(|rest| rest.starts_with('>') && rest.contains(&format!("</{tag}>")))
}

/// Takes off the lines before the output that name the exit code and the like.
fn without_header<'t>(text: &'t str, bare: &mut Bare) -> &'t str {
    let mut rest = text;
    let mut has_output_line = false;
    while let Some((line, after)) = first_line(rest) {
        let line = line.trim();
        if line == "Output:" && rest.len() != text.len() {
            has_output_line = true;
            rest = after;
            break;
        }
        if !CODEX_HEADER.iter().any(|head| line.starts_with(head)) {
            break;
        }
        let code = line
            .strip_prefix("Process exited with code ")
            .or_else(|| line.strip_prefix("Exit code: "));
        bare.exit_code = code.and_then(number).or(bare.exit_code);
        rest = after;
    }
    if has_output_line {
        return rest;
    }
    // Without `Output:` those lines were the tool's own, but for a bare exit code.
    let Some((line, after)) = first_line(text) else {
        return text;
    };
    let line = line.trim();
    let line = line.strip_prefix("Error: ").unwrap_or(line);
    let code = line
        .strip_prefix("Exit code ")
        .or_else(|| line.strip_prefix("Exit code: "))
        .and_then(number);
    match code {
        Some(code) => {
            bare.exit_code = Some(code);
            after
        }
        None => text,
    }
}

/// Removes the lines after the output, from the last one on.
fn without_trailers<'t>(text: &'t str, bare: &mut Bare) -> &'t str {
    let mut text = text;
    loop {
        text = text.trim_end();
        let start = text.rfind('\n').map_or(0, |at| at + 1);
        let line = text[start..].trim();
        let Some(head) = TRAILERS.iter().find(|head| line.starts_with(**head)) else {
            return text;
        };
        if head.contains("exit code") {
            let code = line[head.len()..].trim_end_matches([']', '.']);
            bare.exit_code = number(code).or(bare.exit_code);
        }
        text = &text[..start];
    }
}

/// The first line and the rest; absent for an empty text.
fn first_line(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    Some(text.split_once('\n').unwrap_or((text, "")))
}

fn number(text: &str) -> Option<i32> {
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wrapper_goes_and_what_it_says_is_kept() {
        for (answer, text, code, is_error) in [
            (
                "Exit code 127\n/bin/bash: line 1: python: command not found",
                "/bin/bash: line 1: python: command not found",
                Some(127),
                false,
            ),
            ("Error: Exit code 2\nboom", "boom", Some(2), false),
            (
                "<tool_use_error>String to replace not found in file.\nString: a</tool_use_error>",
                "String to replace not found in file.\nString: a",
                None,
                true,
            ),
            (
                "done\n<system-reminder>\nBe careful.\n</system-reminder>",
                "done",
                None,
                false,
            ),
            (
                "Command: sh\nChunk ID: 8b\nWall time: 0.05 seconds\nProcess exited with code 1\nOutput:\nno\n",
                "no",
                Some(1),
                false,
            ),
            (
                "Exit code: 1\nWall time: 0.2 seconds\nOutput:\nfalse",
                "false",
                Some(1),
                false,
            ),
            ("\u{1b}[1;31merror\u{1b}[0m: x\r\n", "error: x", None, false),
            (
                "<returncode>3</returncode>\n<output>\nbad\n</output>",
                "bad",
                Some(3),
                false,
            ),
            (
                "ERROR:\nParameter `a` is required.",
                "Parameter `a` is required.",
                None,
                false,
            ),
            (
                "out\n[The command completed with exit code 5.]\n[Current working directory: /w]",
                "out",
                Some(5),
                false,
            ),
            ("[stdout]\na\n[stderr]\nb", "a\nb", None, false),
        ] {
            let expected = Bare {
                text: text.to_owned(),
                exit_code: code,
                is_error,
            };
            assert_eq!(strip(answer), expected, "{answer}");
        }
    }

    #[test]
    fn the_words_of_the_tool_stay_whole() {
        for text in [
            "Wall time: 3 s\nall good",
            "a\nExit code 3\nb",
            "see <error>x</error>",
            "<error>never closed",
            "Command: make",
            "    indented\n  text",
            "Exit code unknown",
            "",
        ] {
            let bare = strip(text);
            assert_eq!((bare.text.as_str(), bare.exit_code), (text, None), "{text}");
        }
    }
}
