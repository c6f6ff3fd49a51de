//! Reads memory files of MCP servers: entities with observations, and relations between them.
//!
//! Three dialects: `{"type": "entity", …}`, the same with `_type` and dated observations, and graph nodes with
//! `labels` and `properties`. The name of an entity goes before each observation: "Status: todo" of two tasks is
//! two facts.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::Import;
use super::bullet_record::titled;
use super::record::{Out, items, label, named, time};
use crate::graph::{OBSERVATION, RELATION};
use crate::json::{Member, members};
use crate::problem::Problem;
use hindlore_domain::memory::bullet::{Kind, Source};
use hindlore_domain::memory::delta::NewBullet;
use hindlore_primitives::timestamp::Timestamp;

type Object = Map<String, Value>;

/// Reads a memory file.
pub(super) fn read(text: &str) -> Result<Import, Problem> {
    let mut import = Import::default();
    let (found, leftover) = items(text)?;
    import.add_bad(leftover);
    let mut rows: Vec<(u64, Object)> = Vec::new();
    for item in found.iter().flat_map(parts) {
        match item.value() {
            Ok(Value::Object(row)) => rows.push((item.line, row)),
            Ok(_) => import.put(item.line, Err(Out::Bad("it is not an object".to_owned()))),
            Err(reason) => import.put(item.line, Err(Out::Bad(reason))),
        }
    }
    let names: HashMap<String, String> = rows.iter().filter_map(|(_, row)| known(row)).collect();
    for (line, row) in &rows {
        if is_relation(row) {
            import.put(*line, relation(row, &names));
        } else if let Some(properties) = row.get("properties").and_then(Value::as_object) {
            import.put(*line, node(row, properties));
        } else {
            entity(*line, row, &mut import);
        }
    }
    Ok(import)
}

/// The rows of a document that keeps entities and relations in two lists; else the row itself.
fn parts<'t>(item: &Member<'t>) -> Vec<Member<'t>> {
    let inner = members(item.text, item.line).unwrap_or_default();
    let is_whole = item.text.starts_with('{') && named(&inner, "entities").is_some();
    if !is_whole {
        return vec![item.clone()];
    }
    let lists = ["entities", "relations"]
        .iter()
        .filter_map(|name| named(&inner, name));
    lists
        .flat_map(|list| members(list.text, list.line).unwrap_or_default())
        .collect()
}

fn is_relation(row: &Object) -> bool {
    let ends = |from: &str, to: &str| row.contains_key(from) && row.contains_key(to);
    ends("from", "to") || ends("source", "target")
}

/// The name or id that relations have for a row, and its name in a text.
fn known(row: &Object) -> Option<(String, String)> {
    let properties = row.get("properties").and_then(Value::as_object);
    let own = |object: &Object| label(object, "name").or_else(|| label(object, "title"));
    let called = own(row)
        .or_else(|| properties.and_then(own))
        .or_else(|| properties.and_then(|object| label(object, "description")));
    let id = label(row, "id").or_else(|| label(row, "name"))?;
    Some((id.clone(), called.unwrap_or(id)))
}

fn fact(content: String, section: Option<String>) -> NewBullet {
    NewBullet {
        content,
        section,
        kind: Some(Kind::Fact),
        source: Some(Source::Import),
        ..NewBullet::default()
    }
}

fn entity(line: u64, row: &Object, import: &mut Import) {
    let Some(name) = label(row, "name") else {
        let what = "it is neither an entity, which has a name, nor a relation";
        return import.put(line, Err(Out::Bad(what.to_owned())));
    };
    let section = label(row, "entityType");
    let observations = row.get("observations").and_then(Value::as_array);
    let mut is_empty = true;
    for observation in observations.into_iter().flatten() {
        is_empty = false;
        let read = observed(observation).map(|(text, at)| NewBullet {
            created_at: at,
            topic: topic(&name),
            tags: vec![OBSERVATION.to_owned()],
            ..fact(titled(Some(&name), &text), section.clone())
        });
        import.put(line, read);
    }
    if is_empty {
        import.leave_out(
            line,
            format!("the entity `{}` has no observations", name.escape_debug()),
        );
    }
}

/// The name of an entity as a topic, for the graph of a memory; a name too long for a topic is in the text alone.
fn topic(name: &str) -> Option<String> {
    Some(name.to_owned()).filter(|name| name.chars().count() <= 256)
}

/// The text of an observation, and its time.
fn observed(observation: &Value) -> Result<(String, Option<Timestamp>), Out> {
    let (text, at) = match observation {
        Value::String(text) => (Some(text.clone()), None),
        Value::Object(object) => {
            let text = ["text", "content", "observation"]
                .iter()
                .find_map(|name| label(object, name));
            let at = ["timestamp", "createdAt", "created_at"]
                .iter()
                .find_map(|name| time(object, name));
            (text, at)
        }
        _ => (None, None),
    };
    match text.filter(|text| !text.trim().is_empty()) {
        Some(text) => Ok((text, at)),
        None => Err(Out::Left("an observation without text".to_owned())),
    }
}

/// A node of a graph: its properties in one text.
fn node(row: &Object, properties: &Object) -> Result<NewBullet, Out> {
    let name = label(properties, "name").or_else(|| label(properties, "title"));
    let told = properties
        .iter()
        .filter(|(key, _)| !matches!(key.as_str(), "name" | "title"));
    let told: Vec<String> = told.filter_map(|(key, value)| said(key, value)).collect();
    let labels = row.get("labels").and_then(Value::as_array);
    let labels: Vec<&str> = labels
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let section = (!labels.is_empty()).then(|| labels.join(", "));
    match (told.is_empty(), name) {
        (false, name) => Ok(fact(titled(name.as_deref(), &told.join("; ")), section)),
        (true, Some(name)) => Err(Out::Left(format!(
            "the node `{}` has a name and no other text",
            name.escape_debug()
        ))),
        (true, None) => Err(Out::Left("a node without text".to_owned())),
    }
}

/// `key: value` of a plain value.
pub(super) fn said(key: &str, value: &Value) -> Option<String> {
    let text = match value {
        Value::Null => return None,
        Value::String(text) => text.trim().to_owned(),
        Value::Array(list) => {
            let texts: Vec<String> = list
                .iter()
                .map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned))
                .collect();
            texts.join(", ")
        }
        other => other.to_string(),
    };
    (!text.is_empty()).then(|| format!("{key}: {text}"))
}

fn relation(row: &Object, names: &HashMap<String, String>) -> Result<NewBullet, Out> {
    let end = |name: &str, other: &str| label(row, name).or_else(|| label(row, other));
    let (Some(from), Some(to)) = (end("from", "source"), end("to", "target")) else {
        return Err(Out::Bad("the ends of a relation are texts".to_owned()));
    };
    // A graph names its ends by ids, which mean nothing without their nodes.
    let has_ids = row.contains_key("id") && !row.contains_key("relationType");
    if let Some(missing) = [&from, &to]
        .into_iter()
        .find(|end| has_ids && !names.contains_key(*end))
    {
        let missing = missing.escape_debug();
        return Err(Out::Left(format!(
            "a relation with `{missing}`, which is not in the file"
        )));
    }
    let kind = ["relationType", "relationship", "relation", "type"]
        .iter()
        .find_map(|name| label(row, name));
    let kind = kind.ok_or_else(|| Out::Bad("a relation without its type".to_owned()))?;
    let own = kind.clone();
    let kind = kind.replace('_', " ");
    let kind = if kind.chars().any(char::is_lowercase) {
        kind
    } else {
        kind.to_lowercase()
    };
    let called = |end: String| names.get(&end).cloned().unwrap_or(end);
    let (from, to) = (called(from), called(to));
    Ok(NewBullet {
        topic: topic(&from),
        concept: topic(&to),
        tags: vec![RELATION.to_owned()],
        ..fact(format!("{from} {kind} {to}"), Some(own))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindlore_domain::memory::delta::Operation;

    fn texts(text: &str) -> (Vec<String>, Vec<String>) {
        let import = read(text).unwrap();
        let all = import.records.len() + import.bad.len() + import.left_out.len();
        assert_eq!(usize::try_from(import.read), Ok(all));
        let texts = import.records.iter().map(|record| match &record.operation {
            Operation::Add(new) => new.content.clone(),
            other => panic!("{other:?}"),
        });
        let out = import.bad.iter().chain(&import.left_out);
        (texts.collect(), out.map(|one| one.reason.clone()).collect())
    }

    #[test]
    fn the_name_of_the_entity_stands_before_its_observations() {
        let (found, out) = texts(
            "{\"type\": \"entity\", \"name\": \"Pump 1\", \"entityType\": \"Pump\", \"observations\": [\"leaks\", \"Pump 1 is old\"]}\n\
             {\"type\": \"entity\", \"name\": \"Pump 2\", \"entityType\": \"Pump\", \"observations\": []}\n\
             {\"type\": \"relation\", \"from\": \"Pump 1\", \"to\": \"Pump 2\", \"relationType\": \"feeds_into\"}\n{broken\n",
        );
        assert_eq!(
            found,
            ["Pump 1: leaks", "Pump 1 is old", "Pump 1 feeds into Pump 2"]
        );
        assert_eq!(out.len(), 2, "{out:?}");
        assert!(out[1].contains("`Pump 2` has no observations"), "{out:?}");
    }

    #[test]
    fn the_other_dialects_say_the_same() {
        let (found, out) = texts(
            "{\"_type\": \"entity\", \"name\": \"A\", \"entityType\": \"t\", \"_savedAt\": \"x\", \"observations\": \
             [{\"text\": \"o\", \"timestamp\": \"2026-01-01T00:00:00Z\"}, {\"text\": \"\"}]}",
        );
        assert_eq!((found, out.len()), (vec!["A: o".to_owned()], 1));
        let whole = "{\"entities\": [{\"name\": \"A\", \"entityType\": \"t\", \"observations\": [\"o\"]}],\
                     \"relations\": [{\"from\": \"A\", \"to\": \"B\", \"relationType\": \"KNOWS\"}]}";
        assert_eq!(texts(whole).0, ["A: o", "A knows B"]);
        let (found, out) = texts(
            "{\"id\": \"n1\", \"labels\": [\"Fix\"], \"properties\": {\"name\": \"Star\", \"state\": \"done\", \"n\": 2}}\n\
             {\"id\": \"n2\", \"labels\": [], \"properties\": {\"description\": \"Sun\"}}\n\
             {\"id\": \"e1\", \"type\": \"PART_OF\", \"from\": \"n1\", \"to\": \"n2\"}\n\
             {\"id\": \"e2\", \"type\": \"PART_OF\", \"from\": \"n1\", \"to\": \"n0\"}",
        );
        assert_eq!(
            found,
            [
                "Star: n: 2; state: done",
                "description: Sun",
                "Star part of Sun"
            ]
        );
        assert!(out[0].contains("`n0`"), "{out:?}");
    }
}
