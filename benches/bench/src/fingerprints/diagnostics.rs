//! Diagnostics of compilers with their truth: the templates of rustc and tsc, filled with names and places drawn
//! from a seed.
//!
//! The outputs of one statement of a compiler for two programs are one error: the code and the template are the truth,
//! every name, type, place, excerpt and the compiler's progress around it are chance. The templates are those that
//! the compilers print; the programs are nobody's.

use super::labelled::LabelledSet;
use crate::chance::Chance;

/// Lines of each template.
const OF_EACH: usize = 16;
/// Decides the names and the places.
const SEED: u64 = 0xD1A6_0057;

/// Templates of rustc: `#` is a name, `@` a type.
const RUSTC: &[&str] = &[
    "error[E0308]: mismatched types",
    "error[E0382]: borrow of moved value: `#`",
    "error[E0382]: use of moved value: `#`",
    "error[E0425]: cannot find value `#` in this scope",
    "error[E0425]: cannot find function `#` in this scope",
    "error[E0412]: cannot find type `@` in this scope",
    "error[E0432]: unresolved import `#`",
    "error[E0433]: failed to resolve: use of undeclared type `@`",
    "error[E0499]: cannot borrow `#` as mutable more than once at a time",
    "error[E0502]: cannot borrow `#` as mutable because it is also borrowed as immutable",
    "error[E0505]: cannot move out of `#` because it is borrowed",
    "error[E0507]: cannot move out of `#` which is behind a shared reference",
    "error[E0515]: cannot return reference to local variable `#`",
    "error[E0560]: struct `@` has no field named `#`",
    "error[E0061]: this function takes 2 arguments but 1 argument was supplied",
    "error[E0063]: missing field `#` in initializer of `@`",
    "error[E0106]: missing lifetime specifier",
    "error[E0277]: the trait bound `@: @` is not satisfied",
    "error[E0277]: `?` couldn't convert the error to `@`",
    "error[E0282]: type annotations needed",
    "error[E0384]: cannot assign twice to immutable variable `#`",
    "error[E0596]: cannot borrow `#` as mutable, as it is not declared as mutable",
    "error[E0597]: `#` does not live long enough",
    "error[E0599]: no method named `#` found for struct `@` in the current scope",
    "error[E0603]: function `#` is private",
    "error[E0614]: type `@` cannot be dereferenced",
    "error: expected one of `,` or `}`, found `#`",
    "warning: unused variable: `#`",
];

/// Templates of tsc.
const TSC: &[&str] = &[
    "error TS1005: ';' expected.",
    "error TS2304: Cannot find name '#'.",
    "error TS2307: Cannot find module './#' or its corresponding type declarations.",
    "error TS2322: Type '@' is not assignable to type '@'.",
    "error TS2339: Property '#' does not exist on type '@'.",
    "error TS2345: Argument of type '@' is not assignable to parameter of type '@'.",
    "error TS2352: Conversion of type '@' to type '@' may be a mistake.",
    "error TS2353: Object literal may only specify known properties, and '#' does not exist in type '@'.",
    "error TS2365: Operator '+' cannot be applied to types '@' and '@'.",
    "error TS2451: Cannot redeclare block-scoped variable '#'.",
    "error TS2531: Object is possibly 'null'.",
    "error TS2551: Property '#' does not exist on type '@'. Did you mean '#'?",
    "error TS2554: Expected 2 arguments, but got 1.",
    "error TS2741: Property '#' is missing in type '@' but required in type '@'.",
    "error TS2769: No overload matches this call.",
    "error TS6133: '#' is declared but its value is never read.",
    "error TS7006: Parameter '#' implicitly has an 'any' type.",
    "error TS7053: Element implicitly has an 'any' type because expression of type '@' can't be used to index type '@'.",
    "error TS18048: '#' is possibly 'undefined'.",
    "error TS2532: Object is possibly 'undefined'.",
];

const NAMES: &[&str] = &[
    "total",
    "row",
    "userId",
    "items2",
    "cfg",
    "path_buf",
    "handler",
    "x",
    "next_token",
    "idx",
    "Order",
    "sha256",
];
const TYPES: &[&str] = &[
    "User",
    "u32",
    "Vec<String>",
    "string",
    "i64",
    "&str",
    "Cart",
    "number",
    "Promise<Row[]>",
    "Option<u8>",
    "Map2",
];
const FOLDERS: &[&str] = &["src", "src/cart", "lib/web/ui", "packages/core/src", "."];

/// Returns the diagnostics of both compilers.
pub(super) fn made() -> Vec<LabelledSet> {
    let mut chance = Chance::new(SEED);
    [("rustc", RUSTC, rustc as Print), ("tsc", TSC, tsc as Print)]
        .into_iter()
        .map(|(name, templates, print)| set(name, templates, print, &mut chance))
        .collect()
}

/// Prints a message as its compiler does.
type Print = fn(&str, &mut Chance) -> String;

fn set(name: &str, templates: &[&str], print: Print, chance: &mut Chance) -> LabelledSet {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (label, template) in templates.iter().enumerate() {
        for _ in 0..OF_EACH {
            let message = filled(template, chance);
            lines.push((label, print(&message, chance)));
        }
    }
    chance.shuffle(&mut lines);
    let (labels, texts) = lines.into_iter().unzip();
    LabelledSet {
        name: name.to_owned(),
        is_log: false,
        texts,
        labels,
    }
}

fn filled(template: &str, chance: &mut Chance) -> String {
    let mut message = String::new();
    for c in template.chars() {
        match c {
            '#' => message.push_str(one_of(NAMES, chance)),
            '@' => message.push_str(one_of(TYPES, chance)),
            c => message.push(c),
        }
    }
    message
}

/// A diagnostic with its place, its excerpt and, now and then, the progress before it and the sum after it.
fn rustc(message: &str, chance: &mut Chance) -> String {
    let (folder, file) = (one_of(FOLDERS, chance), one_of(NAMES, chance));
    let (line, column) = (1 + chance.below(900), 1 + chance.below(60));
    let name = one_of(NAMES, chance);
    let before = match chance.below(3) {
        0 => format!("   Compiling {name} v0.{column}.0 (/work/{name})\n"),
        _ => String::new(),
    };
    let sum = match chance.below(3) {
        0 => format!("\n\nerror: could not compile `{name}` (lib) due to {line} previous errors"),
        _ => String::new(),
    };
    let kind = one_of(TYPES, chance);
    format!(
        "{before}{message}\n  --> {folder}/{file}.rs:{line}:{column}\n   |\n{line} |     {name}.run();\n   |     \
         ^^^^ expected `{kind}`, found `{name}`\n   |\n   = note: see `{name}`{sum}"
    )
}

fn tsc(message: &str, chance: &mut Chance) -> String {
    let (folder, file) = (one_of(FOLDERS, chance), one_of(NAMES, chance));
    let (line, column) = (1 + chance.below(900), 1 + chance.below(60));
    match chance.below(2) {
        0 => format!("{folder}/{file}.ts({line},{column}): {message}"),
        _ => format!(
            "{folder}/{file}.ts:{line}:{column} - {message}\n\n{line}     {file}.run()\n      ~~~~~\n\nFound {line} errors."
        ),
    }
}

fn one_of<'n>(names: &[&'n str], chance: &mut Chance) -> &'n str {
    names[chance.below(names.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_printed_and_equal_seeds_print_the_same() {
        let sets = made();
        assert_eq!(sets, made());
        let lines: usize = sets.iter().map(|set| set.texts.len()).sum();
        assert!(lines >= 500, "{lines}");
        for (set, templates) in sets.iter().zip([RUSTC, TSC]) {
            let mut labels = set.labels.clone();
            labels.sort_unstable();
            labels.dedup();
            assert_eq!(labels.len(), templates.len());
        }
    }
}
