//! English stop words: words without topic.
//!
//! The list is fixed by the tokeniser version, because it decides the contents of an index. Words such as up, down,
//! before and after stay searchable, since they carry meaning in instructions.

/// The stop words, in lower case with straight apostrophes, sorted for binary search.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "a", "about", "again", "also", "am", "an", "and", "are", "aren't", "as", "at", "be", "been",
    "being", "but", "by", "can", "can't", "cannot", "could", "couldn't", "did", "didn't", "do",
    "does", "doesn't", "doing", "don't", "e.g", "etc", "for", "from", "had", "hadn't", "has",
    "hasn't", "have", "haven't", "having", "he", "he's", "her", "here", "here's", "hers",
    "herself", "him", "himself", "his", "how", "how's", "i", "i'd", "i'll", "i'm", "i've", "i.e",
    "if", "in", "into", "is", "isn't", "it", "it's", "its", "itself", "just", "kind", "kinds",
    "let's", "many", "me", "might", "mine", "much", "must", "my", "myself", "no", "not", "of",
    "on", "onto", "or", "our", "ours", "ourselves", "shall", "she", "she's", "should",
    "shouldn't", "so", "than", "that", "that's", "the", "their", "theirs", "them", "themselves",
    "then", "there", "there's", "these", "they", "they'd", "they'll", "they're", "they've",
    "this", "those", "to", "too", "very", "was", "wasn't", "we", "we'd", "we'll", "we're",
    "we've", "were", "weren't", "what", "what's", "when", "when's", "where", "where's", "which",
    "who", "who's", "whom", "whose", "why", "will", "with", "won't", "would", "wouldn't", "you",
    "you'd", "you'll", "you're", "you've", "your", "yours", "yourself",
];

/// Returns true if a lower-case word is a stop word.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("the") && is_stop_word("don't") && !is_stop_word("file"));
    }
}
