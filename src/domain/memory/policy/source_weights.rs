//! How much relevance counts by who wrote a bullet.

use serde::{Deserialize, Serialize};

use crate::memory::bullet::bullet_kind::Source;

/// Factors of a bullet's relevance in the engine profile by its source, each 0..=1.
///
/// All are 1 by default: in a memory of strategies the agent's own bullets are the learned ones. In a record of talks a
/// person's words answer more questions than the agent's long replies, so there `dialogue` applies as well.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceWeights {
    /// Of bullets learned or spoken by an agent.
    pub agent: f64,
    /// Of bullets extracted from the record of a run.
    pub trajectory: f64,
    /// Of bullets imported from a file.
    pub import: f64,
    /// Of bullets that came with the memory.
    pub seed: f64,
    /// Of bullets stored or spoken by a person.
    pub person: f64,
    /// Of an agent's bullets, in addition, in a memory where a person and an agent each wrote at least a fifth; 1 for none.
    #[serde(default = "dialogue")]
    pub dialogue: f64,
}

fn dialogue() -> f64 {
    0.5
}

impl Default for SourceWeights {
    fn default() -> Self {
        Self {
            agent: 1.0,
            trajectory: 1.0,
            import: 1.0,
            seed: 1.0,
            person: 1.0,
            dialogue: dialogue(),
        }
    }
}

impl SourceWeights {
    /// Returns the factor of a source.
    pub fn of(&self, source: Source) -> f64 {
        match source {
            Source::Agent => self.agent,
            Source::Trajectory => self.trajectory,
            Source::Import => self.import,
            Source::Seed => self.seed,
            Source::Person => self.person,
        }
    }

    /// Returns true if all are 1. Such weights are not written, so that the digest of a policy without them stays the same.
    pub(crate) fn are_even(&self) -> bool {
        *self == Self::default()
    }
}
