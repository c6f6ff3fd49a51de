//! Captures a command that failed and the one that worked, in two runs, and asks for the lesson before the same mistake.
//!
//! It calls verbs by name with JSON, as every surface does: `hindlore_api::catalog` lists them all.
//! Run it with `cargo run --example lesson`.

use std::error::Error;
use std::sync::Arc;

use hindlore::prelude::*;
use hindlore_api::access::Access;
use hindlore_api::catalog;
use hindlore_api::hint::Plain;
use hindlore_api::problem::Problem;
use hindlore_api::standing::Standing;
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let store = EmbeddedStore::open(folder.path().join("memory.db"), EmbeddedOptions::default())?;
    let engine = Engine::new(
        Arc::new(store),
        Arc::new(SystemClock),
        EngineOptions::default(),
    );
    let key = MemoryKey::new("default", "agent-7", "default")?;
    // An access without a standing may call nothing; the operator may call everything.
    let access = Access::new(engine, key, Arc::new(Plain)).of(Standing::operator(None));

    for run in ["monday", "tuesday"] {
        let steps = json!({"run": run, "tool": "tar", "steps": [
            {
                "action": "tar -cf notes.tar --gzipp notes",
                "error": "tar: unrecognized option '--gzipp'",
                "exit_code": 64,
            },
            {"action": "tar -cf notes.tar --gzip notes", "exit_code": 0},
        ]});
        call(&access, "errors.capture", steps).await?;
        let ended = call(&access, "runs.end", json!({"run": run, "passed": true})).await?;
        let learned = &ended["learned"][0];
        println!("{run}: {}, {}", learned["rule"], learned["status"]);
        // One run is a guess; the second confirms it.
        let status = if run == "monday" {
            "observed"
        } else {
            "candidate"
        };
        assert_eq!(learned["status"], status);
    }

    // Without a run the question is not recorded as a use of the lesson.
    let action = json!({"action": "tar -cf other.tar --gzipp letters"});
    let found = call(&access, "lessons.retrieve", action).await?;
    println!("hint: {}", found["lessons"][0]["rule"]);
    assert_eq!(found["lessons"].as_array().map(Vec::len), Some(1));
    Ok(())
}

async fn call(access: &Access, verb: &str, request: Value) -> Result<Value, Problem> {
    let answer = catalog::find(verb)?.call(access.clone(), request).await?;
    Ok(answer.value())
}
