//! The signs of a text that are no words: arithmetic between operands, arrows, marks and emoji.
//!
//! Words are what likeness counts, so `1/2 + 1/3` and `1/2 - 1/3` are one text to it. A sign may be mere
//! decoration, too: texts differ by their signs only where both have some.

use super::mentions::Mention;

/// Signs of arithmetic, with the one that stands for each.
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

/// Arrows that are typed, with the sign that stands for each.
const ARROWS: &[(&str, &str)] = &[
    ("->", "→"),
    ("-->", "→"),
    ("=>", "⇒"),
    ("<-", "←"),
    ("<--", "←"),
    ("<->", "↔"),
    ("<=>", "⇔"),
];

/// Returns the signs of a text in order, each with the token before it.
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

/// The sign that a whole token is.
fn alone(token: &str, before: Option<&str>, after: Option<&str>) -> Option<String> {
    if let Some((_, arrow)) = ARROWS.iter().find(|(typed, _)| *typed == token) {
        return Some((*arrow).to_owned());
    }
    let mut signs = token.chars();
    let (Some(sign), None) = (signs.next(), signs.next()) else {
        return None;
    };
    let sign = arithmetic(sign)?;
    // Between words, a dash is a dash.
    let is_calculated = before.is_some_and(is_operand) && after.is_some_and(is_operand);
    is_calculated.then(|| sign.to_string())
}

/// The signs in a token.
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
    let signs = chars.iter().enumerate();
    let signs = signs.filter(|(at, sign)| is_sign(*at, **sign));
    signs
        .map(|(_, sign)| arithmetic(*sign).unwrap_or(*sign).to_string())
        .collect()
}

fn arithmetic(sign: char) -> Option<char> {
    let known = ARITHMETIC.iter().find(|(written, _)| *written == sign);
    known.map(|(_, meant)| *meant)
}

/// A number, a single letter, or something in brackets.
fn is_operand(token: &str) -> bool {
    let name = token.trim_matches(|c: char| "()[],;:.?!".contains(c));
    let mut chars = name.chars();
    let is_letter = matches!((chars.next(), chars.next()), (Some(c), None) if c.is_alphabetic());
    is_letter || name.starts_with(|c: char| c.is_numeric() || c == '-')
}

/// Arrows, signs of mathematics, marks and emoji. Currencies are units of numbers.
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

/// All signs that are looked for by name, for the digest of the guard.
pub(super) fn vocabulary() -> impl Iterator<Item = &'static str> {
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
