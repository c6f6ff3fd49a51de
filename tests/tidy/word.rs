//! Words that must not occur in the code: shortcuts that panic, marks of unfinished work, names without meaning.

use crate::source::Source;

const SHORTCUTS: &[&str] = &["unwrap", "expect"];
const UNFINISHED_MACROS: &[&str] = &["todo", "unimplemented"];
// Written in halves, so that this file passes its own rule.
const UNFINISHED_MARKS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME")];
const VAGUE_NAMES: &[&str] = &[
    "utils", "util", "helpers", "helper", "common", "misc", "manager", "managers",
];

/// Reports shortcuts, unfinished work and vague names.
pub(crate) fn complaints(sources: &[Source]) -> Vec<String> {
    sources
        .iter()
        .flat_map(|source| [shortcuts(source), unfinished(source), vague_names(source)].concat())
        .collect()
}

fn shortcuts(source: &Source) -> Vec<String> {
    if !source.is_product() {
        return Vec::new();
    }
    let tokens = &source.tokens;
    (1..tokens.len())
        .filter(|&at| SHORTCUTS.contains(&tokens[at].text.as_str()) && !source.in_test(at))
        .filter(|&at| {
            let is_call =
                tokens[at - 1].is(".") && tokens.get(at + 1).is_some_and(|next| next.is("("));
            is_call || tokens[at - 1].is("::")
        })
        .map(|at| {
            let message = format!(
                "`{}` outside of tests; return the error, or let a type carry the proof",
                tokens[at].text
            );
            source.complaint(tokens[at].line, &message)
        })
        .collect()
}

fn unfinished(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for pair in source.tokens.windows(2) {
        if UNFINISHED_MACROS.contains(&pair[0].text.as_str()) && pair[1].is("!") {
            found.push(source.complaint(
                pair[0].line,
                &format!("`{}!`; finish it or leave it out", pair[0].text),
            ));
        }
    }
    for comment in &source.comments {
        let mut words = comment.text.split(|c: char| !c.is_alphanumeric());
        if let Some(mark) = words.find(|word| UNFINISHED_MARKS.contains(word)) {
            found.push(source.complaint(
                comment.line,
                &format!("{mark} in a comment; open an issue instead"),
            ));
        }
    }
    found
}

fn vague_names(source: &Source) -> Vec<String> {
    let in_path = source.parts().into_iter().skip(1).map(|part| (part, 1));
    let declared = source
        .tokens
        .windows(2)
        .filter(|pair| pair[0].is("mod"))
        .map(|pair| (pair[1].text.as_str(), pair[1].line));
    in_path
        .chain(declared)
        .filter(|(name, _)| VAGUE_NAMES.contains(name))
        .map(|(name, line)| {
            source.complaint(
                line,
                &format!("a module named `{name}` says nothing; name what it is about"),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        complaints(&[Source::new(path, text)]).len()
    }

    #[test]
    fn shortcuts_are_reported_outside_of_tests_only() {
        assert_eq!(
            count(
                "src/a.rs",
                "fn f() { x.unwrap(); y\n  .expect(\"reason\"); }"
            ),
            2
        );
        assert_eq!(count("src/a.rs", "fn f() { x.map(Option::unwrap) }"), 1);
        assert_eq!(
            count(
                "src/a.rs",
                "fn f() { x.unwrap_or(1); \".unwrap()\" } // .unwrap()"
            ),
            0
        );
        assert_eq!(
            count(
                "src/a.rs",
                "#[cfg(test)] mod tests { fn f() { x.unwrap() } }"
            ),
            0
        );
        assert_eq!(count("tests/a.rs", "fn f() { x.unwrap() }"), 0);
    }

    #[test]
    fn unfinished_work_is_reported() {
        assert_eq!(
            count(
                "src/a.rs",
                "fn f() { todo!() } fn g() { unimplemented!(\"x\") }"
            ),
            2
        );
        for mark in UNFINISHED_MARKS {
            assert_eq!(count("src/a.rs", &format!("// {mark}: later")), 1);
            assert_eq!(count("tests/a.rs", &format!("/* ({mark}) */")), 1);
            assert_eq!(
                count("src/a.rs", &format!("const A: &str = \"{mark}\";")),
                0
            );
        }
    }

    #[test]
    fn vague_module_names_are_reported() {
        assert_eq!(count("src/store/helpers.rs", ""), 1);
        assert_eq!(count("tests/common/mod.rs", ""), 1);
        assert_eq!(count("src/a.rs", "mod utils { }"), 1);
        assert_eq!(count("src/a.rs", "fn common() {}"), 0);
    }
}
