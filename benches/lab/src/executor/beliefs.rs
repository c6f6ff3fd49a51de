//! The beliefs of the executor while it tries one step: the forms that are still plausible.
//!
//! It starts from its habits and reads errors in general ways only: a piece that an error names is suspect, an untried
//! piece that it names is worth a try, and a change after which the error is another one mattered.

mod understanding;

use std::collections::{BTreeMap, BTreeSet};

use crate::chance::Chance;
use crate::feedback::Intent;
use crate::tokens::{Kind, Token, tokens};
use crate::tool::{Alternative, Habits};

/// Draws in the search for something that was not tried yet.
const DRAWS_MAX: usize = 60;
/// Weight that readable documentation adds to a piece that it mentions.
const DOCUMENTED: f64 = 6.0;
/// Weight that an error adds to an alternative that it names.
const OFFERED: f64 = 8.0;
/// Remaining weight of an alternative after it was part of a failure.
const TRIED: f64 = 0.8;
/// Share of the last form that is repeated.
const KEPT: f64 = 0.6;
/// Maximum number of changes that still identify the one that mattered.
const CHANGES_MAX: usize = 2;

/// Every alternative that was looked at: its weight, its pieces, and the evidence about it.
type Choices = BTreeMap<String, Vec<Candidate>>;

#[derive(Clone, Debug)]
struct Candidate {
    weight: f64,
    pieces: Vec<String>,
    /// The last error was about it.
    is_suspect: bool,
}

/// A drawn proposal.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Proposal {
    /// The action.
    pub(super) action: String,
    made: Made,
}

impl Proposal {
    /// A proposal that hints have made, of which the executor knows no parts.
    pub(super) fn told(action: String) -> Self {
        Self {
            action,
            made: Made::new(),
        }
    }

    /// Returns true if its parts are known: it was drawn, or could have been.
    pub(super) fn is_own(&self) -> bool {
        !self.made.is_empty()
    }
}

/// The alternative that was taken for each choice.
type Made = BTreeMap<String, usize>;

/// Beliefs about one step of a plan.
#[derive(Debug)]
pub(super) struct Beliefs<'a> {
    habits: &'a Habits,
    intent: Intent,
    docs: Vec<String>,
    choices: Choices,
    /// The last draw, with its error.
    last: Option<(Made, Vec<String>)>,
    /// Every error that was met; meeting an old one again is a step back.
    met: BTreeSet<Vec<String>>,
    /// The pieces that were looked for among the habits, and found or not.
    understood: BTreeMap<String, Option<Proposal>>,
}

impl<'a> Beliefs<'a> {
    /// Beliefs before the first try; `docs` is empty when nothing may be read.
    pub(super) fn new(habits: &'a Habits, intent: Intent, docs: &str) -> Self {
        Self {
            habits,
            intent,
            docs: pieces(docs),
            choices: BTreeMap::new(),
            last: None,
            met: BTreeSet::new(),
            understood: BTreeMap::new(),
        }
    }

    /// The step that this is about.
    pub(super) fn intent(&self) -> &Intent {
        &self.intent
    }

    /// Draws an untried form, or the last one drawn when nearly all were tried.
    pub(super) fn draw(
        &mut self,
        chance: &mut Chance,
        tried: &BTreeSet<String>,
    ) -> Option<Proposal> {
        let mut drawn = None;
        for _ in 0..DRAWS_MAX {
            let proposal = self.draw_once(chance)?;
            let is_new = !tried.contains(&proposal.action);
            drawn = Some(proposal);
            if is_new {
                break;
            }
        }
        drawn
    }

    /// Most of the last form is repeated, so that it shows the effect of a change.
    fn draw_once(&mut self, chance: &mut Chance) -> Option<Proposal> {
        let Self {
            habits,
            intent,
            docs,
            choices,
            last,
            ..
        } = self;
        let mut made = Made::new();
        let mut choose = |name: &str, among: &[Alternative]| {
            let options = choices
                .entry(name.to_owned())
                .or_insert_with(|| begun(among, docs));
            let before = last.as_ref().and_then(|(made, _)| made.get(name)).copied();
            let is_trusted = before
                .and_then(|at| options.get(at))
                .is_some_and(|option| !option.is_suspect);
            let choice = match before.filter(|_| is_trusted && chance.share() < KEPT) {
                Some(before) => before,
                None => {
                    let weights: Vec<f64> = options.iter().map(|option| option.weight).collect();
                    chance.weighted(&weights).unwrap_or(0)
                }
            };
            made.insert(name.to_owned(), choice);
            choice
        };
        let action = habits.say(&intent.name, &intent.data, &mut choose)?;
        Some(Proposal { action, made })
    }

    /// Takes in how a proposal failed.
    pub(super) fn failed(&mut self, proposal: &Proposal, error: &str) {
        let text = error;
        let error = pieces(text);
        let is_new = self.met.insert(error.clone());
        if proposal.made.is_empty() {
            return;
        }
        self.read(&proposal.made, text);
        self.compare(&proposal.made, &error, is_new);
        self.last = Some((proposal.made.clone(), error));
    }

    /// Looks for alternatives in the text of an error. It objects to its quotations; without any, to all that it names.
    fn read(&mut self, made: &Made, error: &str) {
        let (all, quoted) = (pieces(error), quoted_pieces(error));
        let objected = if quoted.is_empty() { &all } else { &quoted };
        for (name, choice) in made {
            let Some(options) = self.choices.get_mut(name) else {
                continue;
            };
            let names: Vec<bool> = options
                .iter()
                .map(|option| contains(&all, &option.pieces))
                .collect();
            let own = options
                .get(*choice)
                .is_some_and(|option| contains(objected, &option.pieces));
            let is_context = names.get(*choice).copied().unwrap_or(false) && !own;
            let others = names
                .iter()
                .enumerate()
                .any(|(at, named)| *named && at != *choice);
            for (at, option) in options.iter_mut().enumerate() {
                let is_chosen = at == *choice;
                option.is_suspect = is_chosen && !is_context && (own || others);
                option.weight *= match (is_chosen, names[at]) {
                    (true, _) if is_context => 1.0,
                    (true, _) if own && others => 0.03,
                    (true, _) if own || others => 0.3,
                    (true, _) => TRIED,
                    (false, true) if !is_context => OFFERED,
                    (false, _) => 1.0,
                };
            }
        }
    }

    /// When the error is a new one, the change mattered; when an old one is back, it was wrong.
    fn compare(&mut self, made: &Made, error: &[String], is_new: bool) {
        let Some((before, last_error)) = self.last.clone() else {
            return;
        };
        let changed = |made: &Made, other: &Made| -> Made {
            let differs = |(name, choice): &(&String, &usize)| {
                other.get(*name).is_some_and(|old| old != *choice)
            };
            made.iter()
                .filter(differs)
                .map(|(name, choice)| (name.clone(), *choice))
                .collect()
        };
        let (new, old) = (changed(made, &before), changed(&before, made));
        if new.is_empty() || new.len() > CHANGES_MAX {
            return;
        }
        let (new_factor, old_factor) = match (last_error == error, is_new) {
            (true, _) => (0.8, 1.0),
            (false, true) => (1.8, 0.4),
            (false, false) => (0.4, 1.8),
        };
        self.weigh(&new, new_factor);
        self.weigh(&old, old_factor);
    }

    fn weigh(&mut self, made: &Made, factor: f64) {
        for (name, choice) in made {
            let option = self
                .choices
                .get_mut(name)
                .and_then(|options| options.get_mut(*choice));
            if let Some(option) = option {
                option.weight *= factor;
            }
        }
    }
}

fn begun(among: &[Alternative], docs: &[String]) -> Vec<Candidate> {
    let each = among.iter().map(|alternative| {
        // Places in braces are data, which no error and no documentation can name.
        let pieces = if alternative.text.contains('{') {
            Vec::new()
        } else {
            pieces(&alternative.text)
        };
        let factor = if contains(docs, &pieces) {
            DOCUMENTED
        } else {
            1.0
        };
        Candidate {
            weight: alternative.weight * factor,
            pieces,
            is_suspect: false,
        }
    });
    each.collect()
}

fn contains(text: &[String], pieces: &[String]) -> bool {
    !pieces.is_empty() && text.windows(pieces.len()).any(|window| window == pieces)
}

/// Words and signs inside of quotation marks.
fn quoted_pieces(text: &str) -> Vec<String> {
    let quoted = tokens(text)
        .into_iter()
        .filter(|token| token.kind == Kind::Quoted);
    quoted
        .flat_map(|token| tokens(&token.text))
        .map(|token| token.text)
        .collect()
}

/// Words and signs of a text; quoted texts are read too.
fn pieces(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for Token { kind, text, .. } in tokens(text) {
        match kind {
            Kind::Quoted => found.extend(tokens(&text).into_iter().map(|token| token.text)),
            _ => found.push(text),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    fn habits() -> Habits {
        let json = json!({"forms": {"s": {"{verb} x": 1}}, "choices": {"verb": {"A": 1, "B": 1, "C": 1, "D": 1}}});
        Habits::parse(&json).unwrap()
    }

    fn share(beliefs: &mut Beliefs<'_>, action: &str) -> f64 {
        let mut chance = Chance::new(5);
        let draws = (0..400).filter(|_| beliefs.draw_once(&mut chance).unwrap().action == action);
        draws.count() as f64 / 400.0
    }

    fn beliefs<'a>(habits: &'a Habits, docs: &str) -> Beliefs<'a> {
        Beliefs::new(
            habits,
            Intent {
                name: "s".to_owned(),
                data: Map::new(),
            },
            docs,
        )
    }

    #[test]
    fn what_an_error_offers_is_tried_next() {
        let habits = habits();
        let mut beliefs = beliefs(&habits, "");
        let made = Made::from([("form of s".to_owned(), 0), ("verb".to_owned(), 0)]);
        share(&mut beliefs, "A x");
        let proposal = Proposal {
            action: "A x".to_owned(),
            made,
        };
        beliefs.failed(&proposal, "unknown 'A'; there are C, E");
        assert!(share(&mut beliefs, "C x") > 0.7);
        assert!(share(&mut beliefs, "A x") < 0.02);
    }

    #[test]
    fn a_change_that_brings_back_an_old_error_was_wrong() {
        let habits = habits();
        let mut beliefs = beliefs(&habits, "");
        share(&mut beliefs, "A x");
        for (verb, error) in [(0, "e one"), (1, "e two"), (2, "e one")] {
            let made = Made::from([("form of s".to_owned(), 0), ("verb".to_owned(), verb)]);
            beliefs.failed(
                &Proposal {
                    action: String::new(),
                    made,
                },
                error,
            );
        }
        let weights = |at: usize| beliefs.choices["verb"][at].weight;
        assert!(weights(1) > 3.0 * weights(0) && weights(1) > 3.0 * weights(2));
    }

    #[test]
    fn documentation_that_may_be_read_counts() {
        let habits = habits();
        assert!(share(&mut beliefs(&habits, "say B"), "B x") > 0.5);
        assert!(share(&mut beliefs(&habits, ""), "B x") < 0.4);
    }
}
