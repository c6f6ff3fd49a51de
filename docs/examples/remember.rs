//! Adds a bullet to a memory in one file, and retrieves it by a question.
//!
//! Run it with `cargo run --example remember`.

use std::error::Error;
use std::sync::Arc;

use hindlore::prelude::*;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let store = EmbeddedStore::open(folder.path().join("memory.db"), EmbeddedOptions::default())?;
    let engine = Engine::new(
        Arc::new(store),
        Arc::new(SystemClock),
        EngineOptions::default(),
    );
    // Tenant, learner and scope. The memory is created by its first delta.
    let key = MemoryKey::new("default", "agent-7", "default")?;

    let content = "Retry a 429 with backoff and jitter.".to_owned();
    let add = Operation::Add(Box::new(NewBullet {
        content,
        ..NewBullet::default()
    }));
    // A delta with the same id counts once, so a client may send it again after a lost answer.
    let delta = Delta::new(DeltaId::parse("lesson-1")?, vec![add]);
    let applied = engine.apply_delta(&key, delta.clone()).await?;
    let again = engine.apply_delta(&key, delta).await?;
    assert!(!applied.repeated && again.repeated);

    let request = RetrieveRequest::new(Query::new("how do I retry a 429?"));
    let retrieved = engine.retrieve(&key, request).await?;
    for found in &retrieved.bullets {
        println!("{:.2}  {}", found.hit.score, found.bullet.content);
    }
    assert_eq!(retrieved.bullets.len(), 1);
    Ok(())
}
