//! Errors as PowerShell shows them: a box after the name of the command, and since version 7 a frame with a bar.

/// True for the head of a box, `Get-Item : message`; programs that are no commands of its own are named the same way.
pub(super) fn begins_box(line: &str) -> bool {
    let Some((name, message)) = line.split_once(" : ") else {
        return false;
    };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_');
    let is_command = name.contains('-') && name.starts_with(|c: char| c.is_ascii_uppercase());
    !name.is_empty()
        && name.chars().all(is_name)
        && !message.trim().is_empty()
        && (is_command || message.starts_with("The term '"))
}

/// A box ends with the id of the error, which the console may wrap.
pub(super) fn box_goes_on(lines: &[String], line: &str) -> bool {
    let is_last = |line: &String| line.contains("+ FullyQualifiedErrorId");
    !line.trim().is_empty() && (!lines.iter().any(is_last) || line.starts_with("   "))
}

/// The message of a box, joined from the lines that the console wrapped; absent when no box follows.
pub(super) fn text_of_box(lines: &[String]) -> Option<String> {
    let end = lines.iter().position(|line| is_place(line))?;
    let said: Vec<&str> = lines[..end].iter().map(|line| line.trim()).collect();
    Some(said.join(" "))
}

/// `At line:1 char:5` and `At C:\\a.ps1:3 char:1`.
fn is_place(line: &str) -> bool {
    line.starts_with("At ") && line.contains(" char:")
}

/// The text after the bar of a frame, where the margin has at most a number.
pub(super) fn behind_bar(line: &str) -> Option<&str> {
    let (margin, behind) = line.split_once('|')?;
    let is_margin = |c: char| c == ' ' || c.is_ascii_digit();
    margin.chars().all(is_margin).then_some(behind)
}

/// The message of a frame: the text after the line of the script and its mark.
pub(super) fn text_of_frame(lines: &[String]) -> Option<String> {
    let has_number = |line: &&String| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let said = lines.iter().skip(1).filter(|line| !has_number(line));
    let said = said.filter_map(|line| behind_bar(line)).map(str::trim);
    let said: Vec<&str> = said
        .filter(|text| !text.is_empty() && !text.trim_matches('~').is_empty())
        .collect();
    (!said.is_empty()).then(|| said.join(" "))
}
