//! The JSON form in which backends keep a checkpoint: three texts and a digest.
//!
//! A checkpoint is written rarely and read whole or not at all, so that columns or nodes of its own would
//! gain nothing. The form stands beside the contract because every backend that keeps texts keeps these,
//! and a memory that moves between two of them must come back the same. A field may be added with a
//! default, none may change its meaning.

use serde::{Deserialize, Serialize};

use super::history::Checkpoint;
use super::memory::{Head, Loaded, Position};
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::link::{Link, LinkId, LinkKind};
use crate::domain::memory::policy::Policy;
use crate::domain::memory::record::BulletRecord;
use crate::domain::timestamp::Timestamp;

/// A checkpoint as texts.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct CheckpointForm {
    /// State digest at the checkpoint.
    pub digest: String,
    /// The head: an object.
    pub head: String,
    /// All links: an array of objects.
    pub links: String,
    /// All bullets: an array of records.
    pub bullets: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeadText {
    incarnation: String,
    clock: u64,
    revision: u64,
    origin_clock: u64,
    policy: Policy,
    created_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkText {
    kind: LinkKind,
    from: BulletId,
    to: BulletId,
    reason: Option<String>,
    similarity: Option<f64>,
    changed_tick: u64,
    removed: bool,
}

impl CheckpointForm {
    /// The form of a checkpoint.
    ///
    /// # Errors
    /// When a value has no JSON form, which no value of the domain lacks.
    pub fn of(checkpoint: &Checkpoint) -> Result<Self, serde_json::Error> {
        let state = &checkpoint.state;
        let links: Vec<LinkText> = state.links.iter().map(text_of_link).collect();
        Ok(Self {
            digest: checkpoint.digest.clone(),
            head: serde_json::to_string(&text_of_head(&state.head))?,
            links: serde_json::to_string(&links)?,
            bullets: text_of_bullets(&state.bullets)?,
        })
    }

    /// The checkpoint of this form.
    ///
    /// # Errors
    /// What in it cannot have been written by this engine.
    pub fn into_checkpoint(self) -> Result<Checkpoint, String> {
        let unreadable = |what: &str, error: serde_json::Error| {
            format!("a checkpoint whose {what} cannot be read ({error})")
        };
        let head: HeadText =
            serde_json::from_str(&self.head).map_err(|error| unreadable("head", error))?;
        let links: Vec<LinkText> =
            serde_json::from_str(&self.links).map_err(|error| unreadable("links", error))?;
        let records: Vec<BulletRecord> =
            serde_json::from_str(&self.bullets).map_err(|error| unreadable("bullets", error))?;
        let bullet = |record: &BulletRecord| {
            let impossible = |reason| {
                let id = record.id;
                format!("a checkpoint whose bullet {id} cannot be: {reason}")
            };
            record.to_bullet(u32::MAX).map_err(impossible)
        };
        Ok(Checkpoint {
            digest: self.digest,
            state: Loaded {
                head: head_of(head),
                bullets: records.iter().map(bullet).collect::<Result<_, _>>()?,
                links: links.into_iter().map(link_of).collect(),
            },
        })
    }
}

/// The JSON of an earlier state of a bullet. Fields without a value are left out: they are most of
/// them, and reading supplies them.
///
/// # Errors
/// When a value has no JSON form, which no value of the domain lacks.
pub fn compact(record: &BulletRecord) -> Result<String, serde_json::Error> {
    let mut value = serde_json::to_value(record)?;
    if let serde_json::Value::Object(fields) = &mut value {
        fields.retain(|_, value| !value.is_null());
    }
    serde_json::to_string(&value)
}

/// A JSON array, put together from the compact form of each bullet.
fn text_of_bullets(bullets: &[Bullet]) -> Result<String, serde_json::Error> {
    let mut text = String::from("[");
    for bullet in bullets {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&compact(&BulletRecord::of(bullet))?);
    }
    text.push(']');
    Ok(text)
}

fn text_of_head(head: &Head) -> HeadText {
    HeadText {
        incarnation: head.position.incarnation.clone(),
        clock: head.position.clock,
        revision: head.position.revision,
        origin_clock: head.origin_clock,
        policy: head.policy.clone(),
        created_at: head.created_at,
    }
}

fn head_of(text: HeadText) -> Head {
    Head {
        position: Position {
            incarnation: text.incarnation,
            clock: text.clock,
            revision: text.revision,
        },
        origin_clock: text.origin_clock,
        policy: text.policy,
        created_at: text.created_at,
    }
}

fn text_of_link(link: &Link) -> LinkText {
    LinkText {
        kind: link.id.kind,
        from: link.id.from,
        to: link.id.to,
        reason: link.reason.clone(),
        similarity: link.similarity,
        changed_tick: link.changed_tick,
        removed: link.removed,
    }
}

fn link_of(text: LinkText) -> Link {
    Link {
        id: LinkId {
            kind: text.kind,
            from: text.from,
            to: text.to,
        },
        reason: text.reason,
        similarity: text.similarity,
        changed_tick: text.changed_tick,
        removed: text.removed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let id = |byte| BulletId([byte; 10]);
        Checkpoint {
            digest: "0f".to_owned(),
            state: Loaded {
                head: Head {
                    position: Position {
                        incarnation: "m_1".to_owned(),
                        clock: 7,
                        revision: 3,
                    },
                    origin_clock: 2,
                    policy: Policy::default(),
                    created_at: Timestamp::from_millis(1_790_000_000_001),
                },
                bullets: Vec::new(),
                links: vec![Link {
                    id: LinkId::new(LinkKind::SimilarTo, id(1), id(2)),
                    reason: None,
                    similarity: Some(0.1 + 0.7),
                    changed_tick: 6,
                    removed: true,
                }],
            },
        }
    }

    #[test]
    fn a_checkpoint_comes_back_from_its_form() {
        let form = CheckpointForm::of(&checkpoint()).unwrap();
        assert_eq!(form.bullets, "[]");
        assert_eq!(form.into_checkpoint().unwrap(), checkpoint());
    }

    #[test]
    fn what_cannot_have_been_written_is_named() {
        let good = CheckpointForm::of(&checkpoint()).unwrap();
        for (what, damage) in [
            (
                "head",
                (|form| form.head = "{}".to_owned()) as fn(&mut CheckpointForm),
            ),
            ("links", |form| form.links = "[1]".to_owned()),
            ("bullets", |form| form.bullets.truncate(1)),
        ] {
            let mut bad = good.clone();
            damage(&mut bad);
            let reason = bad.into_checkpoint().unwrap_err();
            assert!(reason.contains(&format!("whose {what} cannot")), "{reason}");
        }
    }
}
