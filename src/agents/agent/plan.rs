//! How a question is worked on, and with which numbers.

use serde::{Deserialize, Serialize};

use hindlore_primitives::word_enum;

word_enum! {
    /// A way of working on a question.
    Mode {
        /// One line of thought, or several whose majority wins.
        Cot = "cot",
        /// A beam of rated thoughts.
        Tot = "tot",
        /// Thoughts and tools in turn.
        React = "react",
    }
}

/// The numbers of a way of working.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The way.
    pub mode: Mode,
    /// 0..=2.
    pub temperature: f64,
    /// Drafts of which the majority wins; 1 outside of `cot`.
    pub drafts: u32,
    /// Thoughts that are kept at each depth of `tot`.
    pub breadth: u32,
    /// Depths of `tot`.
    pub depth: u32,
    /// Turns of `react`.
    pub max_turns: u32,
}

/// Plans a way of working. `drafts` is how many drafts `cot` may make.
pub fn plan(mode: Mode, drafts: u32) -> Plan {
    let plan = Plan {
        mode,
        temperature: 0.2,
        drafts: 1,
        breadth: 0,
        depth: 0,
        max_turns: 0,
    };
    match mode {
        Mode::Cot if drafts > 1 => Plan {
            drafts,
            temperature: 0.7,
            ..plan
        },
        Mode::Cot => plan,
        Mode::Tot => Plan {
            breadth: 3,
            depth: 2,
            ..plan
        },
        Mode::React => Plan {
            max_turns: 8,
            ..plan
        },
    }
}
