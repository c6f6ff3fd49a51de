//! Titles of Cline and Roo: `[read_file for 'a.md'] Result:` begins the answer to a call, and names no id.
//!
//! One message may hold several such answers, one below the other.

/// The parts of a text that begin with a title, each with its title.
pub(crate) fn titled(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for line in text.lines() {
        if is_title(line) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    parts
}

/// True for `[read_file for 'a.md'] Result:`, with which Cline and Roo begin an answer.
pub(super) fn is_title(line: &str) -> bool {
    line.starts_with('[') && line.trim_end().ends_with("] Result:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_its_titles() {
        for (text, parts) in [
            (
                "[a for 'x'] Result:\n1\n2\n[b] Result:\n3",
                vec!["[a for 'x'] Result:\n1\n2\n", "[b] Result:\n3\n"],
            ),
            ("before\n[a] Result:\n1", vec!["[a] Result:\n1\n"]),
            ("the [a] Result: of it", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(titled(text), parts, "{text}");
        }
    }
}
