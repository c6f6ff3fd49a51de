//! Two engines share one memory: each sees the writes of the other at its next request.
//!
//! They share a file, or the Neo4j server at NEO4J_URI with NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE if that is set.
//! Run it with `cargo run --example shared`.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use hindlore::prelude::*;
use hindlore_store::Store;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("memory.db");
    let first = engine(&file, "first").await?;
    let second = engine(&file, "second").await?;
    // A name of its own, because a server may hold the memories of others.
    let learner = format!("example-{}", std::process::id());
    let key = MemoryKey::new("default", &learner, "default")?;

    let question = Query::new("which port does the proxy use");
    let content = "Port 8081 is taken by the proxy.".to_owned();
    let add = Operation::Add(Box::new(NewBullet {
        content,
        ..NewBullet::default()
    }));
    let written = first
        .apply_delta(&key, Delta::new(DeltaId::parse("ports")?, vec![add]))
        .await?;
    let seen = second
        .retrieve(&key, RetrieveRequest::peek(question))
        .await?;
    let erased = first.erase(key.tenant(), key.learner(), None).await?;

    println!(
        "revision {} by the first engine, {} bullet found by the second",
        written.receipt.revision,
        seen.bullets.len()
    );
    assert_eq!(seen.bullets.len(), 1);
    assert!(erased.receipt.is_some());
    Ok(())
}

async fn engine(file: &Path, instance: &str) -> Result<Engine, Box<dyn Error>> {
    let options = EngineOptions {
        instance: instance.to_owned(),
        ..EngineOptions::default()
    };
    Ok(Engine::new(
        store(file).await?,
        Arc::new(SystemClock),
        options,
    ))
}

async fn store(file: &Path) -> Result<Arc<dyn Store>, Box<dyn Error>> {
    #[cfg(feature = "neo4j")]
    if let Ok(uri) = std::env::var("NEO4J_URI") {
        let defaults = Neo4jOptions::default();
        let options = Neo4jOptions {
            uri,
            user: std::env::var("NEO4J_USERNAME").unwrap_or(defaults.user),
            password: std::env::var("NEO4J_PASSWORD").unwrap_or(defaults.password),
            database: std::env::var("NEO4J_DATABASE").unwrap_or(defaults.database),
            ..Neo4jOptions::default()
        };
        return Ok(Arc::new(Neo4jStore::connect(options).await?));
    }
    let store = EmbeddedStore::open(file, EmbeddedOptions::default())?;
    Ok(Arc::new(store))
}
