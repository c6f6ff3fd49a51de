//! The policy of a memory: every number that a decision reads.
//!
//! It is stored with the memory and changed only by a POLICY operation, so that two instances with
//! different local configuration still decide alike.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::bullet_kind::MemoryType;
use super::classify::Rules;
use super::content::{CONTENT_MAX_CHARS, Identity};
use crate::text::guard::MergeGuard;
use crate::text::words::{TOKENISER_VERSION, Tokens};
use crate::word_enum;

mod check;

word_enum! {
    /// Which rules of merging, pruning and refusal apply.
    Mode {
        /// The defaults of this engine.
        Engine = "engine",
        /// The behaviour of the original programs.
        Classic = "classic",
    }
}

word_enum! {
    /// How a retrieval scores.
    Profile {
        /// Classic word overlap, strength dominant.
        Original = "original",
        /// Classic word overlap, relevance dominant.
        ClBench = "cl-bench",
        /// The memory before decay: overlap and helpful ratio.
        Baseline = "baseline",
        /// BM25 over stemmed words, retention and helpfulness, with a floor.
        Engine = "engine",
    }
}

/// Share of strength lost per tick, by memory type, each 0..=1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// For facts.
    pub semantic: f64,
    /// For experiences.
    pub episodic: f64,
    /// For procedures.
    pub procedural: f64,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            semantic: 0.01,
            episodic: 0.05,
            procedural: 0.002,
        }
    }
}

impl Rates {
    /// The rate of one type.
    pub fn rate(&self, memory_type: MemoryType) -> f64 {
        match memory_type {
            MemoryType::Semantic => self.semantic,
            MemoryType::Episodic => self.episodic,
            MemoryType::Procedural => self.procedural,
        }
    }
}

/// How much of the relevance of linked neighbours counts for a bullet, each 0..=1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkShares {
    /// Of the bullet that was written just before.
    pub previous: f64,
    /// Of the bullet that was written just after.
    pub next: f64,
}

/// Weights of the combined score, each 0 or more.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Of the relevance part.
    pub relevance: f64,
    /// Of the strength part.
    pub strength: f64,
    /// Of the type priority.
    #[serde(rename = "type")]
    pub memory_type: f64,
}

impl Profile {
    /// The weights that belong to a profile unless the policy says otherwise.
    pub fn weights(self) -> Weights {
        let (relevance, strength, memory_type) = match self {
            Self::Original => (0.25, 0.55, 0.20),
            Self::ClBench => (0.55, 0.25, 0.20),
            Self::Baseline => (0.7, 0.3, 0.0),
            Self::Engine => (0.92, 0.06, 0.02),
        };
        Weights {
            relevance,
            strength,
            memory_type,
        }
    }
}

/// Every number that decisions about one memory read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Which family of rules applies.
    pub mode: Mode,
    /// Decay rates.
    pub rates: Rates,
    /// B: strength of a bullet without votes, above 0.
    pub base_strength: f64,
    /// Which words similarity compares.
    pub similarity: Similarity,
    /// An added text merges into a bullet at or above this similarity, above 0 up to 1.
    pub merge_threshold: f64,
    /// Two bullets above this similarity merge in the refine pass, 0..=1.
    pub dedup_threshold: f64,
    /// Whether negation, numbers, opposites, quotes and identifiers keep texts apart.
    pub guard: bool,
    /// Active bullets beyond this number are archived, weakest first; absent: no limit.
    pub max_bullets: Option<u64>,
    /// Votes from which a bullet with more harm than help is archived.
    pub harmful_votes: u64,
    /// Profile of retrievals that name none.
    pub profile: Profile,
    /// Weights in place of those of the profile.
    pub weights: Option<Weights>,
    /// Relevance below which the engine profile returns nothing, 0..=1.
    pub floor: f64,
    /// Shares of a linked neighbour's relevance that are added in the engine profile.
    pub link_shares: LinkShares,
    /// Whether bullets with a time to live expire.
    pub expiry: bool,
    /// Longest content, in characters.
    pub max_content_chars: u32,
    /// Version of the word rules that this memory was made with.
    pub tokeniser: u32,
    /// SHA-256 of the guard's word tables.
    pub guard_tables: String,
    /// SHA-256 of the classification rules.
    pub rule_tables: String,
    /// Days that retrieval records are kept before they are folded into counts.
    pub retrieval_days: u32,
    /// Number of retrieval records that are kept before the oldest are folded.
    pub retrieval_records: u64,
    /// Version of the rules of identity, merging and linking by which its events are decided.
    #[serde(default = "first_rules", skip_serializing_if = "is_first_rules")]
    pub rules: u32,
}

/// The version of the rules of identity, merging and linking; an older memory is upgraded to it.
pub const RULES_VERSION: u32 = 2;

/// What a policy without a version was decided by; never written, so that older digests stay as they were.
fn first_rules() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_first_rules(rules: &u32) -> bool {
    *rules == first_rules()
}

word_enum! {
    /// Which words similarity compares.
    Similarity {
        /// Lower-cased, split on white space.
        Classic = "classic",
        /// Unicode words, punctuation dropped.
        Standard = "standard",
    }
}

impl Similarity {
    /// The tokens behind this choice.
    pub fn tokens(self) -> Tokens {
        match self {
            Self::Classic => Tokens::Classic,
            Self::Standard => Tokens::Standard,
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            mode: Mode::Engine,
            rates: Rates::default(),
            base_strength: 100.0,
            similarity: Similarity::Standard,
            merge_threshold: 0.9,
            dedup_threshold: 0.85,
            guard: true,
            max_bullets: Some(20_000),
            harmful_votes: 3,
            profile: Profile::Engine,
            weights: None,
            floor: 0.15,
            link_shares: LinkShares {
                previous: 0.35,
                next: 0.25,
            },
            expiry: true,
            max_content_chars: CONTENT_MAX_CHARS,
            tokeniser: TOKENISER_VERSION,
            guard_tables: MergeGuard::standard().digest(),
            rule_tables: Rules::standard().digest(),
            retrieval_days: 30,
            retrieval_records: 10_000,
            rules: RULES_VERSION,
        }
    }
}

impl Policy {
    /// Fields that follow from the engine's version.
    pub const FIXED_FIELDS: &'static [&'static str] =
        &["tokeniser", "guard_tables", "rule_tables", "rules"];

    /// The policy under which the original programs are reproduced.
    pub fn classic() -> Self {
        Self {
            mode: Mode::Classic,
            similarity: Similarity::Classic,
            guard: false,
            max_bullets: Some(100),
            profile: Profile::Original,
            floor: 0.0,
            link_shares: LinkShares {
                previous: 0.0,
                next: 0.0,
            },
            expiry: false,
            ..Self::default()
        }
    }

    /// True in classic mode.
    pub fn is_classic(&self) -> bool {
        self.mode == Mode::Classic
    }

    /// Which texts are one text.
    pub fn identity(&self) -> Identity {
        if self.is_classic() || self.rules < RULES_VERSION {
            Identity::Folded
        } else {
            Identity::Cased
        }
    }

    /// The weights that a retrieval with `profile` uses.
    pub fn weights_for(&self, profile: Profile) -> Weights {
        match self.weights {
            Some(weights) if profile == self.profile => weights,
            _ => profile.weights(),
        }
    }

    /// The policy with the named fields replaced, or every reason why it cannot be. Rates outside
    /// 0..=1 are clamped. A change of `mode` alone brings that mode's defaults with it; the words that the
    /// memory was made with stay.
    pub fn patched(&self, fields: &Map<String, Value>) -> Result<Self, String> {
        let mode = fields
            .get("mode")
            .map(|mode| mode.as_str().and_then(Mode::from_word));
        let base = match mode {
            Some(Some(mode)) if mode != self.mode => Self {
                tokeniser: self.tokeniser,
                guard_tables: self.guard_tables.clone(),
                rule_tables: self.rule_tables.clone(),
                rules: self.rules,
                ..match mode {
                    Mode::Classic => Self::classic(),
                    Mode::Engine => Self::default(),
                }
            },
            _ => self.clone(),
        };
        let mut whole = to_map(&base)?;
        for (name, value) in fields {
            merge_field(&mut whole, name, value)?;
        }
        let policy: Self = serde_json::from_value(Value::Object(whole))
            .map_err(|error| check::wrong_kind(&base, fields, &error))?;
        policy.checked()
    }

    /// The fields that another policy has otherwise, with its values.
    pub fn changed_in(&self, other: &Self) -> Map<String, Value> {
        let (own, mut changed) = match (to_map(self), to_map(other)) {
            (Ok(own), Ok(other)) => (own, other),
            (Err(_), _) | (_, Err(_)) => return Map::new(),
        };
        changed.retain(|name, value| own.get(name) != Some(value));
        changed
    }

    /// The names of all fields.
    pub fn field_names() -> Vec<String> {
        to_map(&Self::default())
            .map(|map| map.keys().cloned().collect())
            .unwrap_or_default()
    }

    /// Why no delta could have made this policy; absent when one could.
    pub fn fault(&self) -> Option<String> {
        match self.clone().checked() {
            Err(reason) => Some(reason),
            Ok(checked) if checked.rates != self.rates => {
                Some("policy field `rates` holds a rate outside 0..=1".to_owned())
            }
            Ok(_) => None,
        }
    }
}

fn to_map(policy: &Policy) -> Result<Map<String, Value>, String> {
    match serde_json::to_value(policy) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) | Err(_) => Err("policy: cannot be written as fields".to_owned()),
    }
}

/// Replaces one field; objects (`rates`, `weights`) are replaced field by field.
fn merge_field(whole: &mut Map<String, Value>, name: &str, value: &Value) -> Result<(), String> {
    if Policy::FIXED_FIELDS.contains(&name) {
        return Err(format!(
            "policy field `{name}` follows from the engine's version; it cannot be set"
        ));
    }
    let Some(old) = whole.get_mut(name) else {
        let known = Policy::field_names().join(", ");
        return Err(format!("`{name}` is not a policy field; known are {known}"));
    };
    match (old, value) {
        (Value::Object(old), Value::Object(new)) => {
            old.extend(new.iter().map(|(k, v)| (k.clone(), v.clone())));
        }
        (old, new) => *old = new.clone(),
    }
    Ok(())
}

#[cfg(test)]
mod tests;
