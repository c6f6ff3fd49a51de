//! The standard words of a text in one string: split once, then looked up often.

use super::for_each_raw_word;

/// The standard words of a text in lower case, in order with repeats.
///
/// They are concatenated in one string, which takes two allocations instead of one per word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LowerWords {
    letters: String,
    /// End offset of each word.
    ends: Vec<usize>,
}

impl LowerWords {
    /// Splits a text.
    pub fn from_text(text: &str) -> Self {
        let mut letters = String::with_capacity(text.len());
        // An English word and its blank are about six letters.
        let mut ends = Vec::with_capacity(text.len() / 5 + 1);
        for_each_raw_word(text, |raw| {
            push_lower(&mut letters, raw);
            ends.push(letters.len());
        });
        Self { letters, ends }
    }

    /// Returns the words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let spans = starts.zip(&self.ends);
        spans.map(|(start, end)| &self.letters[start..*end])
    }
}

/// Appends a word in lower case.
fn push_lower(letters: &mut String, word: &str) {
    if word.is_ascii() {
        let start = letters.len();
        letters.push_str(word);
        letters[start..].make_ascii_lowercase();
    } else {
        letters.push_str(&word.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::standard_words;

    #[test]
    fn they_are_the_standard_words() {
        for text in ["", "Use A, use B.", "ÉCOLE ΟΔΟΣ 检查文件", "İ ﬁle Don’T"] {
            let words: Vec<String> = LowerWords::from_text(text)
                .iter()
                .map(str::to_owned)
                .collect();
            assert_eq!(words, standard_words(text), "{text:?}");
        }
    }
}
