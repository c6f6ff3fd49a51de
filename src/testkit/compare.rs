//! Compares memories: equal digests, or the bullets that differ.
//!
//! A wrong digest only shows that something differs; the comparison names it.

use std::fmt;

use hindlore::{Difference, MemoryView};
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::digest::{content_leaf, state_leaf};

/// Maximum bullets named in a message.
const NAMED_MAX: usize = 20;

/// The differences between two memories.
#[derive(Clone, PartialEq, Debug)]
pub struct DigestsDiffer {
    /// Digest, clock, and revision of each.
    pub standing: [String; 2],
    /// Differing policy fields, with the values of the other.
    pub policy: serde_json::Map<String, serde_json::Value>,
    /// Differing bullets, ascending by id; `expected` is from the one, `stored` from the other.
    pub bullets: Vec<Difference>,
}

/// Compares the digests of two memories.
///
/// # Errors
///
/// The differences, if state or content digests differ. Neither contains wall clock times.
pub fn compare(one: &MemoryView, other: &MemoryView) -> Result<(), Box<DigestsDiffer>> {
    if one.digest == other.digest && one.content_digest == other.content_digest {
        return Ok(());
    }
    let standing = |view: &MemoryView| {
        let (digest, clock, revision) = (&view.digest, view.clock, view.revision);
        format!("{digest} at clock {clock}, revision {revision}")
    };
    let mut bullets = Difference::between(&one.bullets, &other.bullets);
    bullets.retain(
        |difference| match (&difference.expected, &difference.stored) {
            (Some(one), Some(other)) => !has_same_leaves(one, other),
            _ => true,
        },
    );
    Err(Box::new(DigestsDiffer {
        standing: [standing(one), standing(other)],
        policy: one.policy.changed_in(&other.policy),
        bullets,
    }))
}

/// Asserts that two memories have equal digests.
///
/// # Panics
///
/// If they differ, with the differing bullets.
#[track_caller]
pub fn assert_same(one: &MemoryView, other: &MemoryView) {
    let compared = compare(one, other);
    assert!(
        compared.is_ok(),
        "{}",
        compared.err().map_or(String::new(), |it| it.to_string())
    );
}

fn has_same_leaves(one: &Bullet, other: &Bullet) -> bool {
    state_leaf(one) == state_leaf(other) && content_leaf(one) == content_leaf(other)
}

impl fmt::Display for DigestsDiffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = &self.standing;
        write!(f, "the memories differ\n  one:   {one}\n  other: {other}")?;
        for (name, value) in &self.policy {
            write!(f, "\n  policy: the other has {name} = {value}")?;
        }
        for difference in self.bullets.iter().take(NAMED_MAX) {
            let id = difference.bullet;
            match (&difference.expected, &difference.stored) {
                (Some(one), Some(other)) => {
                    write!(f, "\n  {id} differs in {}", difference.fields.join(", "))?;
                    write!(f, "\n    one:   {}", shown(one))?;
                    write!(f, "\n    other: {}", shown(other))?;
                }
                (Some(one), None) => write!(f, "\n  {id} is only in one: {}", shown(one))?,
                (_, other) => {
                    let other = other.as_ref().map(shown).unwrap_or_default();
                    write!(f, "\n  {id} is only in the other: {other}")?;
                }
            }
        }
        match self.bullets.len().saturating_sub(NAMED_MAX) {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more bullets"),
        }
    }
}

impl std::error::Error for DigestsDiffer {}

fn shown(bullet: &Bullet) -> String {
    let counts = bullet.counts;
    format!(
        "{:?}, {:?}, +{} -{} ~{}, strength {}, changed at tick {}",
        bullet.content.as_str(),
        bullet.status,
        counts.helpful,
        counts.harmful,
        counts.neutral,
        bullet.strength,
        bullet.changed_tick
    )
}
