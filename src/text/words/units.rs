//! The units of a text: the smallest parts that keep their meaning in another text.
//!
//! A unit is a sentence with those that lean on it, a list item, or a lead-in with everything that it introduces.
//! Quotations, code and fenced blocks are never cut. In doubt a unit is larger: half a rule is worse than two rules together.

use crate::literals::quotes::spans;

/// Words before a full stop that do not end a sentence, in lower case without the stop.
#[rustfmt::skip]
const ABBREVIATIONS: &[&str] = &[
    "approx", "bzw", "ca", "cf", "dr", "e.g", "eg", "etc", "ex", "fig", "i.e", "ie", "inc", "max", "min", "mr",
    "mrs", "ms", "no", "nr", "resp", "sec", "st", "vs", "z.b",
];

/// Words with which a sentence leans on the one before it.
#[rustfmt::skip]
const LEANING: &[&str] = &[
    "also", "and", "both", "but", "else", "he", "hence", "however", "instead", "it", "its", "nor", "or", "otherwise",
    "she", "so", "such", "that", "then", "there", "therefore", "these", "they", "this", "those", "thus",
    "dadurch", "dann", "daher", "das", "deshalb", "dies", "es", "sie", "sonst",
];

/// Opens and closes a block of code.
const FENCE: &str = "```";

/// Returns the units of a text in order, without the white space around them. Every character that is no white space
/// is in one of them.
pub fn units(text: &str) -> Vec<&str> {
    let quoted: Vec<std::ops::Range<usize>> = spans(text).into_iter().map(|s| s.bytes).collect();
    let is_quoted = |at: usize| {
        let place = quoted.partition_point(|range| range.end <= at);
        quoted.get(place).is_some_and(|range| range.start < at)
    };
    let mut found = Vec::new();
    for block in blocks(text, &is_quoted) {
        if block.is_whole {
            found.push(&text[block.start..block.end]);
        } else {
            split_sentences(text, &block, &is_quoted, &mut found);
        }
    }
    let trimmed = found.into_iter().map(str::trim);
    trimmed.filter(|unit| !unit.is_empty()).collect()
}

/// Returns true if a line begins with a list mark or a heading mark.
pub fn begins_item(line: &str) -> bool {
    let line = line.trim_start();
    let is_marked = ["- ", "* ", "+ ", "• ", "#", ">", "|"]
        .iter()
        .any(|mark| line.starts_with(mark));
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let after = &line[digits..];
    is_marked || (digits > 0 && (after.starts_with(". ") || after.starts_with(") ")))
}

/// Lines that belong together, as a byte range.
struct Block {
    start: usize,
    end: usize,
    /// Whether it is one unit: a lead-in with its list, or code.
    is_whole: bool,
}

fn blocks(text: &str, is_quoted: &impl Fn(usize) -> bool) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let (mut at, mut is_fenced, mut is_new) = (0, false, true);
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let bare = line.trim();
        let is_fence = bare.starts_with(FENCE) && !is_one_line_code(bare);
        if bare.is_empty() && !is_fenced {
            is_new = true;
            continue;
        }
        let leads_in = bare.ends_with([':', '：']);
        let begins_lead_in = leads_in && !begins_item(line) && begins_sentence(line);
        let joins = found.last().is_some_and(|last| {
            let before = text[last.start..last.end].trim_end();
            let ended = before.ends_with(is_end_mark);
            is_fenced
                || is_quoted(start)
                || is_fence
                || !(is_new || begins_lead_in || (!last.is_whole && (ended || begins_item(line))))
        });
        match found.last_mut().filter(|_| joins) {
            Some(last) => last.end = end,
            None => found.push(Block {
                start,
                end,
                is_whole: false,
            }),
        }
        if let Some(last) = found.last_mut() {
            last.is_whole |= is_fence || is_fenced || leads_in;
        }
        is_fenced ^= is_fence;
        is_new = false;
    }
    found
}

fn is_one_line_code(line: &str) -> bool {
    line.len() > FENCE.len() && line[FENCE.len()..].contains(FENCE)
}

fn split_sentences<'t>(
    text: &'t str,
    block: &Block,
    is_quoted: &impl Fn(usize) -> bool,
    found: &mut Vec<&'t str>,
) {
    let mut start = block.start;
    let mut chars = text[block.start..block.end].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let at = block.start + at;
        let next = chars.peek().map(|(_, next)| *next);
        if is_quoted(at) || !ends_here(&text[start..at], c, next) {
            continue;
        }
        let end = at + c.len_utf8();
        if begins_sentence(&text[end..block.end]) {
            found.push(&text[start..end]);
            start = end;
        }
    }
    found.push(&text[start..block.end]);
}

fn is_end_mark(c: char) -> bool {
    matches!(c, '.' | '?' | '!' | '。' | '？' | '！')
}

/// Returns true if a mark ends the sentence before it.
fn ends_here(before: &str, mark: char, next: Option<char>) -> bool {
    match mark {
        '。' | '？' | '！' => true,
        '?' | '!' => next.is_none_or(char::is_whitespace),
        '.' => {
            let word = before
                .rsplit(char::is_whitespace)
                .next()
                .unwrap_or_default();
            let word = word
                .trim_start_matches(['(', '[', '"', '\''])
                .to_lowercase();
            // A list number, an initial or an abbreviation.
            let is_number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
            let begins = before.trim().len() == word.len();
            let is_short = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
            let goes_on =
                (is_number && begins) || is_short || ABBREVIATIONS.contains(&word.as_str());
            next.is_none_or(char::is_whitespace) && !goes_on
        }
        _ => false,
    }
}

/// Returns true if the text after an end mark begins an independent sentence: not with a small letter, which continues
/// the old one, nor with a word that points back.
fn begins_sentence(rest: &str) -> bool {
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_alphabetic());
    let word = rest[..end.unwrap_or(rest.len())].to_lowercase();
    let first = rest.chars().next();
    first.is_some_and(|c| !c.is_lowercase()) && !LEANING.contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_a_sentence_an_item_or_a_lead_in_with_its_list() {
        for (text, expected) in [
            ("", ""),
            (
                "Run it. Then stop! Why? Because.",
                "Run it. Then stop!|Why?|Because.",
            ),
            (
                "Use tabs, e.g. in Go files. No spaces.",
                "Use tabs, e.g. in Go files.|No spaces.",
            ),
            (
                "Say \"Stop. Now.\" and go. Then rest.",
                "Say \"Stop. Now.\" and go. Then rest.",
            ),
            ("Run `a. B` first. Go.", "Run `a. B` first.|Go."),
            (
                "- one thing\n- another\n\nLast line",
                "- one thing|- another|Last line",
            ),
            ("1. First step. 2. Second", "1. First step.|2. Second"),
            (
                "a wrapped\nline ends here. Next",
                "a wrapped\nline ends here.|Next",
            ),
            (
                "Before a commit:\n- run tests\n- lint\n\nPush.",
                "Before a commit:\n- run tests\n- lint|Push.",
            ),
            (
                "Do this\n```sh\nmake. Now\n\nmake b\n```\nEnd.",
                "Do this\n```sh\nmake. Now\n\nmake b\n```\nEnd.",
            ),
            (
                "A title\nWhen in doubt:\n- ask\n  - twice\nLast:\n- go",
                "A title|When in doubt:\n- ask\n  - twice|Last:\n- go",
            ),
            (
                "version 1.2. is old. see docs. Fine",
                "version 1.2. is old. see docs.|Fine",
            ),
            ("先停止。再启动", "先停止。|再启动"),
        ] {
            assert_eq!(units(text).join("|"), expected, "{text:?}");
        }
    }

    #[test]
    fn no_character_is_lost() {
        let texts = [
            "a. B\nc:\n d\n\n e! F",
            "```\nx\n",
            "\"open. Q",
            "x. 5 y. (Z) . ",
        ];
        for text in texts {
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(bare(&units(text).concat()), bare(text), "{text:?}");
        }
    }
}
