//! The alignment of two lists of pieces: their correspondence and their differences.

use crate::tokens::{Kind, Token};

/// Cost of a piece that has no partner.
const GAP: f64 = 1.0;
/// Cost of a quotation mark without a partner: a quoted value in one action may be a number in another.
const QUOTE_GAP: f64 = 0.3;
/// Cost for two different words, numbers or quoted texts: most likely the data of two tasks.
const DATA: f64 = 0.6;
/// Cost for two pieces of different kinds, or two different signs.
const OTHER: f64 = 1.3;
/// Pieces of the wrong form, as a range, that others take the place of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Hunk {
    pub(super) wrong: (usize, usize),
    pub(super) correct: (usize, usize),
}

/// A piece of a rule and one of an action: the same, or abstracted in the rule.
pub(super) fn fits(rule: &Token, action: &Token) -> bool {
    rule.same(action) || rule.kind == Kind::Mask
}

fn cost(a: &Token, b: &Token) -> f64 {
    let is_data = |token: &Token| matches!(token.kind, Kind::Word | Kind::Number | Kind::Quoted);
    match () {
        () if a.same(b) => 0.0,
        () if a.kind == Kind::Mask => 0.1,
        () if is_data(a) && is_data(b) => DATA,
        () => OTHER,
    }
}

/// Cost of a piece without a partner.
fn gap(piece: &Token) -> f64 {
    if piece.kind == Kind::Quote {
        QUOTE_GAP
    } else {
        GAP
    }
}

/// The partner of each piece of `a` in `b`, and the mean cost (Needleman and Wunsch 1970).
pub(super) fn aligned(a: &[Token], b: &[Token]) -> (Vec<Option<usize>>, f64) {
    let width = b.len() + 1;
    let mut costs = vec![0.0_f64; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            costs[i * width + j] = match (i, j) {
                (0, 0) => 0.0,
                (0, _) => costs[j - 1] + gap(&b[j - 1]),
                (_, 0) => costs[(i - 1) * width] + gap(&a[i - 1]),
                _ => {
                    let both = costs[(i - 1) * width + j - 1] + cost(&a[i - 1], &b[j - 1]);
                    let left = costs[(i - 1) * width + j] + gap(&a[i - 1]);
                    both.min(left)
                        .min(costs[i * width + j - 1] + gap(&b[j - 1]))
                }
            };
        }
    }
    let mut partners = vec![None; a.len()];
    let (mut i, mut j) = (a.len(), b.len());
    while i > 0 && j > 0 {
        let here = costs[i * width + j];
        let both = costs[(i - 1) * width + j - 1] + cost(&a[i - 1], &b[j - 1]);
        if here >= both {
            partners[i - 1] = Some(j - 1);
            (i, j) = (i - 1, j - 1);
        } else if here >= costs[(i - 1) * width + j] + gap(&a[i - 1]) {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    let longest = a.len().max(b.len()).max(1);
    (partners, costs[a.len() * width + b.len()] / longest as f64)
}

/// The differences between two forms, along a longest common subsequence.
pub(super) fn differences(wrong: &[Token], correct: &[Token]) -> Vec<Hunk> {
    let width = correct.len() + 1;
    let mut lengths = vec![0_u32; (wrong.len() + 1) * width];
    for i in (0..wrong.len()).rev() {
        for j in (0..correct.len()).rev() {
            lengths[i * width + j] = if wrong[i].same(&correct[j]) {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let mut hunks = Vec::new();
    let (mut i, mut j) = (0, 0);
    let (mut from_i, mut from_j) = (0, 0);
    while i < wrong.len() && j < correct.len() {
        if wrong[i].same(&correct[j]) {
            push(&mut hunks, (from_i, i), (from_j, j));
            (i, j) = (i + 1, j + 1);
            (from_i, from_j) = (i, j);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    push(&mut hunks, (from_i, wrong.len()), (from_j, correct.len()));
    hunks
}

fn push(hunks: &mut Vec<Hunk>, wrong: (usize, usize), correct: (usize, usize)) {
    if wrong.0 < wrong.1 || correct.0 < correct.1 {
        hunks.push(Hunk { wrong, correct });
    }
}
