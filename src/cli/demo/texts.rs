//! The texts of the demonstration: the playbook, and the lessons of agents.

use hindlore_api::problem::Problem;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};

/// Good advice for agents that use tools, in the text form of ACE.
pub(crate) const PLAYBOOK: &str = include_str!("tool_agents.playbook");

/// The query.
pub(super) const QUERY: &str = "the API answers 429, how do I retry?";
/// Number of bullets requested.
pub(super) const TOP_K: usize = 4;

/// A lesson and its point.
pub(crate) struct Lesson {
    /// Id of its delta.
    pub(crate) delta: &'static str,
    /// Its point.
    pub(super) shows: &'static str,
    /// Its author and source.
    pub(super) told: &'static str,
    /// The learned text.
    pub(crate) text: &'static str,
    /// Its helpful votes.
    pub(crate) votes: u64,
    /// The reaction of the memory, and why it is good.
    pub(super) outcome: &'static str,
}

/// The lessons of agents, in order.
pub(crate) const LESSONS: [Lesson; 3] = [
    Lesson {
        delta: "d_demo_same_text",
        shows: "reinforced",
        told: "An agent learns what the playbook says already, in other letters and spacing:",
        text: "  RETRY HTTP 429 and 5xx responses with exponential backoff and random jitter,\n  \
               honour the Retry-After header, and give up after about five attempts with a clear report.",
        votes: 1,
        outcome: "The same text, so there is no second bullet: the one that is there got the vote.",
    },
    Lesson {
        delta: "d_demo_near_text",
        shows: "merged",
        told: "Another one says nearly the same as a bullet, in its own words:",
        text: "After a timeout on a write, query the current state before sending it again; \
               the operation may have succeeded although no reply arrived.",
        votes: 1,
        outcome: "More than nine words in ten agree and nothing that matters differs, so the two \
                  became one. Prompts stay short, and the votes add up.",
    },
    Lesson {
        delta: "d_demo_opposite",
        shows: "kept apart",
        told: "A third one had a bad day with a server, and concludes the opposite:",
        text: "Do not retry HTTP 429 and 5xx responses with exponential backoff and random jitter, \
               honour the Retry-After header, and give up after about five retry attempts with a \
               clear report.",
        votes: 0,
        outcome: "The words agree, the meaning does not. One `not` is enough: the two are not \
                  merged but linked, and wait for a person; until then the one with more votes comes \
                  first.",
    },
];

/// Id of the delta that is undone.
pub(super) const CLEANUP: &str = "d_demo_cleanup";
/// The text it puts in place of a good one.
pub(super) const CLEANUP_TEXT: &str = "Retry failed calls.";

/// A delta that adds one lesson with helpful votes.
pub(super) fn delta_of(id: &str, text: &str, helpful: u64) -> Result<Delta, Problem> {
    let new = NewBullet {
        content: text.to_owned(),
        helpful,
        ..NewBullet::default()
    };
    delta(id, vec![Operation::Add(Box::new(new))])
}

/// A delta of operations.
pub(super) fn delta(id: &str, operations: Vec<Operation>) -> Result<Delta, Problem> {
    let id = DeltaId::parse(id).map_err(|reason| Problem::new("invalid_delta_id", reason))?;
    Ok(Delta::new(id, operations))
}
