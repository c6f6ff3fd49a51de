//! Shared by the JSON formats: parsed documents, and records with checked fields.
//!
//! A record is checked against its table before its fields are read, so the getters here cannot fail.

use std::collections::{BTreeMap, HashSet};

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::moment::moment;
use super::{BadLine, Format, Import, wrong_format};
use crate::check::faults_at;
use crate::fields::{Shape, Table, described, faults};
use crate::json::{Member, check, members};
use crate::nearest::quoted;
use crate::problem::Problem;
use hindlore_domain::memory::bullet::Kind;
use hindlore_primitives::timestamp::Timestamp;

/// Unknown fields that are named.
const NAMED_MAX: usize = 12;

/// Fields that programs keep the tags of a record in.
pub(super) const TAGS: [&str; 4] = ["tags", "tags_str", "keywords", "categories"];

/// Fields that no bullet has, with the number of records that have them, and the line of the first one.
pub(super) type Unknown = BTreeMap<String, (u64, u64)>;

/// Why a record becomes no bullet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Out {
    /// It cannot be read.
    Bad(String),
    /// It has nothing to keep.
    Left(String),
}

impl From<String> for Out {
    fn from(reason: String) -> Self {
        Self::Bad(reason)
    }
}

/// A document at the start of a text, and the leftover after it.
///
/// A program that writes a shorter text over a longer one leaves the tail of the old one, which costs nothing
/// of the new one.
pub(super) fn first_document(text: &str) -> Result<(&str, Option<BadLine>), Problem> {
    let mut documents = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    if !matches!(documents.next(), Some(Ok(_))) {
        check("the file", text)?;
    }
    let end = documents.byte_offset();
    let (first, rest) = text.split_at(end);
    if rest.trim().is_empty() {
        return Ok((first, None));
    }
    let last = first.lines().count();
    let lines = rest.lines().filter(|line| !line.trim().is_empty()).count();
    let word = if lines == 1 { "line is" } else { "lines are" };
    let reason = format!(
        "the document ends on line {last}; {lines} {word} left over from an older, longer file"
    );
    let line = u64::try_from(last).unwrap_or(u64::MAX).saturating_add(1);
    Ok((first, Some(BadLine { line, reason })))
}

/// The records of a text: the elements of a list, the lines of JSON Lines, or the one document.
pub(super) fn items(text: &str) -> Result<(Vec<Member<'_>>, Option<BadLine>), Problem> {
    let (first, leftover) = first_document(text)?;
    let is_list = first.trim_start().starts_with('[');
    let is_on_one_line = !first.trim().contains('\n');
    if leftover.is_some() && !is_list && is_on_one_line {
        let lines = (1..).zip(text.lines());
        let lines = lines.filter(|(_, line)| !line.trim().is_empty());
        let member = |(line, text)| Member {
            name: None,
            text,
            line,
        };
        return Ok((lines.map(member).collect(), None));
    }
    if is_list {
        return Ok((members(first, 1).unwrap_or_default(), leftover));
    }
    let before = first.len() - first.trim_start().len();
    let line = first[..before].matches('\n').count();
    let whole = Member {
        name: None,
        text: first.trim(),
        line: u64::try_from(line).unwrap_or(u64::MAX).saturating_add(1),
    };
    Ok((vec![whole], leftover))
}

/// Members of a document, which must be an object; a leftover after it becomes a bad line.
pub(super) fn document<'t>(
    format: Format,
    text: &'t str,
    import: &mut Import,
) -> Result<Vec<Member<'t>>, Problem> {
    let (text, leftover) = first_document(text)?;
    let found = match members(text, 1) {
        Some(found) if text.trim_start().starts_with('{') => found,
        _ => return Err(wrong_format(format, "it is not a JSON object")),
    };
    let mut seen = HashSet::new();
    let again = found.iter().find(|member| !seen.insert(&member.name));
    if let Some((name, line)) = again.and_then(|one| Some((one.name.as_deref()?, one.line))) {
        let why = format!("{} stands twice, again on line {line}", quoted(name));
        return Err(wrong_format(format, &why));
    }
    import.add_bad(leftover);
    Ok(found)
}

/// The member with a name.
pub(super) fn named<'m, 't>(document: &'m [Member<'t>], name: &str) -> Option<&'m Member<'t>> {
    document
        .iter()
        .find(|member| member.name.as_deref() == Some(name))
}

/// Records below a field of the document.
pub(super) fn records<'t>(
    format: Format,
    document: &[Member<'t>],
    name: &str,
) -> Result<Vec<Member<'t>>, Problem> {
    let Some(field) = named(document, name) else {
        return Err(wrong_format(format, &format!("it has no `{name}`")));
    };
    members(field.text, field.line)
        .ok_or_else(|| wrong_format(format, &format!("`{name}` holds no records")))
}

/// A whole number in a field of the document; none if absent or null.
pub(super) fn whole_number(
    format: Format,
    document: &[Member<'_>],
    name: &str,
) -> Result<Option<u64>, Problem> {
    let Some(field) = named(document, name) else {
        return Ok(None);
    };
    let mut value = field.value().unwrap_or_else(Value::String);
    if value.is_null() || faults_at(name, Shape::Count.schema(), &mut value).is_empty() {
        return Ok(value.as_u64());
    }
    let why = format!(
        "`{name}` on line {} is not a whole number in range",
        field.line
    );
    Err(wrong_format(format, &why))
}

/// The fields of a record, or all their faults; fields that the table lacks are counted and left out.
pub(super) fn fields(
    member: &Member<'_>,
    table: Table,
    unknown: &mut Unknown,
) -> Result<Map<String, Value>, String> {
    let mut object = match member.value()? {
        Value::Object(object) => object,
        other => return Err(format!("a record is an object, not {}", described(&other))),
    };
    object.retain(|name, value| {
        let known = table.iter().find(|(known, _)| known == name);
        match known {
            Some((_, shape)) => normalise(value, *shape),
            None => unknown.entry(name.clone()).or_insert((0, member.line)).0 += 1,
        }
        known.is_some()
    });
    let faults = faults(&mut object, table);
    if !faults.is_empty() {
        return Err(faults.join("; "));
    }
    Ok(object)
}

/// Gives the values that programs write in several ways the one way that a shape has: a time as a text, texts as a list.
fn normalise(value: &mut Value, shape: Shape) {
    let normal = match shape {
        Shape::Time => moment(value).map(|at| Value::String(at.to_string())),
        Shape::Texts if value.is_string() => Some(Value::from(listed(value))),
        _ => None,
    };
    if let Some(normal) = normal {
        *value = normal;
    }
}

/// Names the fields that no bullet has, once.
pub(super) fn unknown_note(unknown: &Unknown) -> Option<String> {
    let named = unknown.iter().take(NAMED_MAX);
    let mut named: Vec<String> = named
        .map(|(name, (records, line))| match records {
            1 => format!("`{}` on line {line}", name.escape_debug()),
            _ => format!(
                "`{}` ({records} times, first on line {line})",
                name.escape_debug()
            ),
        })
        .collect();
    let beyond = unknown.len().saturating_sub(NAMED_MAX);
    if beyond > 0 {
        named.push(format!("{beyond} more"));
    }
    (!named.is_empty()).then(|| {
        format!(
            "left out, since a bullet has no such field: {}",
            named.join(", ")
        )
    })
}

/// A text field.
pub(super) fn text(object: &Map<String, Value>, name: &str) -> Option<String> {
    object.get(name).and_then(Value::as_str).map(str::to_owned)
}

/// A non-blank text field, trimmed.
pub(super) fn label(object: &Map<String, Value>, name: &str) -> Option<String> {
    let label = object.get(name).and_then(Value::as_str)?.trim();
    (!label.is_empty()).then(|| label.to_owned())
}

/// A count; 0 if absent.
pub(super) fn count(object: &Map<String, Value>, name: &str) -> u64 {
    object.get(name).and_then(Value::as_u64).unwrap_or_default()
}

/// A time.
pub(super) fn time(object: &Map<String, Value>, name: &str) -> Option<Timestamp> {
    moment(object.get(name)?)
}

/// The content, which every record must have.
pub(super) fn content(object: &Map<String, Value>) -> Result<String, String> {
    let content = text(object, "content").ok_or("`content` is missing")?;
    if content.trim().is_empty() {
        return Err("the content is empty".to_owned());
    }
    Ok(content)
}

/// A list of texts; none of any other value.
pub(super) fn texts(object: &Map<String, Value>, name: &str) -> Vec<String> {
    let list = object.get(name).and_then(Value::as_array);
    let texts = list.into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

/// The tags of a record and of its metadata, each once.
pub(super) fn tags(object: &Map<String, Value>) -> Vec<String> {
    let metadata = object.get("metadata").and_then(Value::as_object);
    let objects = [Some(object), metadata].into_iter().flatten();
    let values = objects.flat_map(|object| TAGS.iter().filter_map(|name| object.get(*name)));
    let mut tags = Vec::new();
    for tag in values.flat_map(listed) {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags
}

/// The kind that the `type` of a record names; any other word there becomes a tag.
pub(super) fn kind_or_tag(object: &Map<String, Value>, tags: &mut Vec<String>) -> Option<Kind> {
    let word = label(object, "type")?;
    let kind = Kind::from_word(&word.to_lowercase());
    if kind.is_none() && !tags.contains(&word) {
        tags.push(word);
    }
    kind
}

/// The texts of a list, or of a text with commas; none of any other value.
fn listed(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => words(text),
        Value::Array(list) => {
            let texts = list.iter().filter_map(Value::as_str).map(str::trim);
            let texts = texts.filter(|text| !text.is_empty());
            texts.map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

/// The words of `[a, b]` or `a, b`, without quotes and marks of tags.
pub(super) fn words(text: &str) -> Vec<String> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    let words = inner
        .split(',')
        .map(|word| word.trim().trim_matches(['"', '\'', '#']).trim());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The record's own id, else its key.
pub(super) fn own_or_key(object: &Map<String, Value>, member: &Member<'_>) -> Option<String> {
    let key = member.name.as_deref().map(str::trim).unwrap_or_default();
    let number = || object.get("id").filter(|id| id.is_number());
    label(object, "id")
        .or_else(|| number().map(Value::to_string))
        .or_else(|| (!key.is_empty()).then(|| key.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_time_is_a_text_or_a_number_in_any_unit() {
        let at = "2026-11-28T08:08:29.700Z";
        for value in [
            json!(1_795_853_309.7),
            json!(1_795_853_309_700_u64),
            json!(1_795_853_309_700_000_u64),
            json!("1795853309.7"),
            json!("1795853309700"),
            json!("2026-11-28T08:08:29.700+00:00"),
            json!("2026-11-28 08:08:29.7"),
        ] {
            assert_eq!(moment(&value).unwrap().to_string(), at, "{value}");
        }
        let day = moment(&json!("2026-11-28")).unwrap();
        assert_eq!(day.to_string(), "2026-11-28T00:00:00.000Z");
        for value in [
            json!("soon"),
            json!("inf"),
            json!("20261128"),
            json!("-infinity"),
            json!("nan"),
            json!(""),
            json!([1]),
            json!(null),
        ] {
            assert_eq!(moment(&value), None, "{value}");
        }
    }

    #[test]
    fn tags_are_read_from_lists_and_texts_of_a_record_and_its_metadata() {
        for (record, expected) in [
            (json!({"tags": ["a", "b c"]}), &["a", "b c"][..]),
            (json!({"tags": "a, b", "tags_str": "a,b"}), &["a", "b"]),
            (json!({"tags_str": "a,b"}), &["a", "b"]),
            (json!({"metadata": {"tags": "[\"a\", \"b\"]"}}), &["a", "b"]),
            (
                json!({"categories": ["a"], "metadata": {"categories": ["b"], "tags": ["a"]}}),
                &["a", "b"],
            ),
            (json!({"keywords": ["#a"], "tags": [" ", 5]}), &["#a"]),
            (json!({"tags": 5, "metadata": "a", "tag_count": "b"}), &[]),
        ] {
            assert_eq!(tags(record.as_object().unwrap()), expected, "{record}");
        }
    }
}
