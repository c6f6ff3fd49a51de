//! The changes of a delta, for people.

use std::fmt::Display;

use super::page::{Page, Tone};
use super::redacted::redacted;
use hindlore_api::responses::{
    DeltaApplied, DeltaOutcome, LinkedResponse, MergedResponse, SinceResponse,
};
use hindlore_domain::memory::delta::DeltaId;

/// Maximum lines of a list; the rest is counted.
pub(crate) const LIST_MAX: usize = 20;

/// Shows the answer to a delta.
pub(crate) fn applied(page: &mut Page, shown: &DeltaApplied) {
    let delta = &shown.delta;
    match shown.outcome {
        DeltaOutcome::Repeated => {
            page.line(Tone::Faint, format_args!("{delta} was applied before"))
        }
        DeltaOutcome::Refused => page.line(
            Tone::Bad,
            format_args!("nothing of {delta} was applied, all of it was refused"),
        ),
        DeltaOutcome::Applied | DeltaOutcome::Unchanged => {
            page.line(Tone::Good, format_args!("applied {delta}"));
        }
    }
    if let Some(now) = &shown.since {
        since(page, delta, now);
    }
    for note in &shown.notes {
        page.line(Tone::Faint, note);
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
    redacted(page, shown.redacted.as_ref());
    for refused in shown.refused.iter().take(LIST_MAX) {
        let (operation, reason) = (refused.operation, &refused.reason);
        page.line(
            Tone::Bad,
            format_args!("refused operation {operation}: {reason}"),
        );
    }
    beyond(page, shown.refused.len());
}

/// Writes the present state of a delta that was applied before.
pub(crate) fn since(page: &mut Page, delta: &DeltaId, since: &SinceResponse) {
    if let Some(by) = &since.undone_by {
        let (undo, revision) = (&by.delta, by.revision);
        page.line(
            Tone::Bad,
            format_args!(
                "{delta} was undone since, by {undo} at revision {revision}; `delta undo {undo}` puts it back"
            ),
        );
    }
    let now = since.bullets.iter().map(|one| match one.merged_into {
        Some(into) => format!("{} is {} now, merged into {into}", one.id, one.status),
        None => format!("{} is {} now, it was {} then", one.id, one.status, one.was),
    });
    list(page, "since then", now);
}

/// Writes merged pairs, and pairs that were only linked.
pub(crate) fn pairs(page: &mut Page, merged: &[MergedResponse], linked: &[LinkedResponse]) {
    let merged = merged.iter().map(|pair| {
        if pair.into == pair.from {
            format!("an equal text into {}", page.id(pair.into))
        } else {
            format!("{} into {}", page.id(pair.from), page.id(pair.into))
        }
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

/// Writes a list under one name; omits an empty one.
fn list<T: Display>(page: &mut Page, name: &str, items: impl ExactSizeIterator<Item = T>) {
    let count = items.len();
    for (place, item) in items.take(LIST_MAX).enumerate() {
        page.field(if place == 0 { name } else { "" }, item);
    }
    beyond(page, count);
}

/// Writes how many items of a list were left out.
pub(crate) fn beyond(page: &mut Page, count: usize) {
    if count > LIST_MAX {
        page.field("", format_args!("and {} more", count - LIST_MAX));
    }
}
