//! The most relevant passage of a long text for a question, within a limit of tokens.
//!
//! It begins at a sentence, so that it can be read, and holds the most words of the question; of equals the earliest,
//! because texts name their subject first. Linear in the text.

use std::collections::HashSet;

use super::sentences::sentences;
use super::tokens::{quarters, quarters_of};
use crate::words::{search_terms, terms_of_raw_word};

/// The mark before and after omitted text.
const GAP: &str = "…";

/// Returns the best passage of `text` for `question` in at most `room` quarters of a token, marked as cut; `None` if
/// there is no room for a word and the marks.
pub fn best_passage(text: &str, question: &str, room: usize) -> Option<String> {
    let note = format!(" {GAP} [cut from {} characters]", text.chars().count());
    let lead = format!("{GAP} ");
    let room = room.checked_sub(quarters(&note) + quarters(&lead))?;
    let pieces = pieces(text);
    // Prefix sums: the cost of a passage and its words of the question in one subtraction each.
    let wanted: HashSet<String> = search_terms(question).into_iter().collect();
    let (mut costs, mut hits) = (vec![0], vec![0]);
    for (start, end) in &pieces {
        let piece = &text[*start..*end];
        let is_wanted = terms_of_piece(piece)
            .iter()
            .any(|term| wanted.contains(term));
        costs.push(costs[costs.len() - 1] + quarters(piece));
        hits.push(hits[hits.len() - 1] + usize::from(is_wanted));
    }
    let fits_from = |start: usize| {
        let limit = costs[start] + room;
        costs.partition_point(|cost| *cost <= limit) - 1
    };
    let mut best: Option<(usize, usize, usize)> = None;
    for start in starts(text, &pieces) {
        let end = fits_from(start);
        let found = hits[end] - hits[start];
        if end > start && best.is_none_or(|(_, _, most)| found > most) {
            best = Some((start, end, found));
        }
    }
    let (start, end, _) = best?;
    let passage = text[pieces[start].0..pieces[end - 1].1].trim();
    if passage.is_empty() {
        return None;
    }
    let lead = if start == 0 { "" } else { &lead };
    Some(format!("{lead}{passage}{note}"))
}

/// The spans of a text that are never parted: words with the space after them, and single characters of long runs
/// without space, which may be anything.
fn pieces(text: &str) -> Vec<(usize, usize)> {
    const LONG: usize = 40;
    let mut pieces = Vec::new();
    let mut start = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let end = start + word.len();
        if word.len() <= LONG {
            pieces.push((start, end));
        } else {
            let letters = word.char_indices();
            pieces.extend(letters.map(|(at, c)| (start + at, start + at + c.len_utf8())));
        }
        start = end;
    }
    pieces
}

fn terms_of_piece(piece: &str) -> Vec<String> {
    terms_of_raw_word(piece.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// The pieces that a passage may begin with: the first of each sentence.
fn starts(text: &str, pieces: &[(usize, usize)]) -> Vec<usize> {
    let base = text.as_ptr() as usize;
    let found = sentences(text).into_iter().map(|sentence| {
        let at = sentence.as_ptr() as usize - base;
        let at = at + (sentence.len() - sentence.trim_start().len());
        pieces.partition_point(|(start, _)| *start < at)
    });
    let mut found: Vec<usize> = std::iter::once(0).chain(found).collect();
    found.dedup();
    found.retain(|start| *start < pieces.len());
    found
}

/// Minimum room for a useful passage, in quarters of a token.
pub fn least_room() -> usize {
    const WORDS: usize = 80;
    WORDS * quarters_of('a')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_passage_with_the_words_of_the_question_is_taken() {
        let filler = "Nothing of note happens in this sentence. ".repeat(40);
        let text = format!("{filler}The printer takes blue paper. {filler}");
        let found = best_passage(&text, "which paper for the printer?", 200).unwrap();
        assert!(found.contains("The printer takes blue paper."), "{found}");
        assert!(
            found.starts_with("… ") && found.ends_with(" characters]"),
            "{found}"
        );
        assert!(quarters(&found) <= 200);
        let first = best_passage(&text, "", 200).unwrap();
        assert!(first.starts_with("Nothing of note"), "{first}");
    }

    #[test]
    fn every_passage_keeps_its_limit_in_any_script() {
        let long = [
            "word ".repeat(3_000),
            "x".repeat(5_000),
            "长规则".repeat(500),
            "line\n".repeat(500),
            "👩\u{200D}💻".repeat(300),
        ];
        for text in &long {
            for room in [0, 20, 120, 121, 400, 2_000] {
                let Some(found) = best_passage(text, "word", room) else {
                    assert!(room < 200, "{room}");
                    continue;
                };
                assert!(quarters(&found) <= room, "{found}");
            }
        }
    }
}
