//! Values written by hand in another type: no memory becomes unreadable, a check names the value with both types, a
//! repair restores the recorded one, and an adoption takes values that can be converted.

use hindlore::{Engine, RetrieveRequest};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_store::DeltaPage;

use crate::children::engine;
use crate::erasing::{by_hand, delta, delta_of};
use crate::server::Server;
use crate::together::text;

/// An edit of a bullet, the property it names, and whether the value can be converted.
const EDITS: &[(&str, &str, bool)] = &[
    ("b.tags = 'shell'", "tags", true),
    ("b.pinned = 'true'", "pinned", true),
    ("b.pinned = 'perhaps'", "pinned", false),
    ("b.pinned = 1", "pinned", true),
    ("b.changed_tick = toFloat(b.changed_tick)", "", true),
    (
        "b.created_tick = toString(b.created_tick)",
        "created_tick",
        true,
    ),
    ("b.position = 'first'", "position", false),
    ("b.created_at = '2026-01-01'", "created_at", true),
    ("b.created_at = date('2026-01-01')", "created_at", true),
    (
        "b.created_at = localdatetime('2026-01-01T00:00')",
        "created_at",
        true,
    ),
    (
        "b.created_at = datetime('2026-01-01T00:00[Europe/Berlin]')",
        "created_at",
        true,
    ),
    ("b.created_at = 'yesterday'", "created_at", false),
    ("b.created_at = timestamp()", "created_at", false),
    ("b.created_at = null", "created_at", false),
    ("b.section = 7", "section", true),
    ("b.topic = ['a']", "topic", true),
    ("b.status = 'acitve'", "status", false),
    ("b.kind = true", "kind", false),
    ("b.content_hash = 5", "content_hash", false),
    ("b.importance = '0.25'", "importance", true),
    ("b.ttl_days = 'ten'", "ttl_days", false),
    ("b.content = null", "content", false),
    ("b.changed_tick = null", "changed_tick", false),
    ("b.id = 5", "id", false),
];

async fn retrieved(engine: &Engine, key: &MemoryKey) -> usize {
    let words: Vec<String> = (0..4).map(text).collect();
    let words = words.join(" ");
    let query = Query {
        top_k: 100,
        ..Query::new(words)
    };
    let found = engine.retrieve(key, RetrieveRequest::peek(query)).await;
    found.unwrap().bullets.len()
}

/// A memory of four bullets, the edited one first.
async fn edited(server: &Server, edit: &str) -> (MemoryKey, Vec<BulletId>) {
    let writer = engine(server, "writer").await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let added = writer.apply_delta(&key, delta("d_1", 4)).await;
    let added = added.unwrap().receipt.added;
    let id = added[0];
    let statement = format!("MATCH (b:Bullet {{tenant: $tenant, id: '{id}'}}) SET {edit}");
    by_hand(server, &key, &statement);
    (key, added)
}

pub(crate) async fn shut_no_memory(server: Server) {
    for (edit, property, is_converted) in EDITS {
        let (key, added) = edited(&server, edit).await;
        let reader = engine(&server, "reader").await;
        let bullets = reader.view(&key).await.unwrap().unwrap().bullets;
        for id in &added[1..] {
            assert!(bullets.iter().any(|one| one.id == *id), "{edit}");
        }
        assert!(retrieved(&reader, &key).await >= 3, "{edit}");
        let more = reader.apply_delta(&key, delta_of("d_2", 10..11)).await;
        more.unwrap_or_else(|error| panic!("{edit}: {error}"));
        let found = reader.verify(&key).await.unwrap();
        if property.is_empty() {
            continue;
        }
        let named = format!("`{property}` of the bullet {}", added[0]);
        let fault = found.shape.iter().find(|one| one.message.contains(&named));
        let fault = fault.unwrap_or_else(|| panic!("{edit}: {:?}", found.shape));
        let value = fault.value.unwrap();
        assert_eq!(
            (value.bullet, value.is_converted),
            (added[0], *is_converted),
            "{edit}"
        );
        let one = reader.bullet(&key, &added[0].to_string()).await;
        assert_eq!(one.is_ok(), *is_converted, "{edit}: {one:?}");
        if let Err(error) = one {
            assert!(error.to_string().contains(&named), "{edit}: {error}");
        }
    }
}

pub(crate) async fn are_repaired(server: Server) {
    for (edit, property, _) in EDITS.iter().filter(|(_, property, _)| !property.is_empty()) {
        let (key, _) = edited(&server, edit).await;
        let fixer = engine(&server, "fixer").await;
        let would = fixer.repair(&key, true).await.unwrap();
        let is_named = |one: &String| one.contains(&format!("`{property}`"));
        assert!(would.repairable.iter().any(is_named), "{edit}: {would:?}");
        fixer.repair(&key, false).await.unwrap();
        let after = engine(&server, "after").await.verify(&key).await.unwrap();
        assert!(after.is_sound, "{edit}: {after:?}");
    }
}

pub(crate) async fn are_adopted_if_they_mean_something(server: Server) {
    for (edit, property, is_converted) in EDITS {
        let (key, added) = edited(&server, edit).await;
        let adopter = engine(&server, "adopter").await;
        let adopted = adopter.adopt(&key, None).await;
        let after = engine(&server, "after").await.verify(&key).await.unwrap();
        if *is_converted {
            adopted.unwrap_or_else(|error| panic!("{edit}: {error}"));
            assert!(after.is_sound, "{edit}: {after:?}");
            continue;
        }
        let error = adopted.unwrap_err().to_string();
        let named = format!("`{property}` of the bullet {}", added[0]);
        assert!(error.contains(&named), "{edit}: {error}");
        assert!(!after.is_sound, "{edit}");
    }
}

fn page() -> DeltaPage {
    DeltaPage {
        below_revision: None,
        limit: 10,
    }
}

/// Of events: `delta log`, `verify` and retrievals continue.
pub(crate) async fn of_events(server: Server) {
    let edits = [
        "MATCH (b:Delta {tenant: $tenant}) SET b.at = datetime('2026-01-01T00:00[Europe/Berlin]')",
        "MATCH (b:Delta {tenant: $tenant}) SET b.at = 'yesterday'",
        "MATCH (b:Delta {tenant: $tenant}) SET b.tick = toFloat(b.tick)",
        "MATCH (b:Delta {tenant: $tenant}) SET b.author = 5",
        "MATCH (b:ContextScope {tenant: $tenant}) SET b.access_clock = toFloat(b.access_clock)",
        "MATCH (b:ContextScope {tenant: $tenant}) SET b.created_at = date('2026-01-01')",
    ];
    for edit in edits {
        let (key, _) = edited(&server, "b.pinned = b.pinned").await;
        by_hand(&server, &key, edit);
        let reader = engine(&server, "reader").await;
        assert!(retrieved(&reader, &key).await >= 4, "{edit}");
        let log = reader.delta_log(&key, page()).await;
        log.unwrap_or_else(|error| panic!("{edit}: {error}"));
        let verified = reader.verify(&key).await;
        verified.unwrap_or_else(|error| panic!("{edit}: {error}"));
    }
}
