//! The fingerprint: the identity of an error, from its structure and not from its literals.
//!
//! It is a stateless function: two instances that never talk give one error the same fingerprint, which
//! a parser that learns templates in order of arrival cannot. The normaliser's version is part of what
//! is hashed, so that a change of rules makes new fingerprints and never silently joins old ones.
//!
//! Each error has two: *fine* keeps quoted text and the name of a missing object, *coarse* masks both. Without them they
//! are one. Only the error decides; state and action count where there is no error text.

mod class;
mod classic;
mod cut;
mod hub;
mod lists;
mod mask;
mod normaliser;
mod pieces;
mod reading;
mod shape;
mod structure;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::classic::{classic_fingerprint, classic_normalised};
pub use self::hub::is_hub;
use self::mask::Form;
use self::normaliser::Normaliser;
pub use self::normaliser::diagnostics;
use self::reading::{ids, put_error, put_step};
pub use hindlore_primitives::ids::FingerprintId;
use hindlore_primitives::word_enum;
use hindlore_text::words::is_unspaced;

/// The longest normalised text that is kept for reading and comparing, in characters.
pub const NORMALISED_MAX_CHARS: usize = 1_000;

word_enum! {
    /// Which of the two fingerprints of an error.
    Level {
        /// Quoted text and the name of a missing object are kept.
        Fine = "fine",
        /// Both are masked.
        Coarse = "coarse",
    }
}

/// A fingerprint with the normalised text that a reader sees.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Its identity.
    pub id: FingerprintId,
    /// The pieces with typed masks, cut to [`NORMALISED_MAX_CHARS`].
    pub normalised: String,
}

impl Fingerprint {
    /// The pieces of the normalised text as a sorted set, for comparing two fingerprints.
    pub fn pieces(&self) -> Vec<String> {
        pieces(&self.normalised)
    }
}

/// The two fingerprints of one error.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fingerprints {
    /// With quoted text and the name of a missing object.
    pub fine: Fingerprint,
    /// Without them; equal to `fine` when there are none.
    pub coarse: Fingerprint,
}

impl Fingerprints {
    /// The ids, fine first, each once.
    pub fn ids(&self) -> Vec<FingerprintId> {
        let mut ids = vec![self.fine.id, self.coarse.id];
        ids.dedup();
        ids
    }
}

/// The facts about a failed step, as the adapter reported them; absent parts are `Null`.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Evidence {
    /// The error: a text, or JSON.
    pub error: Value,
    /// The state before the action.
    pub state: Value,
    /// The action: a command line, a list of arguments, or a tool call.
    pub action: Value,
    /// The state after it.
    pub state_after: Value,
    /// Why the step counts as failed.
    pub reason: String,
}

/// Computes fingerprints, and keeps its buffers from one to the next.
pub struct Fingerprinter {
    rules: Normaliser,
}

impl Default for Fingerprinter {
    fn default() -> Self {
        Self {
            rules: Normaliser::new(Form::Identity),
        }
    }
}

impl Fingerprinter {
    /// The fine and the coarse fingerprint of a text alone; this is the fast way for log lines.
    pub fn of_text(&mut self, text: &str) -> (FingerprintId, FingerprintId) {
        self.rules.clear();
        put_error(&mut self.rules, text);
        ids(&self.rules)
    }

    /// The fingerprints of a failed step.
    pub fn of(&mut self, evidence: &Evidence) -> Fingerprints {
        put_step(&mut self.rules, evidence);
        let (fine, coarse) = ids(&self.rules);
        let mut shown = Normaliser::new(Form::Shown);
        put_step(&mut shown, evidence);
        Fingerprints {
            fine: cut(fine, shown.fine()),
            coarse: cut(coarse, shown.coarse()),
        }
    }
}

fn cut(id: FingerprintId, text: &str) -> Fingerprint {
    let end = text
        .char_indices()
        .nth(NORMALISED_MAX_CHARS)
        .map_or(text.len(), |(at, _)| at);
    Fingerprint {
        id,
        normalised: text[..end].to_owned(),
    }
}

/// The pieces of a normalised text as a sorted set; words of scripts without blanks become pairs.
pub fn pieces(normalised: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    for piece in normalised.split(' ').filter(|piece| !piece.is_empty()) {
        let chars: Vec<char> = piece.chars().collect();
        if chars.len() > 2 && chars.iter().all(|c| is_unspaced(*c)) {
            pieces.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else {
            pieces.push(piece.to_owned());
        }
    }
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

#[cfg(test)]
mod tests;
