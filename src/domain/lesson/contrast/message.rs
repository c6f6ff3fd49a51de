//! What a tool's message says about an action: the line that counts, and the line that it names.

/// The longest part of a tool's message that a rule quotes, in characters.
const MESSAGE_MAX_CHARS: usize = 160;

/// Of an action of several lines the one that the tool's message names.
pub(super) fn named_line<'a>(action: &'a str, message: &str) -> Option<&'a str> {
    let mut words = message
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.find(|word| word.eq_ignore_ascii_case("line"))?;
    let number: usize = words.next()?.parse().ok()?;
    let lines: Vec<&str> = action.lines().collect();
    if lines.len() < 2 {
        return None;
    }
    lines
        .get(number.checked_sub(1)?)
        .map(|line| line.trim())
        .filter(|line| !line.is_empty())
}

/// The line of a message that says most: the last one that is not indented, as tracebacks and compilers
/// end with it, else the first.
pub(super) fn said(message: &str) -> String {
    let lines = || message.lines().filter(|line| !line.trim().is_empty());
    let names_error = |line: &&str| {
        let lower = line.to_lowercase();
        !line.starts_with([' ', '\t'])
            && ["error", "fail", "cannot", "not ", "invalid", "denied"]
                .iter()
                .any(|word| lower.contains(word))
    };
    let line = lines()
        .find(names_error)
        .or_else(|| lines().next())
        .unwrap_or_default();
    let squeezed = line.split_whitespace().collect::<Vec<_>>().join(" ");
    squeezed.chars().take(MESSAGE_MAX_CHARS).collect()
}
