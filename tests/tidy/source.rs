//! A source is one Rust file of the repository: its path, its text, its tokens, and which of them are tests.
//!
//! The tokens of `#[cfg(test)]` are found here once, also when it is a file of its own, so that the rules about product
//! code need not know how tests are attached.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use crate::token::{Comment, Token, scan};

/// A Rust file, with its path relative to the root of the repository.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<Comment>,
    test_spans: Vec<Range<usize>>,
}

impl Source {
    /// Reads a text as if it were the file at `path`.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let (tokens, comments) = scan(text);
        let test_spans = test_spans(&tokens);
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            tokens,
            comments,
            test_spans,
        }
    }

    /// Returns true if the token at `index` is compiled for tests only.
    pub(crate) fn in_test(&self, index: usize) -> bool {
        self.test_spans.iter().any(|span| span.contains(&index))
    }

    /// Returns true if this file is part of a program or a library, and no test.
    pub(crate) fn is_product(&self) -> bool {
        self.has_floor() || self.path.starts_with("benches/") && !self.path.contains("/tests/")
    }

    /// Returns true if this file is on a floor of the product.
    pub(crate) fn has_floor(&self) -> bool {
        self.path.starts_with("src/")
    }

    /// Returns true if this is the file of the module at `place` (no extension), or lies inside of it.
    pub(crate) fn within(&self, place: &str) -> bool {
        self.path
            .strip_prefix(place)
            .is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
    }

    /// Names the folder and file names of this path, the last one without its extension.
    pub(crate) fn parts(&self) -> Vec<&str> {
        self.path.trim_end_matches(".rs").split('/').collect()
    }

    /// Formats a complaint about a line of this file.
    pub(crate) fn complaint(&self, line: usize, message: &str) -> String {
        format!("{}:{line}: {message}", self.path)
    }

    /// Names the module files that are declared for tests only, without extension.
    fn test_modules(&self) -> Vec<String> {
        let (folder, file) = self.path.rsplit_once('/').unwrap_or(("", &self.path));
        let home = match file.trim_end_matches(".rs") {
            "mod" | "lib" | "main" => folder.to_owned(),
            name => format!("{folder}/{name}"),
        };
        (2..self.tokens.len())
            .filter(|&at| {
                self.in_test(at) && self.tokens[at].is(";") && self.tokens[at - 2].is("mod")
            })
            .map(|at| format!("{home}/{}", self.tokens[at - 1].text))
            .collect()
    }
}

/// Reads all Rust files under the folders, in order of their paths.
pub(crate) fn read(root: &Path, folders: &[&str]) -> io::Result<Vec<Source>> {
    let mut paths = Vec::new();
    for folder in folders {
        walk(root, folder, &mut paths)?;
    }
    paths.sort();
    let mut sources = Vec::new();
    for path in paths {
        sources.push(Source::new(&path, &fs::read_to_string(root.join(&path))?));
    }
    mark_test_files(&mut sources);
    Ok(sources)
}

/// Marks the files of modules that their parent declares under `#[cfg(test)]`.
pub(crate) fn mark_test_files(sources: &mut [Source]) {
    let modules: Vec<String> = sources.iter().flat_map(Source::test_modules).collect();
    for source in sources {
        if modules.iter().any(|module| source.within(module)) {
            source.test_spans.clear();
            source.test_spans.push(0..usize::MAX);
        }
    }
}

fn walk(root: &Path, folder: &str, paths: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            walk(root, &path, paths)?;
        } else if path.ends_with(".rs") {
            paths.push(path);
        }
    }
    Ok(())
}

fn test_spans(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    for at in 0..tokens.len() {
        if !tokens[at].is("#") {
            continue;
        }
        let inner = tokens.get(at + 1).is_some_and(|token| token.is("!"));
        let open = at + 1 + usize::from(inner);
        if !tokens.get(open).is_some_and(|token| token.is("[")) {
            continue;
        }
        let close = matching(tokens, open);
        if !is_test_only(&tokens[open..close]) {
            continue;
        }
        spans.push(if inner {
            0..tokens.len()
        } else {
            at..item_end(tokens, close + 1)
        });
    }
    spans
}

/// Returns true if an attribute keeps its item out of every build but that of the tests.
fn is_test_only(attribute: &[Token]) -> bool {
    let has = |word: &str| attribute.iter().any(|token| token.is(word));
    has("cfg") && has("test") && !has("any") && !has("not")
}

fn item_end(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    while at < tokens.len() {
        match tokens[at].text.as_str() {
            "{" => return matching(tokens, at) + 1,
            "(" | "[" => at = matching(tokens, at),
            ";" => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Finds the bracket that closes the one at `open`; the end of the tokens when there is none.
pub(crate) fn matching(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_attribute_covers_is_test() {
        let source = Source::new(
            "src/a.rs",
            "fn a() {} #[cfg(test)] #[allow(x)] mod tests { fn b() {} } fn c() {} #[cfg(not(test))] fn d() {}",
        );
        let tested: Vec<&str> = (0..source.tokens.len())
            .filter(|&at| source.in_test(at) && at > 0 && source.tokens[at - 1].is("fn"))
            .map(|at| source.tokens[at].text.as_str())
            .collect();
        assert_eq!(tested, ["b"]);
    }

    #[test]
    fn a_test_module_in_its_own_file_is_test() {
        let mut sources = [
            Source::new("src/a/mod.rs", "#[cfg(test)]\nmod tests;\nmod b;"),
            Source::new("src/a/tests.rs", "fn t() {}"),
            Source::new("src/a/b.rs", "fn b() {}"),
        ];
        mark_test_files(&mut sources);
        assert_eq!(sources.map(|source| source.in_test(0)), [true, true, false]);
    }

    #[test]
    fn a_place_is_a_file_or_a_folder_and_not_a_prefix() {
        let places = ["src/cli.rs", "src/cli/a.rs", "src/client.rs"];
        assert_eq!(
            places.map(|path| Source::new(path, "").within("src/cli")),
            [true, true, false]
        );
    }
}
