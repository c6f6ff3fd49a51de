//! The messages of compilers and interpreters with names without quotes that are chance, and those about something
//! outside the program.
//!
//! A type that does not fit and a variable that is not used are of the program at hand: their names say nothing about
//! the cure. The tables are the rule. A template is the message in lower case with a group for each name.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use super::lazy_rule::LazyRule;

/// Messages with unquoted names of the program, each name in a group.
#[rustfmt::skip]
const TEMPLATES: &[&str] = &[
    // Go
    r"^declared and not used: (\S+)",
    r"^(\S+) (?:declared (?:and|but) not used|redeclared in this block)",
    r"^cannot use (.+) \((.+)\) as (.+) value in (.+?)(?:: .*)?$",
    r"^(?:not enough|too many) arguments in call to (\S+)",
    r"^invalid operation: (.+) \(mismatched types (.+) and (.+)\)",
    r"^invalid operation: (?:operator \S+ not defined on )?(\S+) \((.+)\)",
    r"^impossible type (?:assertion|switch case): (.+)$",
    r"^cannot (?:assign to|convert|index|call|range over) (.+?) \((.+)\)",
    r"^(\S+) does not implement (\S+) \(missing method (\S+)\)",
    r"^method (\S+) already declared",
    // Java, Kotlin, Scala
    r"^(?:error: )?incompatible types: (.+) cannot be converted to (.+)$",
    r"^(?:error: )?method (\S+) in (?:class|interface) (\S+) cannot be applied to given types",
    r"^(?:error: )?(\S+) is already defined in (?:method|class) (.+)$",
    r"^(?:error: )?variable (\S+) might not have been initialized",
    r"^(?:error: )?(\S+) is not abstract and does not override abstract method (\S+) in (\S+)",
    r"^(?:error: )?unreported exception (\S+?);",
    r"^(?:error: )?type mismatch: inferred type is (.+) but (.+) was expected",
    // Python
    r"^\w*error: (\S+?)\(\) (?:missing|takes|got)\b",
];

/// Messages about something outside of the program whose name is no piece of its own: a file, a library.
const OUTSIDE: &str = "no such file or directory|shared (?:object|librar)";

static RULES: LazyLock<Vec<LazyRule>> =
    LazyLock::new(|| TEMPLATES.iter().map(|one| LazyRule::new(*one)).collect());
static ANY: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(TEMPLATES).ok());
static OUTER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(OUTSIDE).ok());

/// Returns true if the names in a message are those of things outside of the program.
pub(super) fn names_chosen_outside(message: &str) -> bool {
    OUTER.as_ref().is_some_and(|rule| rule.is_match(message))
}

/// Returns the places of the unquoted names of the program in a message in lower case.
pub(super) fn names_of_program(message: &str) -> Vec<Range<usize>> {
    let known = ANY
        .as_ref()
        .and_then(|set| set.matches(message).iter().next());
    let found = known
        .and_then(|at| RULES.get(at)?.get())
        .and_then(|template| template.captures(message));
    let Some(found) = found else {
        return Vec::new();
    };
    let names = found.iter().skip(1).flatten();
    names
        .filter(|name| !name.as_str().contains(['`', '\'', '"']))
        .map(|name| name.range())
        .collect()
}

/// Whether every pattern compiles.
#[cfg(test)]
pub(super) fn are_sound() -> bool {
    RULES.iter().all(|rule| rule.get().is_some()) && ANY.is_some() && OUTER.is_some()
}
