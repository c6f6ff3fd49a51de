//! Imports a file of rules, exports the memory, and restores it under another learner with the same content.
//!
//! Run it with `cargo run --example import_export`.

use std::error::Error;
use std::sync::Arc;

use hindlore::prelude::*;
use hindlore_api::access::Access;
use hindlore_api::catalog;
use hindlore_api::hint::Plain;
use hindlore_api::problem::Problem;
use hindlore_api::standing::Standing;
use serde_json::{Value, json};

const RULES: &str = "\
# Shop

- Money is an integer of cents.
- Raise the version in `app.toml` before a release.
";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let store = EmbeddedStore::open(folder.path().join("memory.db"), EmbeddedOptions::default())?;
    let engine = Engine::new(
        Arc::new(store),
        Arc::new(SystemClock),
        EngineOptions::default(),
    );
    let original = MemoryKey::new("default", "agent-7", "default")?;
    let copy = MemoryKey::new("default", "agent-8", "default")?;
    let access = |key: &MemoryKey| {
        Access::new(engine.clone(), key.clone(), Arc::new(Plain)).of(Standing::operator(None))
    };

    let file = json!({"text": RULES, "file": "AGENTS.md"});
    let imported = call(access(&original), "memory.import", file).await?;
    println!("format {}, {} read", imported["format"], imported["read"]);
    assert_eq!(imported["read"], 2);

    let exported = call(access(&original), "memory.export", json!({})).await?;
    let restore = json!({"text": exported["text"]});
    call(access(&copy), "memory.import", restore).await?;

    let of_original = call(access(&original), "digest", json!({})).await?;
    let of_copy = call(access(&copy), "digest", json!({})).await?;
    println!("content digest {}", of_copy["content_digest"]);
    assert_eq!(of_original["content_digest"], of_copy["content_digest"]);
    Ok(())
}

async fn call(access: Access, verb: &str, request: Value) -> Result<Value, Problem> {
    let answer = catalog::find(verb)?.call(access, request).await?;
    Ok(answer.value())
}
