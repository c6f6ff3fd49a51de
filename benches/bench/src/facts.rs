//! `hindlore-bench facts`: whether the newest value of a fact comes first, and whether the older one is linked as
//! superseded.
//!
//! The data is FactConsolidation (MemoryAgentBench): numbered facts of which some contradict earlier ones, and
//! questions whose answer is the newest value. Facts come one by one, as an agent would learn them. The sentence forms
//! of the data set, not the rule that is measured, decide when one attribute has two values.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::Progress;
use super::chance::Chance;
use super::data;
use super::error::EvalError;
use super::report::{Goal, Report, Row};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::{Tables, apply_delta};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::{LinkId, LinkKind};
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::memory::query::Query;
use hindlore_domain::memory::rank::rank;
use hindlore_primitives::timestamp::Timestamp;

/// Least share of questions whose first hit is the current value.
const CURRENT_MIN: f64 = 0.92;
/// Least share of attributes with two values whose facts are linked.
const LINKED_MIN: f64 = 0.60;
/// Greatest share of unrelated pairs that are linked.
const WRONG_MAX: f64 = 0.01;
/// Unrelated pairs that are tried.
const PAIRS: usize = 10_000;
/// Facts from which on a set is reported without a goal.
const GOAL_FACTS_MAX: usize = 3_000;

/// The sentence forms of the data set, as it spells them: the words before the subject, and between it and the value.
const FORMS: &[(&str, &str)] = &[
    ("The name of the current head of the ", " government is "),
    ("The name of the current head of state in ", " is "),
    ("The univeristy where ", " was educated is "),
    ("The company that produced ", " is "),
    ("The type of music that ", " plays is "),
    ("The headquarters of ", " is located in the city of "),
    ("The chief executive officer of ", " is "),
    ("The origianl broadcaster of ", " is "),
    ("The official language of ", " is "),
    ("The original language of ", " is "),
    ("The chairperson of ", " is "),
    ("The head coach of ", " is "),
    ("The director of ", " is "),
    ("The capital of ", " is "),
    ("The author of ", " is "),
    ("", "'s child is "),
    ("", " is a citizen of "),
    ("", " is affiliated with the religion of "),
    ("", " is associated with the sport of "),
    ("", " is located in the continent of "),
    ("", " is married to "),
    ("", " is employed by "),
    ("", " is famous for "),
    ("", " was founded in the city of "),
    ("", " was founded by "),
    ("", " was performed by "),
    ("", " was created in the country of "),
    ("", " was created by "),
    ("", " was developed by "),
    ("", " was written in the language of "),
    ("", " was born in the city of "),
    ("", " died in the city of "),
    ("", " worked in the city of "),
    ("", " works in the field of "),
    ("", " speaks the language of "),
    ("", " plays the position of "),
];

/// One set of the file.
#[derive(Debug, Deserialize)]
struct Set {
    context: String,
    questions: Vec<String>,
    answers: Vec<Vec<String>>,
    metadata: Metadata,
}

#[derive(Debug, Deserialize)]
struct Metadata {
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    qa_pair_ids: Vec<String>,
}

/// A fact, taken apart.
#[derive(Clone, Debug)]
struct Fact<'t> {
    text: &'t str,
    form: usize,
    subject: &'t str,
    value: &'t str,
}

/// Measures on the file of FactConsolidation.
pub fn facts(file: &Path, say: Progress<'_>) -> Result<Report, EvalError> {
    let sets: Vec<Set> = data::json(file)?;
    let mut report = Report::new("facts");
    let single = sets.iter().filter(|set| set.is_single_hop());
    let mut largest: Vec<Fact<'_>> = Vec::new();
    for set in single {
        let facts = set.facts();
        say(&format!("{} facts", facts.len()));
        measure(set, &facts, &mut report)?;
        if facts.len() > largest.len() {
            largest = facts;
        }
    }
    if largest.is_empty() {
        let message = format!("`{}` has no set of single hops", file.display());
        return Err(EvalError::new(message, "give Conflict_Resolution.json"));
    }
    let wrong = linked_wrongly(&largest)?;
    report.push(
        Row::measured("unrelated pairs linked", wrong, "share")
            .of_size(PAIRS as u64)
            .with_note("half of one relation and two subjects, half of two relations")
            .with_goal(Goal::AtMost(WRONG_MAX)),
    );
    Ok(report)
}

impl Set {
    fn is_single_hop(&self) -> bool {
        let names = self
            .metadata
            .source
            .iter()
            .chain(&self.metadata.qa_pair_ids);
        names.into_iter().any(|name| name.contains("_sh_"))
    }

    /// The facts in their order.
    fn facts(&self) -> Vec<Fact<'_>> {
        let numbered = self.context.lines().filter_map(|line| {
            let (number, text) = line.split_once(". ")?;
            number.parse::<u32>().ok().map(|_| text.trim())
        });
        numbered.map(Fact::of).collect()
    }
}

impl<'t> Fact<'t> {
    fn of(text: &'t str) -> Self {
        // Only the last stop ends the sentence: a value may be an abbreviation.
        let bare = text.strip_suffix('.').unwrap_or(text);
        let parts = |(form, (before, between)): (usize, &(&str, &str))| {
            let rest = bare.strip_prefix(before)?;
            let (subject, value) = rest.rsplit_once(between)?;
            Some(Self {
                text,
                form,
                subject,
                value,
            })
        };
        let found = FORMS.iter().enumerate().find_map(parts);
        found.unwrap_or(Self {
            text,
            form: FORMS.len(),
            subject: bare,
            value: "",
        })
    }
}

/// A memory that learned facts one by one, with the bullet of each.
fn learned(
    facts: &[&str],
    policy: &Policy,
    tables: &Tables,
) -> Result<(Memory, Vec<BulletId>), EvalError> {
    let wrong =
        |why: String| EvalError::new(format!("a fact cannot be added: {why}"), "check the file");
    let key = MemoryKey::new("bench", "facts", "all").map_err(|why| wrong(why.to_string()))?;
    let mut memory = Memory::new(key, policy.clone());
    let mut bullets = Vec::new();
    for (number, text) in facts.iter().enumerate() {
        let new = NewBullet {
            content: (*text).to_owned(),
            ..NewBullet::default()
        };
        let id = DeltaId::parse(&format!("fact-{number}")).map_err(wrong)?;
        let delta = Delta::new(id, vec![Operation::Add(Box::new(new))]);
        let now = Timestamp::from_millis(0);
        let applied = apply_delta(&mut memory, &delta, now, tables)
            .map_err(|why| wrong(format!("{why:?}")))?;
        let receipt = applied.receipt;
        let home = receipt.added.first().copied();
        let home = home.or_else(|| receipt.merged.first().map(|merged| merged.into));
        bullets.push(home.ok_or_else(|| wrong(format!("{text} was refused")))?);
    }
    Ok((memory, bullets))
}

fn measure(set: &Set, facts: &[Fact<'_>], report: &mut Report) -> Result<(), EvalError> {
    let texts: Vec<&str> = facts.iter().map(|fact| fact.text).collect();
    let (memory, bullets) = learned(&texts, &Policy::default(), &Tables::standard())?;
    let goal = |row: Row, goal| {
        if facts.len() < GOAL_FACTS_MAX {
            row.with_goal(goal)
        } else {
            row
        }
    };
    let first = current_first(set, &memory);
    let name = format!("first hit is current, {} facts", facts.len());
    let row = Row::measured(name, first, "share").of_size(set.questions.len() as u64);
    report.push(goal(row, Goal::AtLeast(CURRENT_MIN)));
    let (linked, frames) = linked(facts, &bullets, &memory);
    let name = format!("attributes with two values linked, {} facts", facts.len());
    let share = linked as f64 / frames.max(1) as f64;
    let row = Row::measured(name, share, "share").of_size(frames);
    report.push(goal(row, Goal::AtLeast(LINKED_MIN)));
    Ok(())
}

/// The share of questions whose first hit gives the answer as its value.
fn current_first(set: &Set, memory: &Memory) -> f64 {
    let asked = set.questions.iter().zip(&set.answers);
    let right = asked.filter(|(question, answers)| {
        let query = Query::new((*question).clone());
        let ranking = rank(memory, &query, Timestamp::from_millis(0));
        let first = ranking.hits.first().and_then(|hit| memory.get(hit.id));
        first.is_some_and(|bullet| {
            let fact = Fact::of(bullet.content.as_str());
            let given = if fact.value.is_empty() {
                fact.text
            } else {
                fact.value
            };
            let given = given.to_lowercase();
            answers
                .iter()
                .any(|answer| given.contains(&answer.to_lowercase()))
        })
    });
    right.count() as f64 / set.questions.len().max(1) as f64
}

/// How many attributes with several values have their last two values linked, and how many there are.
fn linked(facts: &[Fact<'_>], bullets: &[BulletId], memory: &Memory) -> (u64, u64) {
    let mut values: BTreeMap<(usize, &str), Vec<(&str, BulletId)>> = BTreeMap::new();
    for (fact, bullet) in facts.iter().zip(bullets) {
        if !fact.value.is_empty() {
            let known = values.entry((fact.form, fact.subject)).or_default();
            known.retain(|(value, _)| *value != fact.value);
            known.push((fact.value, *bullet));
        }
    }
    let several = values.values().filter(|values| values.len() > 1);
    let mut counts = (0, 0);
    for values in several {
        counts.1 += 1;
        if let [.., (_, before), (_, now)] = values[..] {
            let link = memory.link(LinkId::new(LinkKind::Supersedes, now, before));
            counts.0 += u64::from(link.is_some_and(|link| !link.removed));
        }
    }
    counts
}

/// The share of pairs of facts about different attributes that are linked.
fn linked_wrongly(facts: &[Fact<'_>]) -> Result<f64, EvalError> {
    let (policy, tables) = (Policy::default(), Tables::standard());
    let mut chance = Chance::new(5);
    let (mut wrong, mut tried) = (0, 0);
    while tried < PAIRS {
        let (one, other) = (
            &facts[chance.below(facts.len())],
            &facts[chance.below(facts.len())],
        );
        let is_one_relation = one.form == other.form;
        let is_unrelated = one.subject != other.subject || !is_one_relation;
        // Half of the pairs share the relation: those are the ones that could be taken for each other.
        if !is_unrelated || is_one_relation != (tried % 2 == 0) {
            continue;
        }
        tried += 1;
        let (memory, _) = learned(&[one.text, other.text], &policy, &tables)?;
        wrong += usize::from(
            memory
                .links()
                .any(|link| link.id.kind == LinkKind::Supersedes),
        );
    }
    Ok(wrong as f64 / PAIRS as f64)
}
