//! Verb: find a bullet by what a stranger calls it.
//!
//! People type the beginning of an id, as in git, and other programs use ids of their own. A beginning is never
//! guessed: one that several ids have is refused with all that it may mean.

use super::error::{EngineError, EngineResult};
use super::handle::Engine;
use crate::domain::memory::aggregate::Memory;
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::key::MemoryKey;

/// Hex digits of a whole id.
const DIGITS: usize = 20;

impl Engine {
    /// Finds a bullet by its id, by a unique beginning of it, or by the id that another program gave it.
    pub async fn find_bullet(&self, key: &MemoryKey, name: &str) -> EngineResult<Bullet> {
        self.read_memory(key, |memory| find(memory, name)).await?
    }

    /// Reads the newest state of a memory; an error where there is none.
    pub(super) async fn read_memory<T>(
        &self,
        key: &MemoryKey,
        read: impl Fn(&Memory) -> T,
    ) -> EngineResult<T> {
        let actor = self.actor(key);
        let found = actor.memory.read_latest(|snapshot| read(&snapshot.memory));
        let found = found.await?;
        found.ok_or_else(|| EngineError::NoMemory(key.clone()))
    }
}

fn find(memory: &Memory, name: &str) -> EngineResult<Bullet> {
    let own: Option<BulletId> = name.parse().ok();
    if let Some(bullet) = own.and_then(|id| memory.get(id)) {
        return Ok(bullet);
    }
    // Names of other programs have no index of what is not active, so all are looked through.
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

/// Tells whether a text is the beginning of an id, and not all of it.
pub(super) fn is_beginning(name: &str, prefix: &str) -> bool {
    let digits = name.strip_prefix(prefix);
    digits.is_some_and(|digits| {
        let is_digit = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c);
        (1..DIGITS).contains(&digits.len()) && digits.bytes().all(is_digit)
    })
}

/// The one id of several that begins like this; absent when none does.
pub(super) fn only<T: ToString>(
    what: &'static str,
    name: &str,
    ids: impl Iterator<Item = T>,
) -> EngineResult<Option<T>> {
    let mut meant: Vec<T> = ids.filter(|id| id.to_string().starts_with(name)).collect();
    if meant.len() > 1 {
        return Err(EngineError::Ambiguous {
            what,
            name: name.to_owned(),
            ids: meant.iter().map(T::to_string).collect(),
        });
    }
    Ok(meant.pop())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_is_shorter_than_an_id() {
        for (name, is) in [
            ("b_6b36", true),
            ("b_", false),
            ("b_6B36", false),
            ("b_0123456789abcdef0123", false),
            ("l_6b36", false),
            ("6b36", false),
        ] {
            assert_eq!(is_beginning(name, "b_"), is, "{name}");
        }
    }

    #[test]
    fn a_beginning_that_several_have_is_refused_with_all_of_them() {
        let ids = || ["b_12a", "b_12b", "b_3"].into_iter();
        assert_eq!(only("bullet", "b_3", ids()).unwrap(), Some("b_3"));
        assert_eq!(only("bullet", "b_4", ids()).unwrap(), None);
        let error = only("bullet", "b_1", ids()).unwrap_err();
        assert_eq!(error.code(), "ambiguous_id");
        assert!(error.to_string().contains("`b_12a`, `b_12b`"), "{error}");
    }
}
