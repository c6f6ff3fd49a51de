//! Lines that hold no secret: code, logs, hashes, lock files, manuals. Those that people wrote come from this repository
//! and from the sources of its dependencies; those that machines write are made.

use std::fs;
use std::path::{Path, PathBuf};

use hindlore_redact::Redactor;

use crate::redaction::chance::Chance;

/// How many lines are read.
const LINES: usize = 20_000;
/// The largest share of them that is changed.
const CHANGED_MAX: f64 = 0.001;
/// Lines of one file.
const OF_FILE: usize = 40;

/// Lines as machines write them.
fn made(chance: &mut Chance) -> Vec<String> {
    let mut lines = Vec::new();
    for number in 0..300 {
        let (c, n) = (&mut *chance, number);
        lines.extend([
            format!("commit {}", c.hex(40)),
            format!("{}  release-{n}.tar.gz", c.hex(64)),
            format!("image: registry.example.org/app@sha256:{}", c.hex(64)),
            format!("request {} done in {n} ms", c.uuid()),
            format!("checksum = \"{}\"", c.hex(64)),
            format!("\"integrity\": \"sha512-{}==\",", c.base64(86)),
            format!(
                "2026-03-0{}T10:00:00Z INFO request_id={} status=200",
                n % 9 + 1,
                c.hex(16)
            ),
            format!(
                "{} gate: the token bucket refills {n} times a second",
                c.hex(7)
            ),
            format!("traceparent: 00-{}-{}-01", c.hex(32), c.hex(16)),
            format!("ETag: \"{}\"", c.hex(32)),
            format!("index {}..{} 100644", c.hex(7), c.hex(7)),
            format!("src=\"data:image/png;base64,{}==\"", c.base64(80)),
            format!("The token count is {} and the key length {n}.", n * 37),
            format!("version = \"{n}.{}.{}-rc.{}\"", n % 7, n % 5, n % 3),
            format!("session {} started on node-{n}", c.hex(8)),
            format!("Merge pull request #{n} from bob/{}-cache-key", c.hex(6)),
            format!("cache key: deps-{}", c.hex(64)),
            format!("0x{} transferred", c.hex(40)),
            format!("The password of user {n} was changed at 10:00."),
            format!("https://example.org/items/{}?page={n}&sort=name", c.hex(24)),
        ]);
    }
    lines
}

/// Text files below a folder, in order of their names.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        // Secrets are planted in the tests of redaction.
        let is_other = name.starts_with('.') || name == "target" || name.contains("redact");
        let ends = [".rs", ".md", ".toml", ".lock", ".yml", ".json"];
        let is_text = ends.iter().any(|end| name.ends_with(end));
        if is_other {
            continue;
        }
        if path.is_dir() {
            files(&path, found);
        } else if is_text {
            found.push(path);
        }
    }
}

/// A number of lines of the files below a folder, spread over all of them.
fn written(folder: &Path, most: usize, chance: &mut Chance) -> Vec<String> {
    let mut paths = Vec::new();
    files(folder, &mut paths);
    let mut lines = Vec::new();
    while lines.len() < most && !paths.is_empty() {
        let path = paths.swap_remove(chance.0.usize(0..paths.len()));
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let told = text.lines().filter(|line| (8..400).contains(&line.len()));
        let told: Vec<&str> = told.collect();
        let step = (told.len() / OF_FILE).max(1);
        lines.extend(
            told.into_iter()
                .step_by(step)
                .take(OF_FILE)
                .map(str::to_owned),
        );
    }
    lines.truncate(most);
    lines
}

#[test]
fn ordinary_lines_stay_as_they_are() {
    let mut chance = Chance::new(9);
    let mut lines = made(&mut chance);
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let sources = home.unwrap_or_default().join("registry/src");
    lines.extend(written(&sources, (LINES - lines.len()) / 2, &mut chance));
    lines.extend(written(
        Path::new(crate::ROOT),
        LINES - lines.len(),
        &mut chance,
    ));
    let redactor = Redactor::default();
    let mut changed = Vec::new();
    for line in &lines {
        let mut redacted = line.clone();
        if redactor.sweep().changes(&mut redacted) {
            changed.push(format!("{line}\n  {redacted}"));
        }
    }
    let share = changed.len() as f64 / lines.len() as f64;
    println!("changed: {} of {} = {share:.5}", changed.len(), lines.len());
    assert!(lines.len() >= LINES, "{}", lines.len());
    assert!(share <= CHANGED_MAX, "{share:.5}\n{}", changed.join("\n"));
}
