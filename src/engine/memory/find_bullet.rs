//! Verb: find a bullet by the name a caller has for it.
//!
//! People type the beginning of an id, and other programs use ids of their own.

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::id_prefix::{is_beginning, only};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Policy;

impl Engine {
    /// Finds a bullet by its id, a unique beginning of it, or another program's id.
    pub async fn find_bullet(&self, key: &MemoryKey, name: &str) -> EngineResult<Bullet> {
        self.read_memory(key, |memory| find(memory, name)).await?
    }

    /// Reads the newest state of a memory, which stays as it is meanwhile. One that was never written to is empty, so
    /// that a new learner is no error.
    ///
    /// # Errors
    ///
    /// Those of loading the memory.
    pub async fn read_memory<T>(
        &self,
        key: &MemoryKey,
        read: impl Fn(&Memory) -> T,
    ) -> EngineResult<T> {
        let actor = self.actor(key);
        let found = actor.memory.read_latest(|snapshot| read(&snapshot.memory));
        let found = found.await?;
        Ok(found.unwrap_or_else(|| read(&Memory::new(key.clone(), Policy::default()))))
    }
}

fn find(memory: &Memory, name: &str) -> EngineResult<Bullet> {
    let own: Option<BulletId> = name.parse().ok();
    if let Some(bullet) = own.and_then(|id| memory.get(id)) {
        return Ok(bullet);
    }
    // Other programs' ids are indexed for active bullets only, so search all bullets.
    let bullets = memory.bullets();
    let is_named = |bullet: &&Bullet| bullet.legacy_id.as_deref() == Some(name);
    let active = bullets.iter().filter(|bullet| bullet.is_active());
    let named = active.clone().find(is_named);
    if let Some(bullet) = named.or_else(|| bullets.iter().find(is_named)) {
        return Ok(bullet.clone());
    }
    let unknown = || EngineError::NoBullet(name.to_owned());
    if !is_beginning(name, "b_") {
        return Err(unknown());
    }
    let ids = bullets.iter().map(|bullet| bullet.id);
    let meant = only("bullet", name, ids)?;
    meant.and_then(|id| memory.get(id)).ok_or_else(unknown)
}
