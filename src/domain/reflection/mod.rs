//! Reflection: the insights from the steps of a trajectory, without a model.
//!
//! Nothing is invented. An advised action was done in the trajectory, and the reflection quotes its steps; an action
//! advised against failed there more than once, ended it, or was cured there. An order of steps is advice only where
//! many trajectories agree on it ([`across`]); in a single one it is an observation.

pub mod across;
mod local;
mod noted;
mod order;
pub mod proposed;
mod recovery;
mod repeated;
mod role;
mod shared;
mod step_action;

use serde::{Deserialize, Serialize};

use crate::lesson::learning::contrast;
use crate::playbook::{Category, Evidence, Proposal};
use crate::trajectory::{Status, Step, Trajectory};
use hindlore_primitives::timestamp::Timestamp;
use step_action::StepAction;

/// Largest number of insights of one trajectory.
const INSIGHTS_MAX: usize = 32;

/// One thing that the steps show.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Insight {
    /// Its kind: to do, to avoid, or an observation.
    pub category: Category,
    /// The sentence.
    pub pattern: String,
    /// When it applies; empty for always.
    pub context: String,
    /// The steps that show it, ascending.
    pub steps: Vec<u32>,
}

/// The insights from one trajectory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reflection {
    /// The trajectory.
    pub trajectory: String,
    /// False if there is nothing to learn: one action that worked, or none.
    pub is_worth_learning: bool,
    /// The insights: cures first, then failures without a cure, then orders of steps, then decisions and observations.
    pub insights: Vec<Insight>,
    /// Advice for the next time, one sentence for each cure and for each form that kept failing.
    pub recommendations: Vec<String>,
    at: Timestamp,
}

impl Reflection {
    /// The insights of one category.
    pub fn of(&self, category: Category) -> impl Iterator<Item = &Insight> {
        self.insights
            .iter()
            .filter(move |insight| insight.category == category)
    }

    /// A reflection with these insights in place of its own.
    #[must_use]
    pub fn with_insights(self, insights: Vec<Insight>) -> Self {
        Self {
            recommendations: insights.iter().filter_map(recommendation).collect(),
            insights,
            ..self
        }
    }

    /// The insights as proposals for a playbook, with this trajectory as their evidence. Mere observations are none, and a
    /// form so long that it had to be cut holds the data of one task, which is no advice for another.
    pub fn proposals(&self) -> Vec<Proposal> {
        let advice = self.insights.iter().filter(|insight| {
            insight.category != Category::Neutral && !insight.pattern.contains(CUT)
        });
        let proposal = |insight: &Insight| Proposal {
            category: insight.category,
            pattern: insight.pattern.clone(),
            context: insight.context.clone(),
            evidence: vec![Evidence {
                trajectory: self.trajectory.clone(),
                worked: insight.category == Category::Helpful,
                at: self.at,
            }],
            stated: None,
        };
        advice.map(proposal).collect()
    }
}

/// Reflects on a trajectory: on its actions and their errors, in their order.
pub fn reflect(trajectory: &Trajectory) -> Reflection {
    let actions = step_action::of(&trajectory.steps);
    let is_worth_learning = is_worth_learning(&actions);
    let run_failed = trajectory.status == Some(Status::Failure);
    let mut insights = Vec::new();
    if is_worth_learning {
        insights = recovery::insights(&actions);
        let cured: Vec<u32> = insights.iter().flat_map(|it| it.steps.clone()).collect();
        insights.extend(repeated::insights(&actions, &cured, run_failed));
        insights.extend(order::insights(&actions));
        insights.extend(noted::insights(trajectory));
        insights.truncate(INSIGHTS_MAX);
    }
    let recommendations = insights.iter().filter_map(recommendation).collect();
    Reflection {
        trajectory: trajectory.id.clone(),
        is_worth_learning,
        insights,
        recommendations,
        at: trajectory.ended_at.unwrap_or(trajectory.started_at),
    }
}

/// Two actions have an order, and an error has a message; a lone action that worked has neither.
fn is_worth_learning(actions: &[StepAction<'_>]) -> bool {
    actions.len() >= 2 || actions.iter().any(StepAction::failed)
}

fn recommendation(insight: &Insight) -> Option<String> {
    let is_advice = insight.category != Category::Neutral;
    is_advice.then(|| format!("Next time: {}", insight.pattern))
}

/// The end of a quoted form that was cut; a lone `…` is the gap of a pattern.
const CUT: &str = "[…]`";

/// A step by its action, as a sentence quotes it: on one line, cut.
fn quoted(text: &str) -> String {
    const CHARS_MAX: usize = 160;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= CHARS_MAX {
        return format!("`{line}`");
    }
    let cut: String = line.chars().take(CHARS_MAX).collect();
    format!("`{cut}{CUT}")
}

/// A trajectory as evidence for advice that worked there, or against it.
fn evidence(trajectory: &Trajectory, worked: bool) -> Evidence {
    Evidence {
        trajectory: trajectory.id.clone(),
        worked,
        at: trajectory.ended_at.unwrap_or(trajectory.started_at),
    }
}

/// The most informative line of an error; `None` for an error without words.
fn headline(step: &Step) -> Option<String> {
    let line = contrast::headline(step.error.as_deref()?);
    let line = line.trim();
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    (letters >= 3).then(|| line.to_owned())
}

#[cfg(test)]
mod tests;
