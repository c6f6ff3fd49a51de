//! Reads dynamic cheatsheets: `<memory_item>` with a description, an example and a count, as a text or in JSON.
//!
//! A model that rewrites its sheet often writes "[Previous content preserved]" in place of the content. Such a line has
//! no content, so it is left out and reported. Of several versions of one sheet the last one counts.

use std::collections::HashMap;

use serde_json::Value;

use super::Import;
use super::record::items;
use crate::problem::Problem;
use hindlore_domain::memory::bullet::{COUNT_MAX, Kind, Source};
use hindlore_domain::memory::delta::{NewBullet, Operation};

/// The mark of an item.
pub(super) const ITEM: &str = "<memory_item>";

/// Fields that hold a sheet.
pub(super) const SHEETS: [&str; 3] = ["final_cheatsheet", "cheatsheet", "new_cheatsheet"];

/// Reads one sheet, or the sheets of a file of runs.
pub(super) fn read(text: &str) -> Result<Import, Problem> {
    let mut import = Import::default();
    if !text.trim_start().starts_with(['{', '[']) {
        sheet(1, text, true, &mut import);
        return Ok(import);
    }
    let (found, leftover) = items(text)?;
    import.add_bad(leftover);
    let mut last: HashMap<String, usize> = HashMap::new();
    let mut sheets: Vec<(u64, String)> = Vec::new();
    for item in &found {
        let value = match item.value() {
            Ok(value) => value,
            Err(reason) => {
                import.add(item.line, Err(reason));
                continue;
            }
        };
        match SHEETS
            .iter()
            .find_map(|name| value.get(*name))
            .and_then(Value::as_str)
        {
            Some(text) => {
                let run = value.get("run").and_then(Value::as_str).unwrap_or_default();
                if let Some(earlier) = last.insert(run.to_owned(), sheets.len()) {
                    import.leave_out(
                        sheets[earlier].0,
                        "an earlier version of the sheet".to_owned(),
                    );
                }
                sheets.push((item.line, text.to_owned()));
            }
            None => import.leave_out(item.line, "it holds no sheet".to_owned()),
        }
    }
    let mut kept: Vec<usize> = last.into_values().collect();
    kept.sort_unstable();
    for at in kept {
        sheet(sheets[at].0, &sheets[at].1, false, &mut import);
    }
    Ok(import)
}

/// Reads a sheet; its lines count from `first` if it is the file itself.
fn sheet(first: u64, text: &str, is_file: bool, import: &mut Import) {
    let mut section = None;
    let mut line = first;
    let mut parts = text.split(ITEM);
    let head = parts.next().unwrap_or_default();
    between(head, line, &mut section, import);
    line += breaks(head, is_file);
    for part in parts {
        let (inner, behind) = match part.split_once("</memory_item>") {
            Some(both) => both,
            None => (part, ""),
        };
        item(line, inner, behind, section.clone(), import);
        // Without a closing tag the headings of the next section follow the count.
        let behind = match inner.rsplit_once("Count:") {
            Some((_, after)) if behind.is_empty() => {
                after.split_once('\n').map_or("", |(_, rest)| rest)
            }
            _ => behind,
        };
        between(behind, line, &mut section, import);
        line += breaks(part, is_file);
    }
}

fn breaks(text: &str, is_file: bool) -> u64 {
    let breaks = if is_file {
        text.matches('\n').count()
    } else {
        0
    };
    u64::try_from(breaks).unwrap_or_default()
}

/// The text between items: the headings of sections, and placeholders.
fn between(text: &str, line: u64, section: &mut Option<String>, import: &mut Import) {
    for written in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let is_told = written.starts_with("Version")
            || written.contains("Count:")
            || written.starts_with('<');
        let name = written
            .trim_matches(|c: char| c == '#' || c == '*' || c == '=' || c == '-')
            .trim();
        if is_placeholder(written) {
            import.leave_out(line, stands_for(written));
        } else if !is_told && !name.is_empty() {
            *section = Some(name.trim_end_matches(':').to_owned());
        }
    }
}

fn item(line: u64, inner: &str, behind: &str, section: Option<String>, import: &mut Import) {
    let (description, rest) = tagged(inner, "description");
    let (example, rest) = tagged(rest, "example");
    let count = rest.lines().chain(behind.lines()).find_map(count_of);
    let parts = [description, example].map(|part| part.map(kept).unwrap_or_default());
    let placeholder = inner.lines().find(|line| is_placeholder(line.trim()));
    let mut content = without_references(&parts[0]);
    if description.is_none() && example.is_none() {
        content = kept(before_count(inner));
    }
    if !parts[1].is_empty() {
        content.push('\n');
        content.push_str(&parts[1]);
    }
    let content = content.trim();
    if content.is_empty() {
        let reason = placeholder.map_or_else(|| "an item without text".to_owned(), stands_for);
        return import.leave_out(line, reason);
    }
    if let Some(placeholder) = placeholder {
        import.notes.push(format!(
            "line {line}: part of an item is {}",
            stands_for(placeholder)
        ));
    }
    let new = NewBullet {
        content: content.to_owned(),
        section,
        helpful: count.unwrap_or_default().min(COUNT_MAX),
        kind: Some(Kind::Strategy),
        source: Some(Source::Import),
        ..NewBullet::default()
    };
    import.add(line, Ok(Operation::Add(Box::new(new))));
}

/// The text in a tag, and the rest after it; a tag that is not closed ends at the next one or at the count.
fn tagged<'t>(text: &'t str, tag: &str) -> (Option<&'t str>, &'t str) {
    let Some((_, inner)) = text.split_once(&format!("<{tag}>")) else {
        return (None, text);
    };
    match inner.split_once(&format!("</{tag}>")) {
        Some((inside, behind)) => (Some(inside), behind),
        None => {
            let end = inner.find("<example>").unwrap_or(before_count(inner).len());
            (Some(&inner[..end]), &inner[end..])
        }
    }
}

/// A text up to its line with the count.
fn before_count(text: &str) -> &str {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if count_of(line).is_some() {
            break;
        }
        at += line.len();
    }
    &text[..at]
}

fn count_of(line: &str) -> Option<u64> {
    let line = line.trim().trim_matches('*').trim();
    line.strip_prefix("Count:")?
        .trim()
        .trim_matches('*')
        .trim()
        .parse()
        .ok()
}

/// A text without its placeholder lines.
fn kept(text: &str) -> String {
    let lines = text.lines().filter(|line| !is_placeholder(line.trim()));
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// True for a line in brackets that claims that something was kept.
fn is_placeholder(line: &str) -> bool {
    let inner = line
        .trim_matches('*')
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    inner.is_some_and(|inner| {
        let inner = inner.to_lowercase();
        let is_kept = ["preserved", "remain", "unchanged", "same as"]
            .iter()
            .any(|word| inner.contains(word));
        is_kept && !inner.contains('[')
    })
}

fn stands_for(placeholder: &str) -> String {
    let said: String = placeholder.trim().chars().take(80).collect();
    format!(
        "`{}`, which stands for a text that is not in the file",
        said.escape_debug()
    )
}

/// A description without the questions that it came from.
fn without_references(text: &str) -> String {
    match text.rsplit_once("(Reference:") {
        Some((before, after)) => match after.split_once(')') {
            Some((_, behind)) => format!("{}{}", before.trim_end(), behind.trim_end()),
            None => before.trim_end().to_owned(),
        },
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHEET: &str = "Version: 2\n\nCODE AND PATTERNS\n\n<memory_item>\n<description>\nCount by twos. (Reference: Q1, Q2)\n\
        </description>\n<example>\n2, 4\n[Previous content preserved...]\n</example>\n** Count: 4\n\nGENERAL RULES\n\n<memory_item>\n\
        <description>\n[Previous content preserved]\n</description>\n** Count: 1\n</memory_item>\n\n\
        [Previous memory items remain unchanged]\n\n<memory_item>\nPlain words.\n</memory_item>\n** Count: 2 **\n";

    type Found = (u64, String, Option<String>, u64);

    fn found(import: &Import) -> Vec<Found> {
        import
            .records
            .iter()
            .map(|record| match &record.operation {
                Operation::Add(new) => (
                    record.line,
                    new.content.clone(),
                    new.section.clone(),
                    new.helpful,
                ),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn items_are_read_and_what_stands_for_others_is_told() {
        let import = read(SHEET).unwrap();
        assert_eq!(
            found(&import),
            [
                (
                    5,
                    "Count by twos.\n2, 4".to_owned(),
                    Some("CODE AND PATTERNS".to_owned()),
                    4
                ),
                (
                    26,
                    "Plain words.".to_owned(),
                    Some("GENERAL RULES".to_owned()),
                    2
                ),
            ]
        );
        assert_eq!(
            (import.read, import.left_out.len(), import.notes.len()),
            (4, 2, 1)
        );
    }

    #[test]
    fn of_several_versions_of_a_sheet_the_last_one_counts() {
        let row =
            |run: &str, text: &str| serde_json::json!({"run": run, "cheatsheet": text}).to_string();
        let text = [
            row("a", "<memory_item>\nold\n"),
            row("b", "<memory_item>\nother\n"),
            row("a", SHEET),
        ];
        let import = read(&text.join("\n")).unwrap();
        let texts: Vec<String> = found(&import).into_iter().map(|one| one.1).collect();
        assert_eq!(texts, ["other", "Count by twos.\n2, 4", "Plain words."]);
        assert_eq!(import.left_out[0].line, 1);
    }
}
