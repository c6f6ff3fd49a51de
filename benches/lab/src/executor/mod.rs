//! The trial-and-error executor: proposes, reads the feedback, repairs, tries again. It needs no model.
//!
//! It knows nothing but the habits for the tool at hand and hints as text; whose memory they come from, and whether
//! there is one, it cannot know. Hints change a proposal by one general rule ([`rule`]): a proposal that a hint calls
//! wrong is rewritten or dropped, the closest hint first. A hint is advice and no order: a rewriting is carried out
//! only when its form is possible at all, and a hint that failed is dropped.

mod alignment;
mod beliefs;
mod rule;
mod step;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::chance::Chance;
use super::error::LabResult;
use super::tokens::tokens;
use super::world::World;
use beliefs::{Beliefs, Proposal};
use rule::{Action, Rewriting, Rule};
pub use step::{Company, Hint, Kit, Limits, Step};

/// Times that hints may rewrite one proposal.
const REWRITINGS_MAX: usize = 6;
/// Hints that are considered for one rewriting, the nearest.
const CONSIDERED_MAX: usize = 6;
/// Times that a proposal is drawn again because a hint forbids it.
const FORBIDDEN_MAX: usize = 8;
/// Failures after which a ban is doubted, since the right form may be among the forbidden ones.
const BANS_HOLD: usize = 8;
/// Failures of advice in a run, beyond its successes, after which it is not followed any more.
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

/// Carries out the task of a world and gives the number of actions. `hints` are known from the start.
pub fn run(
    world: &mut dyn World,
    kit: Kit<'_>,
    hints: Vec<Hint>,
    chance: Chance,
    company: &mut dyn Company,
) -> LabResult<usize> {
    let mut executor = Executor::new(kit, chance);
    executor.take(hints);
    let mut number = 0;
    while let Some(intent) = world.next() {
        let is_same = executor
            .attempt
            .as_ref()
            .is_some_and(|attempt| *attempt.beliefs.intent() == intent);
        if !is_same {
            let beliefs = Beliefs::new(kit.habits, intent.clone(), kit.docs);
            executor.attempt = Some(Attempt::new(beliefs));
        }
        let next = executor.propose().filter(|_| number < kit.limits.steps);
        let Some(mut next) = next else { break };
        let warnings = company.before(&intent.name, &next.proposal.action)?;
        if executor.take(warnings) {
            next = executor.reconsidered(next);
        }
        number += 1;
        let state_before = world.state();
        let feedback = world.act(&next.proposal.action);
        let step = Step {
            number,
            plan_step: format!("{} {}", intent.name, Value::Object(intent.data)),
            intent: intent.name,
            state_before,
            action: next.proposal.action.clone(),
            state_after: world.state(),
            feedback,
            followed: next.followed,
        };
        executor.took(next.proposal, &step);
        executor.take(company.after(&step)?);
    }
    Ok(number)
}

struct Executor<'a> {
    kit: Kit<'a>,
    chance: Chance,
    /// Decides which hints are heeded; apart, so that it shifts no other draw.
    will: Chance,
    rules: Vec<Known>,
    /// Hints that are not heeded in this run.
    unheeded: BTreeSet<String>,
    /// By hint: how often its advice worked in this run, and how often it failed.
    tracks: BTreeMap<String, (usize, usize)>,
    attempt: Option<Attempt<'a>>,
}

/// A hint that was read.
struct Known {
    id: String,
    about: Option<String>,
    rule: Rule,
}

impl Known {
    fn read(hint: Hint) -> Option<Self> {
        Some(Self {
            rule: Rule::read(&hint.text)?,
            id: hint.id,
            about: hint.about,
        })
    }
}

/// The tries at one step of the plan.
struct Attempt<'a> {
    beliefs: Beliefs<'a>,
    tried: BTreeSet<String>,
    tries: usize,
    /// Hints that led to a failure and that match no habit.
    spent: BTreeSet<String>,
    /// The last failure, with its error and its number of repetitions.
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

/// The next action.
struct Decided {
    proposal: Proposal,
    /// The hints that made the difference.
    followed: Vec<String>,
}

impl Decided {
    fn own(proposal: Proposal) -> Self {
        Self {
            proposal,
            followed: Vec::new(),
        }
    }
}

impl<'a> Executor<'a> {
    fn new(kit: Kit<'a>, chance: Chance) -> Self {
        Self {
            kit,
            will: Chance::of(chance.clone().bits(), "heeds"),
            chance,
            rules: Vec::new(),
            unheeded: BTreeSet::new(),
            tracks: BTreeMap::new(),
            attempt: None,
        }
    }

    /// Newer hints come before older ones, because they are about the latest event. Returns true if one is new.
    fn take(&mut self, hints: Vec<Hint>) -> bool {
        let mut rules: Vec<Known> = Vec::new();
        let mut is_any_new = false;
        for hint in hints {
            let known = self.rules.iter().position(|known| known.id == hint.id);
            let known = known.map(|at| self.rules.remove(at));
            if known.is_none() && !self.heeds(&hint.id) {
                continue;
            }
            is_any_new |= known.is_none();
            let read = known.or_else(|| Known::read(hint));
            rules.extend(read);
        }
        rules.append(&mut self.rules);
        rules.truncate(HINTS_MAX);
        self.rules = rules;
        is_any_new
    }

    fn heeds(&mut self, id: &String) -> bool {
        if self.kit.heeds >= 1.0 {
            return true;
        }
        if self.unheeded.contains(id) {
            return false;
        }
        let is_heeded = self.will.share() < self.kit.heeds;
        if !is_heeded {
            self.unheeded.insert(id.clone());
        }
        is_heeded
    }

    /// The next action; `None` when it gives up.
    fn propose(&mut self) -> Option<Decided> {
        let Self {
            kit,
            rules,
            tracks,
            chance,
            attempt,
            ..
        } = self;
        let attempt = attempt
            .as_mut()
            .filter(|attempt| attempt.tries < kit.limits.tries)?;
        let rules = attempt.usable(rules, tracks);
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
        Some(attempt.improved(&rules, decided))
    }

    /// The planned action, in the light of hints that came since.
    fn reconsidered(&mut self, decided: Decided) -> Decided {
        let Some(attempt) = self.attempt.as_mut() else {
            return decided;
        };
        let rules = attempt.usable(&self.rules, &self.tracks);
        attempt.improved(&rules, decided)
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
    /// The rules about this kind of step that are still believed.
    fn usable<'k>(
        &self,
        rules: &'k [Known],
        tracks: &BTreeMap<String, (usize, usize)>,
    ) -> Vec<&'k Known> {
        let is_doubted = |id: &String| {
            let (worked, failed) = tracks.get(id).copied().unwrap_or_default();
            failed >= worked + DOUBTED_AFTER
        };
        let intent = &self.beliefs.intent().name;
        rules
            .iter()
            .filter(|known| known.about.as_ref().is_none_or(|about| about == intent))
            .filter(|known| !self.spent.contains(&known.id) && !is_doubted(&known.id))
            .collect()
    }

    /// A decision as the hints improve it.
    fn improved(&mut self, rules: &[&Known], mut decided: Decided) -> Decided {
        if let Some(advised) = self.advised(rules, &decided.proposal) {
            decided.followed.extend(advised.followed);
            decided.proposal = advised.proposal;
        }
        decided.followed.sort_unstable();
        decided.followed.dedup();
        decided
    }

    /// Rewrites a proposal by hints, never into an action that was tried; `None` when no hint was followed.
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
        (!followed.is_empty()).then_some(Decided { proposal, followed })
    }

    /// A rewriting as a proposal of one's own where possible. An analogy without such a form is nonsense; a hint about
    /// this very action is tried all the same.
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
