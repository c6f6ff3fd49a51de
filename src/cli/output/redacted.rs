//! What was taken out of a request, for people.

use super::page::Page;
use crate::api::responses::RedactedResponse;

/// Says how many secrets were taken out; nothing where there was none.
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
