//! The insight of a turn, before it is a bullet.

use serde::{Deserialize, Serialize};

use hindlore_primitives::word_enum;

word_enum! {
    /// The subject of a takeaway.
    Kind {
        /// An approach that worked.
        Success = "success",
        /// A mistake, and the right way.
        Failure = "failure",
        /// A fact of the field.
        Domain = "domain",
        /// How a tool behaves.
        Tool = "tool",
    }
}

word_enum! {
    /// The verdict of a turn on a bullet that it was shown.
    Vote {
        /// It helped.
        Helpful = "helpful",
        /// It did harm.
        Harmful = "harmful",
        /// Neither.
        Neutral = "neutral",
    }
}

/// One sentence worth keeping.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Takeaway {
    /// The sentence.
    pub content: String,
    /// Its subject.
    pub kind: Kind,
    /// Free tags.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// The insights of a turn: takeaways, and votes on the bullets that it was shown, by their ids.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reflection {
    /// Sentences worth keeping.
    pub takeaways: Vec<Takeaway>,
    /// Votes on shown bullets.
    pub votes: Vec<(String, Vote)>,
    /// The mistake and its cause, for the next turn's prompt; empty if there was none.
    pub note: String,
}
