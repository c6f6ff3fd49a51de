//! The JSON form of a checkpoint in all backends: a head, then its bullets and links in pieces.
//!
//! A checkpoint is written rarely and read as a whole, so columns or nodes would gain nothing. One text of all bullets
//! would hit the longest text that a backend takes and would be in process as a whole; so bullets and links are cut into
//! texts of about [`PIECE_BYTES`]. The form belongs to the contract because a memory that moves between two backends must
//! come back the same. Fields may be added with a default; none may change its meaning.

mod folded;
mod pieces;

use serde::{Deserialize, Serialize};

use super::history::Checkpoint;
use super::memory::{Head, Position};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::link::{Link, LinkId, LinkKind};
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::record::BulletRecord;
use hindlore_primitives::timestamp::Timestamp;

pub use folded::FoldedDelta;
pub use pieces::{CheckpointPiece, CheckpointReader, PIECE_BYTES, PiecePart};

/// A checkpoint without its pieces.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct CheckpointForm {
    /// State digest at the checkpoint.
    pub digest: String,
    /// The head: an object.
    pub head: String,
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
    /// Bullets and links in all pieces together.
    in_pieces: InPieces,
}

/// The contents of all pieces, by which a missing piece is noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InPieces {
    bullets: usize,
    links: usize,
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
    /// The form of a checkpoint whose bullets and links all go into pieces.
    ///
    /// # Errors
    /// When a value has no JSON form; every value of the domain has one.
    pub fn new(checkpoint: &Checkpoint) -> Result<Self, serde_json::Error> {
        let state = &checkpoint.state;
        let in_pieces = InPieces {
            bullets: state.bullets.len(),
            links: state.links.len(),
        };
        let head = text_of_head(&state.head, in_pieces);
        Ok(Self {
            digest: checkpoint.digest.clone(),
            head: serde_json::to_string(&head)?,
        })
    }
}

/// The JSON of a bullet without its empty fields, which are most of them; a reader supplies them again.
///
/// # Errors
/// When a value has no JSON form; every value of the domain has one.
pub fn compact(record: &BulletRecord) -> Result<String, serde_json::Error> {
    let mut value = serde_json::to_value(record)?;
    if let serde_json::Value::Object(fields) = &mut value {
        fields.retain(|_, value| !value.is_null());
    }
    serde_json::to_string(&value)
}

fn text_of_head(head: &Head, in_pieces: InPieces) -> HeadText {
    HeadText {
        incarnation: head.position.incarnation.clone(),
        clock: head.position.clock,
        revision: head.position.revision,
        origin_clock: head.origin_clock,
        policy: head.policy.clone(),
        created_at: head.created_at,
        in_pieces,
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
    use crate::memory::Loaded;

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

    fn read(form: CheckpointForm, pieces: &[CheckpointPiece]) -> Result<Checkpoint, String> {
        let mut reader = CheckpointReader::new(form)?;
        pieces.iter().try_for_each(|piece| reader.add(piece))?;
        reader.finish()
    }

    fn cut(checkpoint: &Checkpoint, bytes: usize) -> Vec<CheckpointPiece> {
        let pieces = CheckpointPiece::all(checkpoint, bytes);
        pieces.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn a_checkpoint_comes_back_from_pieces_of_any_size() {
        let mut large = checkpoint();
        let link = large.state.links[0].clone();
        for byte in 3..120 {
            let id = LinkId::new(LinkKind::SimilarTo, BulletId([byte; 10]), link.id.to);
            large.state.links.push(Link { id, ..link.clone() });
        }
        let form = CheckpointForm::new(&large).unwrap();
        for bytes in [0, 1, 300, 1_000, PIECE_BYTES] {
            let pieces = cut(&large, bytes);
            let longest = pieces.iter().map(|piece| piece.body.len()).max().unwrap();
            assert!(longest <= bytes.max(300), "{longest}");
            assert_eq!(read(form.clone(), &pieces).unwrap(), large, "{bytes}");
            let reason = read(form.clone(), &pieces[1..]).unwrap_err();
            assert!(reason.contains("its head says 0 and 118"), "{reason}");
        }
        assert_eq!(cut(&large, 0).len(), 118);
        assert_eq!(cut(&large, PIECE_BYTES).len(), 1);
    }

    #[test]
    fn what_cannot_have_been_written_is_named() {
        let good = CheckpointForm::new(&checkpoint()).unwrap();
        let bad = CheckpointForm {
            head: "{}".to_owned(),
            ..good.clone()
        };
        let reason = read(bad, &[]).unwrap_err();
        assert!(reason.contains("whose head cannot"), "{reason}");
        for (part, what) in [(PiecePart::Links, "links"), (PiecePart::Bullets, "bullets")] {
            let body = "[1]".to_owned();
            let reason = read(good.clone(), &[CheckpointPiece { part, body }]).unwrap_err();
            assert!(reason.contains(&format!("whose {what} cannot")), "{reason}");
        }
    }
}
