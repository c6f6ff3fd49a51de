//! Packs entries into a budget of tokens, best first.
//!
//! An entry that does not fit is left out, and the next is tried: one long text never displaces the rest. An entry
//! larger than the whole budget is shown by its best passage. Its share is reserved where it ranks and grows by what
//! the others leave. All lists for prompts go through [`pack`].

use std::borrow::Cow;
use std::collections::HashSet;

use super::Prompt;
use hindlore_text::layout::passage::{best_passage, least_room};
use hindlore_text::layout::tokens::quarters;

/// Entries larger than the budget that are shown by a passage.
const CUT_MAX: usize = 2;

/// An entry of a list: a text, the text around it, and the heading that it belongs to.
pub(super) struct Entry<'e> {
    /// Its heading; entries under one heading share its line.
    pub(super) section: Option<String>,
    /// Text before the content.
    pub(super) lead: String,
    /// The part that may be cut, with marks for its invisible characters.
    pub(super) content: Cow<'e, str>,
    /// Text after the content, to the end of the line and the lines below.
    pub(super) tail: String,
}

/// An entry that is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// Its place in the list, from 0.
    pub place: usize,
    /// Its passage; absent if it is shown whole.
    pub passage: Option<String>,
}

/// Returns the entries that fit `room` quarters of a token, in their order. `written` gives the form in which a content
/// is shown, and `question` decides which passage is the best.
pub(super) fn pack(
    entries: &[Entry<'_>],
    room: Option<usize>,
    question: &str,
    written: fn(&str) -> String,
) -> Vec<Kept> {
    let Some(room) = room else {
        let whole = |place| Kept {
            place,
            passage: None,
        };
        return (0..entries.len()).map(whole).collect();
    };
    let mut packing = Packing {
        entries,
        written,
        left: room,
        kept: Vec::new(),
        cut: Vec::new(),
    };
    packing.take(room);
    packing.cut(question);
    packing.kept
}

/// The entries taken so far.
struct Packing<'p, 'e> {
    entries: &'p [Entry<'e>],
    written: fn(&str) -> String,
    /// Quarters of a token that nothing has taken.
    left: usize,
    kept: Vec<Kept>,
    /// The entries to cut: their place among the kept ones, and the room reserved for the passage.
    cut: Vec<(usize, usize)>,
}

impl<'p> Packing<'p, '_> {
    /// Takes entries that fit whole, and reserves a share for those larger than the whole room.
    fn take(&mut self, room: usize) {
        let mut headings: HashSet<&'p str> = HashSet::new();
        for (place, entry) in self.entries.iter().enumerate() {
            let heading = entry.section.as_deref();
            let of_heading = heading.map_or(0, |name| quarters(&heading_line(name)));
            let is_under_heading = heading.is_some_and(|name| headings.contains(name));
            let new_heading = if is_under_heading { 0 } else { of_heading };
            let around = quarters(&entry.lead) + quarters(&entry.tail);
            let whole = around + quarters(&(self.written)(&entry.content));
            let is_too_large = of_heading + whole > room;
            let share = if is_too_large {
                around + (room / 4).max(least_room())
            } else {
                whole
            };
            if new_heading + share > self.left || (is_too_large && self.cut.len() == CUT_MAX) {
                continue;
            }
            headings.extend(heading);
            self.left -= new_heading + share;
            if is_too_large {
                self.cut.push((self.kept.len(), share - around));
            }
            self.kept.push(Kept {
                place,
                passage: None,
            });
        }
    }

    /// Chooses the passages, which share the remaining room.
    fn cut(&mut self, question: &str) {
        let mut without_room = Vec::new();
        let shares = self.cut.len();
        for (nth, (at, share)) in std::mem::take(&mut self.cut).into_iter().enumerate() {
            let room = share + self.left / (shares - nth);
            let content = &self.entries[self.kept[at].place].content;
            match self.passage(content, question, room) {
                Some(passage) => {
                    self.left = self.left + share - quarters(&(self.written)(&passage));
                    self.kept[at].passage = Some(passage);
                }
                None => without_room.push(at),
            }
        }
        for at in without_room.into_iter().rev() {
            self.kept.remove(at);
        }
    }

    /// The best passage whose written form has room. That form indents lines, so the passage shrinks until it fits.
    fn passage(&self, content: &str, question: &str, room: usize) -> Option<String> {
        let mut limit = room;
        loop {
            let passage = best_passage(content, question, limit)?;
            let surplus = quarters(&(self.written)(&passage)).saturating_sub(room);
            if surplus == 0 {
                return Some(passage);
            }
            limit = limit.saturating_sub(surplus);
        }
    }
}

/// Returns the places of a list's entries that stay when `written` is given only them. A form may grow when its list
/// shrinks, since it names the omitted entries, so this repeats until all chosen entries are kept.
pub(crate) fn fitting(count: usize, written: impl Fn(&[usize]) -> Prompt) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    loop {
        let kept = written(&places).kept;
        if kept.len() == places.len() {
            return places;
        }
        places = kept.iter().map(|one| places[one.place]).collect();
    }
}

/// The line of a heading.
pub(super) fn heading_line(name: &str) -> String {
    format!("## {name}\n")
}
