//! The policy of a memory: every number that a decision reads.
//!
//! It is stored with the memory and changed only by a POLICY operation, so that two instances with
//! different local configuration still decide alike.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::bullet::bullet_kind::MemoryType;
use super::bullet::classify::Rules;
use super::content::{CONTENT_MAX_CHARS, Identity};
use hindlore_primitives::word_enum;
use hindlore_text::guard::MergeGuard;
use hindlore_text::words::{TOKENISER_VERSION, Tokens};

mod check;
mod source_weights;

pub use source_weights::SourceWeights;

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
    /// The scoring of a retrieval.
    Profile {
        /// Classic word overlap; strength dominates.
        Original = "original",
        /// Classic word overlap; relevance dominates.
        ClBench = "cl-bench",
        /// Word overlap and helpful ratio, without decay.
        Baseline = "baseline",
        /// BM25 over stemmed words, retention and helpfulness, with a floor.
        Engine = "engine",
    }
}

/// Share of strength lost per tick, by memory type, each 0..=1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// Rate of facts.
    pub semantic: f64,
    /// Rate of experiences.
    pub episodic: f64,
    /// Rate of procedures.
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
    /// Returns the rate of a memory type.
    pub fn rate(&self, memory_type: MemoryType) -> f64 {
        match memory_type {
            MemoryType::Semantic => self.semantic,
            MemoryType::Episodic => self.episodic,
            MemoryType::Procedural => self.procedural,
        }
    }
}

/// Shares of a linked neighbour's relevance that a bullet borrows, each 0..=1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkShares {
    /// From the bullet written just before.
    pub previous: f64,
    /// From the bullet written just after.
    pub next: f64,
}

/// Weights of the combined score, each 0 or more.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Weight of the relevance part.
    pub relevance: f64,
    /// Weight of the strength part.
    pub strength: f64,
    /// Weight of the type priority.
    #[serde(rename = "type")]
    pub memory_type: f64,
}

impl Profile {
    /// Returns the default weights of the profile.
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
    /// Engine or classic rules.
    pub mode: Mode,
    /// Decay rates.
    pub rates: Rates,
    /// B: the strength of a bullet without votes, above 0.
    pub base_strength: f64,
    /// The words that similarity compares.
    pub similarity: Similarity,
    /// Similarity at or above which an added text merges into a bullet, above 0 and up to 1.
    pub merge_threshold: f64,
    /// Similarity above which two bullets merge in the refine pass, 0..=1.
    pub dedup_threshold: f64,
    /// Whether negation, numbers, opposites, quotes and identifiers keep texts apart.
    pub guard: bool,
    /// Maximum active bullets, beyond which the weakest are archived; `None` for no limit.
    pub max_bullets: Option<u64>,
    /// Minimum votes at which a bullet with more harmful than helpful ones is archived.
    pub harmful_votes: u64,
    /// Default profile of retrievals.
    pub profile: Profile,
    /// Weights that replace those of the profile; `None` for its defaults.
    pub weights: Option<Weights>,
    /// Minimum relevance of a hit in the engine profile, 0..=1.
    pub floor: f64,
    /// Shares of a linked neighbour's relevance in the engine profile.
    pub link_shares: LinkShares,
    /// Whether bullets with a lifetime expire.
    pub expiry: bool,
    /// Maximum length of a content, in characters.
    pub max_content_chars: u32,
    /// Version of the tokeniser that the memory was created with.
    pub tokeniser: u32,
    /// SHA-256 of the guard's word tables, in hex.
    pub guard_tables: String,
    /// SHA-256 of the classification rules, in hex.
    pub rule_tables: String,
    /// Days after which retrieval records are compacted into counts.
    pub retrieval_days: u32,
    /// Maximum retrieval records, beyond which the oldest are compacted.
    pub retrieval_records: u64,
    /// Days for which every delta is kept; 0 keeps all for good. Older ones beyond `delta_records` are folded into a
    /// checkpoint and the mark that they were applied. Neither default is written, so that digests stay unchanged.
    #[serde(default = "delta_days", skip_serializing_if = "is_delta_days")]
    pub delta_days: u32,
    /// Newest deltas that are kept at any age.
    #[serde(default = "delta_records", skip_serializing_if = "is_delta_records")]
    pub delta_records: u64,
    /// Version of the rules of identity, merging and linking that decide its events.
    pub rules: u32,
    /// Factors of relevance by source in the engine profile.
    #[serde(default, skip_serializing_if = "SourceWeights::are_even")]
    pub source_weights: SourceWeights,
}

/// The current version of the rules of identity, merging and linking. It is part of digests.
pub const RULES_VERSION: u32 = 3;

const fn delta_days() -> u32 {
    30
}

const fn delta_records() -> u64 {
    10_000
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_delta_days(days: &u32) -> bool {
    *days == delta_days()
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_delta_records(records: &u64) -> bool {
    *records == delta_records()
}

word_enum! {
    /// The words that similarity compares.
    Similarity {
        /// Lower-cased, split on white space.
        Classic = "classic",
        /// Unicode words, punctuation dropped.
        Standard = "standard",
    }
}

impl Similarity {
    /// Returns the tokens of this choice.
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
            floor: 0.1,
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
            delta_days: delta_days(),
            delta_records: delta_records(),
            rules: RULES_VERSION,
            source_weights: SourceWeights::default(),
        }
    }
}

impl Policy {
    /// Fields that follow from the engine's version and cannot be set.
    pub const FIXED_FIELDS: &'static [&'static str] =
        &["tokeniser", "guard_tables", "rule_tables", "rules"];

    /// Returns the policy that reproduces the original programs.
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

    /// Returns true if the mode is classic.
    pub fn is_classic(&self) -> bool {
        self.mode == Mode::Classic
    }

    /// Returns which texts count as equal.
    pub fn identity(&self) -> Identity {
        if self.is_classic() {
            Identity::Folded
        } else {
            Identity::Cased
        }
    }

    /// Returns the weights of a retrieval with `profile`. The policy's own weights apply to its own profile only.
    pub fn weights_for(&self, profile: Profile) -> Weights {
        match self.weights {
            Some(weights) if profile == self.profile => weights,
            _ => profile.weights(),
        }
    }

    /// Returns the policy with the named fields replaced, or why that cannot be. Rates are clamped to 0..=1. A
    /// change of `mode` sets all other fields to that mode's defaults first; the word tables stay.
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
        let mut whole = base.fields()?;
        for (name, value) in fields {
            merge_field(&mut whole, name, value)?;
        }
        let policy: Self = serde_json::from_value(Value::Object(whole))
            .map_err(|error| check::wrong_kind(&base, fields, &error))?;
        policy.checked()
    }

    /// Returns the fields in which another policy differs, with its values.
    pub fn changed_in(&self, other: &Self) -> Map<String, Value> {
        let (own, mut changed) = match (self.fields(), other.fields()) {
            (Ok(own), Ok(other)) => (own, other),
            (Err(_), _) | (_, Err(_)) => return Map::new(),
        };
        changed.retain(|name, value| own.get(name) != Some(value));
        changed
    }

    /// Returns all fields with their values.
    pub fn fields(&self) -> Result<Map<String, Value>, String> {
        let weights = serde_json::to_value(self.source_weights);
        match (serde_json::to_value(self), weights) {
            (Ok(Value::Object(mut map)), Ok(weights)) => {
                // The stored text leaves these out while they are as by default.
                map.insert("source_weights".to_owned(), weights);
                map.insert("delta_days".to_owned(), self.delta_days.into());
                map.insert("delta_records".to_owned(), self.delta_records.into());
                Ok(map)
            }
            (Ok(_) | Err(_), _) => Err("policy: cannot be written as fields".to_owned()),
        }
    }

    /// Returns the names of all fields.
    pub fn field_names() -> Vec<String> {
        Self::default()
            .fields()
            .map(|map| map.keys().cloned().collect())
            .unwrap_or_default()
    }

    /// Returns why no delta could have led to this policy; `None` if one could.
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

/// Replaces one field; objects (`rates`, `weights`) are merged field by field.
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
