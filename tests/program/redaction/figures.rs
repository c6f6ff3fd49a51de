//! The share of planted secrets that is found, and the share of real code and texts that is taken for a secret.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hindlore_redact::Redactor;

use super::chance::Chance;
use super::places::{OF_KEYS, OF_PASSWORDS, OF_TOKENS, OF_WEBHOOKS, Place};
use super::secrets::{KEYS, Kind, PASSWORDS, TOKENS};

/// The least share of planted secrets that is found.
const RECALL_MIN: f64 = 0.99;
/// The largest share of lines of real code and texts that are changed.
const FALSE_MAX: f64 = 0.005;

/// The text of a place, redacted.
pub(crate) fn redacted(place: Place, secret: &str) -> String {
    let redactor = Redactor::default();
    let mut sweep = redactor.sweep();
    let put = |form: &str| match form.matches('@').count() {
        1 => form.replacen('@', secret, 1),
        // An address has one of its own.
        _ => form.replacen("@@", &format!("{secret}@"), 1),
    };
    match place {
        Place::Text(form) => {
            let mut text = put(form);
            sweep.text(&mut text);
            text
        }
        Place::Command(form) => {
            let mut text = put(form);
            sweep.command(&mut text);
            text
        }
    }
}

/// The planted and the found secrets, by kind; the others go into `missed`.
#[derive(Default)]
struct Tally {
    by_kind: BTreeMap<String, (usize, usize)>,
    missed: Vec<String>,
}

impl Tally {
    fn plant(&mut self, kind: &Kind, places: &[Place], chance: &mut Chance) {
        let (name, draw) = kind;
        for place in places {
            let secret = draw(chance);
            // An `@` would end a login, and a `%` is written otherwise in an address.
            let form = match place {
                Place::Text(form) | Place::Command(form) => form,
            };
            if form.contains("@@") && secret.contains(['@', '%', '#', '/', '+', '^']) {
                continue;
            }
            let text = redacted(*place, &secret);
            let row = self.by_kind.entry((*name).to_owned()).or_default();
            row.0 += 1;
            if text.contains(&secret) {
                self.missed.push(format!("{name}: {text}"))
            } else {
                row.1 += 1
            }
        }
    }
}

#[test]
fn planted_secrets_are_found() {
    let mut chance = Chance::new(4);
    let mut tally = Tally::default();
    for _ in 0..3 {
        for kind in KEYS {
            let special = OF_WEBHOOKS.iter().find(|(name, _)| name == &kind.0);
            let places = special.map_or(OF_KEYS, |(_, places)| places);
            tally.plant(kind, places, &mut chance);
        }
        for kind in PASSWORDS {
            tally.plant(kind, OF_PASSWORDS, &mut chance);
        }
        for kind in TOKENS {
            tally.plant(kind, OF_TOKENS, &mut chance);
        }
    }
    let all: usize = tally.by_kind.values().map(|row| row.0).sum();
    let found: usize = tally.by_kind.values().map(|row| row.1).sum();
    let recall = found as f64 / all as f64;
    let kinds = tally.by_kind.len();
    println!("recall: {found} of {all} planted secrets of {kinds} kinds = {recall:.4}");
    let missed = tally.missed.join("\n");
    assert!(recall >= RECALL_MIN, "{recall:.4}\n{missed}");
    assert!(all >= 300 && kinds >= 25, "{all} of {kinds} kinds");
}

/// Files of this repository that are text.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let is_ours = !["target", ".git"].iter().any(|one| name == *one);
        if !path.is_dir() {
            found.push(path);
        } else if is_ours {
            files(&path, found);
        }
    }
}

#[test]
fn real_code_and_texts_stay_as_they_are() {
    let mut paths = Vec::new();
    files(Path::new(crate::ROOT), &mut paths);
    let redactor = Redactor::default();
    let (mut lines, mut changed) = (0_usize, Vec::new());
    for path in paths {
        // The secrets planted here are meant to be found.
        if path
            .components()
            .any(|part| part.as_os_str() == "redaction")
        {
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        for line in text.lines() {
            lines += 1;
            let mut sweep = redactor.sweep();
            let mut redacted = line.to_owned();
            if sweep.changes(&mut redacted) {
                changed.push(format!("{}: {line}", path.display()));
            }
        }
    }
    let share = changed.len() as f64 / lines as f64;
    println!(
        "false: {} of {lines} lines of real code and texts = {:.5} %",
        changed.len(),
        share * 100.0
    );
    assert!(lines > 50_000, "{lines}");
    assert!(share <= FALSE_MAX, "{share}\n{}", changed.join("\n"));
}
