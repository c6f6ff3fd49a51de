//! Retrieves bullets, explains their scores, and reports which of them helped.
//!
//! Run it with `cargo run --example feedback`.

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
    let key = MemoryKey::new("default", "agent-7", "default")?;
    let texts = [
        "After a timeout on a write, query the state before you send it again.",
        "Give every write a timeout and an idempotency key.",
    ];
    let operations = texts.map(|text| {
        Operation::Add(Box::new(NewBullet {
            content: text.to_owned(),
            ..NewBullet::default()
        }))
    });
    engine
        .apply_delta(
            &key,
            Delta::new(DeltaId::parse("advice")?, operations.into()),
        )
        .await?;

    let query = Query::new("what to do after a timeout on a write");
    let retrieved = engine
        .retrieve(&key, RetrieveRequest::new(query.clone()))
        .await?;
    for found in &retrieved.bullets {
        let (hit, bullet) = (&found.hit, &found.bullet);
        println!("{:.3}  {}", hit.score, bullet.content);
        println!(
            "       relevance {:.3}, strength {:.3}, {} ticks since its last use, words: {}",
            hit.parts.relevance,
            hit.parts.strength,
            hit.decay_ticks,
            hit.matched.join(", ")
        );
    }

    let best = retrieved.bullets.first().ok_or("no bullet was found")?;
    let retrieval = retrieved.retrieval.ok_or("the retrieval has no record")?;
    let feedback = Feedback {
        retrieval,
        verdicts: vec![(best.bullet.id, Verdict::Helped)],
        author: None,
    };
    // One retrieval casts one vote per bullet, however often it is reported.
    engine.give_feedback(&key, feedback.clone()).await?;
    engine.give_feedback(&key, feedback).await?;

    let after = engine.retrieve(&key, RetrieveRequest::peek(query)).await?;
    let best_after = after.bullets.first().ok_or("no bullet was found")?;
    println!("helpful votes: {}", best_after.bullet.counts.helpful);
    assert_eq!(best_after.bullet.id, best.bullet.id);
    assert_eq!(best_after.bullet.counts.helpful, 1);
    Ok(())
}
