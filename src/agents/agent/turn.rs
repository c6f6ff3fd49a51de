//! The state of a turn: everything that a node reads and writes, so that it can be written down between two nodes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::plan::{Mode, Plan};
use super::work::{Step, Thought};
use crate::model::inject::question_in;
use crate::model::{Message, Refused, Role, Spent};
use crate::roles::Shown;
use crate::roles::trace::Rubric;

/// Characters of a question that is read for its way of working. Longer text is context, whose words ask for nothing.
const QUESTION_MAX: usize = 600;

/// The position of a turn: the node that comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Node {
    /// Chooses the way of working, and loads memory.
    #[default]
    Router,
    /// Sets the numbers.
    Planner,
    /// Works on the question.
    Solver,
    /// Takes the answer out of the work.
    Critic,
    /// Judges the answer.
    Referee,
    /// Learns from all of it.
    Learning,
    /// Nothing is left to do.
    End,
}

/// The known outcome before the turn, for a deterministic referee.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Known {
    /// The right answer.
    pub ground_truth: Option<String>,
    /// Whether the answer is right, if the caller knows it.
    pub success: Option<bool>,
    /// The feedback of the environment.
    pub feedback: Option<String>,
    /// Requirements with their status in an earlier pass.
    pub rubrics: Vec<Rubric>,
}

/// The judge and its method.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// `evaluator`, `feedback` or `judge`.
    pub by: String,
    /// Whether the answer is right; absent if unknown.
    pub success: Option<bool>,
    /// Why.
    pub reason: String,
}

/// A turn.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Turn {
    /// Its id; its delta counts once by it.
    pub id: String,
    /// The node that comes next.
    pub node: Node,
    /// The caller's messages.
    pub messages: Vec<Message>,
    /// The way of working that the caller wants.
    pub preset: Option<Mode>,
    /// Topic of the learned bullets.
    pub topic: Option<String>,
    /// The known outcome.
    pub known: Known,
    /// Notes of the reflections of earlier turns, newest last.
    pub reflections: Vec<String>,
    /// The plan, once there is one.
    pub plan: Option<Plan>,
    /// The bullets that memory returned, once it was asked.
    pub shown: Option<Vec<Shown>>,
    /// Id of that retrieval.
    pub retrieval: Option<String>,
    /// The general advice of the memory that goes into the prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<String>,
    /// Drafts of `cot`.
    pub drafts: Vec<String>,
    /// The beam of `tot`, best first.
    pub beam: Vec<Thought>,
    /// Steps of `react`.
    pub steps: Vec<Step>,
    /// The solver's result, before the critic.
    pub raw: String,
    /// Ids of the bullets that the answer claims to use.
    pub cited: Vec<String>,
    /// The answer.
    pub answer: String,
    /// How it was judged.
    pub verdict: Option<Verdict>,
    /// Cost of the model.
    pub spent: Spent,
    /// Replies of the model that were refused.
    pub refused: Vec<Refused>,
    /// The failures, and their replacements.
    pub notes: Vec<String>,
    /// The receipt of the learned delta.
    pub learned: Option<Value>,
    /// The mistake, for the next turn.
    pub reflection: String,
}

impl Turn {
    /// A turn that has not begun.
    pub fn new(id: impl Into<String>, messages: Vec<Message>) -> Self {
        Self {
            id: id.into(),
            messages,
            ..Self::default()
        }
    }

    /// The question: the last message of the user.
    pub fn question(&self) -> &str {
        let last = self
            .messages
            .iter()
            .rfind(|message| message.role == Role::User);
        last.map_or("", |message| message.content.as_str())
    }

    /// The question without the context before it in one message; empty for long text in which none can be separated.
    pub fn question_alone(&self) -> &str {
        let whole = self.question();
        let alone = question_in(whole).map_or(whole, |at| &whole[at..]);
        if alone.chars().count() > QUESTION_MAX {
            return "";
        }
        alone
    }

    /// The bullets that memory returned.
    pub fn bullets(&self) -> &[Shown] {
        self.shown.as_deref().unwrap_or_default()
    }

    /// The way of working; `cot` before there is a plan.
    pub fn mode(&self) -> Mode {
        self.plan.map_or(Mode::Cot, |plan| plan.mode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_long_context_are_no_question() {
        let context = "Calculate the options, plan and compare the fees. ".repeat(20);
        let question = |text: String| Turn::new("t", vec![Message::user(text)]);
        let both = question(format!("{context}\n\nWho pays?"));
        assert_eq!(both.question_alone(), "Who pays?");
        assert_eq!(question(context).question_alone(), "");
        let short = question("Plan a release.".to_owned());
        assert_eq!(short.question_alone(), "Plan a release.");
    }
}
