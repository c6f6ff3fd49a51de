//! Reads a kayba playbook: `{"bullets": {id: {…}}, "sections": {…}, "next_id": n}`; newer ones have `skills`, and those
//! of schema version 2 have an issue with its insight in place of one text.
//!
//! Kayba's ids become legacy ids. A missing one is made as kayba would make it: the section's first word and
//! one counter over all sections. `updated_at` is ignored, because a bullet's last use is an event of our own
//! memory.

use std::collections::HashSet;

use serde_json::Value;

use super::bullet_record::new_bullet;
use super::record::{Out, Unknown, document, named, own_or_key, records, whole_number};
use super::{Format, Import};
use crate::json::Member;
use crate::problem::Problem;
use hindlore_domain::memory::delta::NewBullet;

/// Reads a playbook.
pub(super) fn read(input: &str) -> Result<Import, Problem> {
    let mut import = Import::default();
    let document = document(Format::Kayba, input, &mut import)?;
    let name = named(&document, "skills").map_or("bullets", |_| "skills");
    let bullets = records(Format::Kayba, &document, name)?;
    let mut ids = Ids {
        next: whole_number(Format::Kayba, &document, "next_id")?.unwrap_or_default(),
        taken: bullets.iter().filter_map(given_id).collect(),
    };
    for member in &bullets {
        let read = bullet(member, &mut ids, &mut import.unknown);
        import.put(member.line, read);
    }
    Ok(import)
}

/// The id kayba gives the `number`-th bullet: `file-00001` in "File Operations".
pub fn legacy_id(section: &str, number: u64) -> String {
    let word = section.split_whitespace().next().unwrap_or("general");
    format!("{}-{number:05}", word.to_lowercase())
}

/// The counter for missing ids.
struct Ids {
    next: u64,
    taken: HashSet<String>,
}

impl Ids {
    fn make(&mut self, section: &str) -> String {
        loop {
            self.next = self.next.saturating_add(1);
            let id = legacy_id(section, self.next);
            if self.next == u64::MAX || self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

fn given_id(member: &Member<'_>) -> Option<String> {
    match member.value() {
        Ok(Value::Object(object)) => own_or_key(&object, member),
        _ => None,
    }
}

fn bullet(member: &Member<'_>, ids: &mut Ids, unknown: &mut Unknown) -> Result<NewBullet, Out> {
    let mut new = new_bullet(member, unknown)?;
    if new.legacy_id.is_none() {
        new.legacy_id = Some(ids.make(new.section.as_deref().unwrap_or_default()));
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindlore_domain::memory::bullet::Source;
    use hindlore_domain::memory::delta::Operation;

    fn adds(input: &str) -> Vec<NewBullet> {
        let import = read(input).unwrap();
        assert!(import.bad.is_empty(), "{:?}", import.bad);
        import
            .records
            .into_iter()
            .map(|record| match record.operation {
                Operation::Add(new) => *new,
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn a_saved_playbook_is_read_in_file_order() {
        let input = r#"{
  "bullets": {
    "zeta-00002": {
      "id": "zeta-00002", "section": "Zeta Rules", "content": "Second things second",
      "helpful": 3, "harmful": 1, "neutral": 2,
      "created_at": "2025-10-23T10:00:00.123456+00:00", "updated_at": "2025-10-23T10:00:00+00:00"
    },
    "alpha-00001": {"id": "alpha-00001", "section": "Alpha", "content": "First"}
  },
  "sections": {"Zeta Rules": ["zeta-00002"], "Alpha": ["alpha-00001"]},
  "next_id": 2
}"#;
        let import = read(input).unwrap();
        assert_eq!(
            (import.read, import.records[0].line, import.records[1].line),
            (2, 3, 8)
        );
        let bullets = adds(input);
        assert_eq!(bullets[0].legacy_id.as_deref(), Some("zeta-00002"));
        assert_eq!(bullets[0].section.as_deref(), Some("Zeta Rules"));
        assert_eq!(
            (bullets[0].helpful, bullets[0].harmful, bullets[0].neutral),
            (3, 1, 2)
        );
        assert_eq!(
            bullets[0].created_at.unwrap().to_string(),
            "2025-10-23T10:00:00.123Z"
        );
        assert_eq!(bullets[1].content, "First");
        assert_eq!(bullets[1].source, Some(Source::Import));
    }

    #[test]
    fn missing_ids_are_counted_over_all_sections() {
        let bullets = adds(
            r#"{"bullets": [{"section": "File Operations Best Practices", "content": "a"},
                            {"section": "errors", "content": "b"}, {"content": "c"}]}"#,
        );
        let ids: Vec<_> = bullets
            .iter()
            .filter_map(|b| b.legacy_id.as_deref())
            .collect();
        assert_eq!(ids, ["file-00001", "errors-00002", "general-00003"]);
        let next = adds(
            r#"{"bullets": [{"section": "e", "content": "a"},
            {"id": "e-00006", "section": "e", "content": "b"}], "next_id": 5}"#,
        );
        assert_eq!(next[0].legacy_id.as_deref(), Some("e-00007"));
    }

    #[test]
    fn bad_records_keep_their_lines_and_other_files_are_refused() {
        let import = read(
            "{\"bullets\": {\n\"a\": {\"content\": \" \"},\n\"b\": {\"content\": \"x\", \"tags\": 1},\n\
             \"c\": 5,\n\"d\": {\"content\": \"x\", \"helpful\": -8},\n\"e\": {\"content\": \"\\ud800x\"}}}",
        )
        .unwrap();
        let found: Vec<(u64, &str)> = import
            .bad
            .iter()
            .map(|b| (b.line, b.reason.as_str()))
            .collect();
        for ((line, reason), (expected, words)) in found.iter().zip([
            (2, "content is empty"),
            (3, "`tags` must be a list"),
            (4, "not the number 5"),
            (5, "is -8"),
            (6, "not valid JSON"),
        ]) {
            assert!(
                *line == expected && reason.contains(words),
                "{line}: {reason}"
            );
        }
        assert_eq!((import.read, found.len()), (5, 5));
        for (input, code) in [
            ("{\"strategies\": {}}", "wrong_format"),
            ("[]", "wrong_format"),
            ("{\"bullets\": 3}", "wrong_format"),
            ("{\"bullets\": {}, \"next_id\": -1}", "wrong_format"),
            ("{\"bullets\": {", "invalid_json"),
        ] {
            assert_eq!(read(input).unwrap_err().code, code, "{input}");
        }
    }

    #[test]
    fn skills_of_every_version_are_read_and_unknown_fields_are_named_once() {
        let old = r#"{"skills": {"tone-00001": {"id": "tone-00001", "section": "tone", "content": "Greet.",
            "justification": "j", "evidence": "e", "helpful": 1, "status": "active", "sources": []},
            "x-1": {"content": "old", "status": "invalid"}}, "similarity_decisions": {}}"#;
        let import = read(old).unwrap();
        assert_eq!(
            (import.read, import.records.len(), import.bad.len()),
            (2, 1, 0)
        );
        assert!(
            import.left_out[0].reason.contains("invalid there"),
            "{import:?}"
        );
        assert!(import.unknown.is_empty(), "{import:?}");
        let new = r#"{"schema_version": "2", "skills": {"context-00001": {"id": "context-00001",
            "section": "context", "keywords": ["paging"], "issue": "Pages are missed.", "insight": "Ask until none.",
            "occurrences": [], "active": true, "used_count": 3, "helpful_count": 2, "colour": 1},
            "b": {"issue": "x", "insight": "x", "active": false, "colour": 2}}}"#;
        let import = read(new).unwrap();
        let Operation::Add(first) = &import.records[0].operation else {
            panic!("{import:?}");
        };
        assert_eq!(first.content, "Pages are missed: Ask until none.");
        assert_eq!(
            (first.helpful, first.tags.as_slice()),
            (2, &["paging".to_owned()][..])
        );
        assert_eq!(import.unknown["colour"].0, 2);
        assert_eq!(import.left_out.len(), 1);
    }
}
