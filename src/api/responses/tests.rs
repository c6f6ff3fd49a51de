//! The wire shapes that programs rely on.

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::export::samples;
use hindlore::AppliedDelta;
use hindlore_domain::memory::delta::Origin;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::receipt::{Merged, Receipt, Refused};
use hindlore_store::memory::{Head, Position};

fn receipt() -> Receipt {
    let id = |number| BulletId([number; 10]);
    Receipt {
        delta: DeltaId::parse("d_1").unwrap(),
        revision: 7,
        clock: 12,
        digest: "aa".to_owned(),
        content_digest: "bb".to_owned(),
        added: vec![id(1)],
        updated: vec![],
        archived: vec![id(2)],
        revived: vec![],
        rejected: vec![],
        merged: vec![Merged {
            into: id(1),
            from: id(2),
        }],
        linked: vec![],
        refused: vec![Refused {
            operation: 3,
            reason: "no such bullet".to_owned(),
        }],
    }
}

/// Asserts that `shown` has every field of `expected`.
fn assert_holds(shown: impl Serialize, expected: &Value) {
    let shown = serde_json::to_value(shown).unwrap();
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&shown[name], value, "{name}");
    }
}

#[test]
fn a_delta_answers_with_its_receipt() {
    let (one, two) = ("b_01010101010101010101", "b_02020202020202020202");
    assert_holds(
        DeltaApplied::from(AppliedDelta::repeated(receipt())),
        &json!({
            "delta": "d_1", "revision": 7, "clock": 12, "digest": "aa", "repeated": true,
            "outcome": "repeated", "since": {"undone_by": null, "bullets": []}, "notes": [],
            "added": [one], "updated": [], "archived": [two], "rejected": [],
            "merged": [{"into": one, "from": two}],
            "refused": [{"operation": 3, "reason": "no such bullet"}],
        }),
    );
}

#[test]
fn imports_and_digests_have_their_fields() {
    let bad = BadLine {
        line: 9,
        reason: "why".to_owned(),
    };
    assert_eq!(
        serde_json::to_value(LineReason::from(bad)).unwrap(),
        json!({"line": 9, "reason": "why"})
    );
    let digest = DigestResponse {
        digest: "a".to_owned(),
        content_digest: "b".to_owned(),
        revision: 7,
        clock: 12,
        active: 40,
        archived: 3,
        rejected: 0,
    };
    assert_eq!(
        serde_json::to_value(digest).unwrap(),
        json!({"digest": "a", "content_digest": "b", "revision": 7, "clock": 12,
               "active": 40, "archived": 3, "rejected": 0})
    );
}

#[test]
fn bullets_deltas_and_memories_are_listed() {
    assert_holds(
        BulletResponse::from(&samples::bullet(1, "x")),
        &json!({"id": "b_01010101010101010101", "content": "x", "memory_type": "procedural",
                "tags": ["api"], "helpful": 2, "harmful": 0, "neutral": 0, "status": "active"}),
    );
    let record = DeltaRecord {
        id: DeltaId::parse("d_1").unwrap(),
        tick: 12,
        revision: 7,
        at: Timestamp::default(),
        origin: Origin {
            author: Some("ann".to_owned()),
            ..Origin::default()
        },
        reasoning: None,
        body: Arc::default(),
        body_digest: String::new(),
        receipt: receipt(),
        changes: vec![],
        policy_before: None,
    };
    assert_holds(
        DeltaRow::from(&record),
        &json!({"delta": "d_1", "revision": 7, "clock": 12, "author": "ann", "added": 1,
                "refused": 1, "at": "1970-01-01T00:00:00.000Z"}),
    );
    let summary = MemorySummary {
        key: samples::key(),
        head: Ok(Head {
            position: Position {
                incarnation: "i".to_owned(),
                clock: 12,
                revision: 7,
            },
            origin_clock: 0,
            policy: Policy::default(),
            created_at: Timestamp::default(),
        }),
        active: 3,
        archived: 2,
        rejected: 1,
    };
    assert_holds(
        MemoryRow::from(&summary),
        &json!({"tenant": "t", "learner": "ann", "scope": "s", "revision": 7, "clock": 12,
                "active": 3, "archived": 2, "rejected": 1, "mode": "engine"}),
    );
    let unreadable = MemorySummary {
        head: Err("its `policy` cannot be read".to_owned()),
        ..summary
    };
    assert_holds(
        MemoryRow::from(&unreadable),
        &json!({"scope": "s", "revision": null, "mode": null, "active": 3,
                "unreadable": "its `policy` cannot be read"}),
    );
}
