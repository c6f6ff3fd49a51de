//! Contract clauses: a clause that is written but not in the table would never run, unnoticed.
//!
//! A clause is a public function that takes `&Subject` and nothing else. The table is the `clauses!` list in
//! `tests/contract/clauses/mod.rs`: the arguments of `clauses! { … }`, or, where the list is the macro itself, the body
//! of its `macro_rules!`. A name in the list is a word that nothing opens or qualifies after it, so areas may be
//! written as `area::name`, `area: [name]`, `area => [name]` or `area { name }`.

use crate::item::functions;
use crate::source::{Source, matching};
use crate::token::Token;

const PLACE: &str = "tests/contract/clauses";
const TABLE: &str = "tests/contract/clauses/mod.rs";

/// Reports clauses that the table does not name, and names that are no clause.
pub(crate) fn complaints(sources: &[Source]) -> Vec<String> {
    let folder: Vec<&Source> = sources
        .iter()
        .filter(|source| source.within(PLACE))
        .collect();
    if folder.is_empty() {
        return Vec::new();
    }
    let Some(table) = folder.iter().find(|source| source.path == TABLE) else {
        return vec![format!(
            "{TABLE}: does not exist; it lists the clauses in `clauses!`"
        )];
    };
    let listed = listed(&table.tokens);
    if listed.is_empty() {
        return vec![table.complaint(1, "has no `clauses!` list with names in it")];
    }
    let written = written(&folder);
    let mut found = Vec::new();
    for (name, source, line) in &written {
        let in_table = listed.iter().filter(|(other, _)| other == name).count();
        let in_code = written.iter().filter(|(other, ..)| other == name).count();
        if in_table < in_code {
            let message = format!(
                "clause `{name}` is not in the `clauses!` list of {TABLE} ({in_table} of that name are)"
            );
            found.push(source.complaint(*line, &message));
        }
    }
    for (at, (name, line)) in listed.iter().enumerate() {
        let before = listed[..at]
            .iter()
            .filter(|(other, _)| other == name)
            .count();
        let in_code = written.iter().filter(|(other, ..)| other == name).count();
        if before >= in_code {
            found.push(table.complaint(
                *line,
                &format!("`{name}` is listed but no clause of that name is left"),
            ));
        }
    }
    found
}

fn written<'a>(folder: &[&'a Source]) -> Vec<(String, &'a Source, usize)> {
    let mut found = Vec::new();
    for &source in folder {
        for function in functions(source) {
            let [parameter] = function.parameters.as_slice() else {
                continue;
            };
            if function.is_public && takes_subject(parameter) {
                found.push((function.name.clone(), source, function.line));
            }
        }
    }
    found
}

fn takes_subject(parameter: &str) -> bool {
    let Some((_, kind)) = parameter.split_once(':') else {
        return false;
    };
    let is_reference = kind.starts_with('&');
    let without_generics = kind.split('<').next().unwrap_or(kind);
    let name = without_generics
        .rsplit(':')
        .next()
        .unwrap_or(kind)
        .trim_start_matches('&');
    // A lifetime is joined to the name once blanks are gone, as in `&'aSubject`.
    is_reference
        && (name == "Subject"
            || (name.ends_with("Subject") && !name.starts_with(char::is_uppercase)))
}

/// Collects the names in the `clauses!` list with their lines.
fn listed(tokens: &[Token]) -> Vec<(String, usize)> {
    let calls = spans(tokens, |before| {
        before.len() == 2 && before[0].is("clauses") && before[1].is("!")
    });
    let spans = if calls.is_empty() {
        spans(tokens, |before| {
            before.len() == 2 && before[0].is("!") && before[1].is("clauses")
        })
    } else {
        calls
    };
    spans.into_iter().flat_map(names).collect()
}

fn spans(tokens: &[Token], announces: impl Fn(&[Token]) -> bool) -> Vec<&[Token]> {
    (2..tokens.len())
        .filter(|&at| {
            matches!(tokens[at].text.as_str(), "{" | "(" | "[") && announces(&tokens[at - 2..at])
        })
        .filter_map(|at| tokens.get(at + 1..matching(tokens, at)))
        .collect()
}

fn names(list: &[Token]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (at, token) in list.iter().enumerate() {
        let ends_entry = list
            .get(at + 1)
            .is_none_or(|next| matches!(next.text.as_str(), "," | ";" | "]" | ")" | "}"));
        let is_fragment =
            list[..at].last().is_some_and(|last| last.is("$")) || is_fragment_kind(&list[..at]);
        if token.is_word() && ends_entry && !is_fragment {
            found.push((token.text.clone(), token.line));
        }
    }
    found
}

/// Returns true if the next tokens are the kind of a macro fragment, as `ident` in `$name:ident`.
fn is_fragment_kind(before: &[Token]) -> bool {
    matches!(before, [.., dollar, name, colon] if dollar.is("$") && name.is_word() && colon.is(":"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(table: &str, clauses: &str) -> Vec<String> {
        complaints(&[
            Source::new(TABLE, table),
            Source::new("tests/contract/clauses/memory.rs", clauses),
        ])
    }

    const TWO: &str = "pub async fn a(subject: &Subject) {} pub(crate) fn b(s: &crate::Subject) {} \
        async fn not_public(s: &Subject) {} pub fn two(s: &Subject, n: u8) {} pub fn other(s: &Object) {}";

    #[test]
    fn a_complete_table_passes_in_every_form() {
        for table in [
            "clauses! { memory::a, memory::b }",
            "clauses!(memory: a, b,);",
            "super::clauses! { memory { a, b, } }",
            "clauses! { memory => [a, b] }",
            "macro_rules! clauses { ($run:ident) => { $run! { memory: a, b } }; }",
            "macro_rules! clauses { ($($area:ident: [$($name:ident),*])*) => { $(mod $area { $(t!($name);)* })* } } \
             clauses! { memory: [a, b] }",
        ] {
            assert_eq!(check(table, TWO), Vec::<String>::new(), "{table}");
        }
    }

    #[test]
    fn a_clause_that_is_not_listed_is_reported() {
        let found = check("clauses! { memory: a }\n// b", TWO);
        assert!(
            found.len() == 1 && found[0].contains("`b` is not in"),
            "{found:?}"
        );
        let lifetimes = check(
            "clauses! { a, b }",
            &format!("{TWO} pub async fn c<'s>(s: &'s Subject) {{}}"),
        );
        assert!(
            lifetimes.len() == 1 && lifetimes[0].contains("`c` is not in"),
            "{lifetimes:?}"
        );
    }

    #[test]
    fn a_name_without_clause_is_reported() {
        let found = check("clauses! { memory: a, b, gone }", TWO);
        assert!(
            found.len() == 1 && found[0].contains("`gone` is listed"),
            "{found:?}"
        );
        let twice = check("clauses! { memory: a, b, b }", TWO);
        assert!(
            twice.len() == 1 && twice[0].contains("`b` is listed"),
            "{twice:?}"
        );
    }

    #[test]
    fn a_missing_table_or_an_empty_one_is_reported() {
        assert_eq!(check("mod memory;", TWO).len(), 1);
        assert_eq!(
            complaints(&[Source::new("tests/contract/clauses/memory.rs", TWO)]).len(),
            1
        );
        assert_eq!(
            complaints(&[Source::new("tests/tidy/main.rs", "")]).len(),
            0
        );
    }
}
