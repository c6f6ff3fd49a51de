//! The words around the name of an object that is missing or not understood.
//!
//! The name is the identity of such an error on the fine level, because each missing object has a cure of its own, and
//! chance on the coarse level, quoted or not. Tools and languages share a small grammar: a word of lack and a kind of
//! object before the name, or a predicate after it. The tables hold that grammar and no rule for one tool.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use super::lazy_rule::LazyRule;

use super::super::class::{CLASS, DIGIT, DOT, LETTER, SLASH};

/// Words without which no shape fits; most texts have none of them, and this check costs less than the shapes.
const CUES: &str = "not |n't |\\bno |unknown|undef|undecl|unreso|unreco|unlink|unable|unbound|unexp|unsup|uninit|missing|\
    cannot|invalid|illegal|requirement|symbol:|spawn |declaration of|notfounderror|classnotfound|noclassdef";

/// Words of lack that need no sign before the name.
const LACK: &str = "unknown|undefined|undeclared|unresolved|unrecogni[sz]ed|unlinked|no such|no matching|cannot find|\
    can't find|could not find|couldn't find|unable to (?:find|locate)|not found:|no rule to make|cannot import";
/// Words of lack that a general statement may begin with, so that a colon, a quote or a dash must precede the name.
const WEAK_LACK: &str = "missing|no|unexpected|invalid|unsupported|illegal";
/// Words between the lack and the kind of object.
const FILLERS: &str = "(?:an? |the |any |(?:\\w+ )?or |required |matching |available |valid |local |external |remote |\
    positional |keyword |environment |lifecycle )*";
/// Kinds of objects that have names.
const NOUNS: &str = "argument|artifact|attribute|branch|chart|choice|class|column|command|constant|container|crate|database|\
    dependency|encoding|extension|feature|field|flag|formula|function|gem|header|identifier|image|import|\
    key|keyword|label|library|lookup|macro|member|method|module|name|namespace|network|object|option|package|\
    parameter|pathspec|plugin|program|property|provider|recipe|ref|reference to|reference|relation|remote|resource|role|schema|\
    script|service|subcommand|sub-command|switch|symbol|table|tag|target|task|trait|type|unit|value|variable|verb|\
    view|volume|workspace";

/// The words around a name: `{hole}` is the name in quotes or without them, `{quoted}` is one in quotes or after a dash.
#[rustfmt::skip]
const SHAPES: &[&str] = &[
    r"\b(?:{lack}) {fillers}(?:{nouns})s?(?: or (?:\w+ )?(?:{nouns}))?(?: names?| named| called)?:?(?: --)? {hole}",
    r"\b(?:{weak}) {fillers}(?:{nouns})s?(?: or (?:\w+ )?(?:{nouns}))?(?:(?: names?)?: {hole}| (?:named|called):? {hole}| (?:-- )?{quoted})",
    r"\b(?:{lack})(?: \w+)?(?: for)?(?: (?:{nouns}))? {quoted}",
    r"\bno (?:{nouns}) {hole} (?:is |was )?(?:available|found|exists|defined)",
    r"\b(?:{nouns})(?:s|\(s\))? not found:? {hole}",
    r"\b(?:undefined|not defined|not in scope|undeclared|unresolved|unknown)(?: reference)?: {hole}",
    r"\bnot in scope: (?:\w+ )*constructor (?:or class )?{hole}",
    r"\b(?:{nouns})s?(?: named| names?| called)? {hole}(?:\([^()\n]*\))? (?:(?:is|was|are|were) )?(?:not (?:found|defined|declared|recogni[sz]ed|installed|available|known|set|in std)|undefined|unknown|unrecogni[sz]ed|missing|did not match|has no\b|does(?: not|n't) (?:exist|match)|(?:could not|cannot|can't) be (?:found|resolved))",
    r"{hole}: (?:(?:command |program )?not found|unbound variable|parameter not set)\.?$",
    r"{hole} (?:(?:is|was|has) not (?:been )?(?:defined|declared|recogni[sz]ed as)|not defined|isn't defined|is an? unrecogni[sz]ed|undeclared\b|undefined\b|is not an? (?:[\w-]+ command|(?:{nouns})\b)|was not found in the)",
    r"\bhas no (?:{nouns})(?: or (?:{nouns}))? {hole}",
    r"\bsymbol: +\w+ {hole}",
    r"\bspawn {hole} enoent",
    r"\b(?:requirement|distribution found for|match for argument:|provides package|does not contain(?: an?)? (?:recipe|definition for)|declaration of function|doesn't have an? resource type|can't locate|can't resolve|failed to resolve import|cannot load such file --|cannot import name|don't know how to (?:make|build task)) {hole}",
    r"\bcannot find (-l\S+?):?(?:\s|$)",
    r"\b(?:uninitialized constant|classnotfoundexception:|noclassdeffounderror:) {hole}",
];

/// A name, in quotes or without them.
const HOLE: &str = concat!(
    r#"(?:"([^"\n]+)"|'([^'\n]+)'|`([^`'\n]+)[`']|"#,
    r#"([^\s"'`,;:()=<>\[\]{}|~!][^\s"'`,;()=<>\[\]{}|~!]*[^\s"'`,;:()=<>\[\]{}|~!.?]|[^\s"'`,;:()=<>\[\]{}|~!.?]))"#
);
/// A name in quotes, or an option.
const QUOTED: &str = r#"(?:"([^"\n]+)"|'([^'\n]+)'|`([^`'\n]+)[`']|(-[^\s"'`,;:()=]+))"#;

/// Words that follow such words in general statements, sorted: no object is named like them.
#[rustfmt::skip]
const NO_NAMES: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "cannot", "could", "did", "do", "does", "error", "fatal",
    "for", "from", "has", "have", "if", "in", "into", "is", "it", "its", "line", "named", "not", "of", "on", "or", "that", "the",
    "this", "to", "type", "value", "variable", "was", "were", "when", "which", "with", "you", "your",
];

/// Shorter names occur as words of the message as well, so only their own place is theirs.
const REPEATED_BYTES_MIN: usize = 3;
/// Names of one message that are looked for.
const NAMES_MAX: usize = 8;

static CUE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(CUES).ok());
/// Each rule, compiled when the set finds it: a text has one or two of them.
static RULES: LazyLock<Vec<LazyRule>> =
    LazyLock::new(|| sources().into_iter().map(LazyRule::new).collect());
static ANY: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(sources()).ok());

fn sources() -> Vec<String> {
    let fill = |shape: &&str| {
        let parts = [
            ("{lack}", LACK),
            ("{weak}", WEAK_LACK),
            ("{fillers}", FILLERS),
            ("{nouns}", NOUNS),
            ("{hole}", HOLE),
            ("{quoted}", QUOTED),
        ];
        let filled = parts.iter().fold((*shape).to_owned(), |text, part| {
            text.replace(part.0, part.1)
        });
        format!("(?m){filled}")
    };
    SHAPES.iter().map(fill).collect()
}

/// Returns the places of the names of missing objects in a text in lower case, ascending; empty when no object is
/// missing.
pub(super) fn missing(text: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    if !CUE.as_ref().is_some_and(|cue| cue.is_match(text)) {
        return places;
    }
    let Some(any) = ANY.as_ref() else {
        return places;
    };
    let rules = any
        .matches(text)
        .into_iter()
        .filter_map(|at| RULES.get(at)?.get());
    for found in rules.flat_map(|rule| rule.captures_iter(text).take(NAMES_MAX)) {
        let name = found.iter().skip(1).flatten().next();
        places.extend(
            name.map(|name| name.range())
                .filter(|place| may_be_name(text, place)),
        );
    }
    let mut names: Vec<&str> = places.iter().map(|place| &text[place.clone()]).collect();
    names.retain(|name| name.len() >= REPEATED_BYTES_MIN);
    names.sort_unstable();
    names.dedup();
    for name in names.into_iter().take(NAMES_MAX) {
        let again = text.match_indices(name).map(|(at, _)| at..at + name.len());
        places.extend(again.filter(|place| is_whole(text.as_bytes(), place)));
    }
    // Of names that begin at one place the longest is the name.
    places.sort_unstable_by_key(|place| (place.start, Reverse(place.end)));
    places.dedup_by_key(|place| place.start);
    places
}

/// Whether the text at a place is a name: a word in quotes, or one that is no part of a general statement.
fn may_be_name(text: &str, place: &Range<usize>) -> bool {
    let name = &text[place.clone()];
    let before = place
        .start
        .checked_sub(1)
        .and_then(|at| text.as_bytes().get(at));
    let is_quoted = before.is_some_and(|byte| b"\"'`".contains(byte));
    // The kind of an error is in front of a colon as a program is.
    let is_kind = text[place.end..].starts_with(':')
        && (name.ends_with("error") || name.ends_with("exception"));
    let is_word = name.contains(char::is_alphabetic) && NO_NAMES.binary_search(&name).is_err();
    is_quoted || (is_word && !is_kind)
}

/// Whether nothing around a place belongs to the same name.
fn is_whole(text: &[u8], place: &Range<usize>) -> bool {
    let is_of_name = |byte: u8| {
        CLASS[usize::from(byte)] & (LETTER | DIGIT | SLASH) != 0 || b"-@$".contains(&byte)
    };
    let before = place.start.checked_sub(1).and_then(|at| text.get(at));
    let after = text.get(place.end);
    let is_joined = after.is_some_and(|byte| CLASS[usize::from(*byte)] == DOT)
        && text
            .get(place.end + 1)
            .is_some_and(u8::is_ascii_alphanumeric);
    let is_continued = before.is_some_and(|byte| is_of_name(*byte) || *byte == b'.');
    !is_continued && !after.is_some_and(|byte| is_of_name(*byte)) && !is_joined
}

/// Whether every pattern compiles.
#[cfg(test)]
pub(super) fn are_sound() -> bool {
    RULES.len() == SHAPES.len() && ANY.is_some() && CUE.is_some() && NO_NAMES.is_sorted()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::fingerprint::{Evidence, Fingerprinter, Fingerprints};

    /// Messages about one missing object, `#` being its name; no two of them are one error.
    #[rustfmt::skip]
    const MESSAGES: &[&str] = &[
        "bash: line 1: #: command not found",
        "/bin/sh: 1: #: not found",
        "zsh: command not found: #",
        "fish: Unknown command: #",
        "'#' is not recognized as an internal or external command",
        "# : The term '#' is not recognized as the name of a cmdlet, function, script file, or operable program.",
        "bash: #: unbound variable",
        "node:internal/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module '#'\nRequire stack:\n- /w/a.js",
        "/w/a.js:1\n#()\n^\n\nReferenceError: # is not defined\n    at Object.<anonymous> (/w/a.js:1:1)",
        "ERROR: Could not find a version that satisfies the requirement # (from versions: none)\nERROR: x",
        "ERROR: No matching distribution found for #",
        "  × No solution found:\n  ╰─▶ Because # was not found in the package registry and you require\n      #, we stop.",
        "npm error Missing script: \"#\"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run",
        " ERR_PNPM_NO_SCRIPT  Missing script: #",
        "error Command \"#\" not found.",
        "make: *** No rule to make target '#'.  Stop.",
        "error: Justfile does not contain recipe `#`",
        "Task '#' not found in root project 'x'.",
        "error: no such command: `#`",
        "git: '#' is not a git command. See 'git --help'.",
        "error: pathspec '#' did not match any file(s) known to git",
        "error: unknown option: --#",
        "flag provided but not defined: -#",
        "tar: unrecognized option '--#'",
        "error: unexpected argument '--#' found",
        "./a.go:3:5: undefined: #",
        "a.go:3:7: x.# undefined (type T has no field or method #)",
        "a.go:4:2: package # is not in std (/usr/local/go/src/#)",
        "A.java:3: error: cannot find symbol\n    int y = #;\n            ^\n  symbol:   variable #\n  location: class A",
        "[ERROR] /w/A.java:[3,5] cannot find symbol\n[ERROR]   symbol:   class #\n[ERROR]   location: class A",
        "A.java:3: error: package # does not exist",
        "a.c:3:5: error: '#' undeclared (first use in this function)",
        "a.cpp:3:5: error: '#' was not declared in this scope",
        "a.c:(.text+0x5): undefined reference to `#'",
        "src/a.ts(3,4): error TS2304: Cannot find name '#'.",
        "src/a.ts(3,4): error TS2307: Cannot find module './#' or its corresponding type declarations.",
        "error[E0425]: cannot find value `#` in this scope\n --> src/main.rs:2:5",
        "error[E0599]: no method named `#` found for struct `S` in the current scope\n --> src/main.rs:2:5",
        "Traceback (most recent call last):\n  File \"/a/b.py\", line 3, in <module>\n    #\nNameError: name '#' is not defined",
        "ImportError: No module named #",
        "TypeError: # is not a function",
        "error[E0463]: can't find crate for `#`\n --> src/main.rs:1:1",
        "a.swift:3:5: error: cannot find '#' in scope",
        "No package # available.",
        "required environment variable # not set",
        "Error: spawn # ENOENT",
        "AttributeError: module 'os' has no attribute '#'",
        "a.kt:3:5: error: unresolved reference: #",
        "A.hs:3:5: error: Variable not in scope: #",
        "a.rb:3:in `<main>': uninitialized constant # (NameError)",
        "E: Unable to locate package #",
        "Error: No such container: #",
        "no such table: #",
        "psql: error: FATAL:  database \"#\" does not exist",
        "error: the server doesn't have a resource type \"#\"",
    ];

    /// Texts that name no missing object, in pairs that differ on the coarse level.
    const OTHERS: &[(&str, &str)] = &[
        (
            "java.io.IOException: not found",
            "java.lang.AssertionError: not found",
        ),
        ("HTTP 404: Not Found", "HTTP 410: Not Found"),
        (
            "the key is not found in cache",
            "the lock is not found in cache",
        ),
        ("no data was received", "no answer was received"),
        ("assertion failed: rows", "assertion failed: cells"),
        (
            "missing module docstring here",
            "missing class docstring here",
        ),
        ("unknown error in parser", "unknown state in parser"),
        ("value is missing or invalid", "value is stale or invalid"),
    ];

    fn of(text: &str) -> Fingerprints {
        Fingerprinter::default().of(&Evidence {
            error: Value::from(text),
            ..Evidence::default()
        })
    }

    #[test]
    fn two_names_share_the_coarse_fingerprint_and_not_the_fine_one() {
        for (one, other) in [
            ("zzalpha", "beta_row"),
            ("foo.bar", "lib-x"),
            ("python3.12", "k9s"),
            ("gcc-12", "gcc-13"),
            ("Total", "total"),
        ] {
            for message in MESSAGES {
                let (a, b) = (
                    of(&message.replace('#', one)),
                    of(&message.replace('#', other)),
                );
                assert_ne!(a.fine.id, b.fine.id, "{message} {one} {other}");
                assert_eq!(a.coarse, b.coarse, "{message} {one} {other}");
            }
        }
    }

    #[test]
    fn two_errors_about_one_name_do_not_share_a_fingerprint() {
        let mut fine: Vec<_> = MESSAGES
            .iter()
            .map(|message| of(&message.replace('#', "rows")).fine.id)
            .collect();
        fine.sort_unstable();
        fine.dedup();
        assert_eq!(fine.len(), MESSAGES.len());
    }

    #[test]
    fn words_of_a_general_statement_are_no_names() {
        for (a, b) in OTHERS {
            assert_ne!(of(a).coarse.id, of(b).coarse.id, "{a} {b}");
        }
    }
}
