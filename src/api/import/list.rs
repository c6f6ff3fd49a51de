//! Reads plain lists: of texts, of records, under `entries`, or by section under `sections`.

use serde_json::Value;

use super::bullet_record::new_bullet;
use super::record::{Out, Unknown, items, named};
use super::{Format, Import, wrong_format};
use crate::fields::described;
use crate::json::{Member, members};
use crate::problem::Problem;
use hindlore_domain::memory::bullet::Source;
use hindlore_domain::memory::delta::NewBullet;

/// Names under which a document keeps its list.
pub(super) const LISTS: [&str; 9] = [
    "entries", "items", "rules", "lessons", "memories", "facts", "insights", "notes", "bullets",
];

/// Reads a list.
pub(super) fn read(text: &str) -> Result<Import, Problem> {
    let mut import = Import::default();
    let (found, leftover) = items(text)?;
    import.add_bad(leftover);
    for item in &found {
        let inner = if item.text.starts_with('{') {
            members(item.text, item.line).unwrap_or_default()
        } else {
            Vec::new()
        };
        if let Some(sections) = named(&inner, "sections") {
            by_section(sections, &mut import);
        } else if let Some(list) = LISTS.iter().find_map(|name| named(&inner, name)) {
            records_of(list, None, &mut import);
        } else {
            let read = one(item, None, &mut import.unknown);
            import.put(item.line, read);
        }
    }
    if import.read == 0 && !text.trim_start().starts_with('[') {
        return Err(wrong_format(
            Format::List,
            "it holds no texts and no records",
        ));
    }
    Ok(import)
}

fn by_section(sections: &Member<'_>, import: &mut Import) {
    for section in members(sections.text, sections.line).unwrap_or_default() {
        records_of(&section, section.name.as_deref(), import);
    }
}

fn records_of(list: &Member<'_>, section: Option<&str>, import: &mut Import) {
    match members(list.text, list.line) {
        Some(records) => {
            for record in records {
                let read = one(&record, section, &mut import.unknown);
                import.put(record.line, read);
            }
        }
        None => {
            let read = one(list, section, &mut import.unknown);
            import.put(list.line, read);
        }
    }
}

fn one(
    member: &Member<'_>,
    section: Option<&str>,
    unknown: &mut Unknown,
) -> Result<NewBullet, Out> {
    let mut new = match member.value()? {
        Value::String(text) if text.trim().is_empty() => {
            return Err(Out::Left("an empty text".to_owned()));
        }
        Value::String(text) => NewBullet {
            content: text,
            source: Some(Source::Import),
            ..NewBullet::default()
        },
        Value::Object(_) => new_bullet(member, unknown)?,
        other => {
            return Err(Out::Bad(format!(
                "a text or a record is wanted, not {}",
                described(&other)
            )));
        }
    };
    if new.section.is_none() {
        new.section = section.map(str::to_owned);
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindlore_domain::memory::delta::Operation;

    fn texts(import: &Import) -> Vec<(u64, &str, Option<&str>)> {
        import
            .records
            .iter()
            .map(|record| match &record.operation {
                Operation::Add(new) => (record.line, new.content.as_str(), new.section.as_deref()),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn texts_and_records_of_every_list_become_bullets() {
        let import =
            read("[\n \"a\",\n {\"text\": \"b\", \"category\": \"c\"},\n \"\",\n 5]").unwrap();
        assert_eq!(texts(&import), [(2, "a", None), (3, "b", Some("c"))]);
        assert_eq!(
            (import.read, import.bad[0].line, import.left_out[0].line),
            (4, 5, 4)
        );
        let import = read("{\"entries\": [{\"content\": \"a\", \"tags\": [\"t\"]}]}").unwrap();
        assert_eq!(texts(&import), [(1, "a", None)]);
        let import = read(
            "{\"metadata\": {}, \"sections\": {\"s\": [{\"content\": \"a\"}], \"t\": [], \"u\": [\"b\"]}}",
        );
        assert_eq!(
            texts(&import.unwrap()),
            [(1, "a", Some("s")), (1, "b", Some("u"))]
        );
        let import = read("{\"content\": \"a\"}\n\n{\"content\": \"b\"}\nnot json\n").unwrap();
        assert_eq!(texts(&import), [(1, "a", None), (3, "b", None)]);
        assert_eq!(import.bad[0].line, 4);
    }

    #[test]
    fn records_of_other_memories_keep_their_time_and_tags() {
        let at = "2026-11-28T08:08:29.700Z";
        for fields in [
            "\"created_at\": 1795853309.7, \"created_at_iso\": \"2026-11-28T08:08:29.701682Z\", \
             \"tags\": [\"net\", \"ports\"], \"tags_str\": \"net,ports\"",
            "\"created_at\": 1795853309700, \"tags_str\": \"net,ports\"",
            "\"created_at_iso\": \"2026-11-28T08:08:29.700Z\", \"tags\": \"net, ports\"",
            "\"timestamp\": 1795853309.7, \"metadata\": {\"tags\": [\"net\", \"ports\"]}",
        ] {
            let text = format!(
                "{{\"memories\": [{{\"content\": \"x\", \"content_hash\": \"54\", {fields}}}]}}"
            );
            let import = read(&text).unwrap();
            assert_eq!(import.bad, [], "{text}");
            assert!(import.unknown.is_empty(), "{text}");
            let Operation::Add(new) = &import.records[0].operation else {
                panic!("{text}");
            };
            assert_eq!(new.tags, ["net", "ports"], "{text}");
            assert_eq!(new.created_at.unwrap().to_string(), at, "{text}");
        }
        for fields in [
            "\"created_at\": \"soon\"",
            "\"created_at\": [1]",
            "\"tags\": 5",
        ] {
            let import = read(&format!("[{{\"content\": \"x\", {fields}}}]")).unwrap();
            assert_eq!(import.bad.len(), 1, "{fields}");
        }
    }

    #[test]
    fn the_tail_of_an_older_file_is_told_and_costs_nothing_of_the_new_one() {
        let import = read("[\n\"a\",\n\"b\"\n]\n\"old\",\n\"older\"\n]\n").unwrap();
        assert_eq!(texts(&import).len(), 2);
        assert_eq!((import.read, import.bad[0].line), (3, 5));
        assert!(
            import.bad[0]
                .reason
                .contains("ends on line 4; 3 lines are left over"),
            "{import:?}"
        );
    }
}
