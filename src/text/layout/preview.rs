//! Parts of long texts, for logs and prompts.

/// The first characters of a text, and its full length where that is more.
pub fn preview(text: &str, chars_max: usize) -> String {
    let length = text.chars().count();
    if length <= chars_max {
        return text.to_owned();
    }
    let head: String = text.chars().take(chars_max).collect();
    format!("{head}… [len={length}]")
}

/// A text without its middle where it is longer than `chars_max`. The end gets two thirds, since a question or a
/// conclusion comes last.
pub fn both_ends(text: &str, chars_max: usize) -> String {
    let length = text.chars().count();
    if length <= chars_max {
        return text.to_owned();
    }
    let head: String = text.chars().take(chars_max / 3).collect();
    let end = text.chars().skip(length - (chars_max - chars_max / 3));
    let left_out = length - chars_max;
    format!(
        "{head} … [{left_out} characters left out] … {}",
        end.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_both_ends() {
        assert_eq!(both_ends("short", 9), "short");
        let long = format!("é{}question?", "x".repeat(90));
        let cut = both_ends(&long, 12);
        assert_eq!(cut, "éxxx … [88 characters left out] … uestion?");
    }

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
