//! Counts, lengths and passages as texts come and go.

use super::*;

/// Words, and the two halves of a word with a hyphen.
struct Words;

impl Analyzer for Words {
    fn for_each_token(&self, text: &str, visit: impl FnMut(&str)) {
        text.split(' ').for_each(visit);
    }

    fn terms(&self, token: &str) -> Vec<String> {
        token.split('-').map(str::to_owned).collect()
    }

    fn counts_repeats(&self) -> bool {
        true
    }

    fn passage_tokens(&self) -> Option<usize> {
        Some(10)
    }
}

fn body(body: &str) -> Text<'_> {
    Text { title: "", body }
}

#[test]
fn repeats_and_lengths_are_counted() {
    let texts = [(0, "file file-file sum"), (1, "file sum"), (4, "file file")];
    let texts = texts.into_iter().map(|(doc, text)| (doc, body(text)));
    let mut index = InvertedIndex::build(Words, texts);
    let file = index.postings.list("file").unwrap().1;
    let counts = [0, 1, 4].map(|doc| file.occurrences(doc));
    assert_eq!((counts, file.docs().to_vec()), ([3, 1, 2], vec![0, 1, 4]));
    assert_eq!(file.repeated().map(|(_, most)| most), Some(3));
    assert_eq!(file.shortest(), 2);
    let length = |index: &InvertedIndex<Words>, doc| index.postings.length(doc);
    assert_eq!((length(&index, 0), length(&index, 3)), (4, 0));
    index.remove(0, body("file file-file sum"));
    index.remove(4, body("file file"));
    assert!(index.postings.list("file").unwrap().1.repeated().is_none());
    assert_eq!((index.len(), index.postings.mean_length()), (1, 2.0));
}

#[test]
fn unused_terms_are_forgotten() {
    let mut index = InvertedIndex::build(Words, std::iter::empty());
    for round in 0..2_000 {
        let text = format!("w{round} v{round}");
        index.insert(0, body(&text));
        index.remove(0, body(&text));
    }
    let postings = &index.postings;
    assert!(postings.terms.len() < 4 * UNUSED_KEPT && postings.lists.len() < 4 * UNUSED_KEPT);
    assert!(postings.list("w1999").is_none());
}

#[test]
fn a_long_text_is_several_passages_under_one_title() {
    let words: Vec<String> = (0..24).map(|n| format!("w{}", n % 13)).collect();
    let long = words.join(" ");
    let text = Text {
        title: "heading",
        body: &long,
    };
    let mut index = InvertedIndex::build(Words, [(3, text)].into_iter());
    index.insert(5, body("w0 heading"));
    let lengths = |index: &InvertedIndex<Words>| {
        let passages = index.postings.passages(3).unwrap_or_default();
        passages.iter().map(|one| one.length).collect::<Vec<_>>()
    };
    // 24 tokens are about two times ten: 12 and 12, each with the heading.
    assert_eq!(lengths(&index), [13, 13]);
    assert_eq!(index.postings.mean_length(), (13.0 + 13.0 + 2.0) / 3.0);
    let heading = index.postings.list("heading").unwrap();
    assert_eq!((heading.1.shortest(), heading.1.docs().len()), (2, 2));
    let held = |at: usize| index.postings.passages(3).unwrap()[at].occurrences(heading.0);
    assert_eq!((held(0), held(1)), (1, 1));
    index.remove(3, text);
    assert!(lengths(&index).is_empty());
    assert_eq!((index.len(), index.postings.mean_length()), (1, 2.0));
    assert!(!index.knows("w12") && index.knows("w0"));
}
