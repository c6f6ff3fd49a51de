//! Memories to measure: engines over files of their own, filled with generated texts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::error::EvalError;
use hindlore::clock::SystemClock;
use hindlore::{Engine, EngineOptions, ImportDelta, ImportRequest};
use hindlore_domain::memory::bullet::MemoryType;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};

use super::texts::Texts;

/// Deltas that a memory is filled by, so that its bullets are of different ages.
const DELTAS: usize = 16;
const TAGS: [&str; 8] = [
    "api", "shell", "payments", "travel", "writing", "files", "people", "planning",
];

/// An engine with one filled memory.
pub(crate) struct Filled {
    pub(crate) engine: Engine,
    pub(crate) key: MemoryKey,
    pub(crate) path: PathBuf,
    pub(super) texts: Vec<String>,
    pub(super) questions: Vec<String>,
}

/// The shipped policy without limit.
pub(super) fn unlimited() -> Policy {
    Policy {
        max_bullets: None,
        ..Policy::default()
    }
}

/// An engine over a file in a folder.
pub(super) fn engine(path: &Path, durable: bool) -> Result<Engine, EvalError> {
    let options = EmbeddedOptions {
        durable,
        ..EmbeddedOptions::default()
    };
    let store = EmbeddedStore::open(path, options).map_err(failed)?;
    let options = EngineOptions {
        instance: "bench".to_owned(),
        policy: unlimited(),
        seeds: false,
        // The measurement is not to share the machine with background work.
        consolidate_above: None,
        ..EngineOptions::default()
    };
    Ok(Engine::new(Arc::new(store), Arc::new(SystemClock), options))
}

/// The memory that is measured: tenant, learner and scope.
pub(crate) const NAMES: [&str; 3] = ["bench", "agent", "memory"];

/// Its key.
pub(super) fn key() -> Result<MemoryKey, EvalError> {
    let [tenant, learner, scope] = NAMES;
    MemoryKey::new(tenant, learner, scope).map_err(failed)
}

impl Filled {
    /// Fills a memory with `size` generated bullets in a file of its own.
    pub(crate) async fn new(folder: &Path, size: usize, durable: bool) -> Result<Self, EvalError> {
        let kind = if durable { "durable" } else { "plain" };
        let path = folder.join(format!("{kind}-{size}.db"));
        let engine = engine(&path, durable)?;
        let key = key()?;
        let mut source = Texts::new(size as u64);
        let texts = source.many(size);
        let chunk = size.div_ceil(DELTAS).max(1);
        for (number, part) in texts.chunks(chunk).enumerate() {
            let operations = part.iter().map(|text| add(text, &mut source)).collect();
            import(&engine, &key, number, operations).await?;
        }
        let questions = (0..400).map(|_| source.question()).collect();
        Ok(Self {
            engine,
            key,
            path,
            texts,
            questions,
        })
    }

    /// A question, over and over again from the first.
    pub(crate) fn question(&self, number: usize) -> &str {
        &self.questions[number % self.questions.len()]
    }
}

/// Imports operations as one delta; gives the seconds that it took.
pub(super) async fn import(
    engine: &Engine,
    key: &MemoryKey,
    number: usize,
    operations: Vec<Operation>,
) -> Result<f64, EvalError> {
    let request = ImportRequest {
        file: None,
        is_known_file: false,
        delta: ImportDelta::first(DeltaId::parse(&format!("import-{number}")).map_err(failed)?),
        operations,
        policy: None,
        is_whole_memory: false,
        lenient: false,
        author: None,
        reasoning: None,
    };
    let started = Instant::now();
    engine.import(key, request).await.map_err(failed)?;
    Ok(started.elapsed().as_secs_f64())
}

/// An ADD of a text with a type, votes and tags by chance.
pub(super) fn add(text: &str, source: &mut Texts) -> Operation {
    let chance = source.chance();
    let memory_type = MemoryType::ALL[chance.below(MemoryType::ALL.len())];
    let helpful = chance.below(6) as u64;
    Operation::Add(Box::new(NewBullet {
        content: text.to_owned(),
        memory_type: Some(memory_type),
        helpful,
        harmful: chance.below(helpful as usize + 1) as u64,
        tags: vec![TAGS[chance.below(TAGS.len())].to_owned()],
        ..NewBullet::default()
    }))
}

/// A delta of one ADD.
pub(super) fn single(text: &str, id: &str, source: &mut Texts) -> Result<Delta, EvalError> {
    Ok(Delta::new(
        DeltaId::parse(id).map_err(failed)?,
        vec![add(text, source)],
    ))
}

/// An error of the engine, the store or SQLite as one of measuring.
pub(super) fn failed(error: impl std::fmt::Display) -> EvalError {
    EvalError::new(
        format!("a memory could not be measured: {error}"),
        "see that the folder for temporary files (TMPDIR) has room",
    )
}
