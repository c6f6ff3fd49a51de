//! What a turn teaches, before it is a bullet.

use serde::{Deserialize, Serialize};

use crate::domain::word_enum;

word_enum! {
    /// What a takeaway is about.
    Kind {
        /// What worked.
        Success = "success",
        /// What failed, and what to do instead.
        Failure = "failure",
        /// A fact of the field.
        Domain = "domain",
        /// How a tool behaves.
        Tool = "tool",
    }
}

word_enum! {
    /// What a turn says of a bullet that it was shown.
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
    /// What it is about.
    pub kind: Kind,
    /// Free tags.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// What a turn shows: takeaways, and votes on the bullets that it was shown, by their ids.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reflection {
    /// Sentences worth keeping.
    pub takeaways: Vec<Takeaway>,
    /// Votes on shown bullets.
    pub votes: Vec<(String, Vote)>,
    /// What went wrong and why, for the next turn's prompt; empty where nothing did.
    pub note: String,
}
