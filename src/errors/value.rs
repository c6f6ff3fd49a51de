//! The words of an action or a message that belong to one case, and the placeholder for each.
//!
//! A rule is read by agents that serve other people. An id, an amount or an address that stays in it is followed
//! literally there and pays with another customer's card, so every word that looks like one is replaced; a word that is
//! wrongly replaced only makes the rule more general.

/// Digits from which a number is an id or an amount rather than a count, a mode or a port.
const LONG_NUMBER_DIGITS: usize = 5;
/// Digits after the last `_` or `-` of a word that make the word an id (`card_4711`).
const SUFFIX_DIGITS_MIN: usize = 3;
/// Characters from which capitals mixed with digits are a booking code (`M20IZO`).
const CODE_CHARS_MIN: usize = 5;
/// Hexadecimal characters from which a mix of letters and digits is a hash.
const HASH_CHARS_MIN: usize = 7;

/// Letters and digits from which a word that mixes them is made by a machine.
const RANDOM_CHARS_MIN: usize = 16;

/// Words before a code that mark it as the tool's own and not a user's.
const CODE_INTRODUCTIONS: &[&str] = &[
    "error", "code", "errno", "sqlstate", "status", "warning", "http",
];

/// Words before a number that mark it as an amount of money.
const MONEY_WORDS: &[&str] = &[
    "price", "total", "paid", "pay", "balance", "amount", "cost", "costs", "sum", "charge",
    "charged", "fee", "refund", "budget", "owed", "deposit", "invoice",
];
/// Words between such a word and its number.
const MONEY_REACH: usize = 3;

/// Marks that surround a word without being part of it.
const SURROUNDINGS: &[char] = &[
    '"', '\'', '`', '(', ')', '[', ']', '{', '}', ',', ';', '!', '?', '#',
];

/// The placeholder of a word that belongs to one case: `<email>`, `<url>`, `<num>`, `<id>`, or the kind of
/// an id with its prefix (`card_4711` is `<card_id>`); absent for a word of the language.
pub fn placeholder_of(word: &str) -> Option<String> {
    if is_email(word) {
        return Some("<email>".to_owned());
    }
    if word.contains("://") {
        return Some("<url>".to_owned());
    }
    if is_date(word) {
        return Some("<date>".to_owned());
    }
    if is_amount(word) {
        return Some("<num>".to_owned());
    }
    if let Some(prefix) = id_prefix(word) {
        return Some(format!("<{prefix}_id>"));
    }
    (is_hash(word) || is_booking_code(word) || is_random(word)).then(|| "<id>".to_owned())
}

/// A message with the values of one case replaced; codes of the tool itself stay.
pub fn without_case_values(message: &str) -> String {
    let mut before: Vec<String> = Vec::new();
    let mut out: Vec<String> = Vec::new();
    for piece in message.split_whitespace() {
        let word = piece
            .trim_matches(SURROUNDINGS)
            .trim_end_matches(['.', ':', ',']);
        let is_introduced = before
            .last()
            .is_some_and(|word| CODE_INTRODUCTIONS.contains(&word.as_str()));
        let is_code = piece.ends_with(':') || piece.starts_with('[') || is_introduced;
        let mut nearby = before.iter().rev().take(MONEY_REACH);
        let is_money =
            is_plain_number(word) && nearby.any(|word| MONEY_WORDS.contains(&word.as_str()));
        let placeholder = placeholder_of(word)
            .or_else(|| is_money.then(|| "<num>".to_owned()))
            .filter(|_| !is_code || word.contains('@'));
        out.push(match placeholder {
            Some(placeholder) => piece.replacen(word, &placeholder, 1),
            None => piece.to_owned(),
        });
        before.push(word.trim_end_matches([':', '=']).to_lowercase());
    }
    out.join(" ")
}

fn is_plain_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && word
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
}

/// Returns true if a text holds a value of one case anywhere.
pub fn holds_case_value(text: &str) -> bool {
    let between = |c: char| c.is_whitespace() || SURROUNDINGS.contains(&c) || c == '=';
    text.split(between)
        .any(|word| placeholder_of(word).is_some())
}

/// Returns true if a word is the name of an e-mail account.
pub fn is_email(word: &str) -> bool {
    let Some((user, host)) = word.split_once('@') else {
        return false;
    };
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
    let ends_in_domain = host
        .rsplit_once('.')
        .is_some_and(|(_, top)| top.len() >= 2 && top.chars().all(char::is_alphabetic));
    !user.is_empty() && user.chars().all(is_part) && host.chars().all(is_part) && ends_in_domain
}

fn is_amount(word: &str) -> bool {
    let bare = word
        .trim_start_matches(['$', '€', '£', '-', '+'])
        .trim_end_matches(['%', '€']);
    let digits = bare.chars().filter(char::is_ascii_digit).count();
    let others = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ':');
    let dots = bare.matches('.').count();
    digits > 0
        && bare.chars().all(others)
        // A version (1.2.3) and a short number belong to the command, a price and an address do not.
        && (bare != word || digits >= LONG_NUMBER_DIGITS || dots >= 3)
}

fn is_date(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['-', '/', '.', 'T', ':']).collect();
    let is_number = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let has_year = parts
        .iter()
        .take(3)
        .any(|part| part.len() == 4 && is_number(part));
    parts.len() >= 3 && has_year && parts.iter().take(3).all(is_number)
}

/// The text before the digits of an id; lower-case letters, digits and `_` as in a name.
fn id_prefix(word: &str) -> Option<String> {
    let at = word.rfind(['_', '-'])?;
    let (prefix, digits) = (&word[..at], &word[at + 1..]);
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    if !is_number || digits.len() < SUFFIX_DIGITS_MIN {
        return None;
    }
    let is_name = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '-');
    if prefix.is_empty() || !prefix.chars().all(is_name) {
        return None;
    }
    // `mia_li_3668` names a person, and its form does not distinguish it from `gift_card_3668`: the message does, by
    // its own words, and a word that it does not name is a plain id.
    Some(prefix.replace('-', "_"))
}

/// A long run of letters and digits without a mark between them, as keys of records and of services are.
fn is_random(word: &str) -> bool {
    let count = |is: fn(char) -> bool| word.chars().filter(|c| is(*c)).count();
    let digits = count(|c| c.is_ascii_digit());
    let letters = count(|c| c.is_ascii_alphabetic());
    let all = word.chars().count();
    let is_mixed = digits >= 3 && letters >= 3;
    let marks = count(|c| matches!(c, '+' | '/' | '='));
    let is_base64 = digits + letters + marks == all
        && count(|c| c.is_ascii_uppercase()) >= 3
        && count(|c| c.is_ascii_lowercase()) >= 3;
    is_mixed && all >= RANDOM_CHARS_MIN && (digits + letters == all || is_base64 && all >= 24)
}

fn is_hash(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let hexadecimal = |c: char| c.is_ascii_hexdigit() || c == '-';
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    word.len() >= HASH_CHARS_MIN && digits >= 2 && letters >= 1 && word.chars().all(hexadecimal)
}

fn is_booking_code(word: &str) -> bool {
    let word = word.trim_start_matches('#');
    let (mut digits, mut letters) = (0, 0);
    for c in word.chars() {
        match c {
            '0'..='9' => digits += 1,
            'A'..='Z' => letters += 1,
            _ => return false,
        }
    }
    word.len() >= CODE_CHARS_MIN && digits >= 1 && letters >= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_one_case_is_told_from_words_of_the_language() {
        for (word, expected) in [
            ("certificate_4711", Some("<certificate_id>")),
            ("gift-card-90210", Some("<gift_card_id>")),
            ("ann.lee+x@example.org", Some("<email>")),
            ("https://shop.example/a?b", Some("<url>")),
            ("2024-05-20", Some("<date>")),
            ("05/20/2024", Some("<date>")),
            ("10.0.0.17", Some("<num>")),
            ("$12.50", Some("<num>")),
            ("1234567", Some("<num>")),
            ("M20IZO", Some("<id>")),
            ("9f8a7b6c5d", Some("<id>")),
            ("3f2b8c1e-77aa-4b1e-9d2f-0123456789ab", Some("<id>")),
            ("python3", None),
            ("utf8", None),
            ("sha256", None),
            ("8080", None),
            ("1.2.3", None),
            ("0.5", None),
            ("HEAD:feature/x", None),
            ("test:unit", None),
            ("--max-count", None),
            ("main", None),
            ("decade", None),
            ("git@host.example:a/b.git", None),
            ("pkg@1.2.3", None),
        ] {
            assert_eq!(placeholder_of(word).as_deref(), expected, "{word}");
        }
    }

    #[test]
    fn a_message_keeps_the_codes_of_its_tool() {
        for (message, expected) in [
            ("GH0061: no pushing to main", "GH0061: no pushing to main"),
            ("error TS2339 in view", "error TS2339 in view"),
            ("error[E0308]: mismatched", "error[E0308]: mismatched"),
            ("seat taken on flight ZZ81QX.", "seat taken on flight <id>."),
            ("card card_90210 expired", "card <card_id> expired"),
            ("no mail to 'bo@example.org'", "no mail to '<email>'"),
            (
                "total is 487, but paid 16",
                "total is <num>, but paid <num>",
            ),
            ("at most 100 rows", "at most 100 rows"),
            ("port 5432 in use", "port 5432 in use"),
        ] {
            assert_eq!(without_case_values(message), expected);
        }
    }
}
