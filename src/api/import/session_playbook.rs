//! Reads a SessionPlaybook: `{"strategies": {id: {…}}, "next_id": n}`, or a list; a category becomes a section.

use super::bullet_record::new_bullet;
use super::record::{document, records};
use super::{Format, Import};
use crate::problem::Problem;

/// Reads a playbook.
pub(super) fn read(input: &str) -> Result<Import, Problem> {
    let mut import = Import::default();
    let document = document(Format::SessionPlaybook, input, &mut import)?;
    for member in records(Format::SessionPlaybook, &document, "strategies")? {
        let read = new_bullet(&member, &mut import.unknown);
        import.put(member.line, read);
    }
    Ok(import)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindlore_domain::memory::delta::Operation;

    #[test]
    fn strategies_become_bullets_with_their_category_as_section() {
        let import = read(
            "{\"strategies\": {\n  \"fil-00000\": {\"id\": \"fil-00000\", \"category\": \"file_operations\",\n\
             \"content\": \"List before reading\", \"helpful_count\": 4, \"harmful_count\": 1,\n\
             \"neutral_count\": 0, \"created_at\": \"2025-10-23T09:00:00.5\",\n\
             \"last_used\": \"2025-10-23T10:00:00\"},\n \"x\": {\"content\": \" \", \"colour\": 1}},\n\
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
        assert_eq!(
            new.last_used.unwrap().to_string(),
            "2025-10-23T10:00:00.000Z"
        );
        assert_eq!((import.read, import.bad[0].line), (2, 6));
        assert_eq!(read("{\"bullets\": {}}").unwrap_err().code, "wrong_format");
    }

    #[test]
    fn a_list_is_read_and_what_is_archived_there_stays_out() {
        let import = read(
            r#"{"strategies": [{"id": "s1", "content": "a", "revision_count": 2},
                {"id": "s2", "content": "b", "archived": true, "merged_from": []}]}"#,
        )
        .unwrap();
        assert_eq!((import.read, import.records.len()), (2, 1));
        assert!(import.left_out[0].reason.contains("archived"), "{import:?}");
        assert_eq!(import.unknown.len(), 2);
    }
}
