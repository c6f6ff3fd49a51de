//! No field of any verb brings a secret into a store: every text of every request is one, and no file holds any.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use hindlore_api::access::Access;
use hindlore_api::catalog;
use hindlore_api::hint::Plain;
use hindlore_api::standing::Standing;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_redact::Redactor;
use serde_json::Value;
use tempfile::TempDir;

use super::chance::Chance;
use super::requests::filled;
use super::writes::engine;

/// The length of a drawn secret.
const SECRET_LENGTH: usize = 40;

/// Texts that must have one form to be taken at all, with a secret where it may be.
fn shaped(name: &str, secret: &str) -> String {
    match name {
        "subject" | "by" | "member" | "leader" => format!("user:{secret}"),
        "object" => format!("memory:{secret}"),
        _ => secret.to_owned(),
    }
}

#[tokio::test]
async fn no_field_of_any_verb_brings_a_secret_in() {
    let folder = TempDir::new().unwrap();
    let mut chance = Chance::new(77);
    let mut secrets: Vec<(String, String)> = Vec::new();
    let names = ["t", "l"].map(|name| format!("{name}-{}", drawn(&mut chance)));
    let scope = format!("host.example/a/b?private_token={}", drawn(&mut chance));
    let key = MemoryKey::new(&names[0], &names[1], &scope).unwrap();
    secrets.push((
        "the memory".to_owned(),
        scope[scope.len() - SECRET_LENGTH..].to_owned(),
    ));
    let engine = engine(&folder, Redactor::default());
    let access = Access::new(engine.clone(), key, Arc::new(Plain)).of(Standing::operator(None));
    let mut taken = BTreeSet::new();
    for verb in catalog::all() {
        if verb.name.starts_with("agent.") || verb.name.starts_with("model.") {
            continue;
        }
        // All fields at once, and each alone with an ordinary text in the others.
        let mut fields = 0;
        filled(verb.request(), &mut |_, _| {
            fields += 1;
            "plain".to_owned()
        });
        for alone in 0..=fields {
            let mut at = 0;
            let mut request = filled(verb.request(), &mut |name, _| {
                at += 1;
                if alone != fields && at != alone + 1 {
                    return format!("plain {name}");
                }
                let secret = drawn(&mut chance);
                secrets.push((format!("{} {name}", verb.name), secret.clone()));
                shaped(name, &secret)
            });
            with_secret_keys(&mut request, &drawn(&mut chance));
            if verb.call(access.clone(), request).await.is_ok() {
                taken.insert(verb.name);
            }
        }
    }
    drop((access, engine));
    let kept = kept(folder.path());
    let kept: Vec<String> = secrets
        .iter()
        .filter(|(_, secret)| kept.contains(secret.as_str()))
        .map(|(place, secret)| format!("{place}: {secret}"))
        .collect();
    assert!(taken.len() > 12, "{taken:?}");
    assert!(kept.is_empty(), "{}", kept.join("\n"));
}

/// Texts in the files of a store that look like a drawn secret.
fn kept(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in fs::read_dir(folder).unwrap().flatten() {
        let bytes = fs::read(file.path()).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let ends = |at: usize| text.floor_char_boundary((at + SECRET_LENGTH).min(text.len()));
        let hits = text.match_indices("ghp_");
        found.extend(hits.map(|(at, _)| text[at..ends(at)].to_owned()));
    }
    found
}

fn drawn(chance: &mut Chance) -> String {
    format!("ghp_{}7", chance.alnum(SECRET_LENGTH - 5))
}

/// Puts a secret among the keys of free data.
fn with_secret_keys(request: &mut Value, secret: &str) {
    for field in ["metadata", "state", "action"] {
        if let Some(Value::Object(data)) = request.get_mut(field) {
            data.insert(secret.to_owned(), Value::from(1));
        }
    }
}
