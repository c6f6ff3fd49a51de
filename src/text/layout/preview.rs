//! Beginnings of texts, for logs and prompts.

/// The first characters of a text, and its full length where that is more.
pub fn preview(text: &str, chars_max: usize) -> String {
    let length = text.chars().count();
    if length <= chars_max {
        return text.to_owned();
    }
    let head: String = text.chars().take(chars_max).collect();
    format!("{head}… [len={length}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_names_the_full_length() {
        assert_eq!(preview("short", 120), "short");
        let long = "é".repeat(200);
        assert_eq!(
            preview(&long, 120),
            format!("{}… [len=200]", "é".repeat(120))
        );
    }
}
