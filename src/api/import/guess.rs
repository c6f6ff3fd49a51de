//! Guesses a format from the text.
//!
//! Only marks of one format count. Without one the sender has to name the format: a wrong guess would import something
//! that is not in the file.

use super::classic::BULLET;
use super::list::LISTS;
use super::record::{first_document, items, named};
use super::{
    CLASSIC_LESSONS, Format, ace_state, basic_memory, cheatsheet, learnings, split_bullet,
    unwrapped,
};
use crate::json::{Member, check, members, strip_bom};
use crate::problem::Problem;

/// Fields of the original programs' save file that a kayba playbook lacks.
const CLASSIC_MARKS: [&str; 1] = ["access_clock"];

/// Fields that records of a list have their text in.
const TEXTS: [&str; 4] = ["content", "text", "insight", "issue"];

/// Records of a list that may decide its format.
const RECORDS_LOOKED_AT: usize = 100;

/// Endings of names that rules are kept under.
const RULE_FILES: [&str; 7] = [
    ".md",
    ".mdc",
    ".markdown",
    "rules",
    ".goosehints",
    ".hints",
    "llms.txt",
];

/// Fields of traces, which are no memory.
const TRACES: [&str; 8] = [
    "role",
    "messages",
    "traj",
    "trajectory",
    "action",
    "observation",
    "payload",
    "message",
];

/// Guesses the format of a text.
///
/// # Errors
///
/// `unknown_format` if nothing identifies it, `invalid_json` for broken JSON.
pub(crate) fn guess(text: &str) -> Result<Format, Problem> {
    let text = unwrapped(strip_bom(text).trim_start());
    let text = text.trim_start();
    let looks_like_json = text.starts_with(['{', '[']);
    if looks_like_json && let Ok((first, _)) = first_document(text) {
        // A text may begin like a list: `[1] is a reference`.
        let of_list = |_: &Problem| of_text(text).filter(|_| text.starts_with('['));
        return of_json(first, text).or_else(|problem| of_list(&problem).ok_or(problem));
    }
    let found = of_text(text);
    match found {
        Some(format) => Ok(format),
        None if text.starts_with('{') => {
            check("the file", text)?;
            Err(unknown(""))
        }
        None => Err(unknown("")),
    }
}

/// Guesses the format of a file; the name identifies Markdown without any mark.
pub(crate) fn guess_named(text: &str, name: Option<&str>) -> Result<Format, Problem> {
    if strip_bom(text).trim().is_empty() {
        return Err(Problem::new("nothing_to_import", "the text is empty")
            .with_hint("check that it is the right file"));
    }
    let name = name.unwrap_or_default().to_lowercase();
    let guessed = guess(text);
    let is_yaml = [".yaml", ".yml"]
        .iter()
        .any(|ending| name.ends_with(ending));
    if is_yaml && matches!(guessed, Ok(Format::Markdown)) {
        // Its lists look like those of Markdown, and its keys would become a part of the texts.
        return Err(unknown(
            "YAML is not read; convert it to JSON, or name its format by <field:format>",
        ));
    }
    guessed.or_else(|problem| {
        let is_ruled = RULE_FILES.iter().any(|ending| name.ends_with(ending));
        let is_unknown = problem.code == "unknown_format";
        (is_ruled && is_unknown)
            .then_some(Format::Markdown)
            .ok_or(problem)
    })
}

fn of_text(text: &str) -> Option<Format> {
    if text.contains(cheatsheet::ITEM) {
        return Some(Format::Cheatsheet);
    }
    if text.lines().any(|line| split_bullet(line).is_some()) {
        return Some(Format::AcePlaybook);
    }
    if learnings::is_learnings(text) {
        return Some(Format::Learnings);
    }
    if basic_memory::is_note(text) {
        return Some(Format::BasicMemory);
    }
    is_markdown(text).then_some(Format::Markdown)
}

/// True for a text with front matter, or with a heading, a list or a row of a table on one of its lines.
fn is_markdown(text: &str) -> bool {
    let is_marked = |line: &str| {
        let line = line.trim_start();
        let hashes = line.len() - line.trim_start_matches('#').len();
        let is_heading = (1..=6).contains(&hashes) && line[hashes..].starts_with(' ');
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered =
            digits.len() < line.len() && (digits.starts_with(". ") || digits.starts_with(") "));
        let is_listed = ["- ", "* ", "+ ", "| "]
            .iter()
            .any(|mark| line.starts_with(mark));
        is_heading || is_numbered || is_listed
    };
    text.lines().any(is_marked)
}

fn of_json(first: &str, text: &str) -> Result<Format, Problem> {
    let found = items(text).map(|(found, _)| found).unwrap_or_default();
    let fields = fields_of(first);
    if has(&fields, "hindlore_export") {
        return Ok(Format::Hindlore);
    }
    if first.contains(&format!("\"{}\"", ace_state::MEMORY_JSON)) {
        return Ok(Format::AceState);
    }
    if let Some(format) = of_document(&fields).or_else(|| of_record(&fields)) {
        return Ok(format);
    }
    if found.is_empty() {
        return Err(unknown_json(&fields));
    }
    of_records(&found)
}

/// The format of a list of records. One bad record proves nothing, wherever it is, so the first that has a format
/// decides.
fn of_records(records: &[Member<'_>]) -> Result<Format, Problem> {
    let mut problem = None;
    for record in records.iter().take(RECORDS_LOOKED_AT) {
        if record.text.starts_with('"') {
            return Ok(Format::List);
        }
        let fields = fields_of(record.text);
        match of_record(&fields) {
            Some(format) => return Ok(format),
            // A trace of an agent is no memory, even if memories follow.
            None if TRACES.iter().any(|name| has(&fields, name)) => {
                return Err(unknown_json(&fields));
            }
            None if problem.is_none() && !fields.is_empty() => {
                problem = Some(unknown_json(&fields))
            }
            None => {}
        }
    }
    Err(problem.unwrap_or_else(|| unknown("")))
}

/// True if one of the first members of a list is of a format.
fn has_record_of(list: &Member<'_>, format: Format) -> bool {
    let records = members(list.text, 1).unwrap_or_default();
    let mut looked_at = records.iter().take(RECORDS_LOOKED_AT);
    records.is_empty() || looked_at.any(|one| of_record(&fields_of(one.text)) == Some(format))
}

/// The format of a document with these fields.
fn of_document(fields: &[Member<'_>]) -> Option<Format> {
    let has = |name: &str| has(fields, name);
    if has("strategies") {
        return Some(Format::SessionPlaybook);
    }
    if has("skills") {
        return Some(Format::Kayba);
    }
    if has("blocks") && has("agents") || has("core_memory") || has("memory_blocks") {
        return Some(Format::Letta);
    }
    if has("entities") && has("relations") {
        return Some(Format::McpMemory);
    }
    if let Some(results) = named(fields, "results") {
        return has_record_of(results, Format::Mem0).then_some(Format::Mem0);
    }
    if let Some(bullets) = named(fields, "bullets") {
        return Some(of_bullets(fields, bullets));
    }
    let is_list = has("sections") || LISTS.iter().any(|name| has(name));
    is_list.then_some(Format::List)
}

/// A list of bullets with fields that the original programs never wrote comes from another one.
fn of_bullets(fields: &[Member<'_>], bullets: &Member<'_>) -> Format {
    let is_list = bullets.text.trim_start().starts_with('[');
    let records = members(bullets.text, 1).unwrap_or_default();
    let mut records = records.iter().map(|one| fields_of(one.text));
    let first = records.find(|fields| !fields.is_empty());
    let is_foreign = first.is_some_and(|fields| {
        let own = |field: &Member<'_>| {
            BULLET
                .iter()
                .any(|(name, _)| Some(*name) == field.name.as_deref())
        };
        !fields.iter().all(own)
    });
    let is_classic = CLASSIC_MARKS.iter().any(|mark| has(fields, mark));
    if is_classic || (is_list && !is_foreign) {
        Format::Classic
    } else {
        Format::Kayba
    }
}

/// The format of a record with these fields.
fn of_record(fields: &[Member<'_>]) -> Option<Format> {
    let has = |name: &str| has(fields, name);
    let kind = named(fields, "type").or_else(|| named(fields, "_type"));
    let kind = kind
        .map(|kind| kind.text.trim_matches('"'))
        .unwrap_or_default();
    let is_entity = has("name") && has("observations");
    let is_relation = has("from") && has("to") && (has("relationType") || kind == "relation");
    if is_entity || is_relation || (has("labels") && has("properties")) {
        return Some(Format::McpMemory);
    }
    if cheatsheet::SHEETS.iter().any(|name| has(name)) {
        return Some(Format::Cheatsheet);
    }
    if has("namespace") && has("value") {
        return Some(Format::Langgraph);
    }
    if has("memory") && named(fields, "memory").is_some_and(|one| one.text.starts_with('"')) {
        return Some(Format::Mem0);
    }
    let is_trace = TRACES.iter().any(|name| has(name));
    (!is_trace && TEXTS.iter().any(|name| has(name))).then_some(Format::List)
}

fn unknown_json(fields: &[Member<'_>]) -> Problem {
    if has(fields, "rule_text") || has(fields, "lesson") {
        return unknown(&format!(
            "lessons of the original program ({CLASSIC_LESSONS}) go to <verb:lessons.import>"
        ));
    }
    if TRACES.iter().any(|name| has(fields, name)) {
        return unknown("what an agent did is learned from by <verb:runs.learn>");
    }
    unknown("")
}

fn unknown(hint: &str) -> Problem {
    let known = Format::ALL.map(Format::word).join(", ");
    let hint = match hint {
        "" => format!("name it by <field:format>: {known}"),
        hint => hint.to_owned(),
    };
    Problem::new("unknown_format", "the format of the text is unknown").with_hint(hint)
}

/// The fields of an object; none of any other text.
fn fields_of(text: &str) -> Vec<Member<'_>> {
    if !text.starts_with('{') {
        return Vec::new();
    }
    members(text, 1).unwrap_or_default()
}

fn has(fields: &[Member<'_>], name: &str) -> bool {
    named(fields, name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_every_format_is_told_by_its_marks() {
        for format in Format::ALL {
            let about = format.about();
            assert_eq!(about.format, format);
            if !about.example.is_empty() {
                assert_eq!(guess(about.example), Ok(format), "{}", about.example);
            }
        }
    }

    #[test]
    fn a_format_is_told_by_its_own_marks_alone() {
        for (text, format) in [
            (
                "{\"hindlore_export\": 1}\n{\"bullet\": {}}",
                Format::Hindlore,
            ),
            ("\u{feff}{\"strategies\": {}}", Format::SessionPlaybook),
            ("{\"bullets\": [{\"content\": \"x\"}]}", Format::Classic),
            (
                "{\"bullets\": [{\"content\": \"x\", \"title\": \"y\"}]}",
                Format::Kayba,
            ),
            ("{\"bullets\": {}, \"access_clock\": 3}", Format::Classic),
            (" {\"bullets\": {}, \"next_id\": 3}", Format::Kayba),
            ("## A\n[a-00001] x", Format::AcePlaybook),
            ("- [8] helpful=1 harmful=0 :: x", Format::AcePlaybook),
            (
                "\"{\\\"agents\\\": [], \\\"blocks\\\": []}\"",
                Format::Letta,
            ),
            ("[\"a\"]\n\"left\"\n]", Format::List),
            ("[link](to) is\n\n- a list", Format::Markdown),
            ("{\"content\": \"x\"}\n{\"content\": \"y\"}", Format::List),
        ] {
            assert_eq!(guess(text), Ok(format), "{text}");
        }
        for (text, words) in [
            ("plain words", "ace-playbook"),
            ("[1]", "<field:format>"),
            ("", "<field:format>"),
            ("{\"rule_text\": \"x\"}", "<verb:lessons.import>"),
            (
                "{\"role\": \"user\", \"content\": \"x\"}",
                "<verb:runs.learn>",
            ),
        ] {
            let problem = guess(text).unwrap_err();
            assert_eq!(problem.code, "unknown_format");
            let hint = problem.hint.unwrap();
            assert!(hint.contains(words), "{text}: {hint}");
        }
        assert_eq!(guess("{\"bullets\": [").unwrap_err().code, "invalid_json");
    }
}
