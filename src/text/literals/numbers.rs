//! The numbers of a text, each with its unit, in a canonical form: equal amounts are equal strings.
//!
//! Ambiguous notations stay distinct (`3.10` is not `3.1`, `1.000` is not `1`): a missed merge costs a review, a
//! wrong one costs a fact.

use super::mentions::Mention;
use crate::words::is_unspaced;

const WORDS: &[(&str, &str)] = &[
    ("zero", "0"),
    ("one", "1"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("fifty", "50"),
    ("hundred", "100"),
    ("thousand", "1000"),
    ("million", "1000000"),
    ("first", "1st"),
    ("second", "2nd"),
    ("third", "3rd"),
    ("fourth", "4th"),
    ("fifth", "5th"),
    ("sixth", "6th"),
    ("seventh", "7th"),
    ("eighth", "8th"),
    ("ninth", "9th"),
    ("tenth", "10th"),
    ("eleventh", "11th"),
    ("twelfth", "12th"),
    ("once", "1 times"),
    ("twice", "2 times"),
];

/// Names of units; the first of each is canonical.
const UNITS: &[&[&str]] = &[
    &["%", "percent", "％"],
    &["ms", "millisecond", "milliseconds", "msec"],
    &["s", "sec", "secs", "second", "seconds"],
    &["min", "mins", "minute", "minutes"],
    &["h", "hr", "hrs", "hour", "hours"],
    &["d", "day", "days"],
    &["week", "weeks"],
    &["month", "months"],
    &["year", "years"],
    &["times", "time"],
    &["b", "byte", "bytes"],
    &["bit", "bits"],
    &["kb", "kilobyte", "kilobytes"],
    &["mb", "megabyte", "megabytes"],
    &["gb", "gigabyte", "gigabytes"],
    &["tb", "terabyte", "terabytes"],
    &["kib"],
    &["mib"],
    &["gib"],
    &["px", "pixel", "pixels"],
    &["em"],
    &["rem"],
    &["pt"],
    &["mm"],
    &["cm"],
    &["m", "meter", "meters", "metre", "metres"],
    &["km"],
    &["g", "gram", "grams"],
    &["mg"],
    &["kg"],
    &["k"],
    &["x"],
    &["°"],
    &["$", "usd", "dollar", "dollars"],
    &["€", "eur", "euro", "euros"],
    &["£", "gbp"],
    &["¥", "jpy", "yen"],
];

/// Returns the numbers of a text in order with repeats; the context is the word that follows.
///
/// Digits inside a word (`sha256`) belong to an identifier and are not numbers here.
pub fn numbers(text: &str) -> Vec<Mention> {
    let chars: Vec<char> = text.chars().map(narrow).collect();
    let mut found = Vec::new();
    let mut previous = String::new();
    let mut at = 0;
    while at < chars.len() {
        let end = token_end(&chars, at);
        if end == at {
            at += 1;
            continue;
        }
        let token: String = chars[at..end].iter().collect::<String>().to_lowercase();
        let value = if chars[at].is_numeric() {
            Some((canonical(&token), false))
        } else if is_numeral_run(&chars, at, end) {
            Some((token.clone(), false))
        } else {
            number_word(&token, &previous).map(|value| (value.to_owned(), true))
        };
        if let Some((value, is_word)) = value {
            let (unit, after) = unit_after(&chars, end);
            let value = signed(&chars, at, value, is_word);
            // A value with a blank has its unit already, as in `5ms` or `$5`.
            let has_unit = unit.is_some() && !value.contains(' ');
            let value = if has_unit { join(value, unit) } else { value };
            let after = if has_unit { after } else { end };
            found.push(Mention {
                value,
                context: word_at(&chars, after).0,
            });
        }
        previous = token;
        at = end;
    }
    found
}

/// Returns the words that this rule knows, for a digest of the rules.
pub fn vocabulary() -> impl Iterator<Item = &'static str> {
    let words = WORDS.iter().flat_map(|(word, value)| [*word, *value]);
    words.chain(UNITS.iter().flat_map(|names| names.iter().copied()))
}

/// Returns true if a lower-case word is a number: it has a digit or is a numeral.
pub(crate) fn is_number_word(word: &str) -> bool {
    word.contains(|c: char| c.is_numeric() || is_numeral(c))
        || WORDS.iter().any(|(one, _)| *one == word)
}

/// Returns true if a lower-case word after a number is its unit.
pub(crate) fn is_unit(word: &str) -> bool {
    unit_of(word).is_some()
}

/// Maps full-width forms to ASCII. Superscripts stay as they are, since 10² is not 102.
fn narrow(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '−' => '-',
        _ => c,
    }
}

/// Returns the end of the word or number that starts here. Numbers continue over `.` and `,` between digits.
fn token_end(chars: &[char], start: usize) -> usize {
    let numeral = is_numeral(chars[start]);
    let mut at = start;
    while at < chars.len() {
        let c = chars[at];
        let joint = matches!(c, '.' | ',' | '_' | '\'' | '’')
            && at > start
            && chars[at - 1].is_numeric()
            && chars.get(at + 1).is_some_and(|next| next.is_numeric());
        let inside = c.is_alphanumeric() || joint || (c == '_' && !chars[start].is_numeric());
        // Scripts without spaces have none around numbers either.
        let seam = at > start
            && c.is_numeric() != chars[at - 1].is_numeric()
            && (is_unspaced(c) || is_unspaced(chars[at - 1]));
        if !inside || seam || is_numeral(c) != numeral {
            break;
        }
        at += 1;
    }
    at
}

/// Returns the canonical form of a token that starts with a digit: its number, then its unit or tail.
fn canonical(token: &str) -> String {
    let split = token
        .find(|c: char| c.is_alphabetic())
        .unwrap_or(token.len());
    let (digits, tail) = token.split_at(split);
    let plain = plain_digits(digits);
    if tail.is_empty() {
        return plain;
    }
    match unit_of(tail) {
        Some(unit) => format!("{plain} {unit}"),
        None => format!("{plain}{tail}"),
    }
}

/// Removes group separators and a zero fraction, where they are unambiguous.
fn plain_digits(digits: &str) -> String {
    let mut groups = digits.split([',', '_', '\'', '’']);
    let head = groups.next().unwrap_or_default();
    let grouped = (1..=3).contains(&head.len())
        && groups.all(|group| {
            group
                .split('.')
                .next()
                .is_some_and(|whole| whole.len() == 3)
        });
    let plain = if grouped {
        digits.replace([',', '_', '\'', '’'], "")
    } else {
        digits.to_owned()
    };
    // One or two zeros are surely a fraction; three may be thousands.
    match plain.split_once('.') {
        Some((whole, "0" | "00")) => whole.to_owned(),
        _ => plain,
    }
}

fn signed(chars: &[char], at: usize, value: String, is_word: bool) -> String {
    let before = |back: usize| at.checked_sub(back).map(|place| chars[place]);
    if is_word {
        return value;
    }
    match before(1) {
        Some(c @ ('$' | '€' | '£' | '¥')) => join(value, unit_of(&c.to_string())),
        // A minus follows a blank or a bracket; otherwise it is a hyphen or a range.
        Some('-') if before(2).is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != ')') => {
            format!("-{value}")
        }
        _ => value,
    }
}

fn join(value: String, unit: Option<&str>) -> String {
    match unit {
        Some(unit) => format!("{value} {unit}"),
        None => value,
    }
}

/// Returns the unit that follows a number, and the place after it.
fn unit_after(chars: &[char], end: usize) -> (Option<&'static str>, usize) {
    let start = end + usize::from(matches!(chars.get(end), Some(' ' | '\u{A0}' | '-')));
    if let Some(c) = chars.get(start).filter(|c| !c.is_alphanumeric()) {
        // A sign before a number belongs to the number.
        let amount_follows = chars.get(start + 1).is_some_and(|next| next.is_numeric());
        let unit = unit_of(&c.to_string()).filter(|_| !amount_follows);
        return (unit, start + 1);
    }
    let (word, after) = word_at(chars, start);
    // A lone letter after a blank is a name more often than a unit, seconds and metres aside.
    let unit = unit_of(&word).filter(|_| start == end || !matches!(&*word, "x" | "k" | "d" | "b"));
    (unit, after)
}

fn unit_of(name: &str) -> Option<&'static str> {
    UNITS
        .iter()
        .find(|names| names.contains(&name))
        .map(|names| names[0])
}

/// Returns the next word at or after a place, in lower case, and its end.
fn word_at(chars: &[char], start: usize) -> (String, usize) {
    let begin = (start..chars.len())
        .find(|&at| chars[at].is_alphanumeric())
        .unwrap_or(chars.len());
    let end = (begin..chars.len())
        .find(|&at| !chars[at].is_alphanumeric())
        .unwrap_or(chars.len());
    (
        chars[begin..end].iter().collect::<String>().to_lowercase(),
        end,
    )
}

fn number_word(token: &str, previous: &str) -> Option<&'static str> {
    let value = WORDS.iter().find(|(word, _)| *word == token)?.1;
    let is_time = token == "second" && matches!(previous, "a" | "per" | "each" | "every" | "one");
    // "No one" is a person, and "5 second" a unit.
    let is_nobody = token == "one" && previous == "no";
    let is_unit = token == "second" && previous.ends_with(|c: char| c.is_numeric());
    (!is_time && !is_nobody && !is_unit).then_some(value)
}

fn is_numeral(c: char) -> bool {
    "零〇一二两兩三四五六七八九十百千".contains(c)
}

/// A lone 一 is an article more often than a number, unless it makes an ordinal.
fn is_numeral_run(chars: &[char], start: usize, end: usize) -> bool {
    is_numeral(chars[start])
        && (end - start > 1 || chars[start] != '一' || (start > 0 && chars[start - 1] == '第'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_amounts_are_equal_strings() {
        let table = [
            ("1,000 1000 1_000 12,345.5", "1000|1000|1000|12345.5"),
            ("3.0 3 3.10 1.000 1,5", "3|3|3.10|1.000|1,5"),
            ("10% 10 percent 10 ％ 10", "10 %|10 %|10 %|10"),
            ("3rd third first 1st", "3rd|3rd|1st|1st"),
            ("five seconds, 5s, 5 s, 5 ms", "5 s|5 s|5 s|5 ms"),
            ("wait a second for one", "1"),
            ("no one, twelve", "12"),
            ("$5 5 € -5 3-5 (-7)", "5 $|5 €|-5|3|5|-7"),
            ("sha256 utf8 v2 snake_3 0xFF", "0xff"),
            ("１０ 10² 102", "10|10²|102"),
            ("1.2.3 2024-01-02", "1.2.3|2024|01|02"),
            ("重试三次，第一个", "三|一"),
            ("一个文件", ""),
            ("5k items, 5 k", "5 k|5"),
            ("重试3次，24時間以内、5번", "3|24|5"),
        ];
        for (text, expected) in table {
            let values: Vec<String> = numbers(text).into_iter().map(|m| m.value).collect();
            assert_eq!(values.join("|"), expected, "{text:?}");
        }
    }
}
