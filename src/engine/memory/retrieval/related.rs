//! The related bullets of a returned bullet: those whose newer value replaced its own, and those that contradict it.

use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::{Bullet, BulletId};

/// The bullets that take something away from a returned one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Beside {
    /// The active bullet that gives the newest value.
    pub superseded_by: Option<NamedBullet>,
    /// Active bullets that contradict it, at most eight.
    pub conflicts_with: Vec<NamedBullet>,
}

/// A bullet by id and text, which need not be in the answer itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedBullet {
    /// Its id.
    pub id: BulletId,
    /// Its text.
    pub content: String,
}

impl Beside {
    /// Reads the related bullets.
    pub(crate) fn of(memory: &Memory, id: BulletId) -> Self {
        let named = |id| memory.get(id).map(|bullet| NamedBullet::from(&bullet));
        Self {
            superseded_by: memory.current_of(id).and_then(named),
            conflicts_with: memory
                .contradicting(id)
                .into_iter()
                .filter_map(named)
                .collect(),
        }
    }
}

impl From<&Bullet> for NamedBullet {
    fn from(bullet: &Bullet) -> Self {
        Self {
            id: bullet.id,
            content: bullet.content.as_str().to_owned(),
        }
    }
}
