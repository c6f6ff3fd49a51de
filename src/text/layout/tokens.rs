//! An estimate of the tokens of a text, without a model's vocabulary.

/// Estimates tokens: four ASCII characters count as one, two other characters up to U+07FF, and each further
/// character; rounded up. Tends to be high for prose and low for digits.
pub fn estimated_tokens(text: &str) -> usize {
    quarters(text).div_ceil(4)
}

/// The estimate in quarters of a token, which can be summed over parts.
pub fn quarters(text: &str) -> usize {
    text.chars().map(quarters_of).sum()
}

/// The estimate of one character in quarters of a token.
pub fn quarters_of(c: char) -> usize {
    match c.len_utf8() {
        1 => 1,
        2 => 2,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_estimated_by_the_size_of_characters() {
        for (text, tokens) in [("", 0), ("abcde", 2), ("файл", 2), ("記憶", 2)] {
            assert_eq!(estimated_tokens(text), tokens, "{text}");
        }
    }
}
