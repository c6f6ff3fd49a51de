//! Fills a memory from plain texts, or from a file in any import format.
//!
//! The ids of the deltas are derived from the seeds, so equal seeds make equal memories on every store, and
//! seeding twice changes nothing.

use hindlore::{AppliedDelta, Engine, ImportDelta, ImportRequest};
use hindlore_api::import::{Format, parse};
use hindlore_api::problem::Problem;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;

/// Adds one bullet per text, in one delta; returns the bullets added. Equal texts are merged, as always.
///
/// # Errors
///
/// Those of applying the delta.
pub async fn seed_texts(
    engine: &Engine,
    key: &MemoryKey,
    texts: &[&str],
) -> Result<Vec<BulletId>, Problem> {
    let add = |text: &&str| {
        Operation::Add(Box::new(NewBullet {
            content: (*text).to_owned(),
            ..NewBullet::default()
        }))
    };
    let mut parts = vec!["seed"];
    parts.extend(texts);
    let delta = Delta::new(
        DeltaId::derive(&parts),
        texts.iter().map(add).collect::<Vec<_>>(),
    );
    let applied = engine.apply_delta(key, delta).await?;
    Ok(applied.receipt.added)
}

/// Imports a file, such as an export, completely or not at all.
///
/// # Errors
///
/// Unreadable records, and those of importing.
pub async fn seed_file(
    engine: &Engine,
    key: &MemoryKey,
    format: Format,
    bytes: &[u8],
) -> Result<AppliedDelta, Problem> {
    let delta = DeltaId::from_import(bytes, format.word(), key);
    let file = parse(format, bytes, key, &delta)?;
    if let Some(bad) = file.bad.first() {
        let message = format!("line {} of the seed: {}", bad.line, bad.reason);
        return Err(Problem::new("bad_records", message).with_hint("correct the file"));
    }
    let operations = file.records.into_iter().map(|record| record.operation);
    let request = ImportRequest {
        file: None,
        is_known_file: false,
        delta: ImportDelta::first(delta),
        operations: operations.collect(),
        policy: file.policy,
        is_whole_memory: format == Format::Hindlore,
        lenient: false,
        author: None,
        reasoning: Some(format!("seed, format {format}")),
    };
    Ok(engine.import(key, request).await?.applied)
}
