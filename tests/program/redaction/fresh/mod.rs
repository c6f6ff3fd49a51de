//! Figures on sets that were made fresh: secrets in a hundred shapes, and ordinary lines of this machine.

mod draw;
mod held_out;
mod ordinary;
mod shapes;

use self::draw::planted;
use self::shapes::{COMMANDS, Draw, TEXTS};
use super::chance::Chance;

/// The least share of secrets of the held-out shapes that is found.
const HELD_OUT_MIN: f64 = 0.95;
/// The least share of secrets that is found.
const RECALL_MIN: f64 = 0.99;

fn recall(texts: &[(Draw, &str)], commands: &[(Draw, &str)], seed: u64) -> (usize, f64, String) {
    let mut chance = Chance::new(seed);
    let (first, mut missed) = planted(texts, false, &mut chance);
    let (second, more) = planted(commands, true, &mut chance);
    missed.extend(more);
    let all = first + second;
    let share = 1.0 - missed.len() as f64 / all as f64;
    println!("recall: {} of {all} = {share:.4}", all - missed.len());
    (all, share, missed.join("\n"))
}

#[test]
fn five_hundred_secrets_in_a_hundred_shapes_are_found() {
    let (all, share, missed) = recall(TEXTS, COMMANDS, 52);
    assert!(all >= 500, "{all}");
    assert!(share >= RECALL_MIN, "{share:.4}\n{missed}");
}

#[test]
fn shapes_that_the_rules_were_not_made_for_are_found() {
    let (all, share, missed) = recall(held_out::TEXTS, held_out::COMMANDS, 53);
    assert!(all >= 450, "{all}");
    assert!(share >= HELD_OUT_MIN, "{share:.4}\n{missed}");
}
