//! Reads a SessionPlaybook: `{"strategies": {id: {…}}, "next_id": n}`; a category becomes a section.
//!
//! The time of last use is ignored, because a bullet's last use is an event of our own memory.

use super::record::{content, count, document, fields, label, own_or_key, records, time};
use super::{Format, Import};
use crate::api::fields::{Shape, Table};
use crate::api::json::Member;
use crate::api::problem::Problem;
use crate::domain::memory::bullet::Source;
use crate::domain::memory::delta::{NewBullet, Operation};

const STRATEGY: Table = &[
    ("id", Shape::Text),
    ("category", Shape::Text),
    ("content", Shape::Text),
    ("helpful_count", Shape::Count),
    ("harmful_count", Shape::Count),
    ("neutral_count", Shape::Count),
    ("created_at", Shape::Time),
    ("last_used", Shape::Time),
];

/// Reads a playbook.
pub(super) fn read(input: &str) -> Result<Import, Problem> {
    let document = document(Format::SessionPlaybook, input)?;
    let mut import = Import::default();
    for member in records(Format::SessionPlaybook, &document, "strategies")? {
        import.add(member.line, strategy(&member));
    }
    Ok(import)
}

fn strategy(member: &Member<'_>) -> Result<Operation, String> {
    let object = fields(member, STRATEGY)?;
    Ok(Operation::Add(Box::new(NewBullet {
        content: content(&object)?,
        section: label(&object, "category"),
        helpful: count(&object, "helpful_count"),
        harmful: count(&object, "harmful_count"),
        neutral: count(&object, "neutral_count"),
        source: Some(Source::Import),
        created_at: time(&object, "created_at"),
        legacy_id: own_or_key(&object, member),
        ..NewBullet::default()
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_become_bullets_with_their_category_as_section() {
        let import = read(
            "{\"strategies\": {\n  \"fil-00000\": {\"id\": \"fil-00000\", \"category\": \"file_operations\",\n\
             \"content\": \"List before reading\", \"helpful_count\": 4, \"harmful_count\": 1,\n\
             \"neutral_count\": 0, \"created_at\": \"2025-10-23T09:00:00.5\",\n\
             \"last_used\": \"2025-10-23T10:00:00\"},\n \"x\": {\"content\": \"y\", \"colour\": 1}},\n\
             \"next_id\": 1}",
        )
        .unwrap();
        let Operation::Add(new) = &import.records[0].operation else {
            panic!("{import:?}");
        };
        assert_eq!(import.records[0].line, 2);
        assert_eq!(new.section.as_deref(), Some("file_operations"));
        assert_eq!(new.legacy_id.as_deref(), Some("fil-00000"));
        assert_eq!((new.helpful, new.harmful), (4, 1));
        assert_eq!(
            new.created_at.unwrap().to_string(),
            "2025-10-23T09:00:00.500Z"
        );
        assert_eq!((import.read, import.bad[0].line), (2, 6));
        assert_eq!(read("{\"bullets\": {}}").unwrap_err().code, "wrong_format");
    }
}
