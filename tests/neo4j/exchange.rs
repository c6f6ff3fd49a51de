//! Texts that change hands within one delta, between bullets that are written in different requests.

use hindlore_contract::subject::fresh;
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::delta::{Delta, DeltaId, Operation, Patch, TagCounts};
use hindlore_domain::memory::key::MemoryKey;

use crate::children::engine;
use crate::erasing::delta;
use crate::server::Server;

/// More than go in one request.
const MANY: u64 = 5_200;

fn rewritten(id: BulletId, content: &str) -> Operation {
    Operation::Update(Box::new(Patch {
        content: Some(content.to_owned()),
        ..Patch::new(id)
    }))
}

/// The first bullet, by its id, gets the text of the last; in between, more bullets change than go in one request.
pub(crate) async fn texts_change_hands(server: Server) {
    let engine = engine(&server, "writer").await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    engine.apply_delta(&key, delta("d_1", MANY)).await.unwrap();
    let mut bullets: Vec<Bullet> = engine.view(&key).await.unwrap().unwrap().bullets;
    bullets.retain(|bullet| !bullet.is_meta_strategy());
    bullets.sort_by_key(|bullet| bullet.id);
    let (first, last) = (&bullets[0], bullets.last().unwrap());
    let text = last.content.as_str().to_owned();
    let mut operations = vec![
        rewritten(last.id, "what nobody else has ever said about anything"),
        rewritten(first.id, &text),
    ];
    let between = &bullets[1..bullets.len() - 1];
    operations.extend(between.iter().map(|bullet| {
        let counts = TagCounts {
            id: bullet.id.into(),
            helpful: 1,
            harmful: 0,
            neutral: 0,
        };
        Operation::Tag(counts)
    }));
    let delta = Delta::new(DeltaId::parse("d_2").unwrap(), operations);
    engine.apply_delta(&key, delta).await.unwrap();
    let after = engine.view(&key).await.unwrap().unwrap().bullets;
    let of = |id| after.iter().find(|one: &&Bullet| one.id == id).unwrap();
    assert_eq!(of(first.id).content.as_str(), text);
    assert!(engine.verify(&key).await.unwrap().differences.is_empty());
}
