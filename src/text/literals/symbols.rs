//! The symbols of a text: arithmetic between operands, arrows, marks and emoji.
//!
//! Similarity counts words, so `1/2 + 1/3` and `1/2 - 1/3` are equal to it. A symbol may also be decoration, so
//! texts differ by symbols only if both have some.

use super::mentions::Mention;

/// Arithmetic signs, each with its canonical form.
const ARITHMETIC: &[(char, char)] = &[
    ('+', '+'),
    ('-', '-'),
    ('\u{2212}', '-'),
    ('*', '*'),
    ('×', '*'),
    ('·', '*'),
    ('/', '/'),
    ('÷', '/'),
    ('^', '^'),
    ('%', '%'),
    ('=', '='),
    ('±', '±'),
];

/// Typed arrows, each with its canonical form.
const ARROWS: &[(&str, &str)] = &[
    ("->", "→"),
    ("-->", "→"),
    ("=>", "⇒"),
    ("<-", "←"),
    ("<--", "←"),
    ("<->", "↔"),
    ("<=>", "⇔"),
];

/// Returns the symbols of a text in order, in canonical form; the context is the token before.
pub fn symbols(text: &str) -> Vec<Mention> {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let beside = |step: Option<usize>| step.and_then(|at| tokens.get(at)).copied();
        let (before, after) = (beside(at.checked_sub(1)), beside(Some(at + 1)));
        let signs = match alone(token, before, after) {
            Some(sign) => vec![sign],
            None => within(token),
        };
        let context = before.unwrap_or_default().to_lowercase();
        found.extend(signs.into_iter().map(|value| Mention {
            value,
            context: context.clone(),
        }));
    }
    found
}

/// Returns the symbol that a whole token is.
fn alone(token: &str, before: Option<&str>, after: Option<&str>) -> Option<String> {
    if let Some((_, arrow)) = ARROWS.iter().find(|(typed, _)| *typed == token) {
        return Some((*arrow).to_owned());
    }
    let mut signs = token.chars();
    let (Some(sign), None) = (signs.next(), signs.next()) else {
        return None;
    };
    let sign = arithmetic(sign)?;
    // Between words, a dash is punctuation.
    let is_calculated = before.is_some_and(is_operand) && after.is_some_and(is_operand);
    is_calculated.then(|| sign.to_string())
}

/// Returns the symbols within a token.
fn within(token: &str) -> Vec<String> {
    let chars: Vec<char> = token.chars().collect();
    let near =
        |at: Option<usize>, is: fn(&char) -> bool| at.and_then(|at| chars.get(at)).is_some_and(is);
    let is_sign = |at: usize, sign: char| {
        let (before, after) = (at.checked_sub(1), Some(at + 1));
        let is_between = near(before, |c| c.is_numeric() || *c == ')')
            && near(after, |c| c.is_numeric() || *c == '(');
        match sign {
            // Numbers, dates, ranges and paths are written with these.
            '-' | '/' | '%' | '·' => false,
            _ if arithmetic(sign).is_some() => is_between,
            _ => is_symbol(sign),
        }
    };
    chars
        .iter()
        .enumerate()
        .filter(|(at, sign)| is_sign(*at, **sign))
        .map(|(_, sign)| arithmetic(*sign).unwrap_or(*sign).to_string())
        .collect()
}

fn arithmetic(sign: char) -> Option<char> {
    let known = ARITHMETIC.iter().find(|(written, _)| *written == sign);
    known.map(|(_, meant)| *meant)
}

/// Returns true if a token is a number, a single letter, or either in brackets.
fn is_operand(token: &str) -> bool {
    let name = token.trim_matches(|c: char| "()[],;:.?!".contains(c));
    let mut chars = name.chars();
    let is_letter = matches!((chars.next(), chars.next()), (Some(c), None) if c.is_alphabetic());
    is_letter || name.starts_with(|c: char| c.is_numeric() || c == '-')
}

/// Returns true if a character is an arrow, a mathematical sign, a mark or an emoji. Currencies are units.
fn is_symbol(sign: char) -> bool {
    matches!(
        sign,
        '¬' | '\u{2190}'..='\u{22ff}'
            | '\u{2600}'..='\u{27bf}'
            | '\u{27f0}'..='\u{297f}'
            | '\u{2b00}'..='\u{2bff}'
            | '\u{1f000}'..='\u{1faff}'
    )
}

/// Returns the signs that this rule knows, for the digest of the rules.
pub(crate) fn vocabulary() -> impl Iterator<Item = &'static str> {
    ARROWS.iter().flat_map(|(typed, arrow)| [*typed, *arrow])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_found() {
        let table = [
            ("add 1/2 + 1/3", "+"),
            ("add 1/2 \u{2212} 1/3 and (a × b)", "-*"),
            ("2+3=5, (2)*(3) and 2^8", "+=*^"),
            ("go a -> b => c ← d", "→⇒←"),
            ("pay $5, 5€ or £5", ""),
            ("mark it ✅ and 👍", "✅👍"),
            ("well-known word - dash -- dash / slash", ""),
            ("and/or 2024-05-01 1/2 3-5 50% $HOME C++ x=y", ""),
            ("Plain words, in a row.", ""),
        ];
        for (text, expected) in table {
            let signs: String = symbols(text).into_iter().map(|one| one.value).collect();
            assert_eq!(signs, expected, "{text}");
        }
    }
}
