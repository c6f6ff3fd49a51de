//! Whether a memory has room for a file, checked before the work begins.
//!
//! Deciding tens of thousands of texts takes minutes; their number is known at once. Texts that exist already take no
//! room. Near duplicates might still merge, but the caller should not wait to find that out.

use std::collections::HashSet;

use crate::problem::Problem;
use crate::verb::Context;
use hindlore::BulletFilter;
use hindlore_domain::memory::bullet::{Bullet, Kind, Status};
use hindlore_domain::memory::content::{CONTENT_MAX_CHARS_OF_ANY, Content, ContentHash};
use hindlore_domain::memory::delta::Operation;
use hindlore_domain::memory::policy::Policy;

/// Refuses a file with more new texts than the memory has room for, as `memory_full`; `brought` is the policy of
/// a new memory, if the file has one. Returns the most characters of a text in this memory.
pub(super) async fn check_room(
    context: &Context,
    operations: impl Iterator<Item = &Operation>,
    brought: Option<&Policy>,
) -> Result<u32, Problem> {
    let (engine, key) = (&context.engine, &context.key);
    let texts: HashSet<ContentHash> = operations.filter_map(hash_of).collect();
    let own = engine.memories(key.tenant(), Some(key.learner())).await?;
    let there = own.iter().find(|one| one.key == *key);
    let new = || brought.unwrap_or(&engine.options().policy);
    let policy = there
        .and_then(|one| one.head.as_ref().ok())
        .map_or_else(new, |head| &head.policy);
    let max_chars = policy.max_content_chars;
    let active = there.map_or(0, |one| one.active);
    let Some(limit) = policy.max_bullets else {
        return Ok(max_chars);
    };
    let room = limit.saturating_sub(active);
    if texts.len() as u64 <= room {
        return Ok(max_chars);
    }
    let (new, room) = match there {
        Some(_) => {
            let filter = BulletFilter {
                kind: None,
                status: Some(Status::Active),
                learned_only: false,
                limit: usize::MAX,
            };
            let page = engine.list_bullets(key, filter).await?;
            let known: HashSet<ContentHash> = page
                .bullets
                .iter()
                .map(|bullet| bullet.content.hash())
                .collect();
            let is_counted = |bullet: &&Bullet| !bullet.pinned && bullet.kind != Kind::MetaStrategy;
            let counted = page.bullets.iter().filter(is_counted).count() as u64;
            (
                texts.difference(&known).count() as u64,
                limit.saturating_sub(counted),
            )
        }
        None => (texts.len() as u64, limit),
    };
    if new <= room {
        return Ok(max_chars);
    }
    let message = format!(
        "the file has {new} new texts, and the memory has room for {room} of its {limit}; nothing was imported"
    );
    Err(Problem::new("memory_full", message).with_hint(
        "raise the limit with <verb:policy.set max_bullets=N>, or import into another <subject:scope>",
    ))
}

/// The text of a bullet that an operation adds as an active one.
fn hash_of(operation: &Operation) -> Option<ContentHash> {
    match operation {
        Operation::Add(new) => hash(&new.content),
        Operation::Insert(put) => match put.bullet.status {
            Status::Active => hash(&put.bullet.content),
            Status::Archived | Status::Rejected => None,
        },
        _ => None,
    }
}

/// Texts that no memory can have are refused elsewhere.
fn hash(text: &str) -> Option<ContentHash> {
    let content = Content::parse(text, CONTENT_MAX_CHARS_OF_ANY).ok()?;
    Some(content.hash())
}
