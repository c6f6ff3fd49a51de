//! Labels: any name as a topic, concept or section, which have no blanks at their ends and no control characters.
//!
//! A name that fits is stored as it is. Any other is stored as the JSON of its text, so that it comes back exactly.

/// A name as it is stored.
pub(super) fn stored(name: &str) -> String {
    let fits = name.trim() == name && !name.is_empty() && !name.chars().any(char::is_control);
    if fits && !is_quoted(name) {
        return name.to_owned();
    }
    // A text is always JSON.
    serde_json::to_string(name).unwrap_or_else(|_| name.to_owned())
}

/// The name in a stored label.
pub(super) fn read(label: &str) -> String {
    let name = is_quoted(label).then(|| serde_json::from_str::<String>(label).ok());
    // Only names that this module quotes: another program may store a name with quotation marks.
    name.flatten()
        .filter(|name| stored(name) == label)
        .unwrap_or_else(|| label.to_owned())
}

/// A name inside the text of a bullet.
pub(super) fn shown(name: &str) -> String {
    let name = name.trim();
    if name.is_empty() || name.chars().any(char::is_control) {
        return stored(name);
    }
    name.to_owned()
}

fn is_quoted(text: &str) -> bool {
    text.len() > 1 && text.starts_with('"') && text.ends_with('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back_exactly() {
        for name in [
            "Ada",
            " Attic ",
            "\u{a0}x",
            "",
            " ",
            "a\nb",
            "a\u{1b}[2J",
            "\"quoted\"",
            "\"",
            "\"\\\"twice\\\"\"",
            "\u{1f980} \u{e9}",
        ] {
            let label = stored(name);
            assert_eq!(read(&label), name, "{label}");
            assert_eq!(label.trim(), label, "{name:?}");
            assert!(!label.chars().any(char::is_control) && !label.is_empty());
        }
        assert_eq!(stored("Ada Lovelace"), "Ada Lovelace");
        // The label of another program.
        assert_eq!(read("\"Ada\""), "\"Ada\"");
    }
}
