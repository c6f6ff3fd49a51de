//! Cutting the bullets and links of a checkpoint into pieces, and joining them again.
//!
//! Both work piece by piece, so the text of a whole memory is never in process.

use serde::Deserialize;

use super::{
    CheckpointForm, HeadText, InPieces, LinkText, compact, head_of, link_of, text_of_link,
};
use crate::history::Checkpoint;
use crate::memory::Loaded;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::content::Identity;
use hindlore_domain::memory::link::Link;
use hindlore_domain::memory::record::BulletRecord;
use hindlore_primitives::word_enum;

/// Largest piece in bytes, unless a single bullet needs more.
pub const PIECE_BYTES: usize = 1 << 20;

/// Some of the bullets or links of a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct CheckpointPiece {
    /// Whether it holds bullets or links.
    pub part: PiecePart,
    /// A JSON array.
    pub body: String,
}

word_enum! {
    /// The contents of a piece.
    PiecePart {
        /// Bullets, as records.
        Bullets = "bullets",
        /// Links, as objects.
        Links = "links",
    }
}

impl CheckpointPiece {
    /// The pieces of a checkpoint in order, made one at a time. Each has at most `bytes`, or one bullet or link.
    pub fn all(
        checkpoint: &Checkpoint,
        bytes: usize,
    ) -> impl Iterator<Item = Result<Self, serde_json::Error>> {
        let state = &checkpoint.state;
        let bullets = state.bullets.iter();
        let bullets = bullets.map(|bullet| compact(&BulletRecord::from_bullet(bullet)));
        let links = state.links.iter();
        let links = links.map(|link| serde_json::to_string(&text_of_link(link)));
        let bullets = Arrays::new(bullets, bytes).map(|body| of_part(PiecePart::Bullets, body));
        bullets.chain(Arrays::new(links, bytes).map(|body| of_part(PiecePart::Links, body)))
    }
}

fn of_part(
    part: PiecePart,
    body: Result<String, serde_json::Error>,
) -> Result<CheckpointPiece, serde_json::Error> {
    body.map(|body| CheckpointPiece { part, body })
}

/// Joins the texts of elements into JSON arrays of at most `bytes`.
struct Arrays<I: Iterator> {
    texts: std::iter::Peekable<I>,
    bytes: usize,
}

impl<I: Iterator<Item = Result<String, serde_json::Error>>> Arrays<I> {
    fn new(texts: I, bytes: usize) -> Self {
        Self {
            texts: texts.peekable(),
            bytes,
        }
    }
}

impl<I: Iterator<Item = Result<String, serde_json::Error>>> Iterator for Arrays<I> {
    type Item = Result<String, serde_json::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut array = match self.texts.next()? {
            Ok(first) => format!("[{first}"),
            Err(error) => return Some(Err(error)),
        };
        let room = self.bytes;
        let fits = |array: &String, next: &I::Item| match next {
            Ok(next) => array.len() + next.len() < room,
            // An error ends the array, so that the next call returns it on its own.
            Err(_) => false,
        };
        while let Some(Ok(next)) = self.texts.next_if(|next| fits(&array, next)) {
            array.push(',');
            array.push_str(&next);
        }
        array.push(']');
        Some(Ok(array))
    }
}

/// Joins a checkpoint from its form and its pieces, in order.
#[derive(Debug)]
pub struct CheckpointReader {
    checkpoint: Checkpoint,
    in_pieces: InPieces,
}

impl CheckpointReader {
    /// Starts with the form.
    ///
    /// # Errors
    /// Names the part that this engine cannot have written.
    pub fn new(form: CheckpointForm) -> Result<Self, String> {
        let head: HeadText =
            serde_json::from_str(&form.head).map_err(|error| unreadable("head", &error))?;
        Ok(Self {
            in_pieces: head.in_pieces,
            checkpoint: Checkpoint {
                digest: form.digest,
                state: Loaded {
                    head: head_of(head),
                    bullets: Vec::new(),
                    links: Vec::new(),
                },
            },
        })
    }

    /// Adds the next piece.
    ///
    /// # Errors
    /// Names the part that this engine cannot have written.
    pub fn add(&mut self, piece: &CheckpointPiece) -> Result<(), String> {
        let state = &mut self.checkpoint.state;
        match piece.part {
            PiecePart::Bullets => {
                let identity = state.head.policy.identity();
                state
                    .bullets
                    .append(&mut bullets_of(&piece.body, identity)?);
            }
            PiecePart::Links => state.links.append(&mut links_of(&piece.body)?),
        }
        Ok(())
    }

    /// Returns the checkpoint.
    ///
    /// # Errors
    /// When pieces are missing or left over.
    pub fn finish(self) -> Result<Checkpoint, String> {
        let state = &self.checkpoint.state;
        let found = InPieces {
            bullets: state.bullets.len(),
            links: state.links.len(),
        };
        if found == self.in_pieces {
            Ok(self.checkpoint)
        } else {
            Err(format!(
                "a checkpoint whose pieces hold {} bullets and {} links; its head says {} and {}",
                found.bullets, found.links, self.in_pieces.bullets, self.in_pieces.links
            ))
        }
    }
}

fn unreadable(what: &str, error: &serde_json::Error) -> String {
    format!("a checkpoint whose {what} cannot be read ({error})")
}

fn links_of(text: &str) -> Result<Vec<Link>, String> {
    let links: Vec<LinkText> =
        serde_json::from_str(text).map_err(|error| unreadable("links", &error))?;
    Ok(links.into_iter().map(link_of).collect())
}

/// Reads bullets, with the content hashes that a memory of this identity uses.
fn bullets_of(text: &str, identity: Identity) -> Result<Vec<Bullet>, String> {
    let records: Vec<BulletRecord> =
        serde_json::from_str(text).map_err(|error| unreadable("bullets", &error))?;
    let bullet = |record: &BulletRecord| {
        let impossible = |reason| {
            let id = record.id;
            format!("a checkpoint whose bullet {id} cannot be: {reason}")
        };
        // The policy of its time limited the text when it was written, so no limit applies now.
        let bullet = record.to_bullet(u32::MAX).map_err(impossible)?;
        Ok(bullet.with_identity(identity))
    };
    records.iter().map(bullet).collect()
}
