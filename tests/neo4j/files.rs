//! The Cypher files: their headers match their statements.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file under `cypher`.
#[derive(Clone)]
pub(crate) struct File {
    pub(crate) name: String,
    /// The comment lines at its top, without their marks.
    pub(crate) header: Vec<String>,
    /// The rest.
    pub(crate) body: String,
}

/// All files of a folder under `cypher`, in order.
pub(crate) fn read(folder: &str) -> Vec<File> {
    let root = Path::new(crate::ROOT).join("cypher");
    let mut paths = Vec::new();
    collect(&root.join(folder), &mut paths);
    paths.sort();
    let file = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let comments = text.lines().take_while(|line| line.starts_with("//"));
        File {
            name: path.strip_prefix(&root).unwrap().display().to_string(),
            header: comments.map(|line| line[2..].to_owned()).collect(),
            body: text
                .lines()
                .skip_while(|line| line.starts_with("//"))
                .collect::<Vec<_>>()
                .join("\n"),
        }
    };
    paths.iter().map(file).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, paths)
        } else {
            paths.push(path)
        }
    }
}

impl File {
    /// The names declared under a heading, in order.
    pub(crate) fn declared(&self, heading: &str) -> Vec<String> {
        let mut lines = self.header.iter().skip_while(|line| line.trim() != heading);
        assert!(lines.next().is_some(), "{}: no `{heading}`", self.name);
        let names = lines.take_while(|line| line.starts_with("   "));
        let names = names.filter(|line| !line.starts_with("    "));
        let names = names.map(|line| line.trim().split(':').next().unwrap().to_owned());
        names.filter(|name| name != "none").collect()
    }

    pub(crate) fn used(&self) -> BTreeSet<String> {
        let parts = self.body.split('$').skip(1);
        let names = parts.map(|part| {
            let end = part.find(|c: char| !c.is_alphanumeric() && c != '_');
            format!("${}", &part[..end.unwrap_or(part.len())])
        });
        // A dynamic relationship type is written `$(…)` and names no parameter.
        names.filter(|name| name.len() > 1).collect()
    }

    /// The columns of the last RETURN without indentation.
    pub(crate) fn returned(&self) -> Vec<String> {
        let lines: Vec<&str> = self.body.lines().collect();
        let Some(at) = lines.iter().rposition(|line| line.starts_with("RETURN")) else {
            return Vec::new();
        };
        let text = lines[at..].join("\n");
        let text = text.trim_start_matches("RETURN").trim_start();
        let text = text.trim_start_matches("DISTINCT");
        let (mut depth, mut is_quoted, mut items) = (0, false, vec![String::new()]);
        for (at, sign) in text.char_indices() {
            // The order of a subquery is none of ours.
            if depth == 0 && !is_quoted && text[at..].starts_with("ORDER BY") {
                break;
            }
            match sign {
                '\'' => is_quoted = !is_quoted,
                '(' | '[' | '{' if !is_quoted => depth += 1,
                ')' | ']' | '}' if !is_quoted => depth -= 1,
                _ => {}
            }
            match sign {
                ',' if depth == 0 && !is_quoted => items.push(String::new()),
                sign => items.last_mut().unwrap().push(sign),
            }
        }
        let name = |item: &String| item.trim().rsplit(" AS ").next().unwrap().to_owned();
        items.iter().map(name).collect()
    }
}

pub(crate) fn headers() {
    let files = read("queries");
    assert!(files.len() >= 40, "{} files", files.len());
    for file in files {
        let name = &file.name;
        let declared: BTreeSet<String> = file.declared("Parameters:").into_iter().collect();
        assert_eq!(declared, file.used(), "parameters of {name}");
        assert_eq!(
            file.declared("Columns:"),
            file.returned(),
            "columns of {name}"
        );
        let locks = file
            .header
            .iter()
            .filter(|line| line.starts_with(" Locks: "));
        assert_eq!(locks.count(), 1, "locks of {name}");
        assert!(!file.body.contains(';'), "{name} is one statement");
        let first = file.header[0].trim();
        assert!(
            first.len() > 10 && !first.ends_with(':'),
            "purpose of {name}"
        );
    }
}

pub(crate) fn migration_statements() -> Vec<(String, String)> {
    let mut statements = Vec::new();
    for file in read("migrations") {
        let lines: Vec<&str> = file.body.lines().collect();
        let sections = lines.split(|line| line.starts_with("//"));
        let texts = sections.flat_map(|lines| {
            let text = lines.join("\n");
            let texts = text.split(';').map(|text| text.trim().to_owned());
            texts.collect::<Vec<_>>()
        });
        let texts = texts.filter(|text| !text.is_empty());
        statements.extend(texts.map(|text| (file.name.clone(), text)));
    }
    statements
}

fn is_schema(text: &str) -> bool {
    text.starts_with("CREATE CONSTRAINT ") || text.starts_with("CREATE INDEX ")
}

/// A file changes the schema or data, never both.
pub(crate) fn migrations() {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, text) in migration_statements() {
        files.entry(name).or_default().push(text);
    }
    for (name, texts) in files {
        let of_schema = texts.iter().filter(|text| is_schema(text)).count();
        assert!(of_schema == 0 || of_schema == texts.len(), "{name}");
    }
    let statements = migration_statements().into_iter();
    for (name, text) in statements.filter(|(_, text)| is_schema(text)) {
        assert!(
            text.contains(" IF NOT EXISTS"),
            "{name} cannot be repeated: {text}"
        );
    }
}

pub(crate) fn names() {
    let mut names = BTreeSet::new();
    let statements = migration_statements().into_iter();
    for (file, text) in statements.filter(|(_, text)| is_schema(text)) {
        let name = text.split_whitespace().nth(2).unwrap().to_owned();
        assert!(name != "IF" && name != "FOR", "{file}: no name in {text}");
        // A name that other programs would choose too is theirs.
        let is_own = name.starts_with("hindlore_") || name == "ace_bullet_hash_unique";
        assert!(is_own, "{file}: {name}");
        assert!(names.insert(name.clone()), "{file}: {name} twice");
    }
    assert_eq!(names.len(), 91);
    assert!(names.contains("ace_bullet_hash_unique"));
}
