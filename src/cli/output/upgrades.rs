//! The consequences of newer rules of identity and merging for a memory, for people.

use std::fmt::Display;

use super::page::{Page, Tone};
use super::receipts::LIST_MAX;
use crate::domain::memory::upgrade::UpgradeReport;
use crate::engine::Upgraded;

/// A line about a memory upgraded without a request.
pub(crate) fn note(upgraded: &Upgraded) -> String {
    let Upgraded { key, report, .. } = upgraded;
    let (to, said) = (report.to, summary(report));
    format!(
        "the memory {key} follows version {to} of the rules of identity and merging from now on: {said}; \
         nothing was merged or split"
    )
}

/// The figures of a report in brief.
pub(crate) fn summary(report: &UpgradeReport) -> String {
    let (rehashed, rejected, apart) = (report.rehashed, report.rejected.len(), report.apart.len());
    format!(
        "{rehashed} hashes anew, {rejected} of rejected texts, {apart} merged bullets that would stay two \
         today"
    )
}

/// Shows a report.
pub(crate) fn write(page: &mut Page, report: &UpgradeReport) {
    page.field("rules", format_args!("{} to {}", report.from, report.to));
    page.field("hashes anew", report.rehashed);
    let rejected = report.rejected.iter().map(ToString::to_string);
    list(page, "rejected, barred as written only", rejected);
    let apart = report.apart.iter();
    list(
        page,
        "merged, would stay two today",
        apart.map(|one| format!("{} into {} ({})", one.bullet, one.into, one.reason)),
    );
}

fn list(page: &mut Page, name: &str, all: impl ExactSizeIterator<Item: Display>) {
    let more = all.len().saturating_sub(LIST_MAX);
    for one in all.take(LIST_MAX) {
        page.field(name, one);
    }
    if more > 0 {
        page.line(Tone::Faint, format_args!("and {more} more"));
    }
}
