//! The technical names in a text: identifiers, paths, flags, addresses, acronyms and comparison operators.
//!
//! One changed name makes another instruction, however similar the sentences are. Names are compared without
//! case, which `spelling.rs` compares, and a name that the other text has as a plain word counts as named
//! there.

use super::mentions::Mention;
use crate::negation::is_negation;
use crate::words::stop_words::is_stop_word;

const OPERATORS: &[&str] = &[
    "==", "===", "!=", "!==", "<=", ">=", "&&", "||", "≠", "≤", "≥", "<", ">", "!",
];

/// Operators with a typographic form.
const SAME: &[(&str, &str)] = &[("≠", "!="), ("≤", "<="), ("≥", ">=")];

/// Words with a slash or a dot that are plain language.
const PROSE: &[&str] = &[
    "and/or",
    "he/she",
    "she/he",
    "his/her",
    "him/her",
    "yes/no",
    "either/or",
    "n/a",
    "w/o",
    "w/",
    "e.g",
    "i.e",
    "a.m",
    "p.m",
    "u.s",
    "etc",
];

/// Words that are often capitalised for emphasis.
const EMPHASIS: &[&str] = &[
    "important",
    "note",
    "warning",
    "caution",
    "critical",
    "always",
    "must",
    "never",
    "every",
    "any",
    "first",
    "last",
    "please",
    "remember",
    "ok",
    "todo",
    "tip",
    "rule",
    "may",
    "check",
    "use",
    "make",
    "sure",
    "ensure",
    "verify",
    "avoid",
    "stop",
];

/// Returns the names in a text in order, each once, in lower case; the context is the plain word before.
pub fn identifiers(text: &str) -> Vec<Mention> {
    let shouted = !text.contains(char::is_lowercase);
    let mut found: Vec<Mention> = Vec::new();
    let mut context = String::new();
    for (place, token) in text.split_whitespace().enumerate() {
        let names = names_in(token, shouted, place);
        let plain = token
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase();
        if names.is_empty() && !plain.is_empty() && !matches!(&*plain, "and" | "or") {
            context = plain;
        }
        for value in names {
            if found.iter().all(|known| known.value != value) {
                found.push(Mention {
                    value,
                    context: context.clone(),
                });
            }
        }
    }
    found
}

/// Returns true if prose writes a word with a capital for emphasis only.
pub fn is_emphasis(word: &str) -> bool {
    EMPHASIS.contains(&word.to_lowercase().as_str())
}

/// Returns the words that this rule knows, for a digest of the rules.
pub fn vocabulary() -> impl Iterator<Item = &'static str> {
    [OPERATORS, PROSE, EMPHASIS].into_iter().flatten().copied()
}

/// Returns the names in a token between blanks; `place` is its index in the text.
fn names_in(token: &str, shouted: bool, place: usize) -> Vec<String> {
    let mut names = operators_in(token, place);
    let opening = |c: char| "([{<\"'`*“”‘’«»„,;:!?…（「。".contains(c);
    let closing = |c: char| ")]}>\"'`*“”‘’«»„.,;:!?…）」。，".contains(c);
    let core = token.trim_start_matches(opening).trim_end_matches(closing);
    let lower = core.to_lowercase();
    if PROSE.contains(&&*lower) {
        return names;
    }
    if is_whole_name(core) {
        names.push(lower.trim_end_matches(['/', '\\']).to_owned());
        return names;
    }
    let mut rest = core;
    if let Some(flag) = flag_of(core) {
        names.push(flag.to_lowercase());
        rest = &core[flag.len()..];
    }
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '+' | '#');
    let mut start = 0;
    while let Some(from) = rest[start..].find(is_inner).map(|at| start + at) {
        let end = rest[from..]
            .find(|c| !is_inner(c))
            .map_or(rest.len(), |at| from + at);
        if let Some(name) = name_of(&rest[from..end], &rest[end..], shouted) {
            names.push(name);
        }
        start = end;
    }
    names
}

/// Returns true if a whole token is one name: an address, a path, a variable or a handle.
fn is_whole_name(core: &str) -> bool {
    let is_name_start = |c: char| c.is_ascii_alphabetic() || c == '{' || c == '_';
    if core.contains("://") {
        return true;
    }
    if let Some(rest) = core.strip_prefix(['@', '$']) {
        return rest.starts_with(is_name_start);
    }
    let mail = core.split_once('@');
    if mail.is_some_and(|(user, host)| !user.is_empty() && host.contains('.')) {
        return true;
    }
    let has_letter = core.contains(|c: char| c.is_ascii_alphabetic());
    has_letter && core.contains(['/', '\\']) && !core.ends_with("/o") && !joins_words(core)
}

/// Returns true if a token is words joined by slashes, which may be prose or a path; `code.rs` compares those.
fn joins_words(core: &str) -> bool {
    let is_word = |part: &str| !part.is_empty() && part.chars().all(char::is_alphabetic);
    core.split('/').all(is_word)
}

/// Returns the flag at the start of a token: one or two hyphens and a name.
fn flag_of(core: &str) -> Option<&str> {
    let name = core.strip_prefix("--").or_else(|| core.strip_prefix('-'))?;
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let is_flag = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let end = core.find(|c| !is_flag(c)).unwrap_or(core.len());
    Some(&core[..end])
}

fn name_of(word: &str, after: &str, shouted: bool) -> Option<String> {
    let word = word.trim_end_matches('.');
    let dotfile = word.starts_with('.') && !word.starts_with("..");
    let bare = word.trim_matches(['_', '.']);
    let lower = bare.to_lowercase();
    if bare.is_empty() || PROSE.contains(&&*lower) {
        return None;
    }
    let has_letter = bare.contains(|c: char| c.is_ascii_alphabetic());
    let calls = after.starts_with('(') && !after.starts_with("(s") && !after.starts_with("(es");
    let starts_with_digit = bare.starts_with(|c: char| c.is_numeric());
    if !has_letter || (starts_with_digit && !bare.contains('_')) {
        return None;
    }
    let marked = (calls && bare.is_ascii() && !shouted)
        || dotfile
        || word.starts_with("__")
        || bare.contains(['_', '.'])
        || bare.ends_with("++")
        || bare.ends_with('#')
        || bare.contains(|c: char| c.is_numeric());
    if marked {
        return Some(if dotfile { format!(".{lower}") } else { lower });
    }
    if shouted {
        return None;
    }
    if let Some(acronym) = acronym(bare) {
        return is_name(&acronym).then_some(acronym);
    }
    is_humped(bare).then_some(lower)
}

/// Returns the singular of a word in capitals, in lower case.
fn acronym(word: &str) -> Option<String> {
    let singular = word.strip_suffix('s').unwrap_or(word);
    let letters = || singular.chars().filter(|c| c.is_alphabetic());
    (letters().count() > 1 && letters().all(char::is_uppercase)).then(|| singular.to_lowercase())
}

/// Returns true if a word in capitals is a name, not just emphasised.
fn is_name(lower: &str) -> bool {
    !is_stop_word(lower) && !is_negation(lower) && !EMPHASIS.contains(&lower)
}

fn is_humped(word: &str) -> bool {
    let chars: Vec<char> = word.chars().collect();
    chars
        .windows(2)
        .any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase())
        || (chars.len() > 2 && chars[0].is_uppercase() && chars[1].is_uppercase())
}

/// Returns the comparison operators in a token. Arrows, rules and markup are not operators.
fn operators_in(token: &str, place: usize) -> Vec<String> {
    let is_part = |c: char| "=!<>&|≠≤≥-".contains(c);
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(from) = token[start..].find(is_part).map(|at| start + at) {
        let end = token[from..]
            .find(|c| !is_part(c))
            .map_or(token.len(), |at| from + at);
        let (run, after) = (&token[from..end], &token[end..]);
        let counts = match run {
            // Alone, but not at the start, where `>` marks a quotation; or before a number.
            "<" | ">" => (token.len() == 1 && place > 0) || after.starts_with(char::is_numeric),
            "!" => from == 0 && after.starts_with(|c: char| c.is_ascii_lowercase()),
            _ => OPERATORS.contains(&run),
        };
        if counts {
            let same = SAME.iter().find(|(written, _)| *written == run);
            found.push(same.map_or(run, |(_, kept)| kept).to_owned());
        }
        start = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        let table = [
            (
                "call max_retries, then maxRetries or MaxRetries.",
                "max_retries|maxretries",
            ),
            ("set MAX_SIZE in config.toml.", "max_size|config.toml"),
            ("a.b() and sum(x) of file(s)", "a.b|sum"),
            (
                "open /etc/hosts, src/main.rs or ./run",
                "/etc/hosts|src/main.rs|./run",
            ),
            ("C:\\temp\\x on Windows", "c:\\temp\\x"),
            (
                "pass --dry-run and -x, or --level=3",
                "--dry-run|-x|--level",
            ),
            ("see https://a.example/x?y=1.", "https://a.example/x?y=1"),
            ("v1.2.3 sha256 1.2.3 5ms 3rd", "v1.2.3|sha256"),
            ("GET the JSON from APIs", "get|json|api"),
            ("NEVER do this, it is IMPORTANT and MUST stay", ""),
            ("CHECK THE FILE FIRST", ""),
            ("and/or e.g. i.e. done.", ""),
            ("well-known word - dash -- dash", ""),
            ("C++ and C# and C", "c++|c#"),
            ("x == 0, y >= 3, a < b, n <5", "==|>=|<"),
            ("a -> b => c ==== <br> > quote", ">"),
            ("the .env file of $HOME by @me", ".env|$home|@me"),
            ("__init__ is _emphasised_", "init"),
            ("Plain Words Like This One", ""),
            ("Wow! Really?!", ""),
        ];
        for (text, expected) in table {
            let values: Vec<String> = identifiers(text).into_iter().map(|m| m.value).collect();
            assert_eq!(values.join("|"), expected, "{text:?}");
        }
    }
}
