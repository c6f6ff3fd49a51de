//! What a delta did, for people.

use std::fmt::Display;

use super::page::{Page, Tone};
use crate::api::shapes::DeltaApplied;
use crate::domain::memory::receipt::{Linked, Merged};

/// Lines of one list; the rest is counted.
pub(crate) const LIST_MAX: usize = 20;

/// Shows the answer to a delta.
pub(crate) fn applied(page: &mut Page, shown: &DeltaApplied) {
    match shown.repeated {
        true => page.line(
            Tone::Faint,
            format_args!("{} was applied before", shown.delta),
        ),
        false => page.line(Tone::Good, format_args!("applied {}", shown.delta)),
    }
    page.field("revision", shown.revision);
    page.field("clock", shown.clock);
    page.field("digest", &shown.digest);
    for (name, ids) in [
        ("added", &shown.added),
        ("updated", &shown.updated),
        ("archived", &shown.archived),
        ("revived", &shown.revived),
        ("rejected", &shown.rejected),
    ] {
        let ids: Vec<String> = ids.iter().map(|id| page.id(id)).collect();
        list(page, name, ids.into_iter());
    }
    pairs(page, &shown.merged, &shown.linked);
    for refused in shown.refused.iter().take(LIST_MAX) {
        let (operation, reason) = (refused.operation, &refused.reason);
        page.line(
            Tone::Bad,
            format_args!("refused operation {operation}: {reason}"),
        );
    }
    beyond(page, shown.refused.len());
}

/// Shows what was merged, and what was only linked.
pub(crate) fn pairs(page: &mut Page, merged: &[Merged], linked: &[Linked]) {
    let merged = merged.iter().map(|pair| match pair.into == pair.from {
        true => format!("an equal text into {}", page.id(pair.into)),
        false => format!("{} into {}", page.id(pair.from), page.id(pair.into)),
    });
    let merged: Vec<String> = merged.collect();
    let linked = linked.iter().map(|link| {
        let (from, to) = (page.id(link.from), page.id(link.to));
        format!("{from} {} {to} ({})", link.kind, link.reason)
    });
    let linked: Vec<String> = linked.collect();
    list(page, "merged", merged.into_iter());
    list(page, "linked", linked.into_iter());
}

/// Shows a list under one name; an empty one is left out.
fn list<T: Display>(page: &mut Page, name: &str, items: impl ExactSizeIterator<Item = T>) {
    let count = items.len();
    for (place, item) in items.take(LIST_MAX).enumerate() {
        page.field(if place == 0 { name } else { "" }, item);
    }
    beyond(page, count);
}

/// Says how many items of a list were left out.
pub(crate) fn beyond(page: &mut Page, count: usize) {
    if count > LIST_MAX {
        page.field("", format_args!("and {} more", count - LIST_MAX));
    }
}
