//! The remark in a prompt below a bullet that another one replaces or contradicts.
//!
//! A bullet of the answer is named as the form names it; one outside it is quoted, since the reader cannot look it up.

use super::{PromptBullet, indented};
use hindlore::{Beside, NamedBullet};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_text::layout::invisible::marked;

/// Maximum characters of a quoted bullet.
const QUOTED_MAX: usize = 160;

/// A bullet that takes something away from another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objection<'b> {
    /// True if it gives a newer value, false if it contradicts.
    pub replaces: bool,
    /// Its id.
    pub id: String,
    /// Its text.
    pub content: &'b str,
    /// Its place in the answer, from 0; absent if it is not in it.
    pub place: Option<usize>,
}

/// How a form names a bullet of the same answer.
#[derive(Clone, Copy)]
pub(super) enum Naming {
    Number,
    Id,
    Text,
}

impl<'b> Objection<'b> {
    /// All related bullets of a bullet; `place` gives the place of a bullet in the answer.
    pub(super) fn all(beside: &'b Beside, place: impl Fn(BulletId) -> Option<usize>) -> Vec<Self> {
        let one = |replaces, named: &'b NamedBullet| Self {
            replaces,
            id: named.id.to_string(),
            content: &named.content,
            place: place(named.id),
        };
        let newer = beside.superseded_by.iter().map(|named| one(true, named));
        let opposed = beside.conflicts_with.iter().map(|named| one(false, named));
        newer.chain(opposed).collect()
    }

    fn line(&self, naming: Naming) -> String {
        let name = match (naming, self.place) {
            (Naming::Number, Some(place)) => (place + 1).to_string(),
            (Naming::Id, _) => format!("[{}]", self.id),
            (Naming::Number | Naming::Text, _) => format!("\"{}\"", quoted(self.content)),
        };
        let what = if self.replaces {
            "out of date, replaced by"
        } else {
            "contradicted by"
        };
        format!("   ({what} {name})\n")
    }
}

/// The lines below a bullet.
pub(super) fn objections(bullet: &PromptBullet<'_>, naming: Naming) -> String {
    bullet
        .objections
        .iter()
        .map(|one| one.line(naming))
        .collect()
}

/// The text on one line, cut at its length.
fn quoted(content: &str) -> String {
    let content = marked(content);
    let words: Vec<&str> = content.split_whitespace().collect();
    let line = words.join(" ");
    let end = line.char_indices().nth(QUOTED_MAX).map(|(end, _)| end);
    let cut = end.map_or_else(|| line.clone(), |end| format!("{}…", &line[..end]));
    indented(&cut)
}
