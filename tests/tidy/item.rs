//! An item is a function as the rules see it: name, visibility, parameters and lines.

use crate::source::{Source, matching};
use crate::token::Token;

/// A function of a source.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    /// Lines from the signature to the closing brace, both included.
    pub(crate) lines: usize,
    /// The text of each parameter without blanks, `self` included.
    pub(crate) parameters: Vec<String>,
    pub(crate) is_public: bool,
}

/// Collects the functions of a source, nested ones too, in order.
pub(crate) fn functions(source: &Source) -> Vec<Function> {
    let tokens = &source.tokens;
    (0..tokens.len())
        .filter(|&at| tokens[at].is("fn"))
        .filter_map(|at| function(tokens, at))
        .collect()
}

fn function(tokens: &[Token], at: usize) -> Option<Function> {
    let name = tokens.get(at + 1).filter(|token| token.is_word())?;
    let open = generics_end(tokens, at + 2);
    if !tokens.get(open)?.is("(") {
        return None;
    }
    let close = matching(tokens, open);
    let line = tokens[at].line;
    let last_line = tokens
        .get(body_end(tokens, close + 1))
        .map_or(line, |token| token.line);
    Some(Function {
        name: name.text.clone(),
        line,
        lines: last_line + 1 - line,
        parameters: split_parameters(tokens.get(open + 1..close)?),
        is_public: is_public(&tokens[..at]),
    })
}

fn generics_end(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.text.as_str() {
            "<" => depth += 1,
            ">" => depth = depth.saturating_sub(1),
            "(" if depth == 0 => return at,
            _ => {}
        }
    }
    tokens.len()
}

/// Finds the closing brace of the body, or the semicolon of a function without one.
fn body_end(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        match token.text.as_str() {
            "{" => return matching(tokens, at),
            "(" | "[" => at = matching(tokens, at),
            ";" => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

fn split_parameters(tokens: &[Token]) -> Vec<String> {
    let mut parameters = vec![String::new()];
    let mut depth = 0_isize;
    for token in tokens {
        match token.text.as_str() {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" | ">" => depth -= 1,
            "," if depth == 0 => {
                parameters.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(parameter) = parameters.last_mut() {
            parameter.push_str(&token.text);
        }
    }
    parameters.retain(|parameter| !parameter.is_empty());
    parameters
}

/// Returns true if the words before `fn` make it public, also if only inside the crate.
fn is_public(before: &[Token]) -> bool {
    let mut rest = before;
    while let Some((last, head)) = rest.split_last() {
        rest = match last.text.as_str() {
            "pub" => return true,
            "async" | "const" | "unsafe" => head,
            ")" => match head.iter().rposition(|token| token.is("(")) {
                Some(open) => &head[..open],
                None => return false,
            },
            _ => return false,
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(text: &str) -> Vec<usize> {
        functions(&Source::new("src/a.rs", text))
            .iter()
            .map(|function| function.parameters.len())
            .collect()
    }

    #[test]
    fn parameters_are_counted_as_written() {
        assert_eq!(
            parameters("fn a() {} fn b(&self) {} fn c(self, x: u8,) {}"),
            [0, 1, 2]
        );
        assert_eq!(
            parameters("fn a<T: Fn(u8, u8) -> u8>(m: HashMap<K, V>, (x, y): (u8, u8)) {}"),
            [2]
        );
        assert_eq!(
            parameters("fn a(f: impl Fn(u8) -> Vec<u8>, z: [u8; 2], g: fn(u8, u8)) {}"),
            [3]
        );
    }

    #[test]
    fn a_body_is_measured_past_braces_in_text() {
        let text = "fn a() -> [u8; 2]\nwhere\n{\n  let s = \"}\"; // }\n  { '}' };\n}\ntrait T { fn b(\n); }";
        let lines: Vec<usize> = functions(&Source::new("src/a.rs", text))
            .iter()
            .map(|function| function.lines)
            .collect();
        assert_eq!(lines, [6, 2]);
    }

    #[test]
    fn visibility_is_read_through_the_words_before_fn() {
        let text =
            "pub(crate) async fn a() {} pub fn b() {} fn c() {} pub struct S; const fn d() {}";
        let public: Vec<bool> = functions(&Source::new("src/a.rs", text))
            .iter()
            .map(|function| function.is_public)
            .collect();
        assert_eq!(public, [true, true, false, false]);
    }
}
