//! The trial-and-error executor: proposes, reads what came back, repairs, tries again. It needs no model.
//!
//! It is told nothing but the habits for the tool at hand and hints as text; whose memory they come from,
//! and whether there is one, it cannot know. Hints change a proposal by one general rule
//! ([`rule`]): a proposal that a hint calls right stays, one that a hint calls wrong is rewritten or
//! dropped, the closest hint first.

mod beliefs;
mod rule;

use std::collections::{BTreeMap, BTreeSet};

use super::chance::Chance;
use super::feedback::Feedback;
use super::tokens::tokens;
use super::tool::Habits;
use super::world::World;
use beliefs::{Beliefs, Proposal};
use rule::{Rewriting, Rule};

/// Times that hints may rewrite one proposal.
const REWRITINGS_MAX: usize = 6;
/// Times that a proposal is drawn again because a hint forbids it.
const FORBIDDEN_MAX: usize = 8;
/// Times that an action is repeated because its error reads as passing.
const REPEATS_MAX: usize = 2;
/// Hints that are remembered; the oldest are forgotten first.
const HINTS_MAX: usize = 64;
/// Words of errors that pass by themselves, in any domain.
const PASSING: &[&str] = &[
    "429",
    "503",
    "retry",
    "again",
    "temporarily",
    "unavailable",
    "timeout",
    "busy",
];

/// Advice as text. The number is for whoever keeps accounts; the text is all that is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// Whose advice it is, in the keeper's words.
    pub id: String,
    /// The advice.
    pub text: String,
}

/// One action and what came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Place in the run, from 1.
    pub number: usize,
    /// What the plan wanted.
    pub intent: String,
    /// What could be seen before.
    pub state_before: String,
    /// What was done.
    pub action: String,
    /// What could be seen after.
    pub state_after: String,
    /// What came back.
    pub feedback: Feedback,
    /// The hints that made the action what it is.
    pub followed: Vec<String>,
}

/// How long a run may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Actions in a run.
    pub steps: usize,
    /// Actions for one step of the plan.
    pub tries: usize,
}

/// What the executor has to work with.
#[derive(Clone, Copy, Debug)]
pub struct Kit<'a> {
    /// Plausible ways to say things.
    pub habits: &'a Habits,
    /// Documentation that may be read in this run.
    pub docs: &'a str,
    /// How long it may try.
    pub limits: Limits,
}

/// Told of every step; what it answers is read as hints from then on.
pub type Listener<'a> = &'a mut dyn FnMut(&Step) -> Vec<Hint>;

/// Carries out the task of a world and gives the number of actions. `hints` are known from the start.
pub fn run(
    world: &mut dyn World,
    kit: Kit<'_>,
    hints: Vec<Hint>,
    chance: Chance,
    listener: Listener<'_>,
) -> usize {
    let mut executor = Executor {
        kit,
        chance,
        rules: Vec::new(),
        attempt: None,
    };
    executor.take(hints);
    let mut number = 0;
    while let Some(intent) = world.next() {
        let is_same = executor
            .attempt
            .as_ref()
            .is_some_and(|attempt| *attempt.beliefs.intent() == intent);
        if !is_same {
            executor.attempt = Some(Attempt::new(Beliefs::new(
                kit.habits,
                intent.clone(),
                kit.docs,
            )));
        }
        let Some((proposal, followed)) = executor.propose().filter(|_| number < kit.limits.steps)
        else {
            break;
        };
        number += 1;
        let state_before = world.state();
        let feedback = world.act(&proposal.action);
        let step = Step {
            number,
            intent: intent.name,
            state_before,
            action: proposal.action.clone(),
            state_after: world.state(),
            feedback,
            followed,
        };
        executor.took(proposal, &step.feedback);
        executor.take(listener(&step));
    }
    number
}

struct Executor<'a> {
    kit: Kit<'a>,
    chance: Chance,
    rules: Vec<(String, Rule)>,
    attempt: Option<Attempt<'a>>,
}

/// The tries at one step of the plan.
struct Attempt<'a> {
    beliefs: Beliefs<'a>,
    tried: BTreeSet<String>,
    tries: usize,
    /// What failed last, with its error, and how often it was repeated.
    last: Option<(Proposal, String)>,
    repeats: BTreeMap<String, usize>,
}

impl<'a> Attempt<'a> {
    fn new(beliefs: Beliefs<'a>) -> Self {
        Self {
            beliefs,
            tried: BTreeSet::new(),
            tries: 0,
            last: None,
            repeats: BTreeMap::new(),
        }
    }

    /// The action that failed for a reason that may pass, if it is worth another try.
    fn repeated(&mut self) -> Option<Proposal> {
        let (proposal, error) = self.last.as_ref()?;
        let may_pass = tokens(error)
            .iter()
            .any(|token| PASSING.contains(&token.text.as_str()));
        let repeats = self.repeats.entry(proposal.action.clone()).or_insert(0);
        *repeats += 1;
        (may_pass && *repeats <= REPEATS_MAX).then(|| proposal.clone())
    }
}

impl Executor<'_> {
    /// Newer hints stand before older ones, since they are about what happened last.
    fn take(&mut self, hints: Vec<Hint>) {
        let read = hints
            .into_iter()
            .filter_map(|hint| Some((hint.id, Rule::read(&hint.text)?)));
        let mut rules: Vec<(String, Rule)> = read.collect();
        rules.extend(std::mem::take(&mut self.rules));
        rules.truncate(HINTS_MAX);
        self.rules = rules;
    }

    /// The next action and the hints that were followed; `None` when it gives up.
    fn propose(&mut self) -> Option<(Proposal, Vec<String>)> {
        let limit = self.kit.limits.tries;
        let attempt = self
            .attempt
            .as_mut()
            .filter(|attempt| attempt.tries < limit)?;
        if let Some((failed, _)) = &attempt.last {
            let (action, followed) = advised(&self.rules, &failed.action, &attempt.tried);
            if !followed.is_empty() {
                return Some((Proposal::told(action), followed));
            }
        }
        if let Some(again) = attempt.repeated() {
            return Some((again, Vec::new()));
        }
        let mut proposal = attempt.beliefs.draw(&mut self.chance, &attempt.tried)?;
        for _ in 0..FORBIDDEN_MAX {
            if !self
                .rules
                .iter()
                .any(|(_, rule)| rule.forbids(&proposal.action))
            {
                break;
            }
            attempt.tried.insert(proposal.action);
            proposal = attempt.beliefs.draw(&mut self.chance, &attempt.tried)?;
        }
        let (action, followed) = advised(&self.rules, &proposal.action, &attempt.tried);
        match followed.is_empty() {
            true => Some((proposal, followed)),
            false => Some((Proposal::told(action), followed)),
        }
    }

    fn took(&mut self, proposal: Proposal, feedback: &Feedback) {
        if !feedback.is_failure() {
            self.attempt = None;
            return;
        }
        if let Some(attempt) = self.attempt.as_mut() {
            attempt.tries += 1;
            attempt.tried.insert(proposal.action.clone());
            attempt.beliefs.failed(&proposal, feedback.text());
            attempt.last = Some((proposal, feedback.text().to_owned()));
        }
    }
}

/// Rewrites an action as hints say, never into one that was tried; gives the hints that were followed.
fn advised(
    rules: &[(String, Rule)],
    action: &str,
    tried: &BTreeSet<String>,
) -> (String, Vec<String>) {
    let mut action = action.to_owned();
    let mut followed: Vec<String> = Vec::new();
    let mut seen = BTreeSet::from([action.clone()]);
    while followed.len() < REWRITINGS_MAX {
        let pieces = tokens(&action);
        let is_known_right =
            !tried.contains(&action) && rules.iter().any(|(_, rule)| rule.approves(&action, &pieces));
        if is_known_right {
            break;
        }
        let usable = |(id, rule): &(String, Rule)| {
            let made = rule.rewrite(&action, &pieces)?;
            let is_new = !seen.contains(&made.action) && !tried.contains(&made.action);
            (is_new && !followed.contains(id)).then(|| (id.clone(), made))
        };
        let Some((id, made)) = rules
            .iter()
            .filter_map(usable)
            .min_by(|(_, a), (_, b)| nearer(a, b))
        else {
            break;
        };
        seen.insert(made.action.clone());
        action = made.action;
        followed.push(id);
    }
    (action, followed)
}

/// Rules about this very action first, then by likeness; of equals the first of the list stays first.
fn nearer(a: &Rewriting, b: &Rewriting) -> std::cmp::Ordering {
    b.is_exact
        .cmp(&a.is_exact)
        .then(a.distance.total_cmp(&b.distance))
}
