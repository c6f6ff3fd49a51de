//! The word lists of `spelling.rs`.
//!
//! They are part of the guard's digest: a changed list decides differently, so memories must be upgraded to it.

/// Words that introduce a name of code.
#[rustfmt::skip]
pub(super) const INTRODUCING: &[&str] = &[
    "alias", "annotation", "argument", "attribute", "base64", "branch", "called", "class", "column",
    "command", "component", "constant", "constructor", "crate", "database", "decorator", "directory", "element",
    "enum", "env", "environment", "export", "field", "file", "flag", "folder", "format", "func",
    "function", "header", "hook", "id", "identifier", "interface", "key", "keyword", "label", "library", "macro",
    "method", "module", "named", "namespace", "option", "package", "param", "parameter", "passphrase",
    "password", "property", "secret", "struct", "switch", "symbol", "table", "tag", "token", "trait",
    "type", "unset", "user", "username", "variable",
];

/// Environment variables that no sentence would write in capitals for emphasis.
pub(super) const ENVIRONMENT: &[&str] = &[
    "PATH",
    "PWD",
    "TMPDIR",
    "CFLAGS",
    "CXXFLAGS",
    "LDFLAGS",
    "PYTHONPATH",
    "CLASSPATH",
    "GOPATH",
];

/// Pronouns that in capitals are abbreviations: the country, the department, the organisation.
pub(super) const PRONOUNS: &[&str] = &["us", "it", "who"];

/// Abbreviations with dots or slashes, without their last dot.
pub(super) const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "a.m", "p.m", "p.s", "n.b", "u.s", "u.k", "and/or", "n/a", "w/o", "w/", "i/o",
    "a/b", "etc",
];

/// Names that are commonly written in several ways.
#[rustfmt::skip]
pub(super) const VARIANTS: &[&str] = &[
    "airpods", "ebay", "e-mail", "ios", "ipad", "iphone", "ipod", "jquery", "macbook", "macos", "npm", "postgresql",
    "ubuntu", "wifi", "wi-fi", "youtube",
];

/// Prefixes of units, lower case.
const PREFIXES: &[&str] = &[
    "", "da", "e", "f", "g", "h", "k", "ki", "m", "mi", "gi", "ti", "n", "p", "t", "u", "µ", "μ",
    "z", "y", "c", "d",
];

/// Symbols of units, lower case.
const SYMBOLS: &[&str] = &[
    "a", "b", "bit", "bps", "bq", "cal", "ev", "f", "g", "gy", "h", "hz", "j", "k", "l", "m",
    "mol", "n", "ohm", "pa", "s", "sv", "t", "v", "va", "w", "wh", "ω",
];

/// Words that look like units.
const NO_UNITS: &[&str] = &[
    "a", "am", "as", "at", "da", "has", "ms.", "pm", "min", "mins", "may", "us", "it", "them",
    "the", "to", "on",
];

/// Returns true if a word is the symbol of a unit, in any case.
pub(super) fn is_unit(word: &str) -> bool {
    let lower = word.to_lowercase();
    if NO_UNITS.contains(&&*lower) || lower.chars().count() > 5 {
        return false;
    }
    let of = |prefix: &&str| {
        let symbol = lower.strip_prefix(*prefix);
        symbol.is_some_and(|symbol| SYMBOLS.contains(&symbol))
    };
    PREFIXES.iter().any(of)
}

/// Returns the words that this rule knows, for a digest of the rules.
pub(crate) fn vocabulary() -> impl Iterator<Item = &'static str> {
    let lists = [
        INTRODUCING,
        ENVIRONMENT,
        PRONOUNS,
        ABBREVIATIONS,
        VARIANTS,
        PREFIXES,
        SYMBOLS,
        NO_UNITS,
    ];
    lists.into_iter().flatten().copied()
}
