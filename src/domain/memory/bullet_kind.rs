//! What sort of memory a bullet is: its memory type, kind, status and source.
//!
//! Each value has one word, in storage and on every surface.

use crate::word_enum;

word_enum! {
    /// How a memory fades: which decay rate applies.
    MemoryType {
        /// Facts and concepts.
        Semantic = "semantic",
        /// Single experiences and observations.
        Episodic = "episodic",
        /// Steps, procedures and policies.
        Procedural = "procedural",
    }
}

word_enum! {
    /// What sort of advice a bullet is.
    Kind {
        /// What to do.
        Strategy = "strategy",
        /// What not to do.
        AntiPattern = "anti_pattern",
        /// Something noticed.
        Observation = "observation",
        /// Something true.
        Fact = "fact",
        /// What somebody prefers.
        Preference = "preference",
        /// Something lived through.
        Experience = "experience",
        /// A thought about experiences.
        Reflection = "reflection",
        /// Made of several other bullets.
        Consolidated = "consolidated",
        /// General advice about using the context.
        MetaStrategy = "meta_strategy",
    }
}

word_enum! {
    /// Whether a bullet takes part in retrieval and learning.
    Status {
        /// Takes part.
        Active = "active",
        /// Kept for audit; can come back.
        Archived = "archived",
        /// Refused by a person; cannot come back by learning.
        Rejected = "rejected",
    }
}

word_enum! {
    /// Who or what wrote a bullet.
    Source {
        /// An agent's own learning.
        Agent = "agent",
        /// Taken from the record of an execution.
        Trajectory = "trajectory",
        /// Brought in from a file.
        Import = "import",
        /// Came with the memory.
        Seed = "seed",
        /// Stored by a person.
        Person = "person",
    }
}

impl Kind {
    /// The memory type of a bullet of this kind when nothing else decides it.
    pub fn default_type(self) -> MemoryType {
        match self {
            Self::Strategy | Self::AntiPattern | Self::MetaStrategy => MemoryType::Procedural,
            Self::Preference | Self::Experience | Self::Observation => MemoryType::Episodic,
            Self::Fact | Self::Reflection | Self::Consolidated => MemoryType::Semantic,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_imply_types() {
        assert_eq!(Kind::AntiPattern.default_type(), MemoryType::Procedural);
        assert_eq!(Kind::Preference.default_type(), MemoryType::Episodic);
        assert_eq!(Kind::Consolidated.default_type(), MemoryType::Semantic);
        assert_eq!("fact".parse::<Kind>(), Ok(Kind::Fact));
        assert!("feeling".parse::<Kind>().unwrap_err().contains("strategy"));
    }
}
