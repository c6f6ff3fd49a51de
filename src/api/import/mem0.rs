//! Reads exports of mem0: `{"results": [{"memory": "…"}], "relations": [{"source", "relationship", "target"}]}`, or
//! the list alone.

use serde_json::Value;

use super::record::{Out, Unknown, fields, items, kind_or_tag, label, named, tags, time};
use super::{Format, Import, wrong_format};
use crate::fields::{Shape, Table};
use crate::json::{Member, members};
use crate::problem::Problem;
use hindlore_domain::memory::bullet::{Kind, Source};
use hindlore_domain::memory::delta::NewBullet;

/// All fields that are taken, or known not to describe a bullet.
const MEMORY: Table = &[
    ("id", Shape::Any),
    ("memory", Shape::Text),
    ("text", Shape::Text),
    ("data", Shape::Text),
    ("categories", Shape::Any),
    ("tags", Shape::Any),
    ("metadata", Shape::Any),
    ("created_at", Shape::Time),
    ("updated_at", Shape::Any),
    ("hash", Shape::Any),
    ("score", Shape::Any),
    ("user_id", Shape::Any),
    ("agent_id", Shape::Any),
    ("app_id", Shape::Any),
    ("run_id", Shape::Any),
    ("actor_id", Shape::Any),
    ("role", Shape::Any),
    ("event", Shape::Any),
];

/// Reads an export.
pub(super) fn read(text: &str) -> Result<Import, Problem> {
    let mut import = Import::default();
    let (found, leftover) = items(text)?;
    import.add_bad(leftover);
    for item in &found {
        let inner = members(item.text, item.line).unwrap_or_default();
        let is_whole = item.text.starts_with('{') && named(&inner, "results").is_some();
        if !is_whole {
            let read = memory(item, &mut import.unknown);
            import.put(item.line, read);
            continue;
        }
        for one in list(&inner, "results") {
            let read = memory(&one, &mut import.unknown);
            import.put(one.line, read);
        }
        for one in list(&inner, "relations") {
            import.put(one.line, relation(&one));
        }
    }
    if import.read == 0 && !text.contains("\"results\"") && !text.trim_start().starts_with('[') {
        return Err(wrong_format(Format::Mem0, "it has no `results`"));
    }
    Ok(import)
}

fn list<'t>(document: &[Member<'t>], name: &str) -> Vec<Member<'t>> {
    let field = named(document, name);
    field
        .and_then(|field| members(field.text, field.line))
        .unwrap_or_default()
}

fn memory(member: &Member<'_>, unknown: &mut Unknown) -> Result<NewBullet, Out> {
    let object = fields(member, MEMORY, unknown)?;
    let said = ["memory", "text", "data"]
        .iter()
        .find_map(|name| label(&object, name));
    let metadata = object.get("metadata").and_then(Value::as_object);
    let mut tags = tags(&object);
    tags.extend(metadata.and_then(|about| label(about, "category")));
    let kind = metadata.and_then(|about| kind_or_tag(about, &mut tags));
    Ok(NewBullet {
        content: said.ok_or_else(|| Out::Left("a memory without text".to_owned()))?,
        tags,
        kind,
        source: Some(Source::Import),
        created_at: time(&object, "created_at"),
        legacy_id: label(&object, "id"),
        ..NewBullet::default()
    })
}

fn relation(member: &Member<'_>) -> Result<NewBullet, Out> {
    let value = member.value()?;
    let object = value
        .as_object()
        .ok_or_else(|| Out::Bad("a relation is an object".to_owned()))?;
    let part = |names: [&str; 2]| names.iter().find_map(|name| label(object, name));
    let (source, kind, target) = (
        part(["source", "from"]),
        part(["relationship", "relation"]),
        part(["target", "destination"]),
    );
    match (source, kind, target) {
        (Some(source), Some(kind), Some(target)) => Ok(NewBullet {
            content: format!("{source} {} {target}", kind.replace('_', " ")),
            kind: Some(Kind::Fact),
            source: Some(Source::Import),
            ..NewBullet::default()
        }),
        _ => Err(Out::Bad(
            "a relation has a `source`, a `relationship` and a `target`".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindlore_domain::memory::delta::Operation;

    #[test]
    fn memories_and_relations_become_bullets() {
        let import = read(
            "{\"results\": [\n{\"id\": \"m1\", \"memory\": \"Likes tea\", \"metadata\": {\"type\": \"preference\"}, \
             \"categories\": [\"food\"], \"created_at\": \"2026-01-01T08:00:00+08:00\", \"weight\": 2},\n{\"id\": \"m2\"}], \
             \"relations\": [{\"source\": \"ann\", \"relationship\": \"lives_in\", \"target\": \"Rome\"}, {}]}",
        )
        .unwrap();
        assert_eq!(
            (import.read, import.bad.len(), import.left_out.len()),
            (4, 1, 1)
        );
        let new = |at: usize| match &import.records[at].operation {
            Operation::Add(new) => new.clone(),
            other => panic!("{other:?}"),
        };
        let first = new(0);
        assert_eq!(
            (first.content.as_str(), first.kind),
            ("Likes tea", Some(Kind::Preference))
        );
        assert_eq!(
            first.created_at.unwrap().to_string(),
            "2026-01-01T00:00:00.000Z"
        );
        assert_eq!(first.tags, ["food"]);
        assert_eq!(new(1).content, "ann lives in Rome");
        assert_eq!(import.unknown["weight"].0, 1);
        assert_eq!(read("[{\"memory\": \"x\"}]").unwrap().records.len(), 1);
    }

    #[test]
    fn tags_are_kept_wherever_the_record_has_them() {
        for (fields, expected) in [
            ("\"metadata\": {\"tags\": [\"a\"]}", &["a"][..]),
            (
                "\"metadata\": {\"tags\": \"a, b\", \"topic\": \"c\"}",
                &["a", "b"],
            ),
            ("\"tags\": [\"a\"], \"categories\": [\"b\"]", &["a", "b"]),
            (
                "\"metadata\": {\"category\": \"a\", \"type\": \"b\"}",
                &["a", "b"],
            ),
            ("\"categories\": null, \"metadata\": null", &[]),
        ] {
            let text = format!("[{{\"memory\": \"x\", {fields}, \"created_at\": 1767340149}}]");
            let import = read(&text).unwrap();
            let Operation::Add(new) = &import.records[0].operation else {
                panic!("{text}");
            };
            assert_eq!(new.tags, expected, "{text}");
            let at = new.created_at.unwrap().to_string();
            assert_eq!(at, "2026-01-02T07:49:09.000Z");
        }
    }
}
