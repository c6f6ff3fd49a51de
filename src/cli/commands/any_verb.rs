//! The command of a verb without one of its own: options from its schema, answer as fields and tables.
//!
//! So a verb can be typed once it is in the catalogue; frequent ones get their own form and page.

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

/// Verbs with hand-written commands, which read and write files, and the words of the commands.
pub(super) const OTHERWISE: [(&str, &str); 5] = [
    ("learner.erase", "erase --all-scopes"),
    ("lessons.import", "import --format classic-lessons"),
    ("memory.erase", "erase"),
    ("memory.export", "export"),
    ("memory.import", "import"),
];

/// Forms of all verbs not in `formed`.
pub(super) fn forms(formed: &[Form]) -> Vec<Form> {
    let is_formed = |name: &str| {
        OTHERWISE.iter().any(|(verb, _)| *verb == name)
            || formed.iter().any(|form| form.verb == name)
    };
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
    session
        .output
        .show(&answer.value, |page| write(page, &answer.value))?;
    Outcome::from_answer(answer)
}

/// Writes an answer: single values as fields, lists of objects as tables.
fn write(page: &mut Page, answer: &Value) {
    let Some(fields) = answer.as_object() else {
        return page.line(Tone::Plain, plain(answer));
    };
    for (name, value) in fields {
        if rows_of(value).is_none() {
            page.field(&name.replace('_', " "), plain(value));
        }
    }
    for (name, value) in fields {
        if let Some(rows) = rows_of(value) {
            page.gap();
            page.line(Tone::Heading, name.replace('_', " "));
            table(page, &rows);
        }
    }
}

fn table(page: &mut Page, rows: &[&Map<String, Value>]) {
    let columns: Vec<&String> = rows
        .first()
        .map(|row| row.keys().collect())
        .unwrap_or_default();
    let headings: Vec<String> = columns
        .iter()
        .map(|name| name.replace('_', " ").to_uppercase())
        .collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let cell = |row: &Map<String, Value>, name: &String| row.get(name).map(plain);
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

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
