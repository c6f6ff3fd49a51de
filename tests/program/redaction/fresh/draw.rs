//! Draws secrets that are nobody's, and plants them in the shapes.

use hindlore_redact::Redactor;

use super::shapes::Draw;
use crate::redaction::chance::{Chance, LOWER, UPPER};

/// Secrets of each shape.
const TIMES: usize = 5;

/// Draws a secret that is nobody's.
pub(crate) fn drawn(draw: Draw, chance: &mut Chance) -> String {
    match draw {
        Draw::Human => {
            let word = chance.pick(&[
                "Sommer", "Regen", "Falke", "Orbit", "Wolke", "Tiger", "Quarz",
            ]);
            let year = chance.pick(&["2019", "2024", "2026", "77", "4711"]);
            format!("{word}{year}{}{}", chance.of(LOWER, 2), chance.of(UPPER, 1))
        }
        Draw::Signs => {
            let sign = chance.pick(&["!", "#", "*", "+", "^"]);
            format!("{}7{sign}{}", chance.of(LOWER, 5), chance.alnum(5))
        }
        Draw::Hex => format!("9f{}", chance.hex(30)),
        Draw::Mixed => format!("q7{}", chance.alnum(24)),
        Draw::Url => format!("{}3{}", chance.alnum(20), chance.alnum(20)),
        Draw::Base64 => format!("{}4{}==", chance.base64(20), chance.base64(21)),
        Draw::Dotted => format!("{}4.{}7", chance.of(LOWER, 5), chance.hex(15)),
        Draw::Digits => {
            let length = chance.pick(&[6, 8]);
            format!("4{}", chance.digits(length - 1))
        }
        Draw::Words => {
            let words = [
                "correct", "horse", "battery", "staple", "velvet", "anchor", "tulip",
            ];
            [(); 4].map(|()| chance.pick(&words)).join(" ")
        }
    }
}

/// Plants secrets and returns how many there were, and the texts that still hold theirs.
pub(crate) fn planted(
    rows: &[(Draw, &str)],
    is_command: bool,
    chance: &mut Chance,
) -> (usize, Vec<String>) {
    let redactor = Redactor::default();
    let mut missed = Vec::new();
    for (draw, form) in rows {
        for _ in 0..TIMES {
            let secret = drawn(*draw, chance);
            let mut text = form.replace('§', &secret);
            let mut sweep = redactor.sweep();
            if is_command {
                sweep.command(&mut text);
            } else {
                sweep.text(&mut text);
            }
            if text.contains(&secret) {
                missed.push(format!("{secret}: {text}"));
            }
        }
    }
    (rows.len() * TIMES, missed)
}
