//! Reads items of a LangGraph store: `{"namespace": […], "key": "…", "value": {…}}`; the namespace is the section.

use serde_json::{Map, Value};

use super::Import;
use super::mcp_memory::said;
use super::record::{Out, TAGS, Unknown, fields, items, label, tags, texts, time};
use crate::fields::{Shape, Table};
use crate::json::Member;
use crate::problem::Problem;
use hindlore_domain::memory::bullet::Source;
use hindlore_domain::memory::delta::NewBullet;

const ITEM: Table = &[
    ("namespace", Shape::Any),
    ("key", Shape::Text),
    ("value", Shape::Any),
    ("created_at", Shape::Time),
    ("updated_at", Shape::Any),
    ("score", Shape::Any),
];

/// Fields of a value that are the text, alone.
const TEXTS: [&str; 5] = ["content", "text", "memory", "data", "kwargs"];

/// Reads items.
pub(super) fn read(text: &str) -> Result<Import, Problem> {
    let mut import = Import::default();
    let (found, leftover) = items(text)?;
    import.add_bad(leftover);
    for item in &found {
        let read = one(item, &mut import.unknown);
        import.put(item.line, read);
    }
    Ok(import)
}

fn one(member: &Member<'_>, unknown: &mut Unknown) -> Result<NewBullet, Out> {
    let object = fields(member, ITEM, unknown)?;
    let names = match object.get("namespace") {
        Some(Value::String(name)) => vec![name.clone()],
        _ => texts(&object, "namespace"),
    };
    let value = object.get("value");
    let content = value.and_then(text_of);
    Ok(NewBullet {
        content: content.ok_or_else(|| Out::Left("an item without text".to_owned()))?,
        section: (!names.is_empty()).then(|| names.join(" > ")),
        tags: value.map(tags_of).unwrap_or_default(),
        source: Some(Source::Import),
        created_at: time(&object, "created_at"),
        legacy_id: label(&object, "key"),
        ..NewBullet::default()
    })
}

/// The text of a value: itself, its text field, or all its fields.
fn text_of(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Object(object) => match inner(object) {
            Some(inner) => text_of(inner)?,
            None => {
                let fields = object
                    .iter()
                    .filter(|(key, _)| !TAGS.contains(&key.as_str()));
                let texts = fields.filter_map(|(key, value)| said(key, value));
                texts.collect::<Vec<_>>().join("; ")
            }
        },
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

/// The tags of a value, and of the values that hold its text.
fn tags_of(value: &Value) -> Vec<String> {
    let Value::Object(object) = value else {
        return Vec::new();
    };
    let mut tags = tags(object);
    tags.extend(inner(object).map(tags_of).unwrap_or_default());
    tags
}

/// The field of a value that holds its text.
fn inner(object: &Map<String, Value>) -> Option<&Value> {
    TEXTS.iter().find_map(|name| object.get(*name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindlore_domain::memory::delta::Operation;

    #[test]
    fn values_of_every_shape_become_texts() {
        let import = read(
            "{\"namespace\": [\"memories\", \"u1\"], \"key\": \"k1\", \"value\": {\"content\": \"Likes tea\"}, \"created_at\": \"2026-01-01T00:00:00+00:00\"}\n\
             {\"namespace\": \"m\", \"key\": \"k2\", \"value\": {\"food\": \"rice\", \"n\": 2}}\n\
             {\"namespace\": [], \"key\": \"k3\", \"value\": {}}\n\
             {\"namespace\": [], \"key\": \"k4\", \"value\": \"plain\"}",
        )
        .unwrap();
        let found: Vec<(&str, Option<&str>)> = import
            .records
            .iter()
            .map(|record| match &record.operation {
                Operation::Add(new) => (new.content.as_str(), new.section.as_deref()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(
            found,
            [
                ("Likes tea", Some("memories > u1")),
                ("food: rice; n: 2", Some("m")),
                ("plain", None),
            ]
        );
        assert_eq!((import.read, import.left_out[0].line), (4, 3));
    }

    #[test]
    fn tags_of_a_value_are_tags_and_no_text() {
        for (value, text, expected) in [
            (
                "{\"content\": \"x\", \"tags\": [\"a\", \"b\"]}",
                "x",
                &["a", "b"][..],
            ),
            (
                "{\"food\": \"rice\", \"tags\": [\"a\"]}",
                "food: rice",
                &["a"],
            ),
            (
                "{\"kind\": \"Memory\", \"content\": {\"content\": \"x\", \"categories\": \"a\"}}",
                "x",
                &["a"],
            ),
            (
                "{\"text\": \"x\", \"metadata\": {\"tags\": [\"a\"]}}",
                "x",
                &["a"],
            ),
            ("\"tags\"", "tags", &[]),
        ] {
            let item = format!("{{\"namespace\": [], \"key\": \"k\", \"value\": {value}}}");
            let import = read(&item).unwrap();
            let Operation::Add(new) = &import.records[0].operation else {
                panic!("{item}");
            };
            assert_eq!(
                (&*new.content, &*new.tags),
                (
                    text,
                    &*expected
                        .iter()
                        .map(|tag| (*tag).to_owned())
                        .collect::<Vec<_>>()
                ),
                "{item}"
            );
        }
    }
}
