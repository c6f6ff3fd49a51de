//! The messages of compilers and interpreters with a name without quotes, and those whose name is that of something
//! outside the program.
//!
//! The tables are the rule. A template is the message with a group for each name.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Regex, RegexSet};

/// Messages with unquoted names of the program, each name in a group.
#[rustfmt::skip]
const TEMPLATES: &[&str] = &[
    // Go
    r"^(?:vet: )?undefined: (\S+)",
    r"^declared and not used: (\S+)",
    r"^(\S+) (?:declared (?:and|but) not used|redeclared in this block)",
    r"^cannot use (.+) \((.+)\) as (.+) value in (.+?)(?:: .*)?$",
    r"^(\S+) undefined \(type (.+) has no field or method (\S+?)[,)]",
    r"^(?:not enough|too many) arguments in call to (\S+)",
    r"^invalid operation: (.+) \(mismatched types (.+) and (.+)\)",
    r"^invalid operation: (?:operator \S+ not defined on )?(\S+) \((.+)\)",
    r"^impossible type (?:assertion|switch case): (.+)$",
    r"^missing return|^(\S+) \(type\) is not an expression",
    r"^cannot (?:assign to|convert|index|call|range over) (.+?) \((.+)\)",
    r"^(\S+) does not implement (\S+) \(missing method (\S+)\)",
    r"^unknown field (\S+) in struct literal of type (\S+)",
    r"^method (\S+) already declared",
    // Java, Kotlin, Scala
    r"^(?:error: )?cannot find symbol\s+symbol:\s+\w+ (\S+)(?:\s+location:\s+\w+ (.+))?",
    r"^(?:error: )?incompatible types: (.+) cannot be converted to (.+)$",
    r"^(?:error: )?method (\S+) in (?:class|interface) (\S+) cannot be applied to given types",
    r"^(?:error: )?(\S+) is already defined in (?:method|class) (.+)$",
    r"^(?:error: )?variable (\S+) might not have been initialized",
    r"^(?:error: )?(\S+) is not abstract and does not override abstract method (\S+) in (\S+)",
    r"^(?:error: )?unreported exception (\S+?);",
    r"(?i)^(?:e: |error: )?unresolved reference: (\S+)",
    r"^(?:error: )?type mismatch: inferred type is (.+) but (.+) was expected",
    r"^(?:error: )?not found: (?:value|type) (\S+)",
    // Haskell, PHP, Ruby, Perl
    r"(?i)(?:variable|data constructor|type constructor or class) not in scope: (\S+)",
    r"^(?:PHP )?(?:Warning|Notice|Fatal error):\s+(?:Uncaught \w+: )?(?:Undefined variable|Call to undefined (?:function|method)) (\S+)",
    r"(?i)undefined (?:local variable|function|method|variable) (\S+)",
    r"^uninitialized constant (\S+)",
    // Python
    r"^\w*Error: (\S+?)\(\) (?:missing|takes|got)\b",
];

/// Messages about something outside of the program: a module, a package, a file, a command, a library.
#[rustfmt::skip]
const OUTSIDE: &[&str] = &[
    r"(?i)no module named|cannot find (module|package)|module not found|no required module|cannot import name",
    r"(?i)package \S+ (does not exist|is not in)|could not (find|resolve) (artifact|package|dependenc|module)",
    r"(?i)class ?not ?found|no ?class ?def|no such file or directory|(command|module|package|library|program) not found",
    r"(?i)shared (object|librar)|undefined reference to|cannot find -l|unable to (locate|resolve|find) (package|dependenc)",
    r"(?i)can't resolve '|failed to resolve (import|module|entry)|cannot load such file|can't locate \S+\.pm|no such (image|container|extension)",
];

/// A diagnostic with a code: code and template identify the error, for any name.
const CODED: &str =
    r"^\s*(?:[Ff]atal )?(?:error|warning|ERROR)(?:\[[A-Za-z]+\d+\]| [A-Z]{1,8}\d{2,6}\b)";

static NAMES: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let templates = TEMPLATES.iter().map(|template| Regex::new(template));
    templates.filter_map(Result::ok).collect()
});
static ANY: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(TEMPLATES).ok());
static MISSING: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(OUTSIDE).ok());
static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(CODED).ok());

/// Whether the names in a message are those of things outside of the program.
pub(super) fn names_chosen_outside(message: &str) -> bool {
    let has_code = CODE.as_ref().is_some_and(|code| code.is_match(message));
    !has_code && MISSING.as_ref().is_some_and(|set| set.is_match(message))
}

/// Puts the unquoted names of a message in quotes, where its template is known.
pub(super) fn with_names_quoted(message: Cow<'_, str>) -> Cow<'_, str> {
    let known = ANY
        .as_ref()
        .and_then(|set| set.matches(&message).iter().next());
    let Some(template) = known.and_then(|at| NAMES.get(at)) else {
        return message;
    };
    let Some(found) = template.captures(&message) else {
        return message;
    };
    let mut quoted = String::with_capacity(message.len() + 16);
    let mut at = 0;
    for name in found.iter().skip(1).flatten() {
        if name.as_str().contains(['`', '\'', '"']) {
            continue;
        }
        quoted.push_str(&message[at..name.start()]);
        quoted.push('`');
        quoted.push_str(name.as_str());
        quoted.push('`');
        at = name.end();
    }
    quoted.push_str(&message[at..]);
    Cow::Owned(quoted)
}

/// Whether every pattern compiles.
#[cfg(test)]
pub(super) fn are_sound() -> bool {
    let sets = [ANY.is_some(), MISSING.is_some(), CODE.is_some()];
    NAMES.len() == TEMPLATES.len() && sets.iter().all(|sound| *sound)
}
