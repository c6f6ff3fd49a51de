//! The classification of a bullet: its memory type, kind, status and source.
//!
//! Each value has one word, in storage and on every surface. Packed bullets store values in a few bits, so there
//! is space for 4 memory types, 4 statuses, 8 sources and 16 kinds.

use hindlore_primitives::word_enum;

word_enum! {
    /// The memory type of a bullet, which decides its decay rate.
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
    /// The kind of statement in a bullet.
    Kind {
        /// Advice to do something.
        Strategy = "strategy",
        /// Advice against something.
        AntiPattern = "anti_pattern",
        /// An observation.
        Observation = "observation",
        /// A fact.
        Fact = "fact",
        /// A preference of a person.
        Preference = "preference",
        /// An experience.
        Experience = "experience",
        /// A conclusion from experiences.
        Reflection = "reflection",
        /// A consolidation of several bullets.
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
        /// Rejected by a person; its text cannot come back by learning.
        Rejected = "rejected",
    }
}

word_enum! {
    /// The author of a bullet.
    Source {
        /// Learned by an agent.
        Agent = "agent",
        /// Extracted from the record of a run.
        Trajectory = "trajectory",
        /// Imported from a file.
        Import = "import",
        /// Came with the memory.
        Seed = "seed",
        /// Stored by a person.
        Person = "person",
    }
}

impl Kind {
    /// Returns the memory type of a bullet of this kind, if nothing else decides it.
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
