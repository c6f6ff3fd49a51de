//! Worked examples of the original programs' load rule.

use super::*;

fn file(input: &str) -> (Import, Vec<BulletRecord>) {
    let key = MemoryKey::new("t", "ann", "s").unwrap();
    let import = read(input, &key, &DeltaId::parse("d").unwrap()).unwrap();
    let records = import
        .records
        .iter()
        .map(|record| match &record.operation {
            Operation::Insert(insertion) => insertion.bullet.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    (import, records)
}

#[test]
fn a_saved_bullet_keeps_all_its_fields() {
    let (import, records) = file(
        r#"{"bullets": [
  {"id": "5eb63bbbe01e", "content": "Hello World", "helpful_count": 3, "harmful_count": 1,
   "created_at": "2025-01-01T00:00:01.250", "last_used": "2025-01-02T00:00:00",
   "tags": ["episodic", "API", "api"], "semantic_strength": 0.0, "episodic_strength": 102.5,
   "procedural_strength": 0.0, "semantic_last_access": null,
   "episodic_last_access": "2025-01-02T00:00:00", "procedural_last_access": null,
   "semantic_access_index": null, "episodic_access_index": 7, "procedural_access_index": null,
   "learner_id": "bob", "topic": "fractions", "concept": null, "memory_type": "episodic",
   "ttl_days": 30, "content_hash": "whatever", "context_scope_id": "board"}],
 "version": "1.0", "last_updated": "2025-02-01T00:00:00", "access_clock": 9}"#,
    );
    let bullet = &records[0];
    assert_eq!((import.records[0].line, import.clock), (2, Some(9)));
    assert_eq!((import.read, import.foreign_learners), (1, 1));
    let key = MemoryKey::new("t", "ann", "s").unwrap();
    assert_eq!(bullet.id, BulletId::derive(&key, "d", 0));
    assert_eq!(bullet.legacy_id.as_deref(), Some("5eb63bbbe01e"));
    assert_eq!((bullet.helpful_count, bullet.harmful_count), (3, 1));
    assert_eq!(
        (bullet.episodic_strength, bullet.semantic_strength),
        (102.5, 0.0)
    );
    assert_eq!(
        (bullet.episodic_access_index, bullet.ttl_days),
        (Some(7), Some(30))
    );
    assert_eq!(bullet.tags, ["API"]);
    assert_eq!(bullet.created_at.to_string(), "2025-01-01T00:00:01.250Z");
    assert_eq!(bullet.to_bullet(16_384).unwrap().strength, 102.5);
}

#[test]
fn clock_and_index_follow_the_load_rule() {
    for (input, clock, indices) in [
        (
            r#"{"bullets": [{"content": "a"}], "access_clock": 50}"#,
            50,
            vec![50],
        ),
        (
            r#"{"bullets": [{"content": "a"}, {"content": "b"}]}"#,
            2,
            vec![2, 2],
        ),
        (
            r#"{"bullets": {"x": {"content": "a", "semantic_access_index": 0},
                "y": {"content": "b", "semantic_access_index": 4}}, "access_clock": 6}"#,
            6,
            vec![6, 4],
        ),
    ] {
        let (import, records) = file(input);
        assert_eq!(import.clock, Some(clock));
        let found: Vec<u64> = records
            .iter()
            .filter_map(|r| r.semantic_access_index)
            .collect();
        assert_eq!(found, indices, "{input}");
    }
}

#[test]
fn memory_type_and_strength_are_taken_from_what_there_is() {
    for (fields, memory_type, strength) in [
        (
            r#""memory_type": "Procedural", "procedural_strength": 3"#,
            MemoryType::Procedural,
            3.0,
        ),
        (
            r#""memory_type": "muscle", "semantic_strength": 5"#,
            MemoryType::Semantic,
            5.0,
        ),
        (
            r#""episodic_strength": 9.5, "semantic_strength": 1"#,
            MemoryType::Episodic,
            9.5,
        ),
        (
            r#""tags": ["x", "Procedural"]"#,
            MemoryType::Procedural,
            100.0,
        ),
        (
            r#""helpful_count": 7, "harmful_count": 2"#,
            MemoryType::Semantic,
            105.0,
        ),
        (
            r#""helpful_count": 1, "harmful_count": 2"#,
            MemoryType::Semantic,
            100.0,
        ),
        (
            r#""semantic_strength": 0, "episodic_strength": 0, "procedural_strength": 0"#,
            MemoryType::Semantic,
            0.0,
        ),
    ] {
        let (_, records) = file(&format!(r#"{{"bullets": [{{"content": "a", {fields}}}]}}"#));
        let bullet = records[0].to_bullet(100).unwrap();
        assert_eq!(
            (bullet.memory_type, bullet.strength),
            (memory_type, strength),
            "{fields}"
        );
        assert_eq!(bullet.legacy_id.as_deref(), Some("0cc175b9c0f1"));
    }
}

#[test]
fn a_bad_record_is_named_and_the_ordinals_go_on_without_it() {
    let (import, records) = file(
        "{\"bullets\": [\n{\"content\": \"a\", \"helpful_count\": -1},\n{\"content\": \"b\\u0007\"},\n\
         {\"content\": \"c\", \"helpfull_count\": 1}, {\"content\": \"d\", \"semantic_strength\": -2},\n\
         [], {\"content\": \"e\"}]}",
    );
    let lines: Vec<u64> = import.bad.iter().map(|bad| bad.line).collect();
    assert_eq!(lines, [2, 3, 4, 5]);
    assert_eq!(import.unknown["helpfull_count"], (1, 4));
    assert_eq!((import.read, records[1].position), (6, 1));
    assert_eq!((import.records[0].line, import.records[1].line), (4, 5));
}
