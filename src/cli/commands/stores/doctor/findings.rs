//! The findings of a verification, for people.

use serde_json::Value;

use crate::output::words::plural;
use crate::output::{Page, Tone};
use hindlore::Verified;
use hindlore_api::responses::doctor::{BulletFinding, MemoryFinding};
use hindlore_domain::memory::key::MemoryKey;

/// Maximum differences of one memory shown to people.
const SHOWN_MAX: usize = 50;

/// The remedy for a memory that its events do not lead to.
pub(super) fn remedy(key: &MemoryKey, what: &str) -> String {
    let name = |name: &str| name.replace('\'', "'\\''");
    format!(
        "{what}; if the stored memory is right, `hindlore doctor adopt --learner '{}' --scope '{}' --rebase \
         --reason WHY --yes` makes it the state from which replays start",
        name(key.learner()),
        name(key.scope())
    )
}

/// The finding for a memory, with its remedy.
pub(super) fn found(key: &MemoryKey, verified: &Verified) -> MemoryFinding {
    MemoryFinding {
        remedy: verified.unreplayable().map(|what| remedy(key, &what)),
        ..MemoryFinding::from_verified(key, verified)
    }
}

/// Writes the finding for a memory.
pub(super) fn write(page: &mut Page, found: &MemoryFinding) {
    if found.sound {
        let (memory, events) = (&found.memory, found.events);
        page.line(
            Tone::Good,
            format_args!("{memory}: sound, {} replayed", plural(events, "event")),
        );
        return;
    }
    if let Some(what) = &found.unreadable {
        page.line(Tone::Bad, format_args!("{}: NOT sound", found.memory));
        page.prose(Tone::Bad, 2, what);
        return;
    }
    let count = found.differences.len();
    page.line(
        Tone::Bad,
        format_args!(
            "{}: NOT sound, {} not as the events made them",
            found.memory,
            plural(count, "bullet")
        ),
    );
    page.field("stored", &found.stored_digest);
    page.field("replayed", &found.replayed_digest);
    for mismatch in found.mismatches.iter().take(SHOWN_MAX) {
        page.prose(Tone::Bad, 2, mismatch);
    }
    if let Some(remedy) = &found.remedy {
        page.prose(Tone::Bad, 2, remedy);
    }
    for difference in found.differences.iter().take(SHOWN_MAX) {
        write_bullet(page, difference);
    }
    write_more(page, count);
    for (field, value) in &found.policy {
        page.prose(
            Tone::Bad,
            2,
            &format!("the policy `{field}` is {value}, which no event set"),
        );
    }
    let has_form = write_form(page, found);
    let is_named = count > 0 || !found.mismatches.is_empty() || !found.policy.is_empty();
    if !is_named && !has_form {
        page.line(
            Tone::Bad,
            "  clock or revision of the memory differ, no bullet does",
        );
    }
}

/// Reports how many items are not shown.
fn write_more(page: &mut Page, count: usize) {
    if count > SHOWN_MAX {
        let more = count - SHOWN_MAX;
        page.line(
            Tone::Faint,
            format_args!("  and {more} more; --json has all"),
        );
    }
}

/// Writes the differences in links and in the form; false if there are none.
fn write_form(page: &mut Page, found: &MemoryFinding) -> bool {
    let form: Vec<&String> = found.links.iter().chain(&found.shape).collect();
    for one in form.iter().take(SHOWN_MAX) {
        page.prose(Tone::Bad, 2, one);
    }
    write_more(page, form.len());
    if form.is_empty() {
        return false;
    }
    page.line(Tone::Plain, "  `hindlore doctor repair` lists the repairs");
    true
}

/// Writes the finding for a bullet.
pub(super) fn write_bullet(page: &mut Page, found: &BulletFinding) {
    let what = match found.what {
        "missing" => "is missing from the store",
        "unknown" => "was made by no event",
        _ => "was changed",
    };
    page.line(Tone::Heading, format_args!("  {} {what}", found.id));
    for field in &found.fields {
        page.line(Tone::Plain, format_args!("    {}", field.field));
        page.hanging(Tone::Good, "      expected  ", &words(&field.expected));
        page.hanging(Tone::Bad, "      stored    ", &words(&field.stored));
    }
}

fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "(nothing)".to_owned(),
        other => other.to_string(),
    }
}
