//! The trial-and-error executor: proposes, reads what came back, repairs, tries again. It needs no model.
//!
//! It is told nothing but the habits for the tool at hand and hints as text; whose memory they come from,
//! and whether there is one, it cannot know. Hints change a proposal by one general rule
//! ([`rule`]): a proposal that a hint calls wrong is rewritten or dropped, the closest hint first. A hint
//! is advice and no order: what it makes of an action is carried out only when it can be said at all, and
//! a hint that failed is set aside.

mod alignment;
mod beliefs;
mod rule;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::chance::Chance;
use super::feedback::Feedback;
use super::tokens::tokens;
use super::tool::Habits;
use super::world::World;
use beliefs::{Beliefs, Proposal};
use mnemograph::domain::lesson::fingerprint::Evidence;
use rule::{Action, Rewriting, Rule};

/// Times that hints may rewrite one proposal.
const REWRITINGS_MAX: usize = 6;
/// Hints that are considered for one rewriting, the nearest.
const CONSIDERED_MAX: usize = 6;
/// Times that a proposal is drawn again because a hint forbids it.
const FORBIDDEN_MAX: usize = 8;
/// Failures after which a ban is doubted, since what is right may be among what it forbids.
const BANS_HOLD: usize = 8;
/// Failures of advice in a run, beyond what worked, after which it is not followed any more.
const DOUBTED_AFTER: usize = 2;
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
    /// The kind of step that it was learned in; it holds for any where this is absent.
    pub about: Option<String>,
}

/// One action and what came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Place in the run, from 1.
    pub number: usize,
    /// What the plan wanted: the name of the intent.
    pub intent: String,
    /// The same with its data: which step of the plan it is.
    pub plan_step: String,
    /// What could be seen before.
    pub state_before: String,
    /// What would have been done without hints.
    pub proposed: String,
    /// What was done.
    pub action: String,
    /// What could be seen after.
    pub state_after: String,
    /// What came back.
    pub feedback: Feedback,
    /// The hints that made the action what it is.
    pub followed: Vec<String>,
}

impl Step {
    /// What is known about it, for a fingerprint: the same words say another thing about another kind of
    /// step, so that beside an error text the action is given as a call by the name of its kind.
    pub fn evidence(&self) -> Evidence {
        let text = self.feedback.hard_failure.as_deref();
        let action = match text {
            Some(_) => json!({"tool": self.intent, "arguments": {"action": self.action}}),
            None => Value::from(self.action.as_str()),
        };
        Evidence {
            error: text.map_or(Value::Null, Value::from),
            state: Value::from(self.state_before.as_str()),
            action,
            state_after: Value::from(self.state_after.as_str()),
            reason: self.feedback.constraint_failure.clone().unwrap_or_default(),
        }
    }
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
        tracks: BTreeMap::new(),
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
        let next = executor.propose().filter(|_| number < kit.limits.steps);
        let Some(Decided {
            proposed,
            proposal,
            followed,
        }) = next
        else {
            break;
        };
        number += 1;
        let state_before = world.state();
        let feedback = world.act(&proposal.action);
        let step = Step {
            number,
            plan_step: format!("{} {}", intent.name, Value::Object(intent.data)),
            intent: intent.name,
            state_before,
            proposed,
            action: proposal.action.clone(),
            state_after: world.state(),
            feedback,
            followed,
        };
        executor.took(proposal, &step);
        executor.take(listener(&step));
    }
    number
}

struct Executor<'a> {
    kit: Kit<'a>,
    chance: Chance,
    rules: Vec<Known>,
    /// By hint: how often what it advised worked in this run, and how often it failed.
    tracks: BTreeMap<String, (usize, usize)>,
    attempt: Option<Attempt<'a>>,
}

/// A hint that was read.
struct Known {
    id: String,
    about: Option<String>,
    rule: Rule,
}

/// The tries at one step of the plan.
struct Attempt<'a> {
    beliefs: Beliefs<'a>,
    tried: BTreeSet<String>,
    tries: usize,
    /// Hints that led to something that failed and that no habit says.
    spent: BTreeSet<String>,
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
            spent: BTreeSet::new(),
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

/// What is done next.
struct Decided {
    /// What would be done without hints.
    proposed: String,
    proposal: Proposal,
    /// The hints that made the difference.
    followed: Vec<String>,
}

impl Decided {
    fn own(proposal: Proposal) -> Self {
        Self {
            proposed: proposal.action.clone(),
            proposal,
            followed: Vec::new(),
        }
    }
}

impl Executor<'_> {
    /// Newer hints stand before older ones, since they are about what happened last.
    fn take(&mut self, hints: Vec<Hint>) {
        let read = hints.into_iter().filter_map(|hint| {
            Some(Known {
                rule: Rule::read(&hint.text)?,
                id: hint.id,
                about: hint.about,
            })
        });
        let mut rules: Vec<Known> = read.collect();
        rules.extend(std::mem::take(&mut self.rules));
        rules.truncate(HINTS_MAX);
        self.rules = rules;
    }

    /// The next action; `None` when it gives up.
    fn propose(&mut self) -> Option<Decided> {
        let Self {
            kit,
            rules,
            tracks,
            chance,
            attempt,
        } = self;
        let attempt = attempt
            .as_mut()
            .filter(|attempt| attempt.tries < kit.limits.tries)?;
        let is_doubted = |id: &String| {
            let (worked, failed) = tracks.get(id).copied().unwrap_or_default();
            failed >= worked + DOUBTED_AFTER
        };
        let intent = &attempt.beliefs.intent().name;
        let rules: Vec<&Known> = rules
            .iter()
            .filter(|known| known.about.as_ref().is_none_or(|about| about == intent))
            .filter(|known| !attempt.spent.contains(&known.id) && !is_doubted(&known.id))
            .collect();
        if let Some((failed, _)) = attempt.last.clone()
            && let Some(advised) = attempt.advised(&rules, &failed)
        {
            return Some(advised);
        }
        if let Some(again) = attempt.repeated() {
            return Some(Decided::own(again));
        }
        let mut decided = Decided::own(attempt.beliefs.draw(chance, &attempt.tried)?);
        if attempt.tries < BANS_HOLD {
            for _ in 0..FORBIDDEN_MAX {
                let read = Action::read(&decided.proposal.action);
                let Some(ban) = rules.iter().find(|known| known.rule.forbids(&read)) else {
                    break;
                };
                decided.followed.push(ban.id.clone());
                decided.proposal = attempt.beliefs.draw(chance, &attempt.tried)?;
            }
        }
        if let Some(advised) = attempt.advised(&rules, &decided.proposal) {
            decided.followed.extend(advised.followed);
            decided.proposal = advised.proposal;
        }
        decided.followed.sort_unstable();
        decided.followed.dedup();
        Some(decided)
    }

    fn took(&mut self, proposal: Proposal, step: &Step) {
        let is_failure = step.feedback.is_failure();
        for id in &step.followed {
            let (worked, failed) = self.tracks.entry(id.clone()).or_default();
            *worked += usize::from(!is_failure);
            *failed += usize::from(is_failure);
        }
        if !is_failure {
            self.attempt = None;
            return;
        }
        if let Some(attempt) = self.attempt.as_mut() {
            let error = step.feedback.text();
            attempt.tries += 1;
            attempt.tried.insert(proposal.action.clone());
            attempt.beliefs.failed(&proposal, error);
            if !proposal.is_own() {
                attempt.spent.extend(step.followed.iter().cloned());
            }
            attempt.last = Some((proposal, error.to_owned()));
        }
    }
}

impl Attempt<'_> {
    /// Rewrites a proposal as hints say, never into an action that was tried; `None` when no hint was
    /// followed.
    fn advised(&mut self, rules: &[&Known], from: &Proposal) -> Option<Decided> {
        let mut proposal = from.clone();
        let mut followed: Vec<String> = Vec::new();
        let mut seen = BTreeSet::from([proposal.action.clone()]);
        while followed.len() < REWRITINGS_MAX {
            let read = Action::read(&proposal.action);
            let is_open = !self.tried.contains(&proposal.action);
            let mut usable: Vec<(&String, Rewriting)> = rules
                .iter()
                .filter(|known| !followed.contains(&known.id))
                .filter_map(|known| Some((&known.id, known.rule.rewrite(&read)?)))
                .collect();
            usable.retain(|(_, made)| {
                !seen.contains(&made.action) && !self.tried.contains(&made.action)
            });
            usable.sort_by(|(_, a), (_, b)| nearer(a, b));
            usable.truncate(CONSIDERED_MAX);
            let next = usable.into_iter().find_map(|(id, made)| {
                let told = self.understood(&proposal, made)?;
                let read_again = Action::read(&told.action);
                let prefers_this = |known: &&Known| known.rule.prefers(&read, &read_again);
                let is_contradicted = || is_open && rules.iter().any(prefers_this);
                let is_new = !seen.contains(&told.action) && !self.tried.contains(&told.action);
                (is_new && !is_contradicted()).then_some((id, told))
            });
            let Some((id, told)) = next else { break };
            seen.insert(told.action.clone());
            followed.push(id.clone());
            proposal = told;
        }
        (!followed.is_empty()).then(|| Decided {
            proposed: from.action.clone(),
            proposal,
            followed,
        })
    }

    /// A rewriting as a proposal of one's own where it can be said so. What an analogy makes and nobody
    /// could say is nonsense; what a hint says of this very action is tried all the same.
    fn understood(&mut self, from: &Proposal, made: Rewriting) -> Option<Proposal> {
        let own = self.beliefs.understand(from, &made.action);
        own.or_else(|| made.is_exact.then(|| Proposal::told(made.action)))
    }
}

/// Rules about this very action first, then by likeness; of equals the first of the list stays first.
fn nearer(a: &Rewriting, b: &Rewriting) -> std::cmp::Ordering {
    b.is_exact
        .cmp(&a.is_exact)
        .then(a.distance.total_cmp(&b.distance))
}
