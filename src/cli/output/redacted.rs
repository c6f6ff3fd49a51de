//! Redacted secrets, for people.

use super::page::Page;
use hindlore_api::responses::RedactedResponse;

/// Writes how many secrets were redacted; nothing if there were none.
pub(crate) fn redacted(page: &mut Page, shown: Option<&RedactedResponse>) {
    let Some(shown) = shown else {
        return;
    };
    let rules: Vec<String> = shown
        .by_rule
        .iter()
        .map(|(rule, count)| format!("{count} {rule}"))
        .collect();
    let word = if shown.secrets == 1 {
        "secret"
    } else {
        "secrets"
    };
    page.field(
        "redacted",
        format_args!("{} {word} ({})", shown.secrets, rules.join(", ")),
    );
}
