//! The check of insights that a language model proposes: they must follow from the steps.

use super::Insight;
use crate::trajectory::{Step, Trajectory};
use hindlore_errors::action::Action;

/// Longest sentence of a proposed insight, in characters.
const CHARS_MAX: usize = 400;
/// Proposed insights of one trajectory.
const INSIGHTS_MAX: usize = 16;

/// Keeps the insights that name steps of the trajectory, and whose numbers and quoted parts are in these steps' texts.
pub fn supported(insights: Vec<Insight>, trajectory: &Trajectory) -> Vec<Insight> {
    let texts: Vec<String> = trajectory.steps.iter().map(text_of).collect();
    let all = texts.join("\n");
    let mut kept: Vec<Insight> = Vec::new();
    for mut insight in insights {
        insight.pattern = insight
            .pattern
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        insight.steps.sort_unstable();
        insight.steps.dedup();
        let is_step = |number: &u32| trajectory.steps.iter().any(|step| step.number == *number);
        let is_shown = !insight.steps.is_empty() && insight.steps.iter().all(is_step);
        let length = insight.pattern.chars().count();
        let is_new = kept.iter().all(|one| one.pattern != insight.pattern);
        if is_shown
            && is_new
            && (1..=CHARS_MAX).contains(&length)
            && details(&insight.pattern)
                .iter()
                .all(|part| all.contains(part))
        {
            kept.push(insight);
        }
    }
    kept.truncate(INSIGHTS_MAX);
    kept
}

fn text_of(step: &Step) -> String {
    let action = step.action.as_ref().map(Action::text).unwrap_or_default();
    let error = step.error.as_deref().unwrap_or_default();
    let data = step
        .metadata
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    format!("{}\n{action}\n{error}\n{data}", step.description)
}

/// The parts of a sentence that cannot be its own words: quoted texts and numbers.
fn details(sentence: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for mark in ['`', '"'] {
        found.extend(sentence.split(mark).skip(1).step_by(2));
    }
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let numbers = sentence
        .split(|c: char| !is_number(c))
        .map(|part| part.trim_matches('.'));
    found.extend(numbers.filter(|part| !part.is_empty()));
    found.retain(|part| !part.trim().is_empty());
    found
}
