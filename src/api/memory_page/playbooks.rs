//! The playbooks of the learner: their strategies, and the changes of the newest versions.

use maud::{Markup, html};

use super::timeline::shortened;
use hindlore::PlaybookHistory;
use hindlore_domain::playbook::{Confidence, ConfidenceRules, Strategy, diff};
use hindlore_primitives::timestamp::Timestamp;

/// Each playbook with its strategies, and the differences of the versions before the newest.
pub(super) fn playbooks(histories: &[PlaybookHistory], now: Timestamp) -> Markup {
    if histories.is_empty() {
        return html! { p.none { "No playbook is kept." } };
    }
    html! {
        @for (at, one) in histories.iter().enumerate() {
            details.playbook open[at == 0] {
                summary { (one.playbook.name) " (version " (one.playbook.version) ")" }
                @if let Some((_, newest)) = one.versions.first() { (strategies(newest, now)) }
                @for pair in one.versions.windows(2) { (change(&pair[1].1, &pair[0])) }
            }
        }
    }
}

fn strategies(all: &[Strategy], now: Timestamp) -> Markup {
    let rules = ConfidenceRules::default();
    html! {
        ul {
            @for one in all {
                @let Confidence { value, consistency, .. } = rules.of(one, now);
                @let (worked, failed) = one.votes();
                li {
                    span.tag { (one.category) } " " (shortened(&one.sentence()))
                    p.about { "worked " (worked) ", failed " (failed) " · confidence " (format!("{value:.2}")) ", at least " (format!("{consistency:.2}")) }
                }
            }
        }
    }
}

/// The changes of a version to the one before.
fn change(
    before: &[Strategy],
    (version, after): &(hindlore_domain::playbook::Version, Vec<Strategy>),
) -> Markup {
    let found = diff(before, after);
    html! {
        div.version {
            p.about { "version " (version.number) " · " (version.at) " · " (version.reason) }
            @for one in &found.added { p.added { "+ " (one.category) " " (shortened(&one.sentence())) } }
            @for one in &found.removed { p.removed { "- " (one.category) " " (shortened(&one.sentence())) } }
            @for (was, one) in &found.changed {
                p { "~ " (one.category) " " (shortened(&one.sentence())) " (" (was.evidence_count()) " → " (one.evidence_count()) " trajectories)" }
            }
        }
    }
}
