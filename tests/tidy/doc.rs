//! Documentation: every file opens with its idea, every public item has a sentence.
//!
//! The language is checked lightly, on the first paragraph only: an end mark, and for functions the third
//! person, because a caller reads its effect, not an order. It may start with a formula.

use crate::source::{Source, matching};
use crate::token::Token;

const ITEMS: &[&str] = &[
    "fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod", "macro",
];
const BEFORE_FN: &[&str] = &["async", "unsafe", "extern", "const"];
const ORDERS: &[&str] = &[
    "Add", "Apply", "Build", "Call", "Check", "Compute", "Convert", "Create", "Find", "Get",
    "Give", "List", "Load", "Make", "Parse", "Put", "Read", "Remove", "Return", "Run", "Save",
    "Send", "Set", "Store", "Write",
];

/// Reports files that do not open with `//!`.
pub(crate) fn headerless(sources: &[Source]) -> Vec<String> {
    sources
        .iter()
        .filter(|source| !source.text.starts_with("//! "))
        .map(|source| source.complaint(1, "open the file with `//! ` and its idea in one sentence"))
        .collect()
}

/// Reports public items of the library without a documentation line, or with a poor one.
pub(crate) fn complaints(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| source.is_product()) {
        let attributes = attribute_lines(&source.tokens);
        let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
        for (at, item) in public_items(source) {
            let line = source.tokens[at].line;
            let sentence = doc_above(&lines, &attributes, line);
            if let Some(message) = objection(item, &sentence) {
                found.push(source.complaint(line, &message));
            }
        }
    }
    found
}

/// Finds the places of `pub` before an item, with the word for its kind.
fn public_items(source: &Source) -> Vec<(usize, &str)> {
    let tokens = &source.tokens;
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        if !tokens[at].is("pub") || source.in_test(at) {
            continue;
        }
        let mut next = at + 1;
        let is_function = tokens[next..]
            .iter()
            .take(5)
            .find(|token| !BEFORE_FN.contains(&token.text.as_str()) && token.is_word());
        if is_function.is_some_and(|token| token.is("fn")) {
            while !tokens[next].is("fn") {
                next += 1;
            }
        }
        let Some(word) = tokens.get(next) else {
            continue;
        };
        // Where a macro gives the name, it gives the documentation too.
        let is_named_by_macro = tokens.get(next + 1).is_some_and(|token| token.is("$"));
        // The file of an outlined module carries its sentence as `//!`.
        let is_outlined_module =
            word.is("mod") && tokens.get(next + 2).is_some_and(|token| token.is(";"));
        if ITEMS.contains(&word.text.as_str()) && !is_outlined_module && !is_named_by_macro {
            found.push((at, word.text.as_str()));
        }
    }
    found
}

/// Collects the documentation that ends right above `line`, as one text of its first paragraph.
fn doc_above(lines: &[&str], attributes: &[usize], line: usize) -> String {
    let mut paragraph = Vec::new();
    for number in (1..line).rev() {
        let text = lines[number - 1];
        if let Some(words) = text.strip_prefix("///") {
            paragraph.push(words.trim());
        } else if !attributes.contains(&number) && !text.starts_with("//") {
            break;
        }
    }
    let first: Vec<&str> = paragraph
        .into_iter()
        .rev()
        .take_while(|words| !words.is_empty())
        .collect();
    first.join(" ")
}

fn attribute_lines(tokens: &[Token]) -> Vec<usize> {
    let mut lines = Vec::new();
    for at in 1..tokens.len() {
        if tokens[at].is("[") && tokens[at - 1].is("#") {
            let last = tokens
                .get(matching(tokens, at))
                .map_or(tokens[at].line, |token| token.line);
            lines.extend(tokens[at - 1].line..=last);
        }
    }
    lines
}

fn objection(item: &str, sentence: &str) -> Option<String> {
    let Some(first) = sentence.split_whitespace().next() else {
        return Some(format!("public `{item}` without a documentation line"));
    };
    if item == "fn" && ORDERS.contains(&first) {
        return Some(format!(
            "documentation starts with the order `{first}`; say in third person what it does"
        ));
    }
    let is_closed = sentence.ends_with(['.', ':', '?', '!', ')', '`', '|']);
    (!is_closed).then(|| format!("documentation `{sentence}` has no full stop"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        complaints(&[Source::new("src/a.rs", text)]).len()
    }

    #[test]
    fn a_file_without_header_is_reported() {
        assert_eq!(
            headerless(&[Source::new("src/a.rs", "use x::y;\n//! Late.")]).len(),
            1
        );
        assert_eq!(
            headerless(&[Source::new("tests/a.rs", "// Not a header.")]).len(),
            1
        );
        assert_eq!(
            headerless(&[Source::new("src/a.rs", "//! A header.")]).len(),
            0
        );
    }

    #[test]
    fn an_undocumented_public_item_is_reported() {
        for item in [
            "pub fn f() {}",
            "pub async fn f() {}",
            "pub const fn f() {}",
            "#[derive(Debug)]\npub struct S;",
            "pub enum E {}",
            "pub trait T {}",
            "pub type A = u8;",
            "pub const C: u8 = 1;",
            "pub mod m {}",
        ] {
            assert_eq!(count(item), 1, "{item}");
            assert_eq!(
                count(&format!(
                    "/// Says what it is.\n#[cfg(\n  any(a, b)\n)]\n// why\n{item}"
                )),
                0,
                "{item}"
            );
        }
    }

    #[test]
    fn what_is_not_public_or_not_an_item_passes() {
        for text in [
            "fn f() {}",
            "pub(crate) fn f() {}",
            "pub mod m;",
            "pub use a::B;",
            "#[cfg(test)] mod tests { pub fn f() {} }",
            "struct S { pub field: u8 }",
            "macro_rules! m { ($n:ident) => { $(#[$doc])* pub enum $n {} } }",
            "/// helpful − harmful.\npub fn f() {}",
        ] {
            assert_eq!(count(text), 0, "{text}");
        }
    }

    #[test]
    fn poor_sentences_are_reported() {
        assert_eq!(count("/// Return x.\npub fn f() {}"), 1);
        assert_eq!(count("/// Returns x\npub fn f() {}"), 1);
        assert_eq!(
            count("/// Returns x, and\n/// then y.\n///\n/// more\npub fn f() {}"),
            0
        );
        assert_eq!(count("/// `x` is y.\npub struct S;"), 0);
    }
}
