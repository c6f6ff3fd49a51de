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

/// The part of the solver's text that is the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerForm {
    /// The last line that begins with `Answer:`, which the prompt asks for.
    #[default]
    LastLine,
    /// All of it: the prompt asks for no form of its own, since the task has one.
    Whole,
}

/// The numbers from which plans are made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Numbers {
    /// Drafts of `cot`; the majority wins.
    pub drafts: u32,
    /// Thoughts that `tot` keeps at each depth.
    pub breadth: u32,
    /// Depths of `tot`.
    pub depth: u32,
    /// Steps of `react`.
    pub max_turns: u32,
    /// 0..=2; `None` takes 0.2, and 0.7 for several drafts, since equal drafts have no majority.
    pub temperature: Option<f64>,
    /// The part of the text that is the answer.
    pub form: AnswerForm,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            drafts: 1,
            breadth: 3,
            depth: 2,
            max_turns: 8,
            temperature: None,
            form: AnswerForm::LastLine,
        }
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
    /// The part of the text that is the answer.
    #[serde(default)]
    pub form: AnswerForm,
}

/// Plans a way of working: the numbers that concern it, and 1 draft or 0 for the others.
pub fn plan(mode: Mode, numbers: &Numbers) -> Plan {
    let drafts = if mode == Mode::Cot {
        numbers.drafts.max(1)
    } else {
        1
    };
    let usual = if drafts > 1 { 0.7 } else { 0.2 };
    let of = |wanted: Mode, number: u32| if mode == wanted { number.max(1) } else { 0 };
    Plan {
        mode,
        temperature: numbers.temperature.unwrap_or(usual),
        drafts,
        breadth: of(Mode::Tot, numbers.breadth),
        depth: of(Mode::Tot, numbers.depth),
        max_turns: of(Mode::React, numbers.max_turns),
        form: numbers.form,
    }
}
