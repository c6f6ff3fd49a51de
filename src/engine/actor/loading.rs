//! Brings a memory into process: reads it from the store, or makes it.

use std::sync::{Arc, Mutex, PoisonError};

use super::snapshot::{IMAGE_STAMP, Loading, Snapshot};
use crate::clock::random_id;
use crate::context::Context;
use crate::error::{EngineError, EngineResult};
use crate::log;
use crate::memory::prepared_delta::EncodedDelta;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::receipt::ChangeRecord;
use hindlore_domain::memory::seed::{Created, create as create_memory};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::{Creation, DeltaRecord, Head, ImagePart, LoadedPart, Position};

/// Brings a memory into process from its image, with the changes since then; else from its rows.
pub(super) async fn open(context: &Context, key: &MemoryKey) -> EngineResult<Option<Snapshot>> {
    match from_image(context, key).await {
        Ok(Some(snapshot)) => return Ok(Some(snapshot)),
        Ok(None) => {}
        // An image is a cache; an error that stays comes again with the rows.
        Err(error) => log::image_not_read(key, &error),
    }
    load(context, key).await
}

async fn from_image(context: &Context, key: &MemoryKey) -> EngineResult<Option<Snapshot>> {
    let Some(image) = context.store.image(key, ImagePart::Asking).await? else {
        return Ok(None);
    };
    let Some(memory) = Memory::from_image(key.clone(), IMAGE_STAMP, &image.bytes) else {
        return Ok(None);
    };
    let Some(changed) = context.store.changes_since(key, image.clock).await? else {
        return Ok(None);
    };
    Ok(Snapshot::from_image(
        memory,
        (image.incarnation, image.clock),
        changed,
    ))
}

/// Reads a memory from its rows.
pub(crate) async fn load(context: &Context, key: &MemoryKey) -> EngineResult<Option<Snapshot>> {
    // The store's callback must own its data, so it shares the place where the parts are gathered.
    let loading: Arc<Mutex<Option<Loading>>> = Arc::default();
    let (place, name) = (loading.clone(), key.clone());
    let take = move |part| {
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        match (place.as_mut(), part) {
            (None, LoadedPart::Head(head)) => *place = Some(Loading::new(name.clone(), *head)),
            (Some(loading), part) => loading.take(part),
            // Every backend sends the head first, so there is nothing to add to yet.
            (None, _) => {}
        }
    };
    if !context.store.load_parts(key, Box::new(take)).await? {
        return Ok(None);
    }
    let loaded = loading
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    let snapshot = loaded.map(Loading::finish);
    if let Some(snapshot) = &snapshot {
        log::loaded(key, snapshot.memory.status_counts().total());
    }
    Ok(snapshot)
}

/// Makes a memory with the local policy, or reads the one that another instance made first.
pub(crate) async fn create_or_load(context: &Context, key: &MemoryKey) -> EngineResult<Snapshot> {
    let now = context.now();
    let created = hypothetical(context, key, now);
    let creation = creation(context, &created, now)?;
    let (ours, seeds) = (creation.head.position.clone(), creation.bullets.len());
    let head = context.store.create(creation).await?;
    // An incarnation is random, so equal positions prove that this call made the memory.
    if head.position == ours {
        log::loaded(key, seeds as u64);
        return Ok(Snapshot::new(created.memory, head));
    }
    let loaded = load(context, key).await?;
    // Erased between the two calls; a repeated request makes the memory again.
    loaded.ok_or_else(|| EngineError::Contended(key.clone()))
}

/// Makes an empty memory with the given policy, unless one exists.
pub(crate) async fn create_empty(
    context: &Context,
    key: &MemoryKey,
    policy: Policy,
) -> EngineResult<()> {
    let now = context.now();
    let created = create_memory(key.clone(), policy, false, now);
    let creation = creation(context, &created, now)?;
    context.store.create(creation).await?;
    Ok(())
}

/// A memory as it would be made now, for answering queries about one that does not exist.
pub(crate) fn hypothetical(context: &Context, key: &MemoryKey, now: Timestamp) -> Created {
    let options = &context.options;
    let seeds = options.seeds && !options.policy.is_classic();
    create_memory(key.clone(), options.policy.clone(), seeds, now)
}

/// The stored form of a memory that was created at `now`.
pub(super) fn creation(
    context: &Context,
    created: &Created,
    now: Timestamp,
) -> EngineResult<Creation> {
    let Created {
        memory,
        delta,
        receipt,
        changes,
    } = created;
    // Distinguishes this memory from a later one of the same name, whose clock begins at 0 as well.
    let incarnation = random_id("m").map_err(|error| EngineError::Invalid(error.to_string()))?;
    let EncodedDelta { body, body_digest } = EncodedDelta::new(delta)?;
    let policy = memory.policy().clone();
    let record = DeltaRecord {
        id: delta.id.clone(),
        tick: 0,
        revision: 0,
        at: now,
        origin: context.origin(None),
        reasoning: None,
        body_digest,
        body,
        receipt: receipt.clone(),
        changes: changes
            .bullets
            .iter()
            .map(ChangeRecord::from_change)
            .collect(),
        // Replays start from the policy that the memory was created with.
        policy_before: Some(policy.clone()),
    };
    let position = Position {
        incarnation,
        clock: 0,
        revision: 0,
    };
    let bullets = changes.bullets.iter();
    Ok(Creation {
        key: memory.key().clone(),
        head: Head {
            position,
            origin_clock: 0,
            policy,
            created_at: now,
        },
        bullets: bullets.map(|change| Bullet::clone(&change.after)).collect(),
        record,
    })
}
