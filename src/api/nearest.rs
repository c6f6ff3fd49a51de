//! Suggests the known name that an unknown one probably means.
//!
//! A wrong suggestion is worse than none, so only names that share most of their letters count.

/// Similarity (Jaro-Winkler, 0..=1) from which a name is suggested.
const LIKELY: f64 = 0.75;

/// The most similar of `known`, if similar enough.
pub fn nearest<'k>(unknown: &str, known: &[&'k str]) -> Option<&'k str> {
    // Long input is expensive to compare and no typing error.
    if unknown.chars().count() > 64 {
        return None;
    }
    let unknown = unknown.to_lowercase();
    let mut best: Option<(&str, f64)> = None;
    for name in known {
        let similarity = strsim::jaro_winkler(&unknown, &name.to_lowercase());
        if similarity >= LIKELY && best.is_none_or(|(_, score)| similarity > score) {
            best = Some((name, similarity));
        }
    }
    best.map(|(name, _)| name)
}

/// The hint for an unknown name: the likely one, or all known ones.
pub fn suggestion(unknown: &str, known: &[&str]) -> String {
    match nearest(unknown, known) {
        Some(name) => format!("did you mean `{name}`"),
        None => format!("known are {}", known.join(", ")),
    }
}

/// At most 40 characters of foreign text, without control characters, for a message.
pub fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("`{}`", short.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_name_and_anything_else_finds_none() {
        let known = ["content", "helpful", "harmful", "neutral"];
        for (unknown, expected) in [
            ("contents", Some("content")),
            ("Helpfull", Some("helpful")),
            ("good", None),
            ("", None),
        ] {
            assert_eq!(nearest(unknown, &known), expected, "{unknown}");
        }
        assert!(suggestion("good", &known).contains("content, helpful"));
    }

    #[test]
    fn quoted_text_is_short_and_harmless() {
        assert_eq!(quoted("a\u{1b}[2Jb"), "`a\\u{1b}[2Jb`");
        assert_eq!(quoted(&"x".repeat(90)).chars().count(), 43);
    }
}
