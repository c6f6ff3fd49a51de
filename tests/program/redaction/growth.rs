//! The work of every verb grows with the text that it is given, counted in steps and by no clock.

use std::sync::Arc;

use hindlore_api::access::Access;
use hindlore_api::catalog;
use hindlore_api::hint::Plain;
use hindlore_api::standing::Standing;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::steps;
use hindlore_redact::Redactor;
use tempfile::TempDir;

use super::requests::filled;
use super::writes::engine;

/// The text, and a text of four times that.
const SMALL: usize = 3_800;
const LARGE: usize = 4 * SMALL;
/// Maximum cost of four times the text.
const TIMES_MAX: u64 = 5;
/// Maximum fixed cost of a call.
const BESIDES: u64 = 4_000;

/// Pieces of texts that were made to take long.
const PIECES: &[&str] = &[
    "{\"token\":",
    "{\"auth\":{\"token\":null,\"a\":1},",
    "sk-",
    "plain words in a row ",
    "averyveryverylongwordwithoutablank",
    "a\n",
    "say \"it 'is `so` is' it\" ",
    "password: ",
    "token:token:",
    "%22token%22%3A",
    "%",
    "((([[[{{{",
    "Authorization: ",
    "mot de passe : ",
    "-----BEGIN PRIVATE KEY-----",
    "漢a",
];

fn of(piece: &str, length: usize) -> String {
    let text = piece.repeat(length / piece.len() + 1);
    text[..text.floor_char_boundary(length)].to_owned()
}

/// The steps of one call.
async fn steps_of(access: &Access, verb: &'static catalog::Registered, text: &str) -> u64 {
    let request = filled(verb.request(), &mut |_, most| match most {
        Some(most) if most < LARGE as u64 => "x1".to_owned(),
        _ => text.to_owned(),
    });
    let before = steps::taken();
    let _ = verb.call(access.clone(), request).await;
    steps::taken() - before
}

#[tokio::test]
async fn four_times_the_text_costs_no_verb_more_than_five_times_the_steps() {
    if !cfg!(debug_assertions) {
        return;
    }
    let folder = TempDir::new().unwrap();
    let key = MemoryKey::new("t", "l", "s").unwrap();
    let engine = engine(&folder, Redactor::default());
    let access = Access::new(engine, key, Arc::new(Plain)).of(Standing::operator(None));
    let (mut wrong, mut counted) = (Vec::new(), 0);
    for verb in catalog::all() {
        // Those that need a model or a server of it, and those that destroy data that others read.
        if verb.name.starts_with("agent.") || verb.name.starts_with("model.") {
            continue;
        }
        for piece in PIECES {
            let small = steps_of(&access, verb, &of(piece, SMALL)).await;
            let large = steps_of(&access, verb, &of(piece, LARGE)).await;
            counted += u64::from(large > LARGE as u64);
            if large > small * TIMES_MAX + BESIDES {
                wrong.push(format!("{} {piece:?}: {small}, then {large}", verb.name));
            }
        }
    }
    assert!(counted > 100, "{counted} calls read their text");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn redaction_grows_with_the_text_up_to_half_a_megabyte() {
    if !cfg!(debug_assertions) {
        return;
    }
    let redactor = Redactor::default();
    for piece in PIECES {
        let count = |length: usize| {
            let mut text = of(piece, length);
            let before = steps::taken();
            redactor.sweep().text(&mut text);
            steps::taken() - before
        };
        let (small, large) = (count(128_000), count(512_000));
        assert!(
            large <= small * TIMES_MAX,
            "{piece:?}: {small}, then {large}"
        );
        assert!(large <= 512_000 * 200, "{piece:?}: {large}");
    }
}
