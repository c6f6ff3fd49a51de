//! The command of a verb without one of its own: options from its schema, answer as a sentence, fields and tables.
//!
//! So a verb can be typed once it is in the catalogue; frequent ones get their own form and page. Two tables of words hold
//! the rest: the sentence of an answer, and the columns of a listing.

use serde_json::{Map, Value};

use super::CommandResult;
use crate::confirm;
use crate::form::{Form, Request};
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::catalog;
use hindlore_api::verb::Effect;

/// The flag that confirms a destructive verb.
const YES: &str = "yes";

/// Verbs with hand-written commands (`import`, `export`, `erase`), which read and write files.
const OTHERWISE: [&str; 5] = [
    "learner.erase",
    "lessons.import",
    "memory.erase",
    "memory.export",
    "memory.import",
];

/// Answers of one sentence; `{field|other}` is the field, or `other` where it is null or empty.
const SENTENCES: &[(&str, &str)] = &[
    (
        "playbook.delete",
        "archived the playbook `{name}` with its versions up to {version}; `playbook create {name} --revive` brings it back",
    ),
    (
        "playbook.use",
        "`{playbook}` was used {count} times: success rate {success_rate}, mean improvement {average_improvement|not measured}",
    ),
    ("remember", "{outcome}: {text}{reason} ({id|no bullet})"),
    (
        "share.check",
        "{subject} has this relation to {object}: {relation|none}",
    ),
    (
        "share.grant",
        "{subject} now has these relations to {object}: {relations|none}",
    ),
    (
        "share.revoke",
        "{subject} now has these relations to {object}: {relations|none}",
    ),
    (
        "share.testify",
        "{bullet} helped {principals} principals in {runs} runs and harmed in {harmed}",
    ),
];

/// Columns of listings whose rows have more fields than a table can show.
const COLUMNS: &[(&str, &[&str])] = &[
    ("forget", &["id", "text"]),
    ("recall", &["id", "text"]),
    (
        "playbook.list",
        &[
            "name",
            "version",
            "usage_count",
            "success_rate",
            "scope",
            "visibility",
            "updated_at",
        ],
    ),
    (
        "reflection.list",
        &["id", "at", "trajectories", "insights", "proposals"],
    ),
];

/// Forms of all verbs not in `formed`.
pub(super) fn forms(formed: &[Form]) -> Vec<Form> {
    let is_formed =
        |name: &str| OTHERWISE.contains(&name) || formed.iter().any(|form| form.verb == name);
    let verbs = catalog::all().iter().filter(|verb| !is_formed(verb.name));
    let form = |verb: &catalog::Registered| {
        let form = Form::new(verb.name, &[]);
        if verb.effect == Effect::Destroys {
            form.with_flag(YES, "Do not ask")
        } else {
            form
        }
    };
    verbs.map(form).collect()
}

/// Calls the verb and shows its answer.
pub(super) async fn run(session: &Session, form: Form, mut request: Request) -> CommandResult {
    let verb = catalog::find(form.verb)?;
    if verb.effect == Effect::Destroys {
        let question = format!("{}: this cannot be undone", verb.title());
        confirm::ask(question, request.take_flag(YES)).await?;
    }
    let access = session.access_for(verb).await?;
    let call = verb.call(access, request.into());
    let answer = session.wait(verb.name, call).await?;
    let value = answer.value();
    session
        .output
        .show(&value, |page| write(page, verb.name, &value))?;
    Outcome::from_answer(answer)
}

/// Writes an answer: its sentence, or single values as fields; then lists of objects as tables.
fn write(page: &mut Page, verb: &str, answer: &Value) {
    let Some(fields) = answer.as_object() else {
        return page.line(Tone::Plain, plain(answer));
    };
    if let Some(template) = found_in(SENTENCES, verb) {
        return page.line(Tone::Good, filled(template, fields));
    }
    if fields.values().all(|value| plain(value).is_empty()) {
        return page.nothing_found();
    }
    for (name, value) in fields {
        // An empty list is a table without rows.
        let is_list = value.as_array().is_some_and(Vec::is_empty) || rows_of(value).is_some();
        if !is_list {
            page.field(&name.replace('_', " "), plain(value));
        }
    }
    for (name, value) in fields {
        if let Some(rows) = rows_of(value) {
            page.gap();
            page.line(Tone::Heading, name.replace('_', " "));
            table(page, found_in(COLUMNS, verb), &rows);
        }
    }
}

fn found_in<T: Copy>(table: &[(&str, T)], verb: &str) -> Option<T> {
    let found = table.iter().find(|(name, _)| *name == verb);
    found.map(|(_, value)| *value)
}

/// A template with the fields of an answer in place of their names.
fn filled(template: &str, fields: &Map<String, Value>) -> String {
    let mut said = String::new();
    for part in template.split('{') {
        let Some((named, after)) = part.split_once('}') else {
            said.push_str(part);
            continue;
        };
        let (name, other) = named.split_once('|').unwrap_or((named, ""));
        let value = fields.get(name).map(plain).unwrap_or_default();
        said.push_str(if value.is_empty() { other } else { &value });
        said.push_str(after);
    }
    said
}

fn table(page: &mut Page, chosen: Option<&[&str]>, rows: &[&Map<String, Value>]) {
    let all = || {
        rows.first()
            .map(|row| row.keys().map(String::as_str).collect())
    };
    let columns: Vec<&str> = chosen
        .map(<[&str]>::to_vec)
        .or_else(all)
        .unwrap_or_default();
    let headings: Vec<String> = columns
        .iter()
        .map(|name| name.replace('_', " ").to_uppercase())
        .collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let cell = |row: &Map<String, Value>, name: &str| row.get(name).map(plain);
    let cells = rows.iter().map(|row| {
        let cells = columns
            .iter()
            .map(|name| cell(row, name).unwrap_or_default());
        cells.collect()
    });
    page.table(&headings, &cells.collect::<Vec<Vec<String>>>());
}

/// The objects of a list of objects.
fn rows_of(value: &Value) -> Option<Vec<&Map<String, Value>>> {
    let list = value.as_array().filter(|list| !list.is_empty())?;
    list.iter().map(Value::as_object).collect()
}

/// A value in words: a list of objects as its number, an object as its fields, a fraction with at most three digits.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => match number.as_f64() {
            Some(fraction) if number.is_f64() => {
                let text = format!("{fraction:.3}");
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
            _ => number.to_string(),
        },
        Value::Array(_) if rows_of(value).is_some() => {
            rows_of(value).map_or(0, |rows| rows.len()).to_string()
        }
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let parts = fields
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| format!("{} {}", name.replace('_', " "), plain(value)));
            parts.collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_cell_and_no_field_is_json() {
        let answer = json!({
            "name": "site", "changed": true, "rate": 0.5, "nothing": null,
            "usage": {"count": 3, "best": {"of": 2}},
            "none": [], "rows": [{"id": "a", "insights": [{"pattern": "x"}], "tags": ["p", "q"], "at": null}],
        });
        let mut page = Page::new(None);
        write(&mut page, "x.y", &answer);
        let text = page.plain();
        assert!(!text.contains(['{', '[', '"']), "{text}");
        assert!(!text.contains("none"), "{text}");
        assert!(
            text.contains("count 3") && text.contains("p, q") && text.contains("yes"),
            "{text}"
        );
    }

    #[test]
    fn a_sentence_has_the_fields_of_the_answer() {
        let answer =
            json!({"subject": "agent:b", "object": "memory:x", "relations": [], "epoch": 1});
        let fields = answer.as_object().unwrap();
        let template = found_in(SENTENCES, "share.revoke").unwrap();
        assert_eq!(
            filled(template, fields),
            "agent:b now has these relations to memory:x: none"
        );
        for (verb, template) in SENTENCES {
            let answer = catalog::find(verb).unwrap().answer();
            for part in template.split('{').skip(1) {
                let name = part.split(['}', '|']).next().unwrap();
                assert!(answer["properties"].get(name).is_some(), "{verb}: {name}");
            }
        }
    }
}
